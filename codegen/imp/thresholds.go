package imp

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A Threshold is a number by which kernels divide their work. Any value from Least to Most
// gives the same results; which is fastest depends on the device and the program (memc tune).
type Threshold struct {
	Name                 string
	Default, Least, Most int64
	Doc                  string
}

// Names of the thresholds.
const (
	leastItems   = "least-items"
	fewElements  = "few-elements"
	manySegments = "many-segments"
	maxGroups    = "max-groups"
	shareWork    = "share-work"
	maxShare     = "max-share"
	laneShare    = "lane-share"
	tileWork     = "tile-work"
	tileBytes    = "tile-bytes"
	scanWork     = "scan-work"
	histWork     = "hist-work"
	histBytes    = "hist-bytes"
	movedBytes   = "moved-bytes"
	sharedRows   = "shared-rows"
	jamPoints    = "jam-points"
)

// Thresholds lists all of them.
var Thresholds = []Threshold{
	{leastItems, 32, 1, GroupSize, "the fewest work-items of a group in a map of few points with loops; fewer groups share more of what they read"},
	{fewElements, 128, 1, 1 << 20, "one work-item does a segment of at most this many elements, if neighbouring segments are as near in memory as neighbouring elements"},
	{manySegments, 65536, 1, 1 << 30, "one work-item does each segment of a scan with at least this many segments"},
	{maxGroups, 1024, 1, 65536, "the most work-groups of a scan in three passes, or of a histogram in local memory"},
	{shareWork, 64, 1, 4096, "the operations in a work-item's share of a reduction"},
	{maxShare, 16, 1, 1024, "the most values in such a share"},
	{laneShare, 8, 1, 128, "the most values per work-item in a short segment"},
	{tileWork, 8192, 1, 1 << 30, "a scan of more values than this is done in one pass, if the device allows"},
	{tileBytes, 172, 4, 172, "bytes of local memory for the values that a work-item scans"},
	{scanWork, 1024, 1, 1 << 20, "values per work-group in a scan in three passes"},
	{histWork, 4096, 1, 1 << 20, "points per work-group in a histogram in local memory"},
	{histBytes, 16384, 8, 32768, "bytes of local memory for a group's copy of a histogram"},
	{movedBytes, 16, 1, 64, "bytes that a work-item moves, of the largest element, in a map that only moves data; half as many in a row of small columns"},
	{sharedRows, 8, 1, 16, "the most rows of a map that a work-item does at once, if they read the same elements in a loop; half as many columns, if those do, too"},
	{jamPoints, 2, 0, 1 << 20, "it does if the points are at least this many times the work-items that fill the device"},
}

// ThresholdNamed returns the threshold of that name.
func ThresholdNamed(name string) (Threshold, bool) {
	i := slices.IndexFunc(Thresholds, func(t Threshold) bool { return t.Name == name })
	if i < 0 {
		return Threshold{}, false
	}
	return Thresholds[i], true
}

// Busy is the tuning with which even small arrays are divided as large ones are, for tests.
func Busy() Tuning { return Tuning{jamPoints: 0} }

// A Tuning gives some thresholds other values than their default.
type Tuning map[string]int64

// Set sets one; text is "NAME=VALUE".
func (t Tuning) Set(text string) error { return t.set(text, "=") }

// set sets one from a text with a separator between name and value.
func (t Tuning) set(text, separator string) error {
	name, value, ok := strings.Cut(strings.TrimSpace(text), separator)
	if !ok {
		return fmt.Errorf("%q: expected NAME%sVALUE", text, separator)
	}
	h, known := ThresholdNamed(name)
	if !known {
		return fmt.Errorf("there is no threshold %q (memc tune --list)", name)
	}
	v, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
	if err != nil || v < h.Least || v > h.Most {
		return fmt.Errorf("%s is a whole number from %d to %d, not %q", name, h.Least, h.Most, value)
	}
	t[name] = v
	return nil
}

// ReadTuning reads lines "NAME VALUE"; "#" begins a comment.
func ReadTuning(r io.Reader) (Tuning, error) {
	out, line := Tuning{}, 0
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		line++
		text, _, _ := strings.Cut(lines.Text(), "#")
		if strings.TrimSpace(text) == "" {
			continue
		}
		if err := out.set(text, " "); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
	}
	return out, lines.Err()
}

// Write writes a tuning in the form that ReadTuning reads.
func (t Tuning) Write(w io.Writer) error {
	for _, name := range slices.Sorted(maps.Keys(t)) {
		if _, err := fmt.Fprintf(w, "%s %d\n", name, t[name]); err != nil {
			return err
		}
	}
	return nil
}

// threshold returns the value of one, and notes that the program depends on it.
func (l *lowerer) threshold(name string) int64 {
	if !slices.Contains(l.out.Thresholds, name) {
		l.out.Thresholds = append(l.out.Thresholds, name)
	}
	if v, ok := l.opt.Tuning[name]; ok {
		return v
	}
	h, ok := ThresholdNamed(name)
	if !ok {
		panic("imp: no threshold " + name)
	}
	return h.Default
}
