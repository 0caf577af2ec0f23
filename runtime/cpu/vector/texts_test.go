package vector

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// TestTexts appends rows of stored and of decoded vectors, some of which are NULL, with as
// much room as they need, and compares what a block has of them.
func TestTexts(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	const rows = 200
	stored := &runtime.Chunk{Type: kernel.Str, Enc: runtime.EncStr, Rows: rows, Offsets: []uint32{0}}
	for range rows {
		text := strings.Repeat(string(rune('a'+rnd.IntN(26))), rnd.IntN(3)*rnd.IntN(20))
		stored.Bytes = append(stored.Bytes, text...)
		stored.Offsets = append(stored.Offsets, uint32(len(stored.Bytes)))
	}
	for range 300 {
		column, texts, got := Vector{Type: kernel.Str}, &Texts{}, &Batch{Rows: 100}
		var want []string
		for range 1 + rnd.IntN(4) {
			v := &Vector{Type: kernel.Str, Raw: stored, Start: rnd.IntN(100)}
			place := func(i int32) int { return v.Start + int(i) }
			nullable := rnd.IntN(2) == 0
			if rnd.IntN(2) == 0 {
				for range 100 {
					v.At = append(v.At, int32(rnd.IntN(rows)))
					if nullable && rnd.IntN(5) == 0 {
						v.At[len(v.At)-1] = -1
					}
				}
				at := v.At
				place = func(i int32) int { return int(at[i]) }
			}
			list := Identity(100)[rnd.IntN(50):]
			if rnd.IntN(2) == 0 {
				list = slices.DeleteFunc(slices.Clone(list), func(int32) bool { return rnd.IntN(3) == 0 })
			}
			for _, i := range list {
				if p := place(i); p < 0 {
					want = append(want, "NULL")
				} else {
					want = append(want, chunkText(stored, p))
				}
			}
			size := TextSize(got, v, list)
			texts.Grow(len(want), texts.Size()+int(size))
			before := texts.Size()
			column.AppendTexts(texts, v, list)
			if int64(texts.Size()-before) != size || texts.Size() > texts.Room() {
				t.Fatalf("%d bytes appended, of which TextSize says %d", texts.Size()-before, size)
			}
		}
		c := EncodeBlock(&column, texts, len(want))
		for i, text := range want {
			if isNull := text == "NULL"; c.IsValid(i) == isNull || !isNull && chunkText(c, i) != text || isNull && chunkText(c, i) != "" {
				t.Fatalf("row %d of %d is %q, want %q", i, len(want), chunkText(c, i), text)
			}
		}
	}
}
