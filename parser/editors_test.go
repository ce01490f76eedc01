package parser

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
)

// TestEditors demands that the syntax files of editors colour the words of the grammar and
// the scalar types, and no others.
func TestEditors(t *testing.T) {
	var want []string
	word := regexp.MustCompile(`^"([A-Za-z_]+)"$`)
	for _, tok := range grammarTokens(t) {
		if m := word.FindStringSubmatch(tok); m != nil {
			want = append(want, m[1])
		}
	}
	for _, p := range ir.Prims {
		want = append(want, p.String())
	}
	for name, found := range map[string][]string{"vim": vimWords(t), "vscode": codeWords(t)} {
		for _, w := range want {
			if !slices.Contains(found, w) {
				t.Errorf("%s: %q is not coloured", name, w)
			}
		}
		for _, w := range found {
			if !slices.Contains(want, w) {
				t.Errorf("%s: %q is no word of the language", name, w)
			}
		}
	}
}

func vimWords(t *testing.T) (list []string) {
	text := must.Read(t, "../editors/vim/syntax/memc.vim")
	for _, m := range regexp.MustCompile(`(?m)^syn keyword \w+ (.*)$`).FindAllStringSubmatch(text, -1) {
		list = append(list, strings.Fields(m[1])...)
	}
	return list
}

func codeWords(t *testing.T) (list []string) {
	text := must.Get(os.ReadFile("../editors/vscode/syntaxes/memc.tmLanguage.json"))(t)
	var grammar struct {
		Patterns []struct{ Match string }
	}
	must.Do(t, json.Unmarshal(text, &grammar))
	for _, p := range grammar.Patterns {
		if m := regexp.MustCompile(`^\\b\(([A-Za-z0-9|]+)\)\\b`).FindStringSubmatch(p.Match); m != nil {
			list = append(list, strings.Split(m[1], "|")...)
		}
	}
	return list
}

// TestEditorFiles demands that the other files of the extension are JSON.
func TestEditorFiles(t *testing.T) {
	for _, name := range []string{"package.json", "language-configuration.json"} {
		text := must.Get(os.ReadFile("../editors/vscode/" + name))(t)
		if !json.Valid(text) {
			t.Errorf("%s is not JSON", name)
		}
	}
}
