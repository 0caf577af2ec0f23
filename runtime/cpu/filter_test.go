package cpu

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/value"
)

// filterTest builds a random filter together with a function that tells, for
// each row, whether it is true: 1, false: 0, or NULL: −1.
type filterTest struct {
	rng    *rand.Rand
	cols   []column
	types  []kernel.Type
	params []kernel.Param
	body   kernel.Block
}

// spread of the values of a test column, by the encoding that they get.
var spreads = []int{1, 100, 200, 5000, 60000, 1 << 20, 1 << 31, 1 << 40}

// randomTable fills the columns: integers around a base, and codes.
func (ft *filterTest) randomTable(rows int) {
	for _, t := range []kernel.Type{kernel.I32, kernel.I64, kernel.I64, kernel.I128, kernel.Code, kernel.Bool} {
		c := column{typ: t}
		spread := spreads[ft.rng.IntN(len(spreads))]
		base := ft.rng.IntN(5000) - 2500
		if t == kernel.I32 {
			spread = min(spread, 1<<30)
		}
		nulls := ft.rng.IntN(3)
		for range rows {
			n := base + ft.rng.IntN(spread)
			switch {
			case nulls == 1 && ft.rng.IntN(4) == 0 || nulls == 2 && ft.rng.IntN(50) == 0:
				c.vals = append(c.vals, nil)
			case t == kernel.Code:
				c.vals = append(c.vals, fmt.Sprint("t", n%17))
			case t == kernel.Bool:
				c.vals = append(c.vals, n%2 == 0)
			case t == kernel.I128:
				x := i128(int64(n))
				if spread == 1<<40 {
					x.Hi = []int64{-1, 0, 3, -3}[n&3]
				}
				c.vals = append(c.vals, x)
			default:
				c.vals = append(c.vals, n)
			}
		}
		ft.cols = append(ft.cols, c)
		ft.types = append(ft.types, t)
	}
}

// value adds a value of type t.
func (ft *filterTest) value(t kernel.Type) kernel.ValueID {
	ft.types = append(ft.types, t)
	return kernel.ValueID(len(ft.types) - 1)
}

// param adds a constant near the values of a column.
func (ft *filterTest) param(col int) (kernel.ValueID, any) {
	c := ft.cols[col]
	x := c.vals[ft.rng.IntN(len(c.vals))]
	if ft.rng.IntN(5) == 0 && x != nil {
		switch c.typ {
		case kernel.I32:
			x = []int{math.MinInt32, math.MaxInt32, 0}[ft.rng.IntN(3)]
		case kernel.I64:
			x = []int{math.MinInt64, math.MaxInt64, 0}[ft.rng.IntN(3)]
		case kernel.I128:
			x = []value.Int128{{Hi: math.MinInt64}, {Hi: 5}, {}}[ft.rng.IntN(3)]
		}
	}
	id := ft.value(c.typ)
	p := kernel.Param{Dst: id}
	switch y := x.(type) {
	case int:
		p.Val = value.Value{Kind: value.Int, I: int64(y)}
	case value.Int128:
		p.Val = value.Value{Kind: value.Decimal, Num: value.Num{Coef: y}}
	}
	ft.params = append(ft.params, p)
	return id, x
}

type rowTest func(row int) int

func not3(x int) int {
	if x < 0 {
		return x
	}
	return 1 - x
}

// leaf makes a comparison, an IN, IS NULL, a condition on a text or a plain
// boolean column.
func (ft *filterTest) leaf() (kernel.ValueID, rowTest) {
	col := ft.rng.IntN(len(ft.cols))
	c := ft.cols[col]
	id := kernel.ValueID(col)
	dst := ft.value(kernel.Bool)
	if ft.rng.IntN(8) == 0 {
		ft.body = append(ft.body, &kernel.Compute{Op: kernel.OpIsNull, Dst: dst, Args: []kernel.ValueID{id}})
		return dst, func(row int) int { return int(vector.B2u(c.vals[row] == nil)) }
	}
	switch c.typ {
	case kernel.Bool:
		return id, func(row int) int {
			if c.vals[row] == nil {
				return -1
			}
			return int(vector.B2u(c.vals[row].(bool)))
		}
	case kernel.Code:
		return ft.textLeaf(col)
	}
	if ft.rng.IntN(4) == 0 {
		return ft.inLeaf(col)
	}
	return ft.comparison(col)
}

func (ft *filterTest) textLeaf(col int) (kernel.ValueID, rowTest) {
	c := ft.cols[col]
	text := fmt.Sprint("t", ft.rng.IntN(17))
	param, arg, res, dst := ft.value(kernel.Str), ft.value(kernel.Str), ft.value(kernel.Bool), ft.value(kernel.Bool)
	ft.params = append(ft.params, kernel.Param{Dst: param, Val: value.Value{Kind: value.Text, S: text}})
	op := []kernel.Op{kernel.OpEq, kernel.OpNe, kernel.OpLt, kernel.OpGe, kernel.OpDistinct}[ft.rng.IntN(5)]
	ft.body = append(ft.body, &kernel.Map{Src: kernel.ValueID(col), Arg: arg, Result: res, Dst: dst, Body: kernel.Block{
		&kernel.Compute{Op: op, Dst: res, Args: []kernel.ValueID{arg, param}},
	}})
	return dst, func(row int) int { return compare3(op, c.vals[row], text) }
}

func (ft *filterTest) inLeaf(col int) (kernel.ValueID, rowTest) {
	c := ft.cols[col]
	args := []kernel.ValueID{kernel.ValueID(col)}
	var list []any
	for range 1 + ft.rng.IntN(12) {
		id, x := ft.param(col)
		args = append(args, id)
		list = append(list, x)
	}
	dst := ft.value(kernel.Bool)
	ft.body = append(ft.body, &kernel.Compute{Op: kernel.OpIn, Dst: dst, Args: args})
	return dst, func(row int) int {
		result := 0
		for _, x := range list {
			switch compare3(kernel.OpEq, c.vals[row], x) {
			case 1:
				return 1
			case -1:
				result = -1
			}
		}
		return result
	}
}

func (ft *filterTest) comparison(col int) (kernel.ValueID, rowTest) {
	c := ft.cols[col]
	op := []kernel.Op{kernel.OpEq, kernel.OpNe, kernel.OpLt, kernel.OpLe, kernel.OpGt, kernel.OpGe}[ft.rng.IntN(6)]
	id, x := ft.param(col)
	dst := ft.value(kernel.Bool)
	args := []kernel.ValueID{kernel.ValueID(col), id}
	mirror := ft.rng.IntN(2) == 0
	if mirror {
		args[0], args[1] = args[1], args[0]
	}
	ft.body = append(ft.body, &kernel.Compute{Op: op, Dst: dst, Args: args})
	return dst, func(row int) int {
		if mirror {
			return compare3(op, x, c.vals[row])
		}
		return compare3(op, c.vals[row], x)
	}
}

// compare3 compares two cells in three-valued logic.
func compare3(op kernel.Op, a, b any) int {
	if op == kernel.OpDistinct {
		return int(vector.B2u((a == nil) != (b == nil) || a != nil && compareCells(a, b) != 0))
	}
	if a == nil || b == nil {
		return -1
	}
	c := compareCells(a, b)
	return int(vector.B2u(map[kernel.Op]bool{
		kernel.OpEq: c == 0, kernel.OpNe: c != 0, kernel.OpLt: c < 0,
		kernel.OpLe: c <= 0, kernel.OpGt: c > 0, kernel.OpGe: c >= 0,
	}[op]))
}

// tree makes a condition of leaves.
func (ft *filterTest) tree(depth int) (kernel.ValueID, rowTest) {
	if depth == 0 || ft.rng.IntN(4) == 0 {
		return ft.leaf()
	}
	a, f := ft.tree(depth - 1)
	if ft.rng.IntN(6) == 0 {
		dst := ft.value(kernel.Bool)
		ft.body = append(ft.body, &kernel.Compute{Op: kernel.OpNot, Dst: dst, Args: []kernel.ValueID{a}})
		return dst, func(row int) int { return not3(f(row)) }
	}
	b, g := ft.tree(depth - 1)
	dst := ft.value(kernel.Bool)
	if ft.rng.IntN(2) == 0 {
		ft.body = append(ft.body, &kernel.Compute{Op: kernel.OpAnd, Dst: dst, Args: []kernel.ValueID{a, b}})
		return dst, func(row int) int {
			x, y := f(row), g(row)
			if x == 0 || y == 0 {
				return 0
			}
			return min(x, y)
		}
	}
	ft.body = append(ft.body, &kernel.Compute{Op: kernel.OpOr, Dst: dst, Args: []kernel.ValueID{a, b}})
	return dst, func(row int) int {
		x, y := f(row), g(row)
		if x == 1 || y == 1 {
			return 1
		}
		return min(x, y)
	}
}

// TestFilterRandom compares filters of random conditions with an evaluation row
// by row.
func TestFilterRandom(t *testing.T) {
	for seed := range uint64(300) {
		ft := &filterTest{rng: rand.New(rand.NewPCG(seed, 7))}
		rows := []int{1, 70, 1500}[ft.rng.IntN(3)]
		ft.randomTable(rows)
		number := column{typ: kernel.I32}
		for i := range rows {
			number.vals = append(number.vals, i)
		}
		ft.cols, ft.types = append(ft.cols, number), append(ft.types, kernel.I32)
		pass := func(int) bool { return true }
		for range 1 + ft.rng.IntN(2) {
			cond, f := ft.tree(ft.rng.IntN(4))
			ft.body = append(ft.body, &kernel.Filter{Cond: cond})
			before := pass
			pass = func(row int) bool { return before(row) && f(row) == 1 }
		}
		var want strings.Builder
		for i := range rows {
			if pass(i) {
				fmt.Fprintln(&want, i)
			}
		}
		in := table([]int{64, 1000, 333}[ft.rng.IntN(3)], ft.cols...)
		last := kernel.ValueID(len(ft.cols) - 1)
		f := funcOf(ft.types, len(ft.cols), ft.body, &kernel.Materialize{Cols: []kernel.ValueID{last}, Limit: -1, Ordered: true})
		f.Params = ft.params
		for _, opts := range configs {
			got, err := runKernel(t, f, opts, in)
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, kernel.Print(f))
			}
			if got != want.String() {
				t.Fatalf("seed %d, %d threads, vectors of %d:\n%s\ngives %q\nwant  %q", seed, opts.Threads, opts.VectorRows, kernel.Print(f), got, want.String())
			}
		}
	}
}
