package workload

import (
	"cmp"
	"slices"
	"sort"
)

// filledCells numbers the filled cells of a cube in the order of its dimensions.
type filledCells struct {
	dims  []cubeDimension
	order []int
	// combos are sorted by the sparse dimensions in their order.
	combos []combination
	// below is, for each dimension of order and for the end, how many cells a
	// combination of the sparse dimensions has for one choice of those before it.
	below []int64
	count int64
}

// newFilledCells sorts the cells of a cube by its dimensions in an order.
func newFilledCells(c *cube, order []int) *filledCells {
	f := &filledCells{dims: c.dims, order: order, combos: slices.Clone(c.combos), below: make([]int64, len(order)+1), count: c.filled()}
	f.below[len(order)] = 1
	for i := len(order) - 1; i >= 0; i-- {
		f.below[i] = f.below[i+1]
		if d := c.dims[order[i]]; d.dense {
			f.below[i] *= int64(d.base)
		}
	}
	slices.SortFunc(f.combos, func(a, b combination) int {
		for _, d := range order {
			if x := cmp.Compare(a[d], b[d]); x != 0 { // both 0 in dense dimensions
				return x
			}
		}
		return 0
	})
	return f
}

// cellRange is what the choice of some first dimensions leaves: the combinations
// [lo, hi), and the cells numbered [first, end).
type cellRange struct {
	lo, hi     int
	first, end int64
}

// cellCursor finds cells by number, neighbours quickly.
type cellCursor struct {
	*filledCells
	ranges []cellRange // before each dimension of order, and after the last
	cell   combination
}

func (f *filledCells) cursor() *cellCursor {
	c := &cellCursor{filledCells: f, ranges: make([]cellRange, len(f.order)+1)}
	c.ranges[0] = cellRange{0, len(f.combos), 0, f.count}
	return c
}

// seek returns the cell of a number, which may not be smaller than at the call before.
func (c *cellCursor) seek(number int64) combination {
	level := 0
	for level < len(c.order) && number < c.ranges[level+1].end {
		level++
	}
	for ; level < len(c.order); level++ {
		c.ranges[level+1] = c.choose(level, number)
	}
	return c.cell
}

// choose finds the base element of the dimension at a level and what it leaves.
func (c *cellCursor) choose(level int, number int64) cellRange {
	r, d, below := c.ranges[level], c.order[level], c.below[level+1]
	if c.dims[d].dense {
		size := int64(r.hi-r.lo) * below
		v := (number - r.first) / size
		c.cell[d] = int32(v)
		return cellRange{r.lo, r.hi, r.first + v*size, r.first + (v+1)*size}
	}
	v := c.combos[r.lo+int((number-r.first)/below)][d]
	c.cell[d] = v
	among := c.combos[r.lo:r.hi]
	lo := sort.Search(len(among), func(i int) bool { return among[i][d] >= v })
	hi := lo + sort.Search(len(among)-lo, func(i int) bool { return among[lo+i][d] > v })
	return cellRange{r.lo + lo, r.lo + hi, r.first + int64(lo)*below, r.first + int64(hi)*below}
}
