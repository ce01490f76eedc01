package hostmem

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/fstest"
)

func files(text ...string) fstest.MapFS {
	m := fstest.MapFS{}
	for i := 0; i < len(text); i += 2 {
		m[text[i]] = &fstest.MapFile{Data: []byte(text[i+1])}
	}
	return m
}

func TestAvailable(t *testing.T) {
	const info = "MemTotal:       24684084 kB\nMemFree:  1 kB\nMemAvailable:   4096 kB\n"
	for _, x := range []struct {
		what string
		root fstest.MapFS
		free int64
		ok   bool
	}{
		{"nothing is known", files(), 0, false},
		{"the machine", files("proc/meminfo", info), 4 << 20, true},
		{"version 2, no limit", files("proc/meminfo", info, "proc/self/cgroup", "0::/a\n",
			"sys/fs/cgroup/a/memory.max", "max\n", "sys/fs/cgroup/a/memory.current", "5\n"), 4 << 20, true},
		{"version 2, the group", files("proc/meminfo", info, "proc/self/cgroup", "0::/a/b\n",
			"sys/fs/cgroup/a/b/memory.max", "1000000\n", "sys/fs/cgroup/a/b/memory.current", "400000\n",
			"sys/fs/cgroup/a/b/memory.stat", "anon 7\ninactive_file 100000\n"), 700000, true},
		{"version 2, a group around it", files("proc/meminfo", info, "proc/self/cgroup", "0::/a/b\n",
			"sys/fs/cgroup/a/b/memory.max", "1000000\n", "sys/fs/cgroup/a/b/memory.current", "400000\n",
			"sys/fs/cgroup/a/memory.max", "500000\n", "sys/fs/cgroup/a/memory.current", "450000\n"), 50000, true},
		{"version 2, in a container", files("proc/self/cgroup", "0::/outside/x\n",
			"sys/fs/cgroup/memory.max", "3000\n", "sys/fs/cgroup/memory.current", "4000\n"), 0, true},
		{"version 1", files("proc/meminfo", info, "proc/self/cgroup", "5:cpu,cpuacct:/c\n4:memory:/m\n",
			"sys/fs/cgroup/memory/m/memory.limit_in_bytes", "2000000\n", "sys/fs/cgroup/memory/m/memory.usage_in_bytes", "500000\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n", "sys/fs/cgroup/memory/memory.usage_in_bytes", "1\n"), 1500000, true},
	} {
		if free, ok := available(x.root); free != x.free || ok != x.ok {
			t.Errorf("%s: %d, %v, want %d, %v", x.what, free, ok, x.free, x.ok)
		}
	}
}

func TestRoom(t *testing.T) {
	if b := Budget(); b <= 0 {
		t.Fatalf("a budget of %d bytes", b)
	}
	if err := Room(small - 1); err != nil {
		t.Error(err)
	}
	var short *Short
	if err := Room(1 << 60); !errors.As(err, &short) || short.Need != 1<<60 || short.Free <= 0 || short.Free >= 1<<60 {
		t.Errorf("2^60 bytes: %v", err)
	}
}

func TestReadAll(t *testing.T) {
	text := strings.Repeat("0123456789abcdef", 20000)
	if got, err := ReadAll(strings.NewReader(text)); err != nil || !bytes.Equal(got, []byte(text)) {
		t.Errorf("%d bytes of %d, %v", len(got), len(text), err)
	}
}
