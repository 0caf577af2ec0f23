package cuda

import (
	"math/rand/v2"
	"testing"

	"github.com/cubeloom/cubeloom/runtime"
)

// TestLeft holds that the ranges that are left have every row of the blocks that matter,
// in order and apart, however little lies between them.
func TestLeft(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 14))
	some := 0
	for range 2000 {
		b := &blockBounds{}
		rows, value := int64(0), int64(-500)
		for range 2 + rng.IntN(12) {
			rows += 1 + rng.Int64N(5*chunkRows)
			lo := value + rng.Int64N(100) - 30
			value = lo + rng.Int64N(100)
			b.ends, b.lo, b.hi = append(b.ends, rows), append(b.lo, lo), append(b.hi, value)
		}
		lo := rng.Int64N(1500) - 700
		list := []runtime.Bounds{{Ordinal: 1, Lo: lo, Hi: lo + rng.Int64N(300) - 20}, {Ordinal: 2, Lo: 5, Hi: 5}}
		between := rng.Int64N(3) * chunkRows
		ranges, blocks := left(rows, list, func(ordinal int) *blockBounds {
			if ordinal == 1 {
				return b
			}
			return nil
		}, between)
		end := int64(-1)
		for _, r := range ranges {
			if r.first%chunkRows != 0 || end >= 0 && r.first-end <= between || r.first+r.rows > rows {
				t.Fatalf("ranges %v of %d rows, %d between", ranges, rows, between)
			}
			end = r.first + r.rows
		}
		skipped, first := int64(0), int64(0)
		for i := range b.ends {
			inside := false
			for _, r := range ranges {
				inside = inside || r.first <= first && b.ends[i] <= r.first+r.rows
			}
			if matters := !list[0].Skip(b.lo[i], b.hi[i]); matters && !inside {
				t.Fatalf("block %d of %+v is not in %v", i, b, ranges)
			} else if !inside && !matters {
				skipped++
			}
			first = b.ends[i]
		}
		if len(ranges) == 0 || blocks > skipped || blocks == 0 && rowsOf(ranges) != rows {
			t.Fatalf("%d blocks skipped of %+v, ranges %v", blocks, b, ranges)
		}
		if blocks > 0 && len(ranges) > 1 {
			some++
		}
	}
	if some == 0 {
		t.Error("there is never more than one range")
	}
}
