package hostmem

import (
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// available looks at the files of the kernel below a root.
func available(root fs.FS) (free int64, ok bool) {
	free, ok = meminfo(root)
	for _, left := range groups(root) {
		free, ok = least(free, left, ok), true
	}
	return free, ok
}

// meminfo returns the memory that the machine can give to new work.
func meminfo(root fs.FS) (free int64, ok bool) {
	kB, ok := field(root, "proc/meminfo", "MemAvailable:")
	return kB << 10, ok
}

// groups returns the memory left in the control groups of this process.
func groups(root fs.FS) (left []int64) {
	text, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return nil
	}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		parts := strings.SplitN(line, ":", 3)
		if len(parts) != 3 {
			continue
		}
		switch {
		case parts[0] == "0" && parts[1] == "":
			left = append(left, climb(root, "sys/fs/cgroup", parts[2], "memory.max", "memory.current", "inactive_file")...)
		case strings.Contains(","+parts[1]+",", ",memory,"):
			left = append(left, climb(root, "sys/fs/cgroup/memory", parts[2], "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")...)
		}
	}
	return left
}

// unlimited is a limit that is none; version 1 rounds the largest number to pages.
const unlimited = 1 << 60

// climb looks at a group and all around it. In a container the path may be that
// outside; the group's own files then lie at the top.
func climb(root fs.FS, top, group, limitFile, usedFile, cache string) (left []int64) {
	for dir := path.Clean("/" + group); ; dir = path.Dir(dir) {
		at := path.Join(top, dir)
		limit, known := number(root, path.Join(at, limitFile))
		used, also := number(root, path.Join(at, usedFile))
		if known && also && limit < unlimited {
			cached, _ := field(root, path.Join(at, "memory.stat"), cache) // the kernel takes it back
			left = append(left, max(0, limit-max(0, used-cached)))
		}
		if dir == "/" {
			return left
		}
	}
}

// number reads a file that holds one; "max" is none.
func number(root fs.FS, name string) (int64, bool) {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return n, err == nil
}

// field reads the number behind a name in a file of names and numbers.
func field(root fs.FS, name, key string) (int64, bool) {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return 0, false
	}
	for _, line := range strings.Split(string(text), "\n") {
		if words := strings.Fields(line); len(words) >= 2 && words[0] == key {
			n, err := strconv.ParseInt(words[1], 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}
