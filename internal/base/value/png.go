package value

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"

	"github.com/memc-lang/memc/internal/base/hostmem"
	"github.com/memc-lang/memc/ir"
)

// DecodePNG reads a grey picture of 8 bits as [height][width]u8. Other pictures are
// read where nothing is lost, for a picture may be stored with colours and have none.
func DecodePNG(data []byte) (Value, error) {
	cfg, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return Value{}, err
	}
	// What the decoder makes has up to 8 bytes a pixel, and the value one.
	if err := hostmem.Room(9 * int64(cfg.Width) * int64(cfg.Height)); err != nil {
		return Value{}, fmt.Errorf("a picture of %d x %d pixels: %w", cfg.Width, cfg.Height, err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return Value{}, err
	}
	b := img.Bounds()
	v := New(ir.U8, []int64{int64(b.Dy()), int64(b.Dx())})
	if grey, ok := img.(*image.Gray); ok {
		for y := range b.Dy() {
			copy(v.Data[y*b.Dx():], grey.Pix[y*grey.Stride:][:b.Dx()])
		}
		return v, nil
	}
	for y := range b.Dy() {
		for x := range b.Dx() {
			c, _ := color.NRGBA64Model.Convert(img.At(b.Min.X+x, b.Min.Y+y)).(color.NRGBA64)
			if err := lossless(c); err != nil {
				return Value{}, fmt.Errorf("not a grey picture of 8 bits: the pixel at (%d, %d) %w; convert the picture to grey first", x, y, err)
			}
			v.Data[y*b.Dx()+x] = byte(c.R)
		}
	}
	return v, nil
}

// lossless tells what of a pixel does not fit a byte of grey.
func lossless(c color.NRGBA64) error {
	switch {
	case c.A != 0xffff:
		return errors.New("is transparent")
	case c.R != c.G || c.G != c.B:
		return errors.New("has a colour")
	case c.R>>8 != c.R&0xff:
		return errors.New("has more than 8 bits")
	}
	return nil
}

// EncodePNG writes a [height][width]u8 array as an 8-bit grey picture.
func EncodePNG(w io.Writer, v Value) error {
	if v.Prim != ir.U8 || len(v.Shape) != 2 || v.Elems() == 0 {
		return fmt.Errorf("a picture is a non-empty array of type [h][w]u8, not %s", v.Type())
	}
	h, wd := int(v.Shape[0]), int(v.Shape[1])
	return png.Encode(w, &image.Gray{Pix: v.Data, Stride: wd, Rect: image.Rect(0, 0, wd, h)})
}
