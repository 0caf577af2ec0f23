package cuda

import (
	"context"
	"testing"

	"github.com/cubeloom/cubeloom/codegen"
	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// linkDevice is a device whose copies to the host come out of one buffer of 8 MB, as those of a driver do.
type linkDevice struct {
	*heap
	staging [8 << 20]byte
}

func (d *linkDevice) NewStream() (Stream, error) { return linkStream{d.heap, d}, nil }

type linkStream struct {
	*heap
	of *linkDevice
}

func (s linkStream) Download(_ context.Context, copies ...Copy) error {
	for _, c := range copies {
		for dst := c.Dst; len(dst) > 0; {
			dst = dst[copy(dst, s.of.staging[:]):]
		}
	}
	return nil
}

// BenchmarkFetch copies the answer of the cube of six dimensions of 100 values over 1 M rows to the host:
// 64 relations, 34.7 M rows.
func BenchmarkFetch(b *testing.B) {
	back := New(&linkDevice{heap: newHeap(0)}, nil, Options{})
	rows := []int64{1, 100, 10_000, 632_000, 995_000, 1_000_000, 1_000_000} // by dimensions
	for b.Loop() {
		var parts []runtime.ViewPart
		for set := range 64 {
			part := runtime.ViewPart{}
			var cols []column
			add := func(enc cudagen.Encoding) {
				part.Cols = append(part.Cols, codegen.PartCol{Ordinal: len(cols), Type: kernel.I64})
				cols = append(cols, column{shape: cudagen.ColumnShape{Type: kernel.I64, Encoding: enc}, held: back.mem.newBuffers()})
			}
			for d := range 6 {
				if set>>d&1 != 0 {
					add(cudagen.EncU8)
				} else {
					part.Cols = append(part.Cols, codegen.PartCol{Ordinal: -1, Type: kernel.I64})
				}
			}
			dims := len(cols)
			add(cudagen.EncU32)
			add(cudagen.EncU32)
			part.Rel = newRelation(b.Context(), back.mem, runtime.NewAccount(0), rows[dims], cols)
			parts = append(parts, part)
		}
		if err := runtime.Fetch(b.Context(), runtime.NewView(parts)); err != nil {
			b.Fatal(err)
		}
	}
}
