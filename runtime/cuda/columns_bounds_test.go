package cuda

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

func TestBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		c := randomIntegers(r)
		lo, hi := int64(math.MaxInt64), int64(math.MinInt64)
		for i := range c.Rows {
			if c.IsValid(i) {
				lo, hi = min(lo, c.Int(i)), max(hi, c.Int(i))
			}
		}
		if first, last := bounds(c); first != lo || last != hi {
			t.Fatalf("%+v: bounds %d and %d, expected %d and %d", c, first, last, lo, hi)
		}
		if first, last := cheapBounds(c); first > lo || last < hi {
			t.Fatalf("%+v: loose bounds %d and %d of %d and %d", c, first, last, lo, hi)
		}
	}
}

// randomIntegers is a chunk of up to 40 integers in any encoding, of which none, some,
// most or all are NULL; beyond its rows the bitmap has any bits.
func randomIntegers(r *rand.Rand) *runtime.Chunk {
	c := &runtime.Chunk{Type: kernel.I64, Rows: r.IntN(41), Base: r.Int64N(1000) - 500}

	if r.IntN(3) > 0 {
		c.Valid = make([]byte, (c.Rows+7)/8)
		pick := []func() byte{func() byte { return 0 }, func() byte { return 0xff }, func() byte { return byte(r.Uint32()) }}
		for i := range c.Valid {
			c.Valid[i] = pick[r.IntN(len(pick))]()
		}
		c.Nulls = runtime.ClearBits(c.Valid, 0, c.Rows)
	}
	encodings := []runtime.Encoding{runtime.EncConst, runtime.EncU8, runtime.EncU16, runtime.EncU32, runtime.EncI64}
	c.Enc = encodings[r.IntN(len(encodings))]
	if c.Enc == runtime.EncU8 && r.IntN(5) == 0 {
		c.Base = math.MaxInt64 - math.MaxUint8
	}
	for range c.Rows {
		switch x := r.Uint64(); c.Enc {
		case runtime.EncU8:
			c.U8 = append(c.U8, uint8(x))
		case runtime.EncU16:
			c.U16 = append(c.U16, uint16(x))
		case runtime.EncU32:
			c.U32 = append(c.U32, uint32(x))
		case runtime.EncI64:
			c.I64 = append(c.I64, int64(x))
		}
	}
	return c
}
