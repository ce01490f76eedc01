package reusebench

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/memc-lang/memc/internal/base/hostmem"
)

// A Block is live from From on and before Until.
type Block struct{ From, Until, Size int64 }

// Read reads the problem of a CSV file.
func Read(path string) ([]Block, error) {
	file, err := hostmem.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	r := csv.NewReader(file)
	r.Comment = '#' // provenance may stand above
	rows, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s: expected a header with the columns lower, upper and size", path)
	}
	column := map[string]int{}
	for k, name := range rows[0] {
		column[name] = k
	}
	for _, name := range []string{"lower", "upper", "size"} {
		if _, ok := column[name]; !ok {
			return nil, fmt.Errorf("%s: no column %q in the header", path, name)
		}
	}
	var out []Block
	for k, row := range rows[1:] {
		var v [3]int64
		for j, name := range []string{"lower", "upper", "size"} {
			v[j], err = strconv.ParseInt(row[column[name]], 10, 64)
			if err != nil {
				return nil, fmt.Errorf("%s: row %d: %s is %q, expected a number", path, k+1, name, row[column[name]])
			}
		}
		if v[0] < 0 || v[1] <= v[0] || v[2] < 0 {
			return nil, fmt.Errorf("%s: row %d: expected 0 <= lower < upper and size >= 0", path, k+1)
		}
		out = append(out, Block{v[0], v[1], v[2]})
	}
	return out, nil
}

// Files returns the CSV files and programs of a directory and of those in it,
// sorted; of a file, just that.
func Files(dir string) ([]string, error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return []string{dir}, err
	}
	var files []string
	for _, pattern := range []string{"*.csv", "*.ir", "*/*.ir"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: no CSV files and no programs", dir)
	}
	slices.Sort(files)
	return files, nil
}
