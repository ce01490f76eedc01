"""memc in this process: programs of its IR are compiled and called as Python functions.

    import memc
    p = memc.compile(text)
    ys, total = p.step(np.array([1, 2, 3], np.float32), 0.5)

`make libmemc` builds this package, with the library libmemc.so that it stands on (memc.h
describes that). Arguments and results are those of the packages that `memc compile
--host=python` writes: NumPy arrays and scalars, or with keep=True arrays that stay on the device.
"""

import ctypes
import json
import math
import os
import threading
import weakref
from pathlib import Path
from typing import Any, Callable, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _memc
from ._memc import DeviceLost, Error, Fault, Misuse, OutOfMemory

__all__ = ["Array", "CompileError", "Context", "DeviceLost", "Entry", "Error", "Fault", "Misuse", "OutOfMemory", "Param", "Program", "compile"]

_ABI = 1


class CompileError(Error):
    """The program is wrong, or memc cannot compile it. messages has all that was found."""


# By memc_code (memc.h).
_errors = {1: CompileError, 2: CompileError, 3: Fault, 4: OutOfMemory, 5: Misuse, 6: DeviceLost}
_names = "i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 bool".split()  # by memc_type


class _Value(ctypes.Structure):
    """memc_value of memc.h."""

    _fields_ = [
        ("array", ctypes.c_uint64),
        ("type", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("data", ctypes.c_void_p),
        ("scalar", ctypes.c_uint64),
    ]


_number, _text, _size, _any = ctypes.c_uint64, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p
_functions = {  # results and parameters, without the error
    "memc_open": (_text, _any),
    "memc_compile": (_number, _text, _size, _text, _any),
    "memc_build": (_number, _text),
    "memc_call": (_number, _text, _any, _size, _any, _size),
    "memc_array_new": (_number, _any, _any),
    "memc_array_read": (_number, _any, _size),
    "memc_array_view": (_number, _any, _any),
}


class _Library:
    """The C library, which is loaded when it is first used."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loaded: Optional[ctypes.CDLL] = None

    def load(self) -> ctypes.CDLL:
        with self._lock:
            if self._loaded is None:
                lib = ctypes.CDLL(os.environ.get("MEMC_LIBRARY") or str(Path(__file__).with_name("libmemc.so")))
                if lib.memc_abi() != _ABI:
                    raise ImportError(f"libmemc has version {lib.memc_abi()} of its interface, and this package needs {_ABI}")
                for name, args in _functions.items():
                    getattr(lib, name).argtypes = (*args, ctypes.POINTER(_any))
                for name in ("memc_close", "memc_program_free", "memc_array_free"):
                    getattr(lib, name).argtypes, getattr(lib, name).restype = (_number,), None
                for name in ("memc_stats", "memc_entries"):
                    getattr(lib, name).argtypes, getattr(lib, name).restype = (_number,), _any
                lib.memc_free.argtypes, lib.memc_free.restype = (_any,), None
                self._loaded = lib
            return self._loaded

    def call(self, name: str, *args: Any) -> None:
        """Calls a function, and raises the error that it returns."""
        _memc._check_process()
        error = _any()
        code = getattr(self.load(), name)(*args, ctypes.byref(error))
        if code:
            told = self.json(error.value)
            e = _errors.get(code, Error)(told["text"])
            e.kind, e.messages = told["kind"], told["messages"]  # type: ignore[attr-defined]
            raise e

    def json(self, pointer: Optional[int]) -> Any:
        """Reads a text of the library, and frees it."""
        if not pointer:
            raise Misuse("it is closed")
        try:
            return json.loads(ctypes.string_at(pointer))
        finally:
            self.load().memc_free(pointer)


_library = _Library()


def _finally(of: Any, function: str, number: int) -> Callable[[], Any]:
    """Frees a number of the library when nobody refers to its object any more."""
    return weakref.finalize(of, _memc._unless_forked, getattr(_library.load(), function), number)


def _options(**given: Any) -> bytes:
    """Gives the options that are not left at their defaults, as the library reads them."""
    return json.dumps({k: v for k, v in given.items() if v}).encode()


class Param(NamedTuple):
    """A parameter or a result of an entry; shape is None for a scalar."""

    name: str
    type: str
    elem: str
    shape: Optional[Sequence[str]]
    consumed: bool


class Entry(NamedTuple):
    name: str
    params: Sequence[Param]
    results: Sequence[Param]


def _param(p: dict[str, Any]) -> Param:
    return Param(p.get("name", ""), p["type"], p["elem"], p.get("shape"), p.get("consumed", False))


class Context:
    """A device with its memory, which its programs share. Without OpenCL, programs run as C, or on the
    interpreter. It is closed by close(), or at the end of a with. Threads may share it."""

    def __init__(self, device: str = "", *, memory_limit: int = 0, allocator: str = "", evict: bool = False, threads: int = 0):
        """device is a number, a part of the device's name, a list of these with commas, "c",
        "interp" or "interp-memory"; memory_limit bounds the bytes in use; allocator is
        "region", "tagged" or "driver"; evict moves arrays to the host if the device is full;
        threads is for "c"."""
        number = _number()
        self._options = _options(device=str(device), memory_limit=memory_limit, allocator=allocator, evict=evict, threads=threads)
        _memc._check_process()
        _memc._process.pid = os.getpid()
        _library.call("memc_open", self._options, ctypes.byref(number))
        self._number = number.value
        self._closed = _finally(self, "memc_close", self._number)

    def compile(self, text: Union[str, bytes], *, file: str = "", passes: str = "", unsafe: bool = False, contract: bool = False,
                thresholds: Sequence[str] = (), device_heap: int = 0) -> "Program":  # fmt: skip
        """Compiles a program, text or JSON. Kernels are built when their entry is first
        called. file is its name in messages; the others are the options of memc run."""
        return Program(self, text, _options(file=file, passes=passes, unsafe=unsafe, contract=contract, thresholds=list(thresholds), device_heap=device_heap))

    def array(self, data: Any) -> "Array":
        """Copies an array to the device, for arguments that several calls share."""
        a = np.asarray(_memc.host_array(data, "the array"))
        name = next((n for n, t in _memc._types.items() if np.can_cast(a.dtype, t.dtype, "equiv")), None)
        if name is None or a.ndim == 0:
            raise TypeError(f"there are no arrays of {a.dtype} with {a.ndim} dimensions")
        a = np.asarray(a, dtype=_memc._types[name].dtype, order="C")
        number = _number()
        _library.call("memc_array_new", self._number, ctypes.byref(_given(a, name)), ctypes.byref(number))
        return Array(self, number.value, name, a.shape)

    def stats(self) -> dict[str, Any]:
        """Tells of allocations, copies, launches and the peak of memory."""
        stats: dict[str, Any] = _library.json(_library.load().memc_stats(self._number))
        return stats

    def __reduce__(self) -> Any:
        """A pickled context is its options. Each process that loads it opens one."""
        return _context_here, (self._options,)

    def close(self) -> None:
        """Waits for running calls, and gives the device back, with all arrays."""
        self._closed()

    def __enter__(self) -> "Context":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Array:
    """An array on a context's device, until free(), the end of a with or of its last reference, or a call
    that consumes it."""

    def __init__(self, context: Context, number: int, type: str, shape: Sequence[int]):
        """For this package; users call Context.array."""
        self._context, self._number, self._type = context, number, type
        self.shape, self.dtype = tuple(shape), _memc._types[type].dtype
        self._freed = _finally(self, "memc_array_free", number)

    def numpy(self) -> "np.ndarray[Any, Any]":
        """Copies the elements to a NumPy array."""
        out = np.empty(self.shape, self.dtype)
        _library.call("memc_array_read", self._number, out.ctypes.data, out.nbytes)
        return out

    @property
    def nbytes(self) -> int:
        """The bytes of the elements."""
        return math.prod(self.shape) * self.dtype.itemsize

    def __sizeof__(self) -> int:
        """What schedulers take for the cost of moving the array."""
        return object.__sizeof__(self) + self.nbytes

    def __reduce__(self) -> Any:
        """A pickled array is its elements. They go to the context of the process that loads it."""
        return _array_here, (self._context, self.numpy())

    def free(self) -> None:
        """Gives the memory back. The array cannot be used afterwards."""
        self._freed()

    def _shared(self) -> Optional["np.ndarray[Any, Any]"]:
        """The elements where they lie, if that is memory of the host. They stay there while anybody refers to them."""
        view, at = _number(), _any()
        _library.call("memc_array_view", self._number, ctypes.byref(view), ctypes.byref(at))
        return _memc.elements_at(at.value, self.shape, self.dtype, _View(view.value)) if at.value else None

    def __dlpack__(self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: Optional[bool] = None) -> Any:
        return _memc.capsule(self, self._shared(), stream, dl_device, copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        return _memc._CPU

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> "np.ndarray[Any, Any]":
        return self.numpy() if dtype is None else self.numpy().astype(dtype)

    def __enter__(self) -> "Array":
        return self

    def __exit__(self, *_: object) -> None:
        self.free()

    def __repr__(self) -> str:
        return f"<array of {self._type} on the device, shape {self.shape}>"


class _View:
    """What elements in the library's memory refer to."""

    def __init__(self, number: int):
        _finally(self, "memc_array_free", number)


def _given(a: "np.ndarray[Any, Any]", type: str) -> _Value:
    """Gives an array, or a scalar, as the library takes it. It does not keep the array."""
    v = _Value(type=_names.index(type), rank=a.ndim)
    if a.ndim == 0:
        v.scalar = int.from_bytes(a.tobytes(), "little")
        return v
    v.shape, v.data = (ctypes.c_int64 * a.ndim)(*a.shape), a.ctypes.data
    return v


class _Method:
    """An entry as a method. There is no cycle: a program goes with its last reference."""

    def __init__(self, program: "Program", entry: str):
        self._program = weakref.ref(program)
        self.__name__ = self.__qualname__ = entry

    def __call__(self, *args: Any, keep: bool = False) -> Any:
        return self._of().call(self.__name__, *args, keep=keep)

    def _of(self) -> "Program":
        program = self._program()
        if program is None:
            raise Misuse(f"the program of `{self.__name__}` is gone")
        return program

    def __reduce__(self) -> Any:
        return _Method, (self._of(), self.__name__)


class Program:
    """A compiled program. Its entries are methods; one that has the name of another method begins with
    entry_. An array result is a NumPy array, or with keep=True an Array, which stays on the device.
    Threads may share it."""

    def __init__(self, context: Context, text: Union[str, bytes], options: bytes):
        """For this package; users call Context.compile or compile."""
        text = text.encode() if isinstance(text, str) else text
        number = _number()
        _library.call("memc_compile", context._number, text, len(text), options, ctypes.byref(number))
        self._context, self._number, self._source = context, number.value, (text, options)
        self._closed = _finally(self, "memc_program_free", self._number)
        about = _library.json(_library.load().memc_entries(self._number))
        self.warnings: Sequence[dict[str, Any]] = about["warnings"]
        self.entries = [Entry(e["name"], list(map(_param, e["params"])), list(map(_param, e["results"]))) for e in about["entries"]]
        self._entries = {e.name: e for e in self.entries}
        for e in self.entries:
            name = e.name.replace("'", "_")
            setattr(self, "entry_" + name if hasattr(self, name) else name, _Method(self, e.name))

    def __reduce__(self) -> Any:
        """A pickled program is its text. Each process that loads it compiles it once."""
        return _program_here, (self._context, *self._source)

    def build(self, *entries: str) -> None:
        """Builds entries before they are called; without names, all of them at once."""
        for e in entries or (None,):
            _library.call("memc_build", self._number, None if e is None else e.encode())

    def call(self, entry: str, *args: Any, keep: bool = False) -> Any:
        """Calls an entry by its name."""
        e = self._entries.get(entry)
        if e is None:
            raise AttributeError(f"the program has no entry {entry!r}")
        if len(args) != len(e.params):
            raise TypeError(f"{entry} takes {len(e.params)} arguments, but {len(args)} were given")
        kept = [self._prepare(e, p, x) for p, x in zip(e.params, args)]
        given = (_Value * max(1, len(args)))(*[_Value(array=x._number) if isinstance(x, Array) else _given(x, p.elem) for p, x in zip(e.params, kept)])
        results = (_Value * max(1, len(e.results)))()
        _library.call("memc_call", self._number, entry.encode(), given, len(args), results, len(e.results))
        out = [self._result(r, keep) for r in results[: len(e.results)]]
        return out[0] if len(out) == 1 else tuple(out)

    def _prepare(self, e: Entry, p: Param, x: Any) -> Any:
        rank = len(p.shape or ())
        if isinstance(x, Array) and rank > 0:
            return x
        return _memc._types[p.elem].elements(x, rank, f"{e.name}: argument `{p.name}`")

    def _result(self, r: _Value, keep: bool) -> Any:
        name = _names[r.type]
        dtype = _memc._types[name].dtype
        if r.rank == 0:
            return np.frombuffer(r.scalar.to_bytes(8, "little")[: dtype.itemsize], dtype)[0]
        a = Array(self._context, r.array, name, r.shape[: r.rank])
        if keep:
            return a
        with a:
            return a.numpy()

    def close(self) -> None:
        """Gives back what was built. Its results stay."""
        self._closed()

    def __enter__(self) -> "Program":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


# What this process has opened and compiled for whoever does not say where: for `compile`, and for what was
# pickled. Contexts by their options; programs by context, text and options.
_opened: dict[Any, Any] = {}
_opened_lock = threading.RLock()


def _once(key: Any, make: Callable[[], Any]) -> Any:
    with _opened_lock:
        x = _opened.get(key)
        if x is None or not x._closed.alive:
            x = _opened[key] = make()
        return x


def _context_here(options: bytes) -> Context:
    return _once(options, lambda: Context(**json.loads(options)))  # type: ignore[no-any-return]


def _program_here(context: Context, text: bytes, options: bytes) -> Program:
    return _once((context, text, options), lambda: Program(context, text, options))  # type: ignore[no-any-return]


def _array_here(context: Context, data: "np.ndarray[Any, Any]") -> Array:
    return context.array(data)


def compile(text: Union[str, bytes], **options: Any) -> Program:
    """Compiles a program for the first GPU, or else the first device. Its context is shared by all that is
    compiled so. Options are those of Context.compile."""
    return _context_here(_options()).compile(text, **options)
