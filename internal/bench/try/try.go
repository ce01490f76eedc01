// Package try ends a measurement at its first error, however deep it is.
//
//	err := try.Run(func() {
//		block := try.Get(ctx.Alloc(bytes, 0))
//		defer block.Release()
//		try.Do(ctx.Write(block, 0, data))
//	})
//
// A measurement is a long list of steps, each of which needs all before it, and nothing but Run
// handles the error. Do and Get panic with it, so deferred calls run. The package imports nothing
// of this module; only internal/bench and the packages below it use it.
package try

// A failure is the panic of Do.
type failure struct{ err error }

// Do ends the measurement if err is an error.
func Do(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// Get returns the value of a call, or ends the measurement if the call failed.
func Get[T any](v T, err error) T {
	Do(err)
	return v
}

// Run runs a measurement, and gives the error that ended it.
func Run(measure func()) (err error) {
	defer func() {
		if e := recover(); e != nil {
			f, ours := e.(failure)
			if !ours {
				panic(e)
			}
			err = f.err
		}
	}()
	measure()
	return nil
}
