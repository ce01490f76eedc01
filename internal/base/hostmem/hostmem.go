package hostmem

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
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
	if left, limited := Left(); limited {
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

// ReadFile is os.ReadFile, limited to the memory that the machine can give. A device or a pipe may
// have no end.
func ReadFile(path string) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		data, err := ReadAll(f)
		return data, named(path, err)
	}
	if err := Room(st.Size()); err != nil {
		return nil, named(path, err)
	}
	return os.ReadFile(path)
}

// ReadText is ReadAll for a text of at most a number of bytes; name stands in its messages.
func ReadText(name string, r io.Reader, most int64) ([]byte, error) {
	data, err := ReadAll(Limit(r, most))
	return data, named(name, err)
}

// named is an error with the name of what was read, unless it has one.
func named(name string, err error) error {
	var has *fs.PathError
	if err == nil || errors.As(err, &has) {
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// Limit reads from r, and fails where it gives more than a number of bytes.
func Limit(r io.Reader, most int64) io.Reader { return &limited{r, most, most} }

type limited struct {
	r          io.Reader
	left, most int64
}

func (l *limited) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, fmt.Errorf("longer than %d MiB, which is the limit", l.most>>20)
	}
	return n, err
}
