"""What a package made by `memc compile --host=python` stands on.

It builds the package's C library with the system's C compiler, loads it with ctypes, and
turns NumPy arrays into arguments and results into NumPy arrays. It needs Python 3.9 and
NumPy, and is the same in every package.
"""

import contextlib
import ctypes
import hashlib
import json
import math
import operator
import os
import re
import shlex
import subprocess
import sys
import tempfile
import threading
import time
import types
import weakref
from pathlib import Path
from typing import Any, Generic, Iterator, NamedTuple, Optional, Sequence, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

T = TypeVar("T", bound=np.generic)
_pointer = ctypes.c_void_p


class Error(Exception):
    """A call failed. The text is memc's message; file, line and column are its place in
    the program, or None where it has none. origin is the place in another language that the
    program was made from there ("life.fut:3:5"), or None. code is that of the rule which is
    broken ("E801"; memc explain E801 says more), or None."""

    file: Optional[str] = None
    line: Optional[int] = None
    column: Optional[int] = None
    origin: Optional[str] = None
    code: Optional[str] = None

    def __init__(self, message: str):
        super().__init__(message)
        place = re.match(r"(.*?):(\d+):(\d+)(?: \((.*?)\))?: ", message)
        if place:
            self.file, self.line, self.column, self.origin = place[1], int(place[2]), int(place[3]), place[4]
        code = re.search(r"\berror\[(E\d{3})\]: ", message)
        if code:
            self.code = code[1]


class Fault(Error):
    """The program failed: an index out of bounds, a failing assert, sizes that differ."""


class OutOfMemory(Error, MemoryError):
    """The device has no room for a block. snapshot tells what was requested, and which blocks were live."""

    snapshot: Optional[dict[str, Any]] = None


class DeviceLost(Error):
    """The device is gone for good: close the program and open a new one."""


class Misuse(Error, ValueError):
    """A wrong argument: an array that is missing, freed, consumed or another program's, or a closed program."""


class BuildError(Error):
    """The C library cannot be built."""


_kinds = {2: Fault, 3: OutOfMemory, 4: DeviceLost, 5: Misuse}


class Stats(NamedTuple):
    """What a program has done since it was opened, or since reset_stats."""

    device: str
    peak_bytes: int
    alloc_requests: int
    driver_allocs: int
    copied_bytes: int
    kernel_launches: int
    wall_us: int
    allocator: str
    hits: int
    driver_frees: int
    peak_held_bytes: int
    device_heap_bytes: int
    migrated_bytes: int
    evicted_bytes: int
    restored_bytes: int


class _Stats(ctypes.Structure):
    _fields_ = [(n, ctypes.c_char_p if t is str else ctypes.c_int64) for n, t in Stats.__annotations__.items()]


_CPU = (1, 0)  # DLPack's name of the host


def host_array(x: Any, what: str) -> Any:
    """Gives bytes, or an array of another library (PyTorch's, for example), as an array of NumPy's, without a copy.
    What has no DLPack is given as it is."""
    if isinstance(x, (bytes, bytearray)):
        return np.frombuffer(x, np.uint8)
    if isinstance(x, (np.ndarray, np.generic)) or not hasattr(x, "__dlpack_device__"):
        return x
    kind = int(x.__dlpack_device__()[0])
    if kind not in (_CPU[0], 3, 11):  # memory of the host, also what CUDA or ROCm has pinned
        raise TypeError(f"{what} is in memory of another device (number {kind} of DLPack), and OpenCL cannot take that; copy it to the host")
    try:
        return np.from_dlpack(x)
    except (BufferError, RuntimeError):  # a type that this NumPy's DLPack does not know, such as bool
        return np.asarray(x)


def capsule(a: "Array[Any]", shared: Optional[NDArray[Any]], stream: Any, dl_device: Any, copy: Optional[bool]) -> Any:
    """Exports an array by DLPack. shared are its elements, if they are in memory of the host."""
    if stream is not None or dl_device not in (None, _CPU) or copy is False and shared is None:
        raise BufferError("an array of memc is exported to the host's memory, and one of an OpenCL device is copied")
    return (a.numpy() if copy or shared is None else shared).__dlpack__()


def elements_at(address: int, shape: Sequence[int], dtype: Any, keep: Any) -> NDArray[Any]:
    """Gives elements in memory of the library's as an array, which refers to keep."""
    count = math.prod(shape) * dtype.itemsize
    memory = (ctypes.c_char * count).from_address(address)
    memory._keep = keep
    return np.frombuffer(memory, dtype).reshape(shape)


class _Type:
    """An element type of the program, by its name there."""

    def __init__(self, name: str):
        self.name = name
        self.dtype = np.dtype(name if name == "bool" else {"i": "int", "u": "uint", "f": "float"}[name[0]] + name[1:])
        # C has no halves: they are passed as their bits.
        self.wire = np.dtype("uint16") if name == "f16" else self.dtype
        self.ctype: Any = np.ctypeslib.as_ctypes_type(self.wire)

    def elements(self, x: ArrayLike, rank: int, what: str) -> NDArray[Any]:
        """Gives x as a contiguous array of this type. Values never change, but for Python's
        numbers and single ones of NumPy: those are rounded to floats."""
        x = host_array(x, what)
        if type(x) is np.ndarray and x.dtype == self.dtype and x.ndim == rank > 0 and x.flags.c_contiguous:
            return x  # what follows takes some microseconds
        a = np.asarray(x)
        if a.ndim != rank:
            raise ValueError(f"{what} has {a.ndim} dimensions, and {rank} are expected")
        exact = isinstance(x, np.ndarray) and rank > 0
        kinds = {"b": "b", "i": "iu", "u": "iu", "f": "iuf"}[self.dtype.kind]
        wide = a.dtype.kind in "iu" and a.dtype.itemsize == 8 and self.dtype.kind == "f"  # NumPy calls that safe
        if exact and (a.dtype.kind not in kinds or wide or not np.can_cast(a.dtype, self.dtype)):
            raise TypeError(f"{what} is {a.dtype}, and {self.name} is expected; astype(numpy.{self.dtype}) converts it")
        if a.dtype.kind == "O" and kinds != "b" and all(isinstance(v, (int, float)) for v in a.flat):  # 2**64 and more
            if kinds == "iu" and all(isinstance(v, int) for v in a.flat):
                raise OverflowError(f"{what} does not fit into {self.name}")
            a = a.astype("float64")
        if a.size > 0 and a.dtype.kind not in kinds:
            raise TypeError(f"{what} is {a.dtype}, and {self.name} is expected")
        if a.size > 0 and kinds == "iu":
            limits = np.iinfo(self.dtype)
            if int(a.min()) < limits.min or int(a.max()) > limits.max:
                raise OverflowError(f"{what} does not fit: {self.name} holds {limits.min} to {limits.max}")
        with np.errstate(over="ignore"):  # what is too large for a float is infinite
            return np.asarray(a, dtype=self.dtype, order="C")


_types = {name: _Type(name) for name in "i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 bool".split()}


class Param(NamedTuple):
    """A parameter or a result of an entry; rank 0 is a scalar."""

    name: str
    type: str
    rank: int = 0
    size: bool = False  # a result that sizes another one, whose shape tells it

    def ctype(self) -> Any:
        return _pointer if self.rank else _types[self.type].ctype


class Entry(NamedTuple):
    name: str
    symbol: str
    params: Sequence[Param]
    results: Sequence[Param]


class Library:
    """The C library of a package. It is built and loaded when a program is first opened."""

    def __init__(self, source: Path, prefix: str, flags: Sequence[Sequence[str]], libs: Sequence[str]):
        self.source, self.prefix, self.flags, self.libs = source, prefix, flags, libs
        self._lock = threading.Lock()
        self._loaded: Optional[ctypes.CDLL] = None
        self._functions: dict[str, Any] = {}

    def build(self, keep: "_Keep") -> Path:
        """Gives the shared library, which is built unless that was done before."""
        cc = shlex.split(os.environ.get("CC", "")) or ["cc"]
        text = self.source.read_bytes()
        errors = ""
        for flags in self.flags:
            try:
                # What the compiler defines by itself tells its version and, with
                # -march=native, the processor.
                include = "#include <omp.h>\n" if "-fopenmp" in flags else ""
                about = _run([*cc, *flags, "-dM", "-E", "-x", "c", "-"], include)
                key = hashlib.sha256(repr((cc, flags, self.libs, about)).encode() + text).hexdigest()[:32]
                found = keep.find(key)
                if found is None:
                    with tempfile.TemporaryDirectory(prefix="memc-build-") as dir:
                        out = Path(dir, "library.so")
                        _run([*cc, *flags, "-std=c99", "-w", "-fPIC", "-shared", "-DMEMC_NO_MAIN", "-o", str(out), str(self.source), *self.libs], "")
                        found = keep.add(key, out.read_bytes())
                return found
            except FileNotFoundError as e:
                if e.filename != cc[0]:
                    raise
                raise BuildError(f"there is no C compiler {cc[0]!r} (the variable CC names another)") from None
            except subprocess.CalledProcessError as e:
                errors = e.stderr
        raise BuildError(f"the C compiler refused {self.source}:\n{errors}")

    def opencl(self) -> bool:
        return "-lOpenCL" in self.libs

    def load(self) -> ctypes.CDLL:
        with self._lock:
            if self._loaded is None:
                with _Keep() as keep:
                    self._loaded = ctypes.CDLL(str(self.build(keep)))
            return self._loaded

    def function(self, name: str, result: Any, *args: Any) -> Any:
        """Gives a function of the C API, by what follows the prefix."""
        f = self._functions.get(name)
        if f is None:
            f = getattr(self.load(), f"{self.prefix}_{name}")
            f.restype, f.argtypes = result, args
            self._functions[name] = f
        return f


def _run(command: list[str], text: str) -> str:
    return subprocess.run(command, input=text, check=True, capture_output=True, text=True).stdout


class _Keep:
    """The directory of what was built, which memc shares (internal/run/cc/kept.go). A file's name
    is KEY-DIGEST.so, so a damaged one is found before it is loaded. Only the user can write to the
    directory; what lies elsewhere is never loaded."""

    def __enter__(self) -> "_Keep":
        name = Path(os.environ.get("MEMC_CACHE") or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "memc"))
        try:
            name.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._open = os.open(name, os.O_RDONLY)
        except OSError as e:
            raise BuildError(f"no directory to keep the library in (set $MEMC_CACHE to one): {e}") from None
        st = os.fstat(self._open)
        wrong = f"{name} belongs to another user" if st.st_uid != os.geteuid() else f"others can write to {name}" if st.st_mode & 0o022 else ""
        if wrong:
            os.close(self._open)
            raise BuildError(f"no directory to keep the library in (set $MEMC_CACHE to one): {wrong}")
        # Through what is open, so that nobody puts another directory in its place.
        through = Path(f"/proc/self/fd/{self._open}")
        self.dir = through if through.exists() else name
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._open)

    def find(self, key: str) -> Optional[Path]:
        """Gives the whole file with that key; damaged ones are removed."""
        for name in os.listdir(self.dir):
            if not (name.startswith(key + "-") and name.endswith(".so")):
                continue
            path = self.dir / name
            with contextlib.suppress(OSError):  # another process has removed it
                if name == _kept_name(key, path.read_bytes()):
                    with contextlib.suppress(OSError):  # a directory that is read-only
                        os.utime(path)
                    return path
                path.unlink()
        return None

    def add(self, key: str, data: bytes) -> Path:
        """Puts a file into the directory, whole or not at all."""
        self._prune()
        path, part = self.dir / _kept_name(key, data), self.dir / f"build-{os.getpid()}{time.monotonic_ns()}"
        try:
            part.write_bytes(data)
            part.chmod(0o700)
            part.replace(path)
        except OSError:
            part.unlink(missing_ok=True)
            raise
        return path

    def _prune(self, keep: int = 512 << 20) -> None:
        """Removes what nobody has used for 30 days, and what is too much, as memc does. The
        directory may hold files of others."""
        found = []
        for name in os.listdir(self.dir):
            if re.fullmatch(r"[0-9a-f]{32}(-[0-9a-f]{32})?(\.so)?|build-[0-9]+", name):
                with contextlib.suppress(OSError):  # another process does the same
                    st = os.stat(self.dir / name)
                    found.append((st.st_mtime, st.st_size, name))
        for used, size, name in sorted(found, reverse=True):
            keep -= size
            if keep < 0 or time.time() - used > 30 * 24 * 3600:
                with contextlib.suppress(OSError):
                    os.unlink(self.dir / name)


def _kept_name(key: str, data: bytes) -> str:
    return f"{key}-{hashlib.sha256(data).hexdigest()[:32]}.so"


# What the packages of a process share: the process that opened the first program.
_process: Any = sys.modules.setdefault("memc packages", types.SimpleNamespace(pid=None))  # type: ignore[arg-type]


def _forked() -> bool:
    return _process.pid not in (None, os.getpid())


def _check_process() -> None:
    """Refuses a process that was forked after a program was opened: the threads of OpenCL are not
    there, and calls would wait for them for ever."""
    if _forked():
        raise RuntimeError(
            "a process that was forked after a program was opened cannot use programs; open them only after the fork, "
            'or use the start method "spawn" of multiprocessing'
        )


def _unless_forked(f: Any, context: int) -> None:
    if not _forked():
        f(context)


def _end(f: Any, context: int, views: list[int]) -> None:
    """Gives a context back, unless others still use its memory: the last of them gives it back."""
    if not views:
        _unless_forked(f, context)


class _View:
    """What elements in a program's memory refer to. With its last reference the memory is given back."""

    def __init__(self, program: "Program", suffix: str, pointer: int):
        program._views.append(pointer)
        weakref.finalize(self, program._end_view, suffix, pointer).atexit = False


class Array(Generic[T]):
    """An array on a program's device. It is freed by free(), at the end of a with, when
    nobody refers to it any more, or with its program, whichever comes first."""

    def __init__(self, program: "Program", type: str, rank: int, pointer: int):
        """For packages; users call Program.array."""
        self._program, self._type, self._pointer = program, _types[type], pointer
        self._suffix = f"{type}_{rank}d"
        shape = program._library.function(f"shape_{self._suffix}", ctypes.POINTER(ctypes.c_int64), _pointer, _pointer)
        self.shape: tuple[int, ...] = tuple(shape(program._context, pointer)[:rank])
        self.dtype = self._type.dtype
        # The finalizer keeps the program, so a context outlives its arrays.
        self._freed = weakref.finalize(self, program._free, self._suffix, pointer)
        program._arrays.add(self)

    def free(self) -> None:
        """Gives the memory back. The array cannot be used afterwards."""
        self._freed()

    def numpy(self) -> NDArray[T]:
        """Copies the elements to a NumPy array."""
        p = self._program
        out = np.empty(self.shape, self.dtype)
        with p._using() as context:
            p._check(p._library.function(f"values_{self._suffix}", ctypes.c_int, *[_pointer] * 3)(context, self._argument(p, "the array"), out.ctypes.data))
        return out

    def _shared(self) -> Optional[NDArray[T]]:
        """The elements where they lie, on processors. They stay there while anybody refers to them."""
        p = self._program
        if p._library.opencl() or math.prod(self.shape) == 0:
            return None
        with p._using() as context:
            at = _pointer()
            view = p._library.function(f"view_{self._suffix}", *[_pointer] * 4)(context, self._argument(p, "the array"), ctypes.byref(at))
            if not view:
                p._check(p._library.function("context_get_code", ctypes.c_int, _pointer)(context))
            return elements_at(at.value, self.shape, self.dtype, _View(p, self._suffix, view))

    def __dlpack__(self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: Optional[bool] = None) -> Any:
        return capsule(self, self._shared(), stream, dl_device, copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        return _CPU

    def _argument(self, program: "Program", what: str) -> int:
        if not self._freed.alive:
            raise Misuse(f"error[E905]: {what} was freed")
        if program is not self._program:
            raise Misuse(f"error[E905]: {what} belongs to another program")
        return self._pointer

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> NDArray[Any]:
        return self.numpy() if dtype is None else self.numpy().astype(dtype)

    @property
    def nbytes(self) -> int:
        """The bytes of the elements."""
        return math.prod(self.shape) * self.dtype.itemsize

    def __sizeof__(self) -> int:
        """What schedulers take for the cost of moving the array."""
        return object.__sizeof__(self) + self.nbytes

    def __reduce__(self) -> Any:
        """A pickled array is its elements. They go to the program of the process that loads it."""
        return _array_here, (type(self._program), self._program._options, self.numpy())

    def __enter__(self) -> "Array[T]":
        return self

    def __exit__(self, *_: object) -> None:
        self.free()

    def __repr__(self) -> str:
        return f"<array of {self._type.name} on the device, shape {self.shape}>"


class Program:
    """A program on a device. Its entries are methods. It is closed by close(), or at the
    end of a with. Threads may share it: calls take turns."""

    _library: Library

    def __init__(self, device: str = "", *, memory_limit: int = 0, allocator: str = "", device_heap: int = 0, threads: int = 0):
        """Opens a device and builds the program's kernels.

        device is a number or a part of the device's name; memory_limit bounds the bytes in
        use; allocator is "driver", "tagged" or "region"; device_heap is the memory for
        kernels that allocate; threads is for packages of --target=c. Zero and "" are the
        defaults."""
        for name, n, most in (("memory_limit", memory_limit, 2**63), ("device_heap", device_heap, 2**63), ("threads", threads, 2**31)):
            if not 0 <= operator.index(n) < most:  # ctypes would wrap it
                raise ValueError(f"{name} is {n}, and 0 to {most - 1} are allowed")
        _check_process()
        _process.pid = os.getpid()
        self._options = {"device": device, "memory_limit": memory_limit, "allocator": allocator, "device_heap": device_heap, "threads": threads}
        self._lock = threading.RLock()
        self._turns = 0  # calls of the thread that has the lock
        self._arrays: "weakref.WeakSet[Array[Any]]" = weakref.WeakSet()
        f = self._library.function
        config = f("config_new", _pointer)()
        if not config:
            raise OutOfMemory("error[E812]: out of host memory")
        try:
            if device not in ("", None) and f("config_set_device", ctypes.c_int, _pointer, ctypes.c_char_p)(config, str(device).encode()):
                raise OutOfMemory("error[E812]: out of host memory")
            if allocator and f("config_set_allocator", ctypes.c_int, _pointer, ctypes.c_char_p)(config, allocator.encode()):
                raise ValueError(f"there is no allocator {allocator!r}; there are driver, tagged and region")
            f("config_set_memory_limit", None, _pointer, ctypes.c_int64)(config, memory_limit)
            f("config_set_device_heap", None, _pointer, ctypes.c_int64)(config, device_heap)
            if threads:
                if self._library.opencl():
                    raise ValueError("threads are for packages made with --target=c")
                f("config_set_threads", None, _pointer, ctypes.c_int)(config, threads)
            self._context = f("context_new", _pointer, _pointer)(config)
        finally:
            f("config_free", None, _pointer)(config)
        if not self._context:
            raise OutOfMemory("error[E812]: out of host memory")
        self._views: list[int] = []  # arrays whose elements others use where they lie
        self._closed = weakref.finalize(self, _end, f("context_free", None, _pointer), self._context, self._views)
        try:
            self._check(f("context_get_code", ctypes.c_int, _pointer)(self._context))
        except Error:
            self._closed()
            raise

    def __reduce__(self) -> Any:
        """A pickled program is its package and options. Each process that loads it opens one."""
        return _program_here, (type(self), self._options)

    def close(self) -> None:
        """Frees the program's arrays, and gives the device back."""
        if _forked():
            return  # all that is the other process's
        with self._lock:
            if self._turns:
                raise RuntimeError("a program cannot be closed from within one of its calls")
            for a in list(self._arrays):
                a.free()
            self._closed()

    def array(self, data: ArrayLike) -> "Array[Any]":
        """Copies an array to the device: for arguments that several calls share."""
        a = np.asarray(host_array(data, "the array"))
        for t in _types.values():
            if np.can_cast(a.dtype, t.dtype, "equiv") and hasattr(self._library.load(), f"{self._library.prefix}_new_{t.name}_{a.ndim}d"):
                with self._using():
                    return self._new(np.asarray(a, dtype=t.dtype, order="C"), t.name)
        raise TypeError(f"no entry of the program has arrays of {a.dtype} with {a.ndim} dimensions")

    def stats(self) -> Stats:
        """Tells of allocations, copies, launches and the peak of memory."""
        s = _Stats()
        with self._using() as context:
            self._check(self._library.function("context_stats", ctypes.c_int, _pointer, _pointer)(context, ctypes.byref(s)))
        values: Any = [getattr(s, n) for n in Stats._fields]
        return Stats(*[v.decode() if isinstance(v, bytes) else v for v in values])

    def reset_stats(self) -> None:
        """Starts counting anew."""
        with self._using() as context:
            self._library.function("context_reset_stats", None, _pointer)(context)

    def trim(self) -> None:
        """Gives the driver back the memory that no block is in."""
        with self._using() as context:
            self._library.function("context_trim", None, _pointer)(context)

    def __enter__(self) -> "Program":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextlib.contextmanager
    def _using(self) -> Iterator[int]:
        """Takes the turn for calls of the library."""
        _check_process()
        with self._lock:
            if not self._closed.alive:
                raise Misuse("the program is closed")
            self._turns += 1
            try:
                yield self._context
            finally:
                self._turns -= 1

    def _free(self, suffix: str, pointer: int) -> None:
        if _forked():
            return
        with self._lock:
            self._library.function(f"free_{suffix}", ctypes.c_int, _pointer, _pointer)(self._context, pointer)

    def _end_view(self, suffix: str, pointer: int) -> None:
        with self._lock:
            self._free(suffix, pointer)
            self._views.remove(pointer)
            if not self._closed.alive:
                _end(self._library.function("context_free", None, _pointer), self._context, self._views)

    def _check(self, code: int) -> None:
        """Raises what the library says, unless the code is 0."""
        if code:
            text = self._library.function("context_get_error", ctypes.c_char_p, _pointer)(self._context)
            e = _kinds.get(code, Error)((text or b"").decode(errors="replace"))
            if isinstance(e, OutOfMemory):
                told = self._library.function("context_get_snapshot", ctypes.c_char_p, _pointer)(self._context)
                e.snapshot = json.loads(told) if told else None
            raise e

    def _new(self, a: NDArray[Any], type: str, how: str = "new") -> "Array[Any]":
        new = self._library.function(f"{how}_{type}_{a.ndim}d", _pointer, _pointer, _pointer, *[ctypes.c_int64] * a.ndim)
        pointer = new(self._context, a.ctypes.data, *a.shape)
        if not pointer:
            self._check(self._library.function("context_get_code", ctypes.c_int, _pointer)(self._context))
        return Array(self, type, a.ndim, pointer)

    def _prepare(self, entry: Entry, p: Param, x: Any) -> Any:
        """Turns an argument into an Array, a scalar as C takes it, or a NumPy array. That may run
        code of the user's."""
        what = f"{entry.name}: argument `{p.name}`"
        if isinstance(x, Array) and p.rank > 0:
            if x._suffix != f"{p.type}_{p.rank}d":
                raise TypeError(f"{what} is {x!r}, and {p.rank} dimensions of {p.type} are expected")
            return x
        t = _types[p.type]
        a = t.elements(x, p.rank, what)
        return a if p.rank else a.view(t.wire).item()

    def _call(self, entry: Entry, args: Sequence[Any], keep: bool) -> Any:
        f = self._library.function(entry.symbol, ctypes.c_int, *[_pointer] * (1 + len(entry.results)), *[p.ctype() for p in entry.params])
        outs = [r.ctype()() for r in entry.results]
        prepared = [self._prepare(entry, p, x) for p, x in zip(entry.params, args)]
        with self._using() as context, contextlib.ExitStack() as mine:
            inputs = []
            for p, x in zip(entry.params, prepared):
                if isinstance(x, Array):
                    x = x._argument(self, f"{entry.name}: argument `{p.name}`")
                elif p.rank:  # an array that is made for the call is freed with it; on processors it lies where x does
                    x = mine.enter_context(self._new(x, p.type, "new" if self._library.opencl() else "new_raw"))._pointer
                inputs.append(x)
            self._check(f(context, *map(ctypes.byref, outs), *inputs))
            results = [self._result(r, o) for r, o in zip(entry.results, outs) if not r.size]
            if not keep:
                for k, r in enumerate(results):
                    if isinstance(r, Array):
                        results[k] = mine.enter_context(r).numpy()
        return results[0] if len(results) == 1 else tuple(results)

    def _result(self, r: Param, out: Any) -> Any:
        if r.rank:
            return Array(self, r.type, r.rank, out.value)
        t = _types[r.type]
        return np.array(out.value, t.wire).view(t.dtype)[()]


# The programs that this process has opened for pickled ones, by package and options.
_opened: dict[Any, Program] = {}
_opened_lock = threading.Lock()


def _program_here(package: Any, options: dict[str, Any]) -> Program:
    key = (package, *options.values())
    with _opened_lock:
        p = _opened.get(key)
        if p is None or not p._closed.alive:
            p = _opened[key] = package(**options)
        return p


def _array_here(package: Any, options: dict[str, Any], data: NDArray[Any]) -> "Array[Any]":
    return _program_here(package, options).array(data)
