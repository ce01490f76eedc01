package benchmarks

import (
	"embed"
	"strings"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/ir"
)

//go:embed hand
var handFiles embed.FS

// A Hand is a program with the same as loops in C, written by hand, and one data set.
type Hand struct {
	Name, Path string // the program's file, from the root of the repository
	Source, C  string
	Set        Set
}

// ByHand returns the programs for which there are loops written by hand: a map, a stencil,
// a product of matrices, LocVolCalib's solver and a histogram. They read their arguments
// and write their results as hand/hand.h tells.
func ByHand() []Hand {
	small := func(name string) Hand {
		b, _ := Lookup(name)
		set, _ := b.Set("small")
		return Hand{Name: name, Path: b.Path(), Source: b.Source(), Set: set}
	}
	own := func(name string, args func() []value.Value) Hand {
		path := "hand/" + name + ".ir"
		return Hand{Name: name, Path: "benchmarks/" + path, Source: handText(path), Set: Set{"small", args}}
	}
	all := []Hand{
		own("map", func() []value.Value {
			r := random(1)
			return []value.Value{r.f32s(0, 1, 1<<22), r.f32s(0, 1, 1<<22)}
		}),
		small("stencil"), small("sgemm"), small("LocVolCalib"),
		own("histogram", func() []value.Value {
			r := random(2)
			return []value.Value{i64(1024), r.ints(ir.I32, 0, 1024, 1<<22)}
		}),
	}
	for i := range all {
		all[i].C = strings.Replace(handText("hand/"+all[i].Name+".c"), "#include \"hand.h\"\n", handText("hand/hand.h"), 1)
	}
	return all
}

func handText(path string) string {
	text, err := handFiles.ReadFile(path)
	if err != nil {
		panic(err) // the list names a file that is not there; a test reads all
	}
	return string(text)
}
