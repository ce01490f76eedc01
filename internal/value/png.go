package value

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"io"

	"github.com/memc-lang/memc/ir"
)

// DecodePNG reads a picture as [height][width]u8; colours become grey.
func DecodePNG(data []byte) (Value, error) {
	cfg, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return Value{}, err
	}
	if int64(cfg.Width)*int64(cfg.Height) > 1<<30 {
		return Value{}, fmt.Errorf("a picture of %d x %d pixels is too large", cfg.Width, cfg.Height)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return Value{}, err
	}
	b := img.Bounds()
	grey, ok := img.(*image.Gray)
	if !ok {
		grey = image.NewGray(b)
		for y := b.Min.Y; y < b.Max.Y; y++ {
			for x := b.Min.X; x < b.Max.X; x++ {
				grey.Set(x, y, img.At(x, y))
			}
		}
	}
	v := New(ir.U8, []int64{int64(b.Dy()), int64(b.Dx())})
	for y := range b.Dy() {
		copy(v.Data[y*b.Dx():], grey.Pix[y*grey.Stride:][:b.Dx()])
	}
	return v, nil
}

// EncodePNG writes a [height][width]u8 array as an 8-bit grey picture.
func EncodePNG(w io.Writer, v Value) error {
	if v.Prim != ir.U8 || len(v.Shape) != 2 || v.Elems() == 0 {
		return fmt.Errorf("a picture is a non-empty array of type [h][w]u8, not %s", v.Type())
	}
	h, wd := int(v.Shape[0]), int(v.Shape[1])
	return png.Encode(w, &image.Gray{Pix: v.Data, Stride: wd, Rect: image.Rect(0, 0, wd, h)})
}
