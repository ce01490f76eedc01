package release

import (
	"os"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"
)

func TestCommit(t *testing.T) {
	for want, info := range map[string]*debug.BuildInfo{
		"unknown":                  {},
		"of module version v0.1.0": {Main: debug.Module{Version: "v0.1.0"}},
		"0123456789ab":             {Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef"}}},
		"abc with changes":         {Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "true"}}},
	} {
		if got := commit(info); got != want {
			t.Errorf("%q, expected %q", got, want)
		}
	}
}

// TestNamed compares Version with the documents that name it.
func TestNamed(t *testing.T) {
	for path, form := range map[string]string{
		"../../../CHANGELOG.md": "## " + Version + "( |$)",
		"../../../CITATION.cff": "version: " + Version + "$",
	} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !regexp.MustCompile("(?m)^" + strings.ReplaceAll(form, ".", `\.`)).Match(text) {
			t.Errorf("%s does not name %s", path, Version)
		}
	}
}
