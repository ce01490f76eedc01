"""A user of the package memc: what its documentation promises."""

import gc
import os
import pickle
import sys
import threading

import numpy as np

import memc

TEXT = """entry step [n] (xs: *[n]f32, k: f32) : (ys: [n]f32, sum: f32) = {
  let ys = map (i < n) { in xs[i] * k }
  let sum = reduce (j < n) op (a, b) { in a + b } neutral (0.0) { in ys[j] }
  in (ys, sum)
}

entry pick [n] (xs: [n]f32, i: i64) : f32 = {
  in xs[i]
}

entry upper [n] (xs: [n]u8) : [n]u8 = {
  let ys = map (i < n) { in if xs[i] >= 97 && xs[i] <= 122 then xs[i] - 32 else xs[i] }
  in ys
}

entry half [n][m] (xs: [n][m]f16, b: bool) : ([n][m]f16, bool) = {
  let ys = map (i < n, j < m) { in xs[i, j] / 2 }
  in (ys, !b)
}

entry close (x: i64) : i64 = {
  in x + 1
}
"""


def fails(kind, part, f, *args, **named):
    try:
        f(*args, **named)
    except kind as e:
        assert part in str(e), (part, str(e))
        return e
    raise AssertionError(f"{f} did not raise {kind}")


def calls(p):
    ys, total = p.step(np.array([1, 2, 3], np.float32), 0.5)
    assert ys.dtype == np.float32 and ys.tolist() == [0.5, 1, 1.5] and total == 3 and isinstance(total, np.float32)
    assert p.pick([1.5, 2.5], 1) == 2.5
    assert p.upper(b"memc 1").tobytes() == b"MEMC 1"
    assert p.upper(b"").shape == (0,)
    h, b = p.half(np.array([[1, 2], [3, 4]], np.float16).T, True)
    assert h.dtype == np.float16 and h.tolist() == [[0.5, 1.5], [1, 2]] and b == np.False_
    assert p.entry_close(np.int32(2**31 - 1)) == 2**31 and p.call("close", -1) == 0


def arrays(ctx, p):
    xs, total = p.step(np.ones(4, np.float32), 2, keep=True)
    assert repr(xs) == "<array of f32 on the device, shape (4,)>" and xs.dtype == np.float32
    for _ in range(3):
        before = xs
        xs, total = p.step(xs, 2, keep=True)
        fails(memc.Misuse, "was consumed by a call", before.numpy)
    assert total == 64 and np.asarray(xs).tolist() == [16] * 4
    other = ctx.compile(TEXT)
    assert other.pick(xs, 0) == 16  # programs of a context take each other's arrays
    other.close()
    fails(memc.Misuse, "there is no such program", other.pick, xs, 0)
    with ctx.array(b"ab") as text:
        assert p.upper(text).tobytes() == b"AB"
    fails(memc.Misuse, "there is no such array", p.upper, text)
    fails(TypeError, "complex128", ctx.array, np.array([1j]))


class Foreign:
    """An array of another library, of which only DLPack is known."""

    def __init__(self, a, device=1):
        self.a, self.device = a, device

    def __dlpack__(self, **named):
        return self.a.__dlpack__(**named)

    def __dlpack_device__(self):
        return self.device, 0


def shared(ctx, p):
    """DLPack, in and out. Without OpenCL nothing is copied."""
    opencl = ctx.stats()["device"] not in ("c", "interp-memory")
    xs = np.array([1, 2, 3], np.float32)
    assert p.step(Foreign(xs), 2)[0].tolist() == [2, 4, 6] and xs.tolist() == [1, 2, 3]
    fails(TypeError, "argument `xs` is float64, and f32", p.step, Foreign(np.ones(3)), 2)
    fails(TypeError, "`xs` is in memory of another device (number 2 of DLPack)", p.step, Foreign(xs, 2), 2)
    a = ctx.array(Foreign(xs[::-1]))
    b, c = np.from_dlpack(a), np.from_dlpack(a)
    assert b.tolist() == [3, 2, 1] and np.shares_memory(b, c) != opencl
    if opencl:
        fails(BufferError, "is copied", a.__dlpack__, copy=False)
    assert np.from_dlpack(p.upper(b"ab", keep=True)).tobytes() == b"AB" and np.from_dlpack(p.upper(b"", keep=True)).shape == (0,)
    p.step(a, 2)  # consumes a
    fails(memc.Misuse, "consumed", a.__dlpack__)
    with ctx.array(xs) as d:
        e = np.from_dlpack(d)
    fails(memc.Misuse, "no such array", d.__dlpack__)
    gc.collect()
    p.step(xs, 2)
    assert b.tolist() == [3, 2, 1] and e.tolist() == [1, 2, 3]
    return b


def errors(ctx, p):
    xs = np.array([1, 2], np.float32)
    e = fails(memc.Fault, "index 9 is out of bounds", p.pick, xs, 9)
    assert (e.file, e.line, e.column, e.kind, e.code) == ("sim.ir", 8, 9, "fault", "E801"), vars(e)
    e = fails(memc.CompileError, "`y`", ctx.compile, "entry main (x: i32) : i32 = {\n  in x + y\n}", file="b.ir")
    assert (e.file, e.line, e.column) == ("b.ir", 2, 10) and e.messages[0]["severity"] == "error"
    fails(memc.Misuse, "fuze", ctx.compile, TEXT, passes="fuze")
    fails(memc.Misuse, "is [2]f32, but [n]u8 is expected", p.upper, ctx.array(xs))
    fails(TypeError, "int32", p.upper, np.array([1], np.int32))
    fails(OverflowError, "u8", p.upper, [256])
    fails(ValueError, "2 dimensions", p.pick, [xs, xs], 0)
    fails(TypeError, "takes 2 arguments, but 1 were given", p.pick, xs)
    fails(AttributeError, "nosuch", lambda: p.nosuch)
    fails(AttributeError, "no entry 'nosuch'", p.call, "nosuch")
    assert p.pick(xs, 1) == 2


def pickled(ctx, p):
    """A pickled program is compiled once in the process that loads it, and arrays go there."""
    load = lambda x: pickle.loads(pickle.dumps(x))
    q = load(p)
    assert q is load(p) is not p and load(p.pick)([5, 6], 1) == 6
    a = ctx.array(np.ones(3, np.float32))
    assert sys.getsizeof(a) > a.nbytes == 12
    b = load(a)
    ys, total = q.step(b, 2)
    assert total == 6 and a.numpy().tolist() == [1] * 3
    fails(memc.Misuse, "was consumed", pickle.dumps, b)
    fails(memc.Misuse, "another context", p.pick, load(a), 0)
    b = load(a)
    load(ctx).close()
    fails(memc.Misuse, "closed", q.pick, b, 0)
    assert load(p) is not q and load(p).pick(load(a), 0) == 1
    load(ctx).close()


def threads(p):
    bad = []

    def work(i):
        for k in range(10):
            ys, total = p.step(np.full(10, i, np.float32), k)
            if total != 10 * i * k:
                bad.append((i, k, total))

    all = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    [t.start() for t in all]
    [t.join() for t in all]
    assert not bad, bad


def main():
    device = sys.argv[1]
    with memc.Context(device, threads=1 if device == "c" else 0) as ctx:
        p = ctx.compile(TEXT, file="sim.ir")
        assert [e.name for e in p.entries] == ["step", "pick", "upper", "half", "close"]
        assert p.entries[0].params[0] == memc.Param("xs", "*[n]f32", "f32", ["n"], True) and p.warnings == []
        p.build("pick")
        calls(p)
        arrays(ctx, p)
        errors(ctx, p)
        left = shared(ctx, p)
        pickled(ctx, p)
        if device != "c":
            threads(p)
        assert ctx.stats()["device"]
    fails(memc.Misuse, "closed", p.pick, [1.0], 0)
    gc.collect()
    assert left.tolist() == [3, 2, 1]
    if device == "":
        q = memc.compile(TEXT)
        q.build()
        calls(q)
        pick = q.pick
        del q
        gc.collect()
        fails(memc.Misuse, "is gone", pick, [1.0], 0)
        child = os.fork()
        if child == 0:
            try:
                memc.compile(TEXT)
            except RuntimeError:
                os._exit(7)
            os._exit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    print("ok")


main()
