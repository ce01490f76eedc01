//go:build cgo

package opencl_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
)

// twoDevices has programs find two devices on one platform.
func twoDevices(t *testing.T) { t.Setenv("POCL_DEVICES", "pthread pthread") }

// severalUser builds the user of a library on several devices.
func severalUser(t *testing.T, flags ...string) string {
	t.Helper()
	c, h := hostC(t, "several.ir", readFile(t, "testdata/host/several.ir"))
	dir := t.TempDir()
	lib := filepath.Join(dir, "several.c")
	for name, text := range map[string]string{"several.c": c, "several.h": h, "check.h": readFile(t, "testdata/host/check.h")} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	flags = append(flags, "-g", "-O1", "-DMEMC_NO_MAIN", "-I"+dir, lib)
	return buildC(t, "user", readFile(t, "testdata/host/several.c"), flags...)
}

// TestHostSeveral uses two devices from C: arrays that move, calls at once, full devices. What
// the OpenCL driver itself does under the sanitizers is not looked at.
func TestHostSeveral(t *testing.T) {
	twoDevices(t)
	quiet := filepath.Join(t.TempDir(), "quiet")
	libraries := []string{"libpocl.so", "libpocl-devices-pthread.so", "libpocl-devices-basic.so", "libLLVM", "libclang-cpp"}
	text := "race:libpocl\n"
	for _, l := range libraries {
		text += "called_from_lib:" + l + "\nmutex:" + l + "\n"
	}
	must.Do(t, os.WriteFile(quiet, []byte(text), 0o644))
	t.Setenv("TSAN_OPTIONS", "suppressions="+quiet)
	t.Setenv("ASAN_OPTIONS", "detect_leaks=0")
	for _, flags := range [][]string{{"-fsanitize=address,undefined", "-fno-sanitize-recover"}, {"-fsanitize=thread"}} {
		if out, errs, code := runC(t, "", severalUser(t, flags...), "0,1"); code != 0 || out != "ok\n" {
			t.Errorf("%v: exit code %d: %s%s", flags, code, out, errs)
		}
	}
}

// TestHostSeveralErrorPaths makes every eleventh call of OpenCL and of malloc fail while two devices
// exchange blocks, within one OpenCL context and through the host.
func TestHostSeveralErrorPaths(t *testing.T) {
	twoDevices(t)
	c, _ := hostC(t, "several.ir", readFile(t, "testdata/host/several.ir"))
	part := func(name string) string { return readFile(t, "testdata/host/"+name) }
	prog := buildC(t, "failing", "#define MEMC_NO_MAIN\n"+part("failing_head.h")+c+part("check.h")+part("failing_several.c"))
	if out, errs, code := runC(t, "", prog); code != 0 || out != "ok\n" {
		t.Fatalf("exit code %d: %s%s", code, out, errs)
	}
}

// The program's option takes a list, and --evict.
func TestHostSeveralOptions(t *testing.T) {
	twoDevices(t)
	c, _ := hostC(t, "several.ir", readFile(t, "testdata/host/several.ir"))
	prog := buildC(t, "several", c)
	for _, x := range []struct{ args, out, errs string }{
		{"-e six -d 0,1 -m 1400000 --stats", "4.80048e+09f64\n", `"evicted_bytes":`},
		{"-e six -d 0 --evict -m 1400000 --stats", "4.80048e+09f64\n", `"restored_bytes":`},
		{"-e six -d 0 -m 1400000", "", "out of device memory"},
		{"-e six -d 0,1 -m 300000", "", "out of device memory"},
		{"-e six -d 1,1", "", "named twice"},
		{"-e six -d 2", "", "no OpenCL device matches \"2\"; there are:\n  #0 "},
	} {
		out, errs, _ := runC(t, "40000", prog, strings.Fields(strings.Replace(x.args, "--stats", "--stats=json", 1))...)
		if out != x.out || !strings.Contains(errs, x.errs) {
			t.Errorf("%s: %s%s", x.args, out, errs)
		}
	}
}
