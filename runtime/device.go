package runtime

import "fmt"

// DeviceInfo describes an OpenCL device.
type DeviceInfo struct {
	Index        int // in the order of Devices
	Platform     string
	Name         string
	Version      string // of OpenCL
	Driver       string
	GPU          bool
	CPU          bool  // the host's processor: its memory is the host's
	Memory       int64 // bytes
	MaxAlloc     int64 // bytes in one block
	MaxGroup     int64 // work-items in one work-group
	MaxGroups    int64 // work-groups of one launch; more run in turns
	Local        int64 // bytes of local memory that a work-group may have
	Items        int64 // work-items that it has room for at once
	Wave         int64 // work-items that share each access of memory; 1: none do
	Several      bool  // a work-item that only moves elements should move several
	Waits        bool  // a work-group that runs may wait for one that began before it
	FP64         bool
	Int64Atomics bool
	// ExactDivide tells that f32 division and square root can be rounded
	// correctly (a build option asks for it).
	ExactDivide bool
	dev         any // the driver's
}

// String returns the device as one line of a list.
func (d DeviceInfo) String() string {
	return fmt.Sprintf("#%d %s (%s)", d.Index, d.Name, d.Platform)
}

// Property returns the property with that name.
func (d DeviceInfo) Property(name string) int64 {
	switch name {
	case "items":
		return d.Items
	case "wave":
		return d.Wave
	case "waits":
		return one(d.Waits)
	case "several":
		return one(d.Several) * d.Items
	case "wide":
		return one(d.Int64Atomics)
	case "local":
		return d.Local
	}
	panic("runtime: no property " + name)
}

func one(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// NeedFP64 returns an error where the device has no f64, for programs whose kernels
// compute with it.
func (d DeviceInfo) NeedFP64() error {
	if d.FP64 {
		return nil
	}
	return fmt.Errorf("the program computes with f64, which the device %s does not have", d)
}

// driverSpace is what a driver and its compiler take of the address space: with less, PoCL 3.1 ends
// the process.
const driverSpace = 1 << 30

// noSpace is an ErrNoDevice: so much address space is left.
type noSpace int64

func (left noSpace) Error() string {
	return fmt.Sprintf("OpenCL drivers need %d MB of address space, and ulimit -v leaves %d MB", int64(driverSpace)>>20, int64(left)>>20)
}

func (noSpace) Unwrap() error { return ErrNoDevice }

// Devices lists the OpenCL devices of all platforms. None is an empty list, not
// an error.
func Devices() ([]DeviceInfo, error) { return listDevices() }

// Find returns the devices that a selector names, or a list of selectors with commas, as Open
// chooses them.
func Find(selectors string) ([]DeviceInfo, error) {
	all, err := Devices()
	if err != nil {
		return nil, err
	}
	return choose(all, selectors)
}
