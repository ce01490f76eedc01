"""A lazy array language on memc, in 440 lines. What NumPy computes at once, this only writes down:

    import lazy
    x = lazy.array(np.arange(6, dtype=np.float32))
    y = lazy.sqrt(x * 2 + 1)          # a graph; nothing has run
    print(y.sum(), np.asarray(y))     # now it runs

A value is *forced* when someone looks at it: print, numpy.asarray, float, if. Then the graph below it becomes one
entry of memc's IR (`lazy.text(y)` shows it), with one kernel for each operation. memc fuses the kernels, plans their
memory, and runs them. Programs are kept by their text. Sizes and numbers are its parameters, so `x * 2` and `x * 3`,
of 10 elements and of a million, are one program. Equal sizes have one name, and a size of 1 is a constant, so a square
matrix and an oblong one are two programs.

Forced arrays stay on the device, and are arguments of later programs there. A value that two forcings need is
computed by both, unless it is forced itself: `lazy.force(a, b)` forces several values by one program. Force the state
of a loop in each turn, or the graph grows.

Results are NumPy's, in NumPy's types, with a rule of NumPy 2: a Python number takes the type of the array beside it.
An integer division by zero and an index out of bounds are errors (memc.Fault) whose `origin` is the line of your
program.
"""

import math
import operator
import sys

import numpy as np

import memc

_names = {np.dtype(t): n for t, n in zip("b h i l B H I L e f d ?".split(), "i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 bool".split())}
_context, _programs = None, {}


def use(device):
    """Chooses the device, as memc.Context does. Values of another device cannot be used any more."""
    global _context
    _context = memc.Context(device)
    _programs.clear()


class Value:
    """An array or a scalar: the operation and the values it is made from, or once it is forced, what it is."""

    __array_ufunc__ = None  # an operator of NumPy's arrays leaves the work to this class

    def __init__(self, dtype, shape, write=None, args=(), known=None, place=""):
        self.dtype, self.shape, self.ndim = np.dtype(dtype), tuple(shape), len(shape)
        self._write, self._args, self._known, self._place = write, args, known, place
        if self.dtype not in _names:
            raise TypeError(f"there are no arrays of {self.dtype}")

    # Looking at a value forces it.
    def __array__(self, dtype=None, copy=None):
        force(self)
        return np.asarray(self._known, dtype)

    __repr__ = lambda self: f"lazy.{np.asarray(self)!r}"
    __str__ = lambda self: str(np.asarray(self))
    __bool__ = lambda self: bool(np.asarray(self))
    __int__ = lambda self: int(np.asarray(self))
    __float__ = lambda self: float(np.asarray(self))

    def __len__(self):
        if not self.shape:
            raise TypeError("a scalar has no length")
        return self.shape[0]

    size = property(lambda self: math.prod(self.shape))
    T = property(lambda self: self.transpose())

    def transpose(self, *axes):
        axes = axes or tuple(reversed(range(self.ndim)))
        if axes == tuple(range(self.ndim)):
            return self
        return Value(self.dtype, [self.shape[k] for k in axes], lambda w, x: f"rearrange ({', '.join(map(str, axes))}) {x}", [self])

    def reshape(self, *shape):
        shape = list(shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape)
        if -1 in shape:
            shape[shape.index(-1)] = self.size // max(1, -math.prod(shape))
        if math.prod(shape) != self.size:
            raise ValueError(f"{self.size} elements have no shape {tuple(shape)}")
        if not self.shape:  # a scalar is no array of one element
            return _map("{0}", self.dtype, [self], shape)
        if not shape:
            return self[(0,) * self.ndim]
        return Value(self.dtype, shape, lambda w, x: f"reshape ({w.dims(shape)}) {x}", [self])

    def astype(self, dtype):
        if self.dtype == dtype:
            return self
        return _map("{0} != 0" if dtype == bool else f"{_names[np.dtype(dtype)]}({{0}})", dtype, [self])

    def __getitem__(self, items):
        if isinstance(items, (Value, np.ndarray, list)):
            return _gather(self, array(items))
        items = list(items) if isinstance(items, tuple) else [items]
        if ... not in items:
            items.append(...)
        at, rest = items.index(...), self.ndim - sum(i is not None and i is not ... for i in items)
        if rest < 0:
            raise IndexError(f"there are {self.ndim} dimensions")
        items[at : at + 1] = [slice(None)] * rest
        parts, numbers, shape, widened, k = [], [], [], [], 0  # of the slice; shape and widened: of the result
        for i in items:
            if i is None:
                widened.append(1)
                continue
            n, k = self.shape[k], k + 1
            if isinstance(i, slice):
                r = range(*i.indices(n))
                parts.append((len(r), r.step))
                shape.append(len(r))
                widened.append(len(r))
                numbers.append(r.start if len(r) else 0)
                numbers += [r.step] * (r.step != 1)
            else:
                i = operator.index(i)
                if not -n <= i < n:
                    raise IndexError(f"index {i} is out of bounds for {n} elements")
                parts.append(None)
                numbers.append(i % n)
        if not parts or all(p == (n, 1) for p, n in zip(parts, self.shape)):
            part = self
        else:
            part = Value(self.dtype, shape, lambda w, x, *given: _slice(w, x, parts, iter(given)), [self, *map(array, numbers)])
        return part.reshape(widened) if len(widened) > len(shape) else part

    def sum(self, axis=None, keepdims=False):
        return _reduce(_wide(self), "a + b", "0", axis, keepdims)

    def prod(self, axis=None, keepdims=False):
        return _reduce(_wide(self), "a * b", "1", axis, keepdims)

    def mean(self, axis=None, keepdims=False):
        s = (self if self.dtype.kind == "f" else self.astype("float64")).sum(axis, keepdims)
        return s / (self.size / max(1, s.size))

    def max(self, axis=None, keepdims=False):
        return _reduce(self, _larger(">", self.dtype, "a", "b"), _extreme(self, "-", "min"), axis, keepdims)

    def min(self, axis=None, keepdims=False):
        return _reduce(self, _larger("<", self.dtype, "a", "b"), _extreme(self, "", "max"), axis, keepdims)

    def any(self, axis=None, keepdims=False):
        return _reduce(self.astype(bool), "a || b", "false", axis, keepdims)

    def all(self, axis=None, keepdims=False):
        return _reduce(self.astype(bool), "a && b", "true", axis, keepdims)

    def cumsum(self, axis=-1):
        x, order = _wide(self), list(range(self.ndim))
        order.append(order.pop(axis))  # a scan works along the last bound
        shape = [x.shape[k] for k in order]
        at = ", ".join(f"i{order.index(k)}" for k in range(x.ndim))
        scan = lambda w, t: f"scan ({w.bounds(shape)}) op (a, b) {{ in a + b }} neutral (0) {{ in {t}[{at}] }}"
        return Value(x.dtype, shape, scan, [x]).transpose(*map(order.index, range(x.ndim)))

    def __matmul__(self, other):
        a, b = _same(self, other)
        if a.ndim not in (1, 2) or b.ndim not in (1, 2) or a.shape[-1] != b.shape[0]:
            raise ValueError(f"there is no product of the shapes {a.shape} and {b.shape}")
        shape = a.shape[:-1] + b.shape[1:]
        row, column = "i0, " * (a.ndim - 1), f", i{a.ndim - 1}" * (b.ndim - 1)
        product = lambda w, x, y: w.reduce(shape, f"k < {w.dim(b.shape[0])}", "a + b", "0", f"{x}[{row}k] * {y}[k{column}]")
        return Value(a.dtype, shape, product, [a, b])

    __rmatmul__ = lambda self, other: array(other) @ self


def array(x):
    """Takes a NumPy array, a list or a number. An array is copied to the device."""
    if isinstance(x, Value):
        return x
    a = np.asarray(x)
    return Value(a.dtype, a.shape, known=_device().array(a) if a.shape else a[()])


def _device():
    if _context is None:
        use("")
    return _context


def arange(n, dtype="int64"):
    return Value("int64", [n], lambda w: f"iota {w.dim(n)}").astype(dtype)


def full(shape, x, dtype=None):
    x = array(x) if dtype is None else array(x).astype(dtype)
    return _map("{0}", x.dtype, [x], shape)


def where(c, x, y):
    x, y = _same(x, y)
    return _map("if {0} then {1} else {2}", x.dtype, [array(c).astype(bool), x, y])


def concatenate(arrays, axis=0):
    arrays = _same(*arrays)
    shape = list(arrays[0].shape)
    if any(a.shape[:axis] + a.shape[axis + 1 :] != tuple(shape[:axis] + shape[axis + 1 :]) for a in arrays):
        raise ValueError(f"arrays of the shapes {[a.shape for a in arrays]} cannot be joined along axis {axis}")
    shape[axis] = sum(a.shape[axis] for a in arrays)
    return Value(arrays[0].dtype, shape, lambda w, *xs: f"concat@{axis} ({', '.join(xs)})", arrays)


def bincount(x, n):
    """Counts how often 0 to n - 1 are in x. Other numbers are not counted."""
    x, none = array(x), full([n], 0)
    count = lambda w, t, none: f"hist {none} ({w.bounds(x.shape)}) op (a, b) {{ in a + b }} neutral (0) {{ in (i64({t}[i0]), 1) }}"
    return Value("int64", [n], count, [x, none])


def force(*values):
    """Computes values by one program."""
    values = [v for k, v in enumerate(values) if v._known is None and all(v is not u for u in values[:k])]
    if not values:
        return
    w = _Writer(values)
    text = w.text(values)
    program = _programs.get(text)
    if program is None:
        program = _programs[text] = _device().compile(text, file="lazy.ir")
    found = program.main(*w.given, keep=True)
    for v, known in zip(values, found if len(values) > 1 else [found]):
        v._known, v._write, v._args = known, None, ()


def text(*values):
    """Returns the program that would compute the values."""
    return _Writer(values).text(values)


class _Writer:
    """Writes the graph below some values as an entry."""

    def __init__(self, values):
        self.given, self._params, self._lines, self._names = [], [], [], {}
        self._sizes, self._bound = {}, set()  # names of sizes, and those that an array tells
        for v in _below(values):
            if v._known is not None:
                name = f"x{len(self.given)}"
                self.given.append(v._known)
                self._params.append(f"{name}: {self.type(v)}")
                self._bound.update(v.shape)
            else:
                name = f"t{len(self._lines)}"
                self._lines.append(f"  let {name}: {self.type(v)} = {v._write(self, *[self._names[id(a)] for a in v._args])}{v._place}")
            self._names[id(v)] = name

    def text(self, values):
        types = [self.type(v) for v in values]
        told = "".join(f"[{name}]" for n, name in self._sizes.items() if n in self._bound)
        params = list(self._params)
        for n, name in self._sizes.items():
            if n not in self._bound:
                params.append(f"{name}: i64")
                self.given.append(n)
        names = [self._names[id(v)] for v in values]
        head = f"entry main {told} ({', '.join(params)}) : ({', '.join(types)}) = {{"
        return "\n".join([head, *self._lines, f"  in ({', '.join(names)})", "}", ""])

    def dim(self, n):
        return "1" if n == 1 else self._sizes.setdefault(n, f"n{len(self._sizes)}")

    def dims(self, shape):
        return ", ".join(map(self.dim, shape))

    def type(self, v):
        return "".join(f"[{self.dim(n)}]" for n in v.shape) + _names[v.dtype]

    def bounds(self, shape, first=0):
        return ", ".join(f"i{k} < {self.dim(n)}" for k, n in enumerate(shape, first))

    def reduce(self, kept, along, op, neutral, body):
        return f"reduce {f'({self.bounds(kept)}) ' if kept else ''}over ({along}) op (a, b) {{ in {op} }} neutral ({neutral}) {{ in {body} }}"


def _below(values):
    """Lists the values of a graph, arguments first. A graph may be deeper than Python's stack."""
    order, seen, stack = [], set(), [(v, False) for v in reversed(values)]
    while stack:
        v, done = stack.pop()
        if done:
            order.append(v)
        elif id(v) not in seen:
            seen.add(id(v))
            stack.append((v, True))
            stack.extend((a, False) for a in reversed(v._args))
    return order


def _map(e, dtype, args, shape=None):
    """Computes an expression for each element. {0} and {1} are those of the arguments, by NumPy's broadcasting."""
    shape = tuple(np.broadcast_shapes(*[a.shape for a in args]) if shape is None else shape)

    def write(w, *names):
        read = []
        for a, name in zip(args, names):
            at = [f"i{k}" if n != 1 else "0" for k, n in enumerate(a.shape, len(shape) - a.ndim)]
            read.append(f"{name}[{', '.join(at)}]" if at else name)
        return f"map ({w.bounds(shape)}) {{ in {e.format(*read)} }}" if shape else e.format(*read)

    return Value(dtype, shape, write, args)


def _same(*operands):
    """Brings operands to one type. Python's numbers take the type of the others if it has their kind."""
    known = [x if type(x) in (bool, int, float) else array(x) for x in operands]
    dtypes = [x.dtype for x in known if isinstance(x, Value)]
    for x in known:
        if not isinstance(x, Value) and not any("bif".find(d.kind.replace("u", "i")) >= [bool, int, float].index(type(x)) for d in dtypes):
            dtypes.append(np.dtype(type(x)))
    dtype = np.result_type(*dtypes)
    return [x.astype(dtype) if isinstance(x, Value) else Value(dtype, (), known=x) for x in known]


def _gather(x, at):
    """x[at] along the first axis. A negative index counts from the end."""
    if at.dtype.kind not in "iu" or not x.shape:
        raise IndexError(f"an index is an integer, a slice or an array of integers, not {at.dtype}")
    if not at.shape:
        return _gather(x, at.reshape(1))[0]
    shape = at.shape + x.shape[1:]

    def write(w, x_, at_):
        i, rest = ", ".join(f"i{k}" for k in range(at.ndim)), "".join(f", i{k}" for k in range(at.ndim, len(shape)))
        return f"map ({w.bounds(shape)}) {{\n    let i = i64({at_}[{i}])\n    in {x_}[if i < 0 then i + {w.dim(len(x))} else i{rest}]\n  }}"

    return Value(x.dtype, shape, write, [x, at], place=_place())


def _slice(w, x, parts, numbers):
    items = []
    for p in parts:  # None for an index, else the length and the step
        items.append(next(numbers) if p is None else f"({next(numbers)}, {w.dim(p[0])}{'' if p[1] == 1 else f', {next(numbers)}'})")
    return f"{x}[{', '.join(items)}]"


def _reduce(x, op, neutral, axis, keepdims):
    axes = range(x.ndim) if axis is None else sorted(range(x.ndim)[k] for k in ([axis] if isinstance(axis, int) else axis))
    if not axes:
        return x
    kept = [k for k in range(x.ndim) if k not in axes]
    place = {k: i for i, k in enumerate([*kept, *axes])}  # of each axis among the bounds
    shape = [x.shape[k] for k in kept]

    def write(w, t):
        body = f"{t}[{', '.join(f'i{place[k]}' for k in range(x.ndim))}]"
        return w.reduce(shape, w.bounds([x.shape[k] for k in axes], len(kept)), op, neutral, body)

    r = Value(x.dtype, shape, write, [x])
    return r.reshape([1 if k in axes else n for k, n in enumerate(x.shape)]) if keepdims else r


def _wide(x):
    """Sums and products of integers and of bools have 64 bits."""
    return x.astype({"b": "int64", "i": "int64", "u": "uint64"}.get(x.dtype.kind, x.dtype))


def _extreme(x, sign, end):
    """The neutral value of max and min."""
    if x.size == 0:
        raise ValueError("there is no largest or smallest of no elements")
    if x.dtype == bool:
        return "false" if sign else "true"
    return f"{sign}{_names[x.dtype]}.inf" if x.dtype.kind == "f" else f"{getattr(np.iinfo(x.dtype), end)}"


def _larger(sign, dtype, a, b):
    """The larger or smaller of two; NaN, if one of them is."""
    if dtype.kind == "b":
        return f"{a} {'||' if sign == '>' else '&&'} {b}"
    return f"if {a} {sign} {b} || {a} != {a} then {a} else {b}" if dtype.kind == "f" else f"{'max' if sign == '>' else 'min'}({a}, {b})"


def _place():
    """The line of the program that calls this module, for messages of memc's."""
    f = sys._getframe()
    while f.f_code.co_filename == __file__:
        f = f.f_back
    return f"  --@ {f.f_code.co_filename}:{f.f_lineno}"


def _operator(e, result=None, bools=None):
    """An operator of two values. e makes its text of the type; bools is that of bools."""

    def f(x, y):
        x, y = _same(x, y)
        if x.dtype == bool and bools is None:
            raise TypeError("bools have no such operator; astype makes numbers of them")
        return _map(bools if x.dtype == bool else e if isinstance(e, str) else e(x.dtype), result or x.dtype, [x, y])

    return f


def _rounded(name):
    """A quotient, or a rest, that is rounded down."""
    divide = _operator(f"{name}({{0}}, {{1}})")

    def f(x, y):
        q = divide(x, y)
        if q.dtype.kind in "iu":
            q._place = _place()
        return q

    return f


_divide = _operator("{0} / {1}")


def _quotient(x, y):
    return _divide(*(v if v.dtype.kind == "f" else v.astype("float64") for v in _same(x, y)))


def _power(x, y):
    if type(y) is int and y == 2:
        return x * x
    return _operator(lambda t: "pow({0}, {1})" if t.kind == "f" else "{0} ** {1}")(x, y)


def _function(e):
    return lambda x: _map(e, x.dtype, [x]) if (x := array(x)).dtype.kind == "f" else _map(e, "float64", [x.astype("float64")])


for _name, _f in {
    "add": _operator("{0} + {1}"), "sub": _operator("{0} - {1}"), "mul": _operator("{0} * {1}"),
    "truediv": _quotient, "floordiv": _rounded("fdiv"), "mod": _rounded("fmod"), "pow": _power,
    "and": _operator("{0} & {1}", bools="{0} && {1}"), "or": _operator("{0} | {1}", bools="{0} || {1}"), "xor": _operator("{0} ^ {1}", bools="{0} != {1}"),
}.items():  # fmt: skip
    setattr(Value, f"__{_name}__", _f)
    setattr(Value, f"__r{_name}__", lambda y, x, f=_f: f(x, y))
for _name, _e in {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}.items():
    setattr(Value, f"__{_name}__", _operator(f"{{0}} {_e} {{1}}", bool))
for _name, _e in {"eq": "==", "ne": "!="}.items():
    setattr(Value, f"__{_name}__", _operator(f"{{0}} {_e} {{1}}", bool, f"{{0}} {_e} {{1}}"))
Value.__hash__ = object.__hash__
Value.__neg__ = lambda x: _map("-{0}", x.dtype, [x])
Value.__abs__ = lambda x: _map("abs({0})", x.dtype, [x])
Value.__invert__ = lambda x: _map("!{0}" if x.dtype == bool else "~{0}", x.dtype, [x])
sqrt, exp, log, sin, cos, tan, tanh, floor, ceil = (_function(f"{n}({{0}})") for n in "sqrt exp log sin cos tan tanh floor ceil".split())
maximum = _operator(lambda t: _larger(">", t, "{0}", "{1}"), bools="{0} || {1}")
minimum = _operator(lambda t: _larger("<", t, "{0}", "{1}"), bools="{0} && {1}")
