package pipeline

import (
	"slices"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/transform"
)

func TestDefaultObeysItsConstraints(t *testing.T) {
	must.Do(t, CheckOrder(DefaultPasses()))
	for _, p := range All() {
		if p.Name == "" || p.Doc == "" || p.Run == nil {
			t.Errorf("pass %q lacks a name, a sentence of documentation or a function", p.Name)
		}
		for _, c := range p.After {
			if Lookup(c.Pass) == nil || c.Reason == "" {
				t.Errorf("pass %s: the constraint on %q names no pass, or gives no reason", p.Name, c.Pass)
			}
		}
	}
}

func TestPipelinePrintsAsItParses(t *testing.T) {
	for _, text := range []string{"", "explicit", "explicit,explicit", String(DefaultPasses())} {
		passes, err := Parse(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := String(passes); got != text {
			t.Errorf("%q prints as %q", text, got)
		}
	}
	if passes, err := Parse(" explicit , explicit "); err != nil || len(passes) != 2 {
		t.Errorf("blanks around names: %v, %v", passes, err)
	}
}

func TestUnknownPassIsAnsweredWithTheNearest(t *testing.T) {
	for text, want := range map[string]string{
		"explict":   `unknown pass "explict"; did you mean "explicit"?`,
		"explicit,": `empty name in pipeline "explicit,"`,
		"zzz":       `unknown pass "zzz" (known: `,
	} {
		_, err := Parse(text)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

func TestOrderConstraints(t *testing.T) {
	a := &transform.Pass{Name: "a"}
	b := &transform.Pass{Name: "b", After: []transform.Constraint{{Pass: "a", Reason: "b reads what a makes"}}}
	for _, tc := range []struct {
		passes []*transform.Pass
		ok     bool
	}{
		{[]*transform.Pass{a, b}, true},
		{[]*transform.Pass{b}, true},
		{[]*transform.Pass{a, b, a}, true},
		{[]*transform.Pass{b, a}, false},
		{[]*transform.Pass{b, a, b}, false},
	} {
		err := CheckOrder(tc.passes)
		if (err == nil) != tc.ok {
			t.Errorf("%s: %v", String(tc.passes), err)
		}
		if err != nil && !strings.Contains(err.Error(), "b reads what a makes") {
			t.Errorf("%s: the reason is missing: %v", String(tc.passes), err)
		}
	}
}

// Optional passes are known by name, are listed, and do not run by default.
func TestOptionalPasses(t *testing.T) {
	if len(optional) == 0 || len(All()) != len(DefaultPasses())-1+len(optional) {
		t.Fatalf("%d passes, %d by default, %d optional", len(All()), len(DefaultPasses()), len(optional))
	}
	for _, p := range optional {
		if slices.Contains(DefaultPasses(), p) || Lookup(p.Name) != p {
			t.Errorf("%s runs by default, or is not known by its name", p.Name)
		}
	}
	if _, err := Parse("sequentialise,explicit,lift,coalesce,lower"); err != nil {
		t.Error(err)
	}
	if _, err := Parse("explicit,sequentialise"); err == nil {
		t.Error("sequentialise runs on explicit programs")
	}
}
