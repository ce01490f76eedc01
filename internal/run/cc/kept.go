package cc

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// A keep is the directory of what was built. A file's name is KEY-DIGEST: what it was made from, and
// what it holds. So a damaged file is found before it is used, and two processes that build the same
// at once do not meet. Only the user can write to the directory; what lies elsewhere is never run.
type keep struct {
	dir  string
	open *os.File // the directory itself: nobody can put another in its place
}

// openKeep opens the directory, which is made where it is missing.
func openKeep(dir string) (*keep, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err == nil && !st.IsDir() {
		err = fmt.Errorf("%s is no directory", dir)
	}
	if err == nil {
		err = others(dir, st)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &keep{dir, f}, nil
}

func (k *keep) close() { k.open.Close() }

// path names a file of the directory, where the system can tell, through the directory that is open.
func (k *keep) path(name string) string {
	through := fmt.Sprintf("/proc/self/fd/%d", k.open.Fd())
	if _, err := os.Stat(through); err == nil {
		return through + "/" + name
	}
	return filepath.Join(k.dir, name)
}

// find returns the name of the whole file with that key, or "". Damaged ones are removed.
func (k *keep) find(key string) string {
	list, err := os.ReadDir(k.path("."))
	if err != nil {
		return ""
	}
	for _, e := range list {
		digest, ours := strings.CutPrefix(e.Name(), key+"-")
		if !ours {
			continue
		}
		if got, err := digestOf(k.path(e.Name())); err == nil && got == digest {
			return e.Name()
		}
		os.RemoveAll(k.path(e.Name()))
	}
	return ""
}

// add puts a copy of a file into the directory, whole or not at all, and returns its name.
func (k *keep) add(key, file string) (string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	digest := sha256.Sum256(data)
	name := key + "-" + shorten(digest[:])
	part, err := k.write(data)
	if err == nil {
		err = os.Rename(part, k.path(name))
	}
	if err != nil {
		os.Remove(part)
		return "", fmt.Errorf("cannot keep a built program in %s: %w", k.dir, err)
	}
	return name, nil
}

// write writes an executable file under a name that nobody else has. A command that starts meanwhile
// must not take the open file along, or the file could not be run.
func (k *keep) write(data []byte) (path string, err error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	f, err := os.CreateTemp(k.path("."), "build-")
	if err != nil {
		return "", err
	}
	if _, err = f.Write(data); err == nil {
		err = f.Chmod(0o700)
	}
	if e := f.Close(); err == nil {
		err = e
	}
	return f.Name(), err
}

func digestOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return shorten(h.Sum(nil)), nil
}

// shorten writes the first half of a digest.
func shorten(digest []byte) string { return hex.EncodeToString(digest[:16]) }
