package cc

import (
	"os/exec"
	"runtime"
	"syscall"
)

// tie has a command end when memc does, also where memc is killed: a program that never ends would
// go on for ever. The kernel watches the thread that starts the command, so the caller's goroutine
// stays on its thread until it calls untie.
func tie(c *exec.Cmd) (untie func()) {
	runtime.LockOSThread()
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return runtime.UnlockOSThread
}
