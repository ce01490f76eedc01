package opencl_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/memc-lang/memc/codegen/opencl"
	"github.com/memc-lang/memc/internal/test/must"
)

// TestHostMemory reads what machines and control groups have left from files like Linux's.
// An eighth is left to others.
func TestHostMemory(t *testing.T) {
	prog := buildC(t, "memory", opencl.HostHead+"#include <stdbool.h>\n#include <inttypes.h>\n#include <unistd.h>\n"+opencl.HostPrelude()+
		opencl.RuntimePart("base")+opencl.RuntimePart("host")+readFile(t, "testdata/host/memory.c"))
	const info = "MemTotal:       24684084 kB\nMemFree:  1 kB\nMemAvailable:   4096 kB\n"
	for _, x := range []struct {
		what  string
		files []string
		free  int64
	}{
		{"nothing is known", nil, math.MaxInt64},
		{"the machine", []string{"proc/meminfo", info}, 4 << 20},
		{"version 2, no limit", []string{"proc/meminfo", info, "proc/self/cgroup", "0::/a\n",
			"sys/fs/cgroup/a/memory.max", "max\n", "sys/fs/cgroup/a/memory.current", "5\n"}, 4 << 20},
		{"version 2, the group", []string{"proc/meminfo", info, "proc/self/cgroup", "0::/a/b\n",
			"sys/fs/cgroup/a/b/memory.max", "1000000\n", "sys/fs/cgroup/a/b/memory.current", "440000\n",
			"sys/fs/cgroup/a/b/memory.stat", "anon 7\ninactive_file 160000\n"}, 720000},
		{"version 2, a group around it", []string{"proc/meminfo", info, "proc/self/cgroup", "0::/a/b\n",
			"sys/fs/cgroup/a/b/memory.max", "1000000\n", "sys/fs/cgroup/a/b/memory.current", "400000\n",
			"sys/fs/cgroup/a/memory.max", "500000\n", "sys/fs/cgroup/a/memory.current", "420000\n"}, 80000},
		{"version 2, in a container", []string{"proc/self/cgroup", "0::/outside/x\n",
			"sys/fs/cgroup/memory.max", "3000\n", "sys/fs/cgroup/memory.current", "4000\n"}, 0},
		{"version 1", []string{"proc/meminfo", info, "proc/self/cgroup", "5:cpu,cpuacct:/c\n4:memory:/m\n",
			"sys/fs/cgroup/memory/m/memory.limit_in_bytes", "2000000\n", "sys/fs/cgroup/memory/m/memory.usage_in_bytes", "400000\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n", "sys/fs/cgroup/memory/memory.usage_in_bytes", "1\n"}, 1600000},
	} {
		root := t.TempDir()
		for i := 0; i < len(x.files); i += 2 {
			name := filepath.Join(root, x.files[i])
			must.Do(t, os.MkdirAll(filepath.Dir(name), 0o755))
			must.Do(t, os.WriteFile(name, []byte(x.files[i+1]), 0o644))
		}
		if x.free < math.MaxInt64 {
			x.free -= x.free / 8
		}
		out, errs, code := runC(t, "", prog, root)
		if want := fmt.Sprintf("%d 1\n", x.free); out != want || code != 0 {
			t.Errorf("%s: %q, want %q; exit code %d, %s", x.what, out, want, code, errs)
		}
	}
}
