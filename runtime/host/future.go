package host

// A Future is a call that runs while its caller goes on. Calls on one device take turns; those
// of programs on different devices run at the same time (Options.Context).
type Future[T any] struct {
	done  chan struct{}
	value T
	err   error
}

// Start begins a call.
//
//	a := host.Start(func() (*host.Array[float32], error) { return first.Main(xs) })
//	b := host.Start(func() (*host.Array[float32], error) { return second.Main(ys) })
//	left, err := a.Wait()
func Start[T any](call func() (T, error)) *Future[T] {
	f := &Future[T]{done: make(chan struct{})}
	go func() {
		defer close(f.done)
		f.value, f.err = call()
	}()
	return f
}

// Wait returns the results. It may be called any number of times.
func (f *Future[T]) Wait() (T, error) {
	<-f.done
	return f.value, f.err
}
