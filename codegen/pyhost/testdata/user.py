"""Goes through the interface of a package as a stranger would, errors of every kind
included. The package is called library; the argument names its target."""

import ast
import gc
import inspect
import os
import pathlib
import pickle
import shutil
import subprocess
import sys
import threading
import time
import warnings

import numpy as np

import library

target = sys.argv[1]


def fails(kind, text, f, *args, **named):
    try:
        f(*args, **named)
    except kind as e:
        assert type(e) is kind and text in str(e), repr(e)
        return e
    raise AssertionError(f"no {kind.__name__}: {text}")


def scalars(p):
    got = p.scalars(-1, 2, -3, 4, 255, 6, 7, 2**64 - 2, 1.5, 2.5, True)
    assert got == (0, 3, -2, 5, 0, 7, 8, 2**64 - 1, 3.0, 5.0, False), got
    types = "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 bool"
    assert [str(g.dtype) for g in got] == types.split()
    assert p.scalars(*got[:10], np.bool_(False))[1] == 4
    zeros = [0] * 8
    fails(OverflowError, "scalars: argument `a` does not fit: i8 holds -128 to 127", p.scalars, 128, *zeros[1:], 0, 0, True)
    fails(OverflowError, "`e`", p.scalars, 0, 0, 0, 0, -1, *zeros[5:], 0, 0, True)
    fails(OverflowError, "`h`", p.scalars, *zeros[:7], 2**64, 0, 0, True)
    fails(TypeError, "argument `a` is float64, and i8 is expected", p.scalars, 1.0, *zeros[1:], 0, 0, True)
    fails(TypeError, "argument `z` is int64, and bool is expected", p.scalars, *zeros, 0, 0, 1)
    fails(ValueError, "argument `a` has 1 dimensions, and 0 are expected", p.scalars, [1], *zeros[1:], 0, 0, True)
    assert p.scalars(*zeros, 1e300, 0, True)[8] == np.inf
    assert p.scalars(*zeros, 0, 10**30, True)[9] == 2e30  # NumPy has no integer for it
    fails(TypeError, "missing", p.scalars, 1)


def arrays(p):
    t = np.array([[True, False, True], [True, False, False]])
    assert (p.transpose(t) == t.T).all() and p.transpose(t).dtype == bool
    assert (p.transpose(np.asfortranarray(t)) == t.T).all()  # another order
    assert (p.transpose(t[::-1, ::2]) == t[::-1, ::2].T).all()  # strides
    assert p.transpose(np.zeros((0, 5), bool)).shape == (5, 0)
    assert p.dot(np.arange(3, dtype=">f4"), [1, 2, 3.5]) == 9  # another byte order, numbers of Python
    assert p.dot(np.arange(3, dtype=np.float16), np.ones(3, np.uint16)) == 3  # f32 holds all of them
    fails(TypeError, "dot: argument `xs` is float64, and f32 is expected; astype(numpy.float32)", p.dot, np.zeros(3), np.zeros(3))
    fails(TypeError, "put: argument `xs` is int64, and f64 is expected", p.put, np.zeros(3, np.int64), 0, 0)
    assert p.put(np.zeros(3, np.int32), 0, 2**53)[0] == 2**53
    fails(ValueError, "argument `xs` has 2 dimensions, and 1 are expected", p.dot, [[1]], [1])
    assert p.put(b"ab", 0, 2.5).tolist() == [2.5, 98]  # f64 holds all of u8
    xs = np.zeros(3)
    assert p.put(xs, 1, 2.0)[1] == 2 and xs[1] == 0  # a NumPy array is never changed
    ys, n = p.gather([5, 6, 7], [2, 0], keep=True)
    assert isinstance(n, np.int64) and ys.shape == (n,) and ys.dtype == np.int32 and (np.asarray(ys) == [7, 5]).all()


def errors(p):
    e = fails(library.Fault, "library.ir:11:32: error[E801]: index 7 is out of bounds for dimension 0 of `xs`, whose size is 3", p.gather, [1, 2, 3], [7])
    assert (pathlib.Path(e.file).name, e.line, e.column, e.code) == ("library.ir", 11, 32, "E801")
    fails(library.Fault, "nothing to multiply", p.dot, np.zeros(0, np.float32), [])
    fails(library.Fault, "argument `ys` has size 2 in dimension 0, but `n` is 3 (from `xs`)", p.dot, [1, 2, 3], [1, 2])
    assert isinstance(fails(library.OutOfMemory, "out of device memory", p.grow, 2**40), MemoryError)
    assert (p.grow(3) == [5, 6, 7]).all()  # the program stays usable
    fails(library.DeviceLost, "", p._check, 4)  # what the library answers when the device is lost
    fails(library.Error, "no such device" if target == "opencl" else "is none", library.Program, "no such device")
    fails(ValueError, "there is no allocator 'x'", library.Program, allocator="x")
    fails(ValueError, "memory_limit is -5", library.Program, memory_limit=-5)
    fails(ValueError, "device_heap is 18446744073709551617", library.Program, device_heap=2**64 + 1)
    fails(TypeError, "str", library.Program, memory_limit="1G")
    with library.Program(memory_limit=10_000, allocator="driver") as small:
        told = fails(library.OutOfMemory, "10008 bytes requested", small.grow, 1251).snapshot
        assert (told["requested"]["bytes"], told["limit"], told["in_use"]) == (10008, 10000, sum(b["bytes"] for b in told["blocks"])), told
        assert small.stats().allocator == "driver"
    if target == "c":
        fails(library.Error, '"0" is none', library.Program, device=0)  # 0 is a device's number, not the default
        with library.Program(threads=1) as one:
            assert one.stats().device == "C, 1 thread"
    else:
        fails(ValueError, "--target=c", library.Program, threads=1)


def kept(p):
    with p.array(np.arange(4.0)) as a:
        assert repr(a) == "<array of f64 on the device, shape (4,)>"
        b, c = p.same(a, keep=True)
        d = p.put(b, 0, 9, keep=True)
        assert (np.asarray(d) == [9, 1, 2, 3]).all() and (a.numpy() == c.numpy()).all() and a.numpy()[0] == 0
        fails(library.Misuse, "library.ir:23:16: error[E905]: argument `xs` was consumed by a call", p.put, b, 0, 9)
        fails(library.Misuse, "error[E905]: the array was consumed", b.numpy)
        fails(library.Misuse, "error[E906]: arguments `xs` and `ys` are one array, which `xs` consumes", p.over, d, d)
        assert (p.over(d, np.ones(4)) == [1, 1, 1, 1]).all()
        fails(TypeError, "<array of f64 on the device, shape (4,)>, and 1 dimensions of f32 are expected", p.dot, a, a)
        fails(ValueError, "argument `i` has 1 dimensions, and 0 are expected", p.put, c, a, 1)
        with library.Program() as other:
            fails(library.Misuse, "argument `xs` belongs to another program", other.same, a)
    assert fails(library.Misuse, "argument `xs` was freed", p.same, a).code == "E905"
    assert isinstance(fails(library.Misuse, "was freed", a.numpy), ValueError)
    a.free()  # may be done twice
    fails(TypeError, "no entry of the program has arrays of complex128 with 1 dimensions", p.array, [1j])
    fails(TypeError, "no entry of the program has arrays of float64 with 2 dimensions", p.array, [[1.0]])


class Foreign:
    """An array of another library, of which only DLPack is known."""

    def __init__(self, a, device=1):
        self.a, self.device = a, device

    def __dlpack__(self, **named):
        return self.a.__dlpack__(**named)

    def __dlpack_device__(self):
        return self.device, 0


def shared(p):
    """DLPack, in and out. On processors nothing is copied."""
    xs = np.arange(4.0)
    assert (p.put(Foreign(xs), 0, 9) == [9, 1, 2, 3]).all() and xs[0] == 0
    fails(TypeError, "put: argument `xs` is int64, and f64 is expected", p.put, Foreign(xs.astype(np.int64)), 0, 9)
    fails(TypeError, "put: argument `xs` is in memory of another device (number 2 of DLPack)", p.put, Foreign(xs, 2), 0, 9)
    a = p.array(Foreign(xs[::-1]))
    b, c = np.from_dlpack(a), np.from_dlpack(a)
    assert (b == [3, 2, 1, 0]).all() and b.dtype == np.float64 and np.shares_memory(b, c) == (target == "c")
    assert a.__dlpack_device__() == (1, 0)
    fails(BufferError, "host's memory", a.__dlpack__, stream=1)
    fails(BufferError, "host's memory", a.__dlpack__, dl_device=(2, 0))
    if target == "opencl":
        fails(BufferError, "is copied", a.__dlpack__, copy=False)
    assert (p.put(a, 0, 9) == [9, 2, 1, 0]).all()  # consumes a
    assert (b == [3, 2, 1, 0]).all()
    fails(library.Misuse, "the array was consumed", a.__dlpack__)
    assert np.from_dlpack(p.array(np.zeros(0))).shape == (0,)
    with library.Program() as q:
        with q.array(xs) as d:
            e = np.from_dlpack(d)
        fails(library.Misuse, "the array was freed", d.__dlpack__)
    assert (e == xs).all() and len(q._views) == (target == "c")  # after the program was closed
    del e
    assert not q._views


def memory(p):
    """What nobody refers to any more is freed."""
    gc.collect()
    p.reset_stats()
    before = p.stats().peak_bytes
    a = p.array(np.zeros(1000))
    del a
    fails(library.Fault, "out of bounds", p.put, np.zeros(1000), 1000, 1.0)  # frees its argument
    p.put(np.zeros(1000), 0, 1.0)
    gc.collect()
    p.reset_stats()
    assert p.stats().peak_bytes == before, p.stats()
    p.trim()


def pickled(p):
    """A pickled program is opened once in the process that loads it, and arrays go there."""
    load = lambda x: pickle.loads(pickle.dumps(x))
    q = load(p)
    assert q is load(p) is not p and q is load(p.grow).__self__ and (load(p.grow)(3) == p.grow(3)).all()
    with p.array(np.arange(3.0)) as a:
        assert sys.getsizeof(a) > a.nbytes == 24
        b = load(a)
        assert (b.numpy() == a.numpy()).all() and (q.put(b, 0, 9) == [9, 1, 2]).all() and a.numpy()[0] == 0
        fails(library.Misuse, "belongs to another program", p.put, load(a), 0, 9)
        fails(library.Misuse, "was consumed", pickle.dumps, b)
        command = "import pickle, sys; p, a = pickle.load(sys.stdin.buffer); print(p.put(a, 0, 9))"
        there = subprocess.run([sys.executable, "-c", command], input=pickle.dumps((p, a)), capture_output=True, check=True)
        assert there.stdout == b"[9. 1. 2.]\n", there
    q.close()
    assert load(p) is not q and (load(p).grow(3) == p.grow(3)).all()
    load(p).close()


def threads(p):
    """Calls of several threads take turns."""
    bad = []

    def work(k):
        for _ in range(20):
            got = p.grow(k)
            if (got != np.arange(k) * 0 + p.grow(k)).any():
                bad.append(k)

    ts = [threading.Thread(target=work, args=[k]) for k in (2, 3, 4)]
    [t.start() for t in ts]
    [t.join() for t in ts]
    assert not bad


def in_child(work):
    """Runs work in a forked process, which must end by itself, and well."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # newer Pythons warn of forks beside threads
        child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            if code:
                sys.excepthook(*sys.exc_info())
                os._exit(1)
            sys.exit(0)  # with all that Python does at its end
    for _ in range(600):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            assert status == 0, status
            return
        time.sleep(0.1)
    os.kill(child, 9)
    raise AssertionError("the forked process hangs")


def forked():
    """What a process opened is of no use to one forked from it, which is told so."""
    shutil.copytree(pathlib.Path(library.__file__).parent, "second")
    import second

    p = library.Program()
    a = p.array(np.arange(1000.0))
    p.put(np.zeros(100_000), 0, 1.0)

    def use():
        text = "a process that was forked after a program was opened cannot use programs"
        for package in library, second:
            fails(RuntimeError, text, package.Program)
        fails(RuntimeError, text, p.put, np.zeros(100), 0, 1.0)
        fails(RuntimeError, text, a.numpy)
        fails(RuntimeError, text, p.stats)
        a.free()
        p.close()

    in_child(use)
    in_child(lambda: None)
    with p._lock:  # as another thread's call has it at a fork
        in_child(use)
    assert p.put(a, 0, 1.0)[0] == 1
    p.close()


class Closing:
    """An argument whose conversion closes the program."""

    def __init__(self, p):
        self.p = p

    def __array__(self, dtype=None, copy=None):
        self.p.close()
        return np.zeros(3)


def closing():
    p = library.Program()
    fails(library.Misuse, "the program is closed", p.put, Closing(p), 0, 1.0)
    p = library.Program()
    fails(library.Misuse, "the program is closed", p.array, Closing(p))
    p = library.Program()
    thread = threading.Thread(target=lambda: fails(library.Misuse, "the program is closed", p.put, Closing(p), 0, 1.0))
    thread.start()
    thread.join()
    p = library.Program()
    with p._using():  # as a handler of a signal comes within a call
        fails(RuntimeError, "cannot be closed from within one of its calls", p.close)
    assert p.put(np.zeros(3), 0, 1.0)[0] == 1
    p.close()


# A process that has opened nothing yet may fork: each child has its own program.
def first():
    with library.Program() as p:
        assert p.put(np.zeros(3), 0, 1.0)[0] == 1


library.Program._library.load()
in_child(first)
in_child(first)


def stub():
    """The types are those of the methods that there are."""
    text = pathlib.Path(library.__file__).with_suffix(".pyi").read_text()
    (program,) = [n for n in ast.parse(text).body if isinstance(n, ast.ClassDef)]
    typed = {f.name: [a.arg for a in f.args.args] for f in program.body if not f.name.startswith("__")}
    real = {n: [*inspect.signature(f).parameters][:-1] for n, f in vars(library.Program).items() if inspect.isfunction(f)}
    assert typed == real, (typed, real)
    assert "def same(self, xs: Union[ArrayLike, Array[np.float64]], *, keep: Literal[True]) -> tuple[Array[np.float64], Array[np.float64]]: ..." in text


with library.Program() as p:
    for check in scalars, arrays, errors, kept, shared, memory, pickled, threads:
        check(p)
    left = p.array([1.0])
stub()
forked()
closing()
fails(library.Misuse, "the program is closed", p.grow, 1)
fails(library.Misuse, "the program is closed", p.stats)
fails(library.Misuse, "the program is closed", left.numpy)
p.close()
abandoned = library.Program().array([1.0])  # keeps its program; both go at exit
assert abandoned.numpy()[0] == 1
print("ok")
