// Package must ends a test at an unexpected error.
//
//	data := must.Get(os.ReadFile(path))(t)
//	must.Do(t, os.Chdir(dir))
//
// The test fails at the line of the call, with the error. The package imports nothing of this
// module, so that every test can use it.
package must

import (
	"os"
	"testing"
)

// Do ends the test where err is an error.
func Do(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Get returns the value of a call, or ends the test where the call fails. The test comes last
// because a call's two results can only be all the arguments of another.
func Get[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		Do(t, err)
		return v
	}
}

// Read returns the text of a file.
func Read(t testing.TB, path string) string {
	t.Helper()
	return string(Get(os.ReadFile(path))(t))
}
