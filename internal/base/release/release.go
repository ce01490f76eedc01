// Package release names the version of memc, for `memc version` and for the first line of everything that memc makes.
//
// Version changes with CHANGELOG.md, which a test compares; the version of the language is ir.Version. What memc makes
// names no commit: it would differ from build to build. The package imports nothing of memc.
package release

import (
	"fmt"
	"runtime/debug"
)

// Version is the release that this source is, or becomes.
const Version = "0.1.0"

// Name is memc with its version, as made files have it.
const Name = "memc " + Version

// Commit returns the commit that memc was built from, or "unknown": a build outside of a repository does not know it.
func Commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return commit(info)
}

func commit(info *debug.BuildInfo) string {
	revision, changed := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = " with changes"
		}
	}
	switch v := info.Main.Version; {
	case revision != "":
		return revision + changed
	case v != "" && v != "(devel)": // go install memc@v0.1.0
		return "of module version " + v
	}
	return "unknown"
}

// Line describes memc on one line.
func Line(language int) string {
	return fmt.Sprintf("%s (commit %s), language version %d", Name, Commit(), language)
}
