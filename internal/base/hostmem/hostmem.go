package hostmem

import (
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// Unknown is the budget where nothing is known of the machine.
const Unknown = 8 << 30

// small is the size below which the machine is not asked.
const small = 16 << 20

// Budget returns the bytes that a computation may take now. An eighth of what is there is
// left to the rest of the process.
func Budget() int64 {
	free, ok := available(os.DirFS("/"))
	if left, limited := rlimit(); limited {
		free, ok = least(free, left+idle(), ok), true // memory that Go keeps for itself is taken, but free
	}
	if os.Getenv("GOMEMLIMIT") != "" {
		if most := debug.SetMemoryLimit(-1); most < math.MaxInt64 {
			free, ok = least(free, max(0, most-heap()), ok), true
		}
	}
	if !ok {
		return Unknown
	}
	return free - free/8
}

func least(x, y int64, known bool) int64 {
	if known {
		return min(x, y)
	}
	return y
}

// heap returns the bytes of Go's heap that hold objects, dead ones included.
func heap() int64 { return sum("/memory/classes/heap/objects:bytes") }

// idle returns the bytes of Go's heap that hold nothing.
func idle() int64 {
	return sum("/memory/classes/heap/free:bytes", "/memory/classes/heap/released:bytes")
}

func sum(names ...string) int64 {
	bytes := int64(0)
	for _, name := range names {
		s := []metrics.Sample{{Name: name}}
		metrics.Read(s)
		bytes += int64(s[0].Value.Uint64())
	}
	return bytes
}

// A Short tells that the machine has not the memory that something needs.
type Short struct{ Need, Free int64 }

func (e *Short) Error() string {
	return fmt.Sprintf("out of memory: %d bytes are needed, and this machine has %d free", e.Need, e.Free)
}

// Room returns a *Short where the machine has not that many bytes. Little is never refused.
func Room(bytes int64) error {
	if bytes < small || bytes <= Budget() {
		return nil
	}
	debug.FreeOSMemory()
	if free := Budget(); bytes > free {
		return &Short{bytes, free}
	}
	return nil
}

// Collected returns Budget after garbage was given back, and the size that Go's heap may
// then have in all.
func Collected() (budget, most int64) {
	debug.FreeOSMemory()
	budget = Budget()
	return budget, heap() + budget
}

// Soften has Go collect garbage the more often the less memory is left, unless
// GOMEMLIMIT says how often.
func Soften() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(heap() + Budget())
	}
}

// Tidy collects garbage where bytes more would let the heap grow beyond most. An
// allocation of Go's never waits for that.
func Tidy(bytes, most int64) {
	if bytes >= small && bytes > most-heap() {
		runtime.GC()
	}
}

// ReadAll is io.ReadAll, limited to the memory that the machine can give.
func ReadAll(r io.Reader) ([]byte, error) {
	var data []byte
	for {
		if len(data) == cap(data) {
			more := max(1<<16, int64(cap(data)))
			if err := Room(int64(cap(data)) + more); err != nil { // while it is copied
				return nil, err
			}
			grown := make([]byte, len(data), int64(cap(data))+more)
			copy(grown, data)
			data = grown
		}
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return data, err
		}
	}
}

// ReadFile is os.ReadFile, limited to the memory that the machine can give.
func ReadFile(path string) ([]byte, error) {
	if st, err := os.Stat(path); err == nil && st.Mode().IsRegular() {
		if err := Room(st.Size()); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return os.ReadFile(path)
}
