package cpu

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
)

// joinCase joins two relations by their first columns, keys in number. The last
// column of each is its row's number.
type joinCase struct {
	left, right []column
	keys        int
	kind        kernel.ProbeKind
	nullSafe    bool
	dense       bool
	residual    bool   // left number < right number + 5
	full        bool   // the unmatched right rows are wanted too, and the matched ones
	built       string // what the build says of its table
}

// build is the kernel that makes the hash table.
func (c *joinCase) build() *kernel.Func {
	in := &kernel.Build{Dense: c.dense}
	types := make([]kernel.Type, len(c.right))
	for i, col := range c.right {
		types[i] = col.typ
		in.Payload = append(in.Payload, kernel.ValueID(i))
		if i < c.keys {
			in.Keys = append(in.Keys, kernel.Key{Val: kernel.ValueID(i), NullSafe: c.nullSafe})
		}
	}
	f := funcOf(types, len(types), nil, in)
	for i := range c.right {
		f.Values[i].Nullable = slices.Contains(c.right[i].vals, nil)
		if c.dense && c.right[i].typ == kernel.I32 {
			f.Values[i].Range = kernel.Range{Known: true, Lo: -3, Hi: 8}
		}
	}
	return f
}

// probe is the kernel that joins.
func (c *joinCase) probe() *kernel.Func {
	in := &kernel.Probe{Kind: c.kind, Input: 1, Cond: kernel.NoValue, Mark: c.full}
	var types []kernel.Type
	sink := &kernel.Materialize{Limit: -1}
	for i, col := range c.left {
		types = append(types, col.typ)
		sink.Cols = append(sink.Cols, kernel.ValueID(i))
		if i < c.keys {
			in.Keys = append(in.Keys, kernel.Key{Val: kernel.ValueID(i), NullSafe: c.nullSafe})
		}
	}
	for i, col := range c.right {
		id := kernel.ValueID(len(types))
		types = append(types, col.typ)
		in.Payload = append(in.Payload, kernel.SourceCol{Ordinal: i, Dst: id})
		if c.kind == kernel.ProbeInner || c.kind == kernel.ProbeLeft {
			sink.Cols = append(sink.Cols, id)
		}
	}
	if c.residual {
		five, sum, cond := kernel.ValueID(len(types)), kernel.ValueID(len(types)+1), kernel.ValueID(len(types)+2)
		in.Residual = kernel.Block{
			&kernel.Compute{Op: kernel.OpAdd, Dst: sum, Args: []kernel.ValueID{five - 1, five}},
			&kernel.Compute{Op: kernel.OpLt, Dst: cond, Args: []kernel.ValueID{kernel.ValueID(len(c.left) - 1), sum}},
		}
		in.Cond = cond
		types = append(types, kernel.I32, kernel.I32, kernel.Bool)
	}
	f := funcOf(types, len(c.left), kernel.Block{in}, sink)
	f.Inputs = append(f.Inputs, kernel.Input{Kind: kernel.HashTableInput})
	if c.residual {
		f.Params = []kernel.Param{{Dst: in.Cond - 2, Val: value.Value{Kind: value.Int, I: 5}}}
	}
	return f
}

// unmatched is the kernel that gives the rest of a full join, or what is not in
// that.
func (c *joinCase) unmatched(matched bool) *kernel.Func {
	in := &kernel.Unmatched{Matched: matched}
	types := make([]kernel.Type, len(c.right))
	sink := &kernel.Materialize{Limit: -1}
	for i, col := range c.right {
		types[i] = col.typ
		in.Cols = append(in.Cols, kernel.SourceCol{Ordinal: i, Dst: kernel.ValueID(i)})
		sink.Cols = append(sink.Cols, kernel.ValueID(i))
	}
	f := funcOf(types, 0, nil, sink)
	f.Source = in
	f.Inputs[0].Kind = kernel.HashTableInput
	return f
}

// want computes the join row by row.
func (c *joinCase) want() []string {
	var out []string
	row := func(cols []column, i int) string {
		var cells []string
		for _, col := range cols {
			if i < 0 {
				cells = append(cells, "<nil>")
				continue
			}
			cells = append(cells, fmt.Sprint(col.vals[i]))
		}
		return strings.Join(cells, " ")
	}
	matched := make([]bool, len(c.right[0].vals))
	for l := range c.left[0].vals {
		hits := 0
		for r := range c.right[0].vals {
			if !c.match(l, r) {
				continue
			}
			hits++
			matched[r] = true
			if c.kind == kernel.ProbeInner || c.kind == kernel.ProbeLeft {
				out = append(out, row(c.left, l)+" "+row(c.right, r))
			}
		}
		switch {
		case c.kind == kernel.ProbeLeft && hits == 0:
			out = append(out, row(c.left, l)+" "+row(c.right, -1))
		case c.kind == kernel.ProbeSemi && hits > 0, c.kind == kernel.ProbeAnti && hits == 0:
			out = append(out, row(c.left, l))
		}
	}
	for r := range matched {
		if c.full {
			out = append(out, fmt.Sprintf("matched %t %s", matched[r], row(c.right, r)))
		}
	}
	slices.Sort(out)
	return out
}

func (c *joinCase) match(l, r int) bool {
	for k := range c.keys {
		a, b := c.left[k].vals[l], c.right[k].vals[r]
		switch {
		case a == nil && b == nil && c.nullSafe:
		case a == nil || b == nil || compareAny(c.left[k].typ, a, b) != 0:
			return false
		}
	}
	return !c.residual || c.left[len(c.left)-1].vals[l].(int) < c.right[len(c.right)-1].vals[r].(int)+5
}

// run joins under one configuration.
func (c *joinCase) run(t *testing.T, opts runtime.RunOptions) []string {
	t.Helper()
	opts.Account = runtime.NewAccount(0)
	table1, metrics, err := New().Run(context.Background(), c.build(), []any{table(5, c.right...)}, &opts)
	if err != nil {
		t.Fatal(err)
	}
	c.built = metrics.Taken
	rows, _, err := New().Run(context.Background(), c.probe(), []any{table(7, c.left...), table1}, &opts)
	if err != nil {
		t.Fatal(err)
	}
	out := sortedLines(show(t, rows))
	rows.Release()
	for _, matched := range []bool{false, true} {
		if !c.full {
			break
		}
		rest, _, err := New().Run(context.Background(), c.unmatched(matched), []any{table1}, &opts)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range sortedLines(show(t, rest)) {
			out = append(out, fmt.Sprintf("matched %t %s", matched, line))
		}
		rest.Release()
	}
	table1.Release()
	if used := opts.Account.Used(); used != 0 {
		t.Errorf("%d bytes are still charged after the join", used)
	}
	slices.Sort(out)
	return out
}

// numbered adds a column with the row's number.
func numbered(cols []column, n int) []column {
	c := column{typ: kernel.I32}
	for i := range n {
		c.vals = append(c.vals, i)
	}
	return append(cols, c)
}

func TestJoin(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	types := []kernel.Type{kernel.I32, kernel.I64, kernel.I128, kernel.F64, kernel.Num, kernel.Interval, kernel.Str, kernel.Bool}
	kinds := []kernel.ProbeKind{kernel.ProbeInner, kernel.ProbeLeft, kernel.ProbeSemi, kernel.ProbeAnti}
	for i := range 300 {
		c := joinCase{kind: kinds[i%4], keys: r.IntN(3), nullSafe: r.IntN(3) == 0, dense: r.IntN(2) == 0, residual: r.IntN(3) == 0}
		c.full = r.IntN(3) == 0
		nl, nr := []int{0, 1, 30, 200}[r.IntN(4)], []int{0, 1, 10, 40}[r.IntN(4)]
		name := fmt.Sprintf("case %d: %s of %d with %d rows, null safe %t, dense %t, residual %t, full %t", i, c.kind, nl, nr, c.nullSafe, c.dense, c.residual, c.full)
		for range c.keys {
			typ := types[r.IntN(len(types))]
			if c.dense {
				typ = []kernel.Type{kernel.I32, kernel.Bool}[r.IntN(2)]
			}
			card := 1 + r.IntN(12)
			name += fmt.Sprintf(", type %d", typ)
			c.left = append(c.left, randomColumn(r, typ, nl, card+r.IntN(10), r.IntN(2) == 0))
			c.right = append(c.right, randomColumn(r, typ, nr, card, r.IntN(2) == 0))
		}
		if r.IntN(2) == 0 && c.keys > 0 { // unique keys
			n := min(nr, 12)
			nr = n
			for k := range c.keys {
				c.right[k].vals = c.right[k].vals[:n]
				if c.right[k].typ != kernel.Bool {
					for j := range n {
						c.right[k].vals[j] = valueNumber(c.right[k].typ, (j*5+3)%12)
					}
				}
			}
		}
		c.left = append(c.left, randomColumn(r, kernel.Str, nl, 5, true))
		c.right = append(c.right, randomColumn(r, kernel.Code, nr, 5, true))
		c.left, c.right = numbered(c.left, nl), numbered(c.right, nr)
		want := c.want()
		for _, opts := range configs {
			if got := c.run(t, opts); !slices.Equal(got, want) {
				t.Fatalf("%s, %d threads, vectors of %d:\n%s\nwant\n%s", name, opts.Threads, opts.VectorRows,
					strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
	}
}
