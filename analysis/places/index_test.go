package places

import (
	"fmt"
	"testing"

	"github.com/memc-lang/memc/ir/sym"
)

// TestRelevantTwice asks the same question twice: the second time segments have tables, and the same
// facts are found.
func TestRelevantTwice(t *testing.T) {
	f := Facts{}.Equal(sym.Var("y"), sym.Var("x").Add(sym.Const(1)))
	for k := range 2 * segmentSize {
		f = f.Equal(sym.Var(fmt.Sprint("z", k)), sym.Var("x").Add(sym.Const(int64(k))))
	}
	ask := func() int {
		cv := f.converter()
		return len(f.relevant(cv, []poly{cv.value(sym.Var("y"))}))
	}
	first, second := ask(), ask()
	if first != second || first == 0 {
		t.Errorf("%d facts at first, then %d", first, second)
	}
}
