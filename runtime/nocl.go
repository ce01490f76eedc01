//go:build !cgo

package runtime

func listDevices() ([]DeviceInfo, error) { return nil, ErrNoOpenCL }

func openDrivers([]int, Options) ([]driver, error) { return nil, ErrNoOpenCL }

func (c *Context) copyThrough(**Block, CopyKernels, int64, []int64, Region, Region) error {
	return ErrNoOpenCL
}
