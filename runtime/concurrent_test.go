//go:build cgo

package runtime

import (
	"sync"
	"testing"
)

// TestOpenConcurrently opens contexts from many goroutines, the first use of the
// driver in a process included where this test runs alone.
func TestOpenConcurrently(t *testing.T) {
	var wg sync.WaitGroup
	for range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c, err := Open("", Options{})
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			b, err := c.Alloc(64, 0)
			if err != nil {
				t.Error(err)
				return
			}
			b.Release()
		}()
	}
	wg.Wait()
}
