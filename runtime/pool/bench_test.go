//go:build cgo

package pool

import (
	"fmt"
	"testing"
)

// BenchmarkHit measures a request and its return in the steady state: "same" by
// one site, "turns" by four sites of different sizes whose blocks overlap in
// time, so that they are split off and joined again.
func BenchmarkHit(b *testing.B) {
	for _, policy := range []Policy{Tagged, Region} {
		for _, size := range []int64{256, 1 << 20, 1 << 30} {
			b.Run(fmt.Sprintf("%v/same/%d", policy, size), func(b *testing.B) {
				p := newPool(b, nothing{}, Options{Policy: policy})
				for b.Loop() {
					k, err := p.Get(size, 3)
					if err != nil {
						b.Fatal(err)
					}
					p.Put(k)
				}
			})
			b.Run(fmt.Sprintf("%v/turns/%d", policy, size), func(b *testing.B) {
				p := newPool(b, nothing{}, Options{Policy: policy})
				var live [4]Block
				i := 0
				for b.Loop() {
					if live[i] != nil {
						p.Put(live[i])
					}
					var err error
					if live[i], err = p.Get(size*int64(i+1), i); err != nil {
						b.Fatal(err)
					}
					i = (i + 1) & 3
				}
			})
		}
	}
}

// nothing makes buffers of no memory at all.
type nothing struct{}

func (nothing) Create(int64) (any, error) { return nil, nil }
func (nothing) Release(any)               {}
func (nothing) Finish() error             { return nil }

// BenchmarkMany measures a request and its return while a caller has many arrays, each of a site of
// its own as the arrays of a caller are, and has freed as many.
func BenchmarkMany(b *testing.B) {
	for _, policy := range []Policy{Tagged, Region} {
		for _, n := range []int{100, 80000} {
			b.Run(fmt.Sprintf("%v/%d", policy, n), func(b *testing.B) {
				p := newPool(b, nothing{}, Options{Policy: policy})
				blocks := make([]Block, 2*n)
				for i := range blocks {
					blocks[i], _ = p.Get(int64(1000+i%977*64), -2-i)
				}
				for i := 0; i < len(blocks); i += 2 {
					p.Put(blocks[i])
				}
				i := 0
				for b.Loop() {
					k, err := p.Get(int64(1000+i%1009*64), 1+i%50)
					if err != nil {
						b.Fatal(err)
					}
					i++
					p.Put(k)
				}
			})
		}
	}
}
