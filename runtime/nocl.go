//go:build !cgo

package runtime

func listDevices() ([]DeviceInfo, error) { return nil, ErrNoOpenCL }

func openDriver(int, bool) (driver, error) { return nil, ErrNoOpenCL }
