// Package pyhost writes a Python package around a program's C library, for
// `memc compile --host=python`.
//
// # What it writes
//
//   - __init__.py: the package's interface, a class Program with one method per entry.
//   - __init__.pyi: its types, so that type checkers know the arguments and results of entries.
//   - _memc.py: the common base of all such packages, the same text in each. It builds and loads
//     the library with ctypes, and turns NumPy arrays into arguments. It is py/_memc.py of this
//     package, which contains its own types (py.typed says so).
//   - NAME.c: the library, as package opencl writes it, for OpenCL or for processors.
//
// Nothing is generated twice: calls go through memc's own C API, so counting, errors and messages
// are those of every C program (docs/c-api.md). A method only names its entry and arguments. Sizes,
// types and blocks are checked where C programs have them checked, and _memc.py makes the checks of
// C's types.
//
//	entry step [n] (xs: *[n]f32, k: f32) : (ys: [n]f32, sum: f32)
//
//	_entry_step = _memc.Entry("step", "entry_step", [_memc.Param("xs", "f32", 1), _memc.Param("k", "f32")], ...)
//
//	def step(self, xs, k, *, keep=False):
//	    return self._call(_entry_step, (xs, k), keep)
//
// The package must not import runtime, internal/run/cc or a transformation.
package pyhost
