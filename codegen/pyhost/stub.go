package pyhost

import (
	"fmt"
	"strings"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/ir"
)

// stub returns the types of the package's interface. An entry with array results has two
// forms, which the type of keep tells apart.
func (w *writer) stub() string {
	var b strings.Builder
	b.WriteString(`from typing import Any, Literal, Union, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _memc
from ._memc import Array as Array
from ._memc import BuildError as BuildError
from ._memc import DeviceLost as DeviceLost
from ._memc import Error as Error
from ._memc import Fault as Fault
from ._memc import Misuse as Misuse
from ._memc import OutOfMemory as OutOfMemory
from ._memc import Stats as Stats

class Program(_memc.Program):
    def __enter__(self) -> "Program": ...
`)
	for _, m := range w.methods {
		params := "self, "
		for k, q := range m.Params {
			params += m.params[k] + ": " + argumentType(q) + ", "
		}
		numpy, kept := resultTypes(m.Entry)
		if numpy == kept {
			fmt.Fprintf(&b, "    def %s(%s*, keep: bool = ...) -> %s: ...\n", m.name, params, numpy)
			continue
		}
		fmt.Fprintf(&b, "    @overload\n    def %s(%s*, keep: Literal[False] = ...) -> %s: ...\n", m.name, params, numpy)
		fmt.Fprintf(&b, "    @overload\n    def %s(%s*, keep: Literal[True]) -> %s: ...\n", m.name, params, kept)
	}
	return b.String()
}

// dtype returns NumPy's class of a scalar type.
func dtype(p ir.Prim) string {
	switch {
	case p == ir.Bool:
		return "np.bool_"
	case p.Float():
		return fmt.Sprintf("np.float%d", p.Bits())
	case p.Unsigned():
		return fmt.Sprintf("np.uint%d", p.Bits())
	}
	return fmt.Sprintf("np.int%d", p.Bits())
}

func argumentType(q imp.EntryParam) string {
	switch {
	case q.Array:
		return "Union[ArrayLike, Array[" + dtype(q.Prim) + "]]"
	case q.Prim == ir.Bool:
		return "Union[bool, np.bool_]"
	case q.Prim.Float():
		return "Union[float, np.floating[Any], np.integer[Any]]"
	}
	return "Union[int, np.integer[Any]]"
}

// resultTypes returns the types of a call's results, without and with keep.
func resultTypes(e *imp.Entry) (numpy, kept string) {
	var plain, device []string
	for _, r := range e.Results {
		t := dtype(r.Prim)
		switch {
		case r.Size:
		case r.Array:
			plain, device = append(plain, "NDArray["+t+"]"), append(device, "Array["+t+"]")
		default:
			plain, device = append(plain, t), append(device, t)
		}
	}
	return tuple(plain), tuple(device)
}

func tuple(types []string) string {
	switch len(types) {
	case 0:
		return "tuple[()]"
	case 1:
		return types[0]
	}
	return "tuple[" + strings.Join(types, ", ") + "]"
}
