//go:build !cgo

package runtime

func listDevices() ([]DeviceInfo, error) { return nil, ErrNoOpenCL }

func openDrivers([]int, Options) ([]driver, error) { return nil, ErrNoOpenCL }
