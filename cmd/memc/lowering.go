package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/hostmem"
	"github.com/memc-lang/memc/runtime/device"
	"github.com/memc-lang/memc/runtime/device/cl"
)

// lowerFlags choose how a program becomes kernels.
type lowerFlags struct {
	opt  imp.Options
	heap string // of kernels that allocate; "": this command has no such flag

	thresholds []string
}

func (l *lowerFlags) add(c *cobra.Command) {
	c.Flags().BoolVar(&l.opt.Unsafe, "unsafe", false, "leave bounds checks out")
	c.Flags().StringArrayVar(&l.thresholds, "threshold", nil, "NAME=VALUE: how kernels divide their work (memc tune --list)")
	c.Flags().BoolVar(&l.opt.Contract, "contract", false, "let kernels compute x * y + z with one rounding (docs/kernels.md)")
}

func (l *lowerFlags) addHeap(c *cobra.Command) {
	c.Flags().StringVar(&l.heap, "device-heap", "64M", "memory for kernels that allocate, such as 1G")
	c.Flags().StringVar(&l.opt.DeviceAllocator, "device-allocator", imp.DefaultDeviceAllocator, "the allocator for these kernels: "+strings.Join(cl.Names(true), ", "))
}

// tuningOf names the file in which memc tune leaves what it chose for a program.
func tuningOf(path string) string { return strings.TrimSuffix(path, filepath.Ext(path)) + ".tune" }

// optionsOf checks the flags, and reads what memc tune chose for the program; flags come
// first.
func (l *lowerFlags) optionsOf(c *cobra.Command, path string) (imp.Options, error) {
	f, err := hostmem.Open(tuningOf(path))
	if errors.Is(err, fs.ErrNotExist) {
		return l.options(c)
	}
	if err != nil {
		return l.opt, err
	}
	defer f.Close()
	if l.opt.Tuning, err = imp.ReadTuning(f); err != nil {
		return l.opt, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return l.options(c)
}

// options checks the flags.
func (l *lowerFlags) options(c *cobra.Command) (imp.Options, error) {
	if l.opt.Tuning == nil {
		l.opt.Tuning = imp.Tuning{}
	}
	for _, text := range l.thresholds {
		if err := l.opt.Tuning.Set(text); err != nil {
			return l.opt, usagef(c, "--threshold: %v", err)
		}
	}
	out := l.opt
	if l.heap == "" {
		return out, nil
	}
	var err error
	if out.DeviceHeap, err = parseBytes(l.heap); err != nil {
		return out, usagef(c, "--device-heap=%s: %v", l.heap, err)
	}
	if out.DeviceHeap < device.MinBytes {
		return out, usagef(c, "--device-heap=%s: a heap has at least %d bytes", l.heap, device.MinBytes)
	}
	a, err := cl.Lookup(out.DeviceAllocator)
	switch {
	case err != nil:
		return out, usagef(c, "--device-allocator: there is no allocator %q; there are %s%s", out.DeviceAllocator, strings.Join(cl.Names(true), ", "), didYouMean(out.DeviceAllocator, cl.Names(true)))
	case !a.Safe:
		return out, usagef(c, "--device-allocator=%s: %s, so programs would go wrong; choose %s", a.Name, a.About, strings.Join(cl.Names(true), ", "))
	}
	return out, nil
}
