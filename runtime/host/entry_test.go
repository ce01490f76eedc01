package host_test

import (
	"slices"
	"testing"

	"github.com/memc-lang/memc/runtime/host"
)

func TestBind(t *testing.T) {
	n, m, three := host.Dim{Name: "n"}, host.Dim{Name: "m"}, host.Dim{Size: 3}
	e := host.Entry{
		Name:   "f",
		Params: []host.Param{{Name: "xs", Shape: []host.Dim{n, m}}, {Name: "k"}, {Name: "ys", Shape: []host.Dim{n, three}}, {Name: "m"}},
		Sizes:  []string{"m", "n"},
	}
	array := func(shape ...int64) host.Given { return host.Given{Shape: shape} }
	scalar := func(v int64) host.Given { return host.Given{Scalar: true, Value: v} }
	for _, x := range []struct {
		xs, ys host.Given
		m      int64
		want   []int64
		param  int
		msg    string
	}{
		{array(5, 7), array(5, 3), 7, []int64{7, 5}, 0, ""},
		{array(0, 0), array(0, 3), 0, []int64{0, 0}, 0, ""},
		{array(5, 7), array(6, 3), 7, nil, 2, "argument `ys` has size 6 in dimension 0, but `n` is 5 (from `xs`)"},
		{array(5, 7), array(5, 4), 7, nil, 2, "argument `ys` has size 4 in dimension 1, but 3 is expected"},
		{array(5, 7), array(5, 3), 8, nil, 0, "argument `xs` has size 7 in dimension 1, but `m` is 8"},
	} {
		got, err := e.Bind([]host.Given{x.xs, {}, x.ys, scalar(x.m)})
		if x.msg != "" {
			if err == nil || err.Msg != x.msg || err.Param != x.param {
				t.Errorf("%v %v %d: error %v, want %s", x.xs, x.ys, x.m, err, x.msg)
			}
		} else if err != nil || !slices.Equal(got, x.want) {
			t.Errorf("%v %v %d: %v, %v, want %v", x.xs, x.ys, x.m, got, err, x.want)
		}
	}
	e.Sizes = append(e.Sizes, "q")
	if _, err := e.Bind([]host.Given{array(1, 1), {}, array(1, 3), scalar(1)}); err == nil || err.Param != -1 {
		t.Errorf("a size that no argument binds: %v", err)
	}
}
