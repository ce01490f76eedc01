//go:build !js

package main

import (
	"bytes"
	"compress/gzip"
	_ "embed" // the page's parts
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/memc-lang/memc/internal/base/release"
)

var (
	//go:embed page/page.html
	pageHTML string
	//go:embed page/page.css
	pageCSS string
	//go:embed page/page.js
	pageJS string
)

// examples are those of the page, the first of which it shows. All have an input that a person can read.
var examples = []string{
	"examples/wave.ir", "examples/life.ir", "examples/matmul.ir", "examples/kmeans.ir", "examples/nbody.ir",
	"examples/radix-sort.ir", "examples/canny.ir", "examples/library/fft.ir", "examples/library/scans.ir",
}

func main() {
	out := flag.String("o", "out/playground/index.html", "the page to write")
	flag.Parse()
	if err := write(*out); err != nil {
		fmt.Fprintln(os.Stderr, "playground:", err)
		os.Exit(1)
	}
}

// write builds the compiler and writes the page, in the root of the repository.
func write(out string) error {
	if err := os.MkdirAll(filepath.Dir(out), 0o777); err != nil {
		return err
	}
	compiler, err := build()
	if err != nil {
		return err
	}
	glue, err := glue()
	if err != nil {
		return err
	}
	texts := [][2]string{}
	for _, path := range examples {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		texts = append(texts, [2]string{filepath.Base(path), string(text)})
	}
	data, err := json.Marshal(map[string]any{"examples": texts, "glue": glue, "wasm": compiler}) // escapes <, > and &
	if err != nil {
		return err
	}
	page := strings.NewReplacer("{{memc}}", release.Name, "{{css}}", pageCSS, "{{js}}", pageJS, "{{data}}", string(data)).Replace(pageHTML)
	return os.WriteFile(out, []byte(page), 0o666)
}

// build builds the compiler for browsers, and returns it packed.
func build() (packed string, err error) {
	dir, err := os.MkdirTemp("", "playground")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "memc.wasm")
	c := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", path, "./cmd/playground")
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	c.Stderr = os.Stderr
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("go build for the browser: %w", err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err := z.Write(data); err != nil {
		return "", err
	}
	if err := z.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}

// glue returns the script that comes with Go and starts its programs in a browser.
func glue() (string, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	return string(text), err
}
