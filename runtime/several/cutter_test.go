package several

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// blocks is a relation of integers, block by block, whose bounds and order are known as those of a stored table are.
type blocks struct {
	types []kernel.Type
	of    []runtime.Block
}

func (b *blocks) Types() []kernel.Type                       { return b.types }
func (b *blocks) Blocks() int                                { return len(b.of) }
func (b *blocks) Load(i int, _ []int) (runtime.Block, error) { return b.of[i], nil }

func (b *blocks) Rows() (n int64) {
	for _, block := range b.of {
		n += int64(block.Rows)
	}
	return n
}

func (b *blocks) Range(i, ordinal int) (lo, hi int64, all, ok bool) {
	c := b.of[i].Cols[ordinal]
	return c.Min, c.Max, c.Nulls == 0, c.HasRange
}

// add adds a block of columns.
func (b *blocks) add(cols [][]int64) {
	block := runtime.Block{Rows: len(cols[0])}
	for _, vals := range cols {
		c := &runtime.Chunk{Type: kernel.I64, Enc: runtime.EncI64, Rows: len(vals), I64: vals, HasRange: true, Min: slices.Min(vals), Max: slices.Max(vals)}
		if slices.IsSorted(vals) {
			c.Order = runtime.Ascending
		}
		block.Cols = append(block.Cols, c)
	}
	b.of = append(b.of, block)
}

// randomBlocks are random columns, each in order or not, of few values or many, in blocks of any sizes.
func randomBlocks(rng *rand.Rand) *blocks {
	b := &blocks{types: []kernel.Type{kernel.I64, kernel.I64, kernel.I64}}
	last, step := make([]int64, 3), []int{rng.IntN(3), 1 + rng.IntN(40), rng.IntN(2000)}
	for range 1 + rng.IntN(12) {
		cols := make([][]int64, 3)
		for range 1 + rng.IntN(900) {
			for o := range cols {
				if step[o] > 0 && rng.IntN(step[o]) == 0 {
					last[o] += rng.Int64N(3)
				}
				cols[o] = append(cols[o], last[o])
			}
		}
		if rng.IntN(9) == 0 {
			rng.Shuffle(len(cols[1]), func(i, k int) { cols[1][i], cols[1][k] = cols[1][k], cols[1][i] })
		}
		b.add(cols)
	}
	return b
}

// Of columns of which that is said no two shares have the same value, and shares are about as large as others.
func TestCutsAreApart(t *testing.T) {
	rng, apart := rand.New(rand.NewPCG(3, 5)), 0
	for range 2000 {
		b := randomBlocks(rng)
		n := 2 + rng.IntN(6)
		c := newCut(b, n, ascending(b))
		if c.at[0] != 0 || c.at[n] != b.Rows() || !slices.IsSorted(c.at) {
			t.Fatalf("%d rows are cut at %d", b.Rows(), c.at)
		}
		share := b.Rows() / int64(n)
		for i := range n {
			if off := c.at[i] - share*int64(i); max(off, -off) > share/cutPart+cutRows {
				t.Errorf("share %d of %d of %d rows begins at %d", i, n, b.Rows(), c.at[i])
			}
		}
		for _, o := range c.apart {
			apart++
			of, row, in := make(map[int64]int), int64(0), 0
			for _, block := range b.of {
				for _, v := range block.Cols[o].I64 {
					for row >= c.at[in+1] {
						in++
					}
					if was, known := of[v]; known && was != in {
						t.Fatalf("%d is in shares %d and %d of %d, cut at %d", v, was, in, n, c.at)
					}
					of[v] = in
					row++
				}
			}
		}
	}
	if apart < 400 {
		t.Errorf("shares are apart by %d columns", apart)
	}
}
