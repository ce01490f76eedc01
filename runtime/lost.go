package runtime

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// errLost is how a driver says that the device is gone: it went down, a watchdog
// ended a kernel, or a kernel broke down and took the driver's context with it.
var errLost = errors.New("the device is lost")

// A DeviceLost says that the device, and all blocks on it, are gone. All later requests to the
// context fail with it. The user can only close the context and open another one.
type DeviceLost struct {
	Device DeviceInfo
	Cause  error // the driver's error
}

func (e *DeviceLost) Error() string {
	return fmt.Sprintf("the device %s is lost, and all that was on it: %v", e.Device.Name, e.Cause)
}

func (e *DeviceLost) Unwrap() error { return e.Cause }

// Lost returns the error since which the device is lost; nil: it is there.
func (c *Context) Lost() error {
	if c.several != nil {
		return c.several.lost()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if lost := c.drv.lost.Load(); lost != nil {
		return lost
	}
	return nil
}

// usable returns the reason why the context no longer works, or nil if it does.
func (c *Context) usable() error {
	if c.closed {
		return errClosed
	}
	if lost := c.drv.lost.Load(); lost != nil {
		return lost
	}
	return nil
}

// A watched driver remembers that its device was lost, and asks it nothing after
// that but to release what there is.
type watched struct {
	driver
	device DeviceInfo
	lost   atomic.Pointer[DeviceLost]
}

// try makes a request to the device.
func (w *watched) try(do func() error) error {
	if lost := w.lost.Load(); lost != nil {
		return lost
	}
	err := do()
	if errors.Is(err, errLost) {
		w.lost.CompareAndSwap(nil, &DeviceLost{w.device, err})
		return w.lost.Load()
	}
	return err
}

func (w *watched) create(bytes int64) (h handle, err error) {
	err = w.try(func() error { h, err = w.driver.create(bytes); return err })
	return h, err
}

func (w *watched) write(h handle, off int64, data []byte) error {
	return w.try(func() error { return w.driver.write(h, off, data) })
}

func (w *watched) read(h handle, off int64, data []byte) error {
	return w.try(func() error { return w.driver.read(h, off, data) })
}

func (w *watched) set(h handle, off int64, data []byte) error {
	return w.try(func() error { return w.driver.set(h, off, data) })
}

func (w *watched) fetch(faults handle, launched int, list []piece) (words []int64, err error) {
	err = w.try(func() error { words, err = w.driver.fetch(faults, launched, list); return err })
	return words, err
}

func (w *watched) copy(dst handle, dstOff int64, src handle, srcOff, bytes int64) error {
	return w.try(func() error { return w.driver.copy(dst, dstOff, src, srcOff, bytes) })
}

func (w *watched) build(d DeviceInfo, source, more string) (m module, err error) {
	err = w.try(func() error { m, err = w.driver.build(d, source, more); return err })
	return m, err
}

func (w *watched) launch(k kernel, groups, most, groupSize int64, args []Arg) error {
	return w.try(func() error { return w.driver.launch(k, groups, most, groupSize, args) })
}

func (w *watched) took() (d time.Duration, err error) {
	err = w.try(func() error { d, err = w.driver.took(); return err })
	return d, err
}

func (w *watched) finish() error { return w.try(w.driver.finish) }
