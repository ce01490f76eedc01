// Command go-host finds the edges in a picture by a program of memc, canny.ir, that was
// compiled to the Go package canny:
//
//	go run ./examples/go-host examples/data/shapes.png out/edges.png
//
// It shows how to use a generated package: data goes to the device once; results stay there and are
// arguments of the next call; the second call requests no memory from the driver; and errors name
// their position in canny.ir.
package main

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"log"
	"os"
	"path/filepath"

	"github.com/memc-lang/memc/examples/go-host/canny"
)

//go:generate go run ../../cmd/memc compile --host=go --package canny -o canny ../canny.ir

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: go-host IN.png OUT.png")
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

func run(in, out string) error {
	pixels, h, w, err := readGrey(in)
	if err != nil {
		return err
	}
	p, err := canny.Open(canny.Options{}) // the first GPU, or the first device
	if err != nil {
		return err
	}
	defer p.Close()

	img, err := canny.NewArray(p, pixels, h, w)
	if err != nil {
		return err
	}
	edges, err := p.Main(img)
	img.Free()
	if err != nil {
		return err
	}
	defer edges.Free()
	report(p, "the picture's edges")

	// A result is an argument like any other: nothing leaves the device.
	p.ResetStats()
	outlines, err := p.Main(edges)
	if err != nil {
		return err
	}
	report(p, "the edges' edges")
	outlines.Free()

	found, err := edges.Data()
	if err != nil {
		return err
	}
	return writeGrey(out, found, h, w)
}

// report prints what a call has done.
func report(p *canny.Program, what string) {
	s := p.Stats()
	fmt.Printf("%s: %d kernels, %d blocks, %d of them new buffers of the driver's, peak %d bytes\n",
		what, s.KernelLaunches, s.AllocRequests, s.DriverAllocs, s.PeakBytes)
}

// readGrey reads a picture as rows of grey pixels.
func readGrey(path string) (pixels []uint8, h, w int, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, 0, err
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		return nil, 0, 0, fmt.Errorf("%s: %w", path, err)
	}
	r := img.Bounds()
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			pixels = append(pixels, color.GrayModel.Convert(img.At(x, y)).(color.Gray).Y)
		}
	}
	return pixels, r.Dy(), r.Dx(), nil
}

// writeGrey writes rows of grey pixels as a picture.
func writeGrey(path string, pixels []uint8, h, w int) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	err = png.Encode(f, &image.Gray{Pix: pixels, Stride: w, Rect: image.Rect(0, 0, w, h)})
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}
