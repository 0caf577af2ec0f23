package runtime

import (
	"math/rand/v2"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// TestSlice cuts chunks with bitmaps at every place of a byte.
func TestSlice(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		rows := 1 + r.IntN(40)
		c := &Chunk{Type: kernel.I64, Enc: EncU8, Rows: rows, HasRange: true}
		for range (rows + 7) / 8 {
			c.Valid = append(c.Valid, byte(r.Uint32()))
		}
		for range rows {
			c.U8 = append(c.U8, uint8(r.Uint32()))
		}
		c.Nulls = ClearBits(c.Valid, 0, rows)
		from := r.IntN(rows)
		to := from + 1 + r.IntN(rows-from)
		s, nulls := c.Slice(from, to), 0
		for i := range to - from {
			if s.IsValid(i) != c.IsValid(from+i) || s.Int(i) != c.Int(from+i) {
				t.Fatalf("rows %d to %d of %+v: %+v", from, to, c, s)
			}
			if !s.IsValid(i) {
				nulls++
			}
		}
		if s.Rows != to-from || s.Nulls != nulls || from+c.Rows-to > 0 && s.HasRange != (nulls < s.Rows) {
			t.Fatalf("rows %d to %d of %+v have %d NULLs: %+v", from, to, c, nulls, s)
		}
	}
}
