"""Compares lazy.py with NumPy: PYTHONPATH=bin/python python3 examples/lazy/test_lazy.py [DEVICE]"""

import sys

import numpy as np

import lazy
import memc


def values():
    f = np.array([[1, -2, 3.5, 0], [4, 5, -6, 0.25], [7, 8, 9, 10]], np.float32)
    v, i = f[0] + 1, np.array([3, -1, 2, 2, 0])
    h, k, b = np.array([1, 2], np.float16), np.arange(-3, 9, dtype=np.int32).reshape(3, 4), f > 1
    F, V, I, H, K, B = map(lazy.array, (f, v, i, h, k, b))
    pairs = []
    same = lambda got, want: pairs.append((got, np.asarray(want)))

    same(F * 2 + V, f * 2 + v)
    same(3 - f * V / (1 + abs(F)), 3 - f * v / (1 + abs(f)))
    same(K // 3 + K % 3 - K**2 + (K & 6 | 1 ^ K) + ~K, k // 3 + k % 3 - k**2 + (k & 6 | 1 ^ k) + ~k)
    same(F // 2 + F % 3, f // 2 + f % 3)
    same(K / 2, k / 2)
    same(K * 0.5, k * 0.5)
    same(H * 2 + 1, h * np.float16(2) + np.float16(1))
    same(K + I[:4], k + i[:4])
    same(lazy.where(F > V, F, -1), np.where(f > v, f, np.float32(-1)))
    same((B & (F <= 4) | ~B) ^ (F == 8), (b & (f <= 4) | ~b) ^ (f == 8))
    same(B * V, b * v)
    same(lazy.sqrt(abs(F)) + lazy.exp(F / 9) + lazy.tanh(F) - lazy.floor(F), np.sqrt(abs(f)) + np.exp(f / 9) + np.tanh(f) - np.floor(f))
    same(lazy.log(K + 10), np.log(k + 10))
    for axis in (None, 0, 1, -1, (0, 1)):
        for of, x in ((F, f), (K, k)):
            same(of.sum(axis), x.sum(axis))
            same(of.mean(axis), x.mean(axis))
            same(of.max(axis), x.max(axis))
            same(of.min(axis), x.min(axis))
        same(F - F.sum(axis, keepdims=True), f - f.sum(axis, keepdims=True))
    same(B.any(0), b.any(0))
    same(B.all(1), b.all(1))
    same(B.sum(), b.sum())
    same(K.prod(), k.prod())
    same((F + np.nan).max() + lazy.maximum(F, np.nan), (f + np.nan).max() + np.maximum(f, np.nan))
    same(V.cumsum(), v.cumsum())
    same(K.cumsum(0), k.cumsum(0))
    same((F + 1).cumsum(1), (f + 1).cumsum(1))
    same(F @ F.T, f @ f.T)
    same(F @ V, f @ v)
    same(V @ F.T, v @ f.T)
    same(V @ V, v @ v)
    same(f.T @ F, f.T @ f)
    same(F.T.reshape(-1), f.T.reshape(-1))
    same(F.reshape(2, 6) + 1, f.reshape(2, 6) + 1)
    same(F[1:, ::2], f[1:, ::2])
    same(F[1, 2] + F[:, 1], f[1, 2] + f[:, 1])
    same(F[::-1, 3], f[::-1, 3])
    same(F[1:1].sum(0), f[1:1].sum(0))
    same(V[:, None] * V, v[:, None] * v)
    same(F[..., -1], f[..., -1])
    same(F[I[I * 0 + 4]], f[[0, 0, 0, 0, 0]])
    same(V[i] * V[-1], v[i] * v[-1])
    same(V[lazy.array([[1, 2], [0, -1]])], v[[[1, 2], [0, -1]]])
    same(lazy.concatenate([F, K, F[:1]]), np.concatenate([f, k.astype(np.float64), f[:1]]))
    same(lazy.concatenate([F, F + 1], axis=1).sum(0), np.concatenate([f, f + 1], axis=1).sum(0))
    same(lazy.bincount(I[1:] + 1, 4), np.bincount(i[1:] + 1)[:4])
    same(lazy.arange(5, np.float32) + lazy.full([5], 2.5, np.float32), np.arange(5, dtype=np.float32) + np.float32(2.5))
    same(lazy.array([[1.5]]).reshape() + 1, 2.5)
    same(F[0, 0].reshape(1, 1), f[:1, :1])

    lazy.force(*(got for got, _ in pairs))
    for n, (got, want) in enumerate(pairs):
        a = np.asarray(got)
        assert a.dtype == want.dtype and a.shape == want.shape and np.allclose(a, want, rtol=1e-3 if a.dtype == np.float16 else 1e-5, equal_nan=True), (n, a, want)


def programs():
    """Sizes and numbers make no new programs, and forced values stay on the device."""
    before = len(lazy._programs)
    for n in (5, 7, 100):
        x = lazy.full([n], n, np.float32)
        lazy.force(x)
        assert float((x * n + 1).sum()) == n * (n * n + 1)
        assert isinstance(x._known, memc.Array) and lazy.text(x + 1).count("map") == 1
    assert len(lazy._programs) == before + 2
    x = lazy.array(np.ones(3, np.float32))
    for _ in range(2000):  # deeper than Python's stack
        x = x + 1
    assert lazy.text(x).count("map") == 2000


def errors():
    x = lazy.array([1, 2, 3])
    for wrong in (lambda: x[lazy.array([5])], lambda: x // lazy.array([0])):
        try:
            np.asarray(wrong())
        except memc.Fault as e:
            assert e.origin == f"{__file__}:{wrong.__code__.co_firstlineno}", (e, e.origin)
        else:
            raise AssertionError
    for kind, wrong in ((IndexError, lambda: x[3]), (ValueError, lambda: x + [1, 2]), (ValueError, lambda: x[:0].max()), (TypeError, lambda: lazy.array([1j]))):
        try:
            wrong()
        except kind:
            continue
        raise AssertionError(kind)
    assert list(map(int, x)) == [1, 2, 3] and str(x * 2) == "[2 4 6]" and repr(x[0]) == "lazy.array(1)"


if __name__ == "__main__":
    lazy.use(sys.argv[1] if len(sys.argv) > 1 else "")
    values()
    programs()
    errors()
    print("ok")
