package estimate

import (
	"fmt"
	"slices"
	"testing"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// sampledScan is a scan of a table with a sample: numbers with NULLs among them,
// and texts.
func sampledScan() *algebra.Scan {
	var rows [][]value.Value
	for i := range int64(200) {
		n := value.Value{Kind: value.Int, I: i % 13}
		if i%7 == 0 {
			n = value.Value{}
		}
		rows = append(rows, []value.Value{{Kind: value.Int, I: i}, n, {Kind: value.Text, S: fmt.Sprint("t", i%5)}})
	}
	return &algebra.Scan{
		Table: algebra.TableRef{Name: "t", Rows: 1e6, Sample: algebra.NewSample(rows)},
		Cols: []algebra.Column{
			{ID: 1, Type: algebra.TInt64}, {ID: 2, Type: algebra.TInt64, Nullable: true}, {ID: 3, Type: algebra.TText},
		},
		Ordinals: []int{0, 1, 2}, ColStats: make([]algebra.Stats, 3),
	}
}

// TestPassingByValue holds that a condition that is tried once for each value of
// its column passes the rows that it is true for.
func TestPassingByValue(t *testing.T) {
	scan := sampledScan()
	id, n, text := scan.Cols[0].Ref(), scan.Cols[1].Ref(), scan.Cols[2].Ref()
	number := func(i int64) algebra.Expr {
		return &algebra.Const{Val: value.Value{Kind: value.Int, I: i}, Typ: algebra.TInt64}
	}
	word := &algebra.Const{Val: value.Value{Kind: value.Text, S: "t3"}, Typ: algebra.TText}
	null := &algebra.Const{Typ: algebra.TInt64}
	call := func(f algebra.Func, args ...algebra.Expr) algebra.Expr {
		return &algebra.Call{Func: f, Args: args, Typ: algebra.TBool, Pos: value.NoPos}
	}
	conds := []algebra.Expr{
		call(algebra.Eq, text, word), call(algebra.Ne, text, word), call(algebra.Lt, text, word),
		call(algebra.IsNull, n), call(algebra.In, n, number(3), null, number(5)),
		call(algebra.Lt, n, null), call(algebra.Eq, n, n), call(algebra.Lt, n, id), call(algebra.Le, number(5), n),
		&algebra.Case{Whens: []algebra.When{{Cond: call(algebra.IsNull, n), Then: call(algebra.Gt, id, number(50))}}, Typ: algebra.TBool},
	}
	for _, f := range []algebra.Func{algebra.Eq, algebra.Ne, algebra.Lt, algebra.Le, algebra.Gt, algebra.Ge, algebra.Distinct} {
		conds = append(conds, call(f, n, number(6)), call(f, id, number(-1)))
	}
	for i := range conds[1:] {
		conds = append(conds, call(algebra.And, conds[i], conds[i+1]), call(algebra.Or, conds[i], call(algebra.Not, conds[i+1])))
	}
	for _, cond := range conds {
		s := newSampled(scan, nil)
		want := s.none()
		for i, row := range s.rows {
			v, ok := s.value(cond, row)
			if !ok {
				t.Fatalf("%s cannot be evaluated", cond)
			}
			if v.B {
				want[i/64] |= 1 << (i % 64)
			}
		}
		if got := s.passing(cond); !slices.Equal(got, want) {
			t.Errorf("%s is true for %d rows of the sample, want %d", cond, got.count(), want.count())
		}
	}
	if got := newSampled(scan, nil).passing(call(algebra.Eq, &algebra.ColumnRef{Column: algebra.Column{ID: 9}}, number(1))); got != nil {
		t.Error("a condition on a column of another table was evaluated")
	}
}

// TestLongLists holds that an IN of many constants passes the rows that equal one.
func TestLongLists(t *testing.T) {
	scan := sampledScan()
	number := func(i int64) value.Value { return value.Value{Kind: value.Int, I: i} }
	lists := map[string]struct {
		column *algebra.ColumnRef
		of     func(i int64) value.Value
		want   int
	}{
		"every third number":      {scan.Cols[0].Ref(), func(i int64) value.Value { return number(3 * i) }, 64},
		"with NULL":               {scan.Cols[0].Ref(), func(i int64) value.Value { return []value.Value{number(i), {}}[i%2] }, 32},
		"one text":                {scan.Cols[2].Ref(), func(int64) value.Value { return value.Value{Kind: value.Text, S: "t3"} }, 40},
		"numbers and what is not": {scan.Cols[0].Ref(), func(i int64) value.Value { return []value.Value{number(i), {Kind: value.Bool}}[i%2] }, 32},
	}
	for name, list := range lists {
		in := &algebra.Call{Func: algebra.In, Args: []algebra.Expr{list.column}, Typ: algebra.TBool, Pos: value.NoPos}
		for i := range int64(2 * longList) {
			in.Args = append(in.Args, &algebra.Const{Val: list.of(i)})
		}
		if got := newSampled(scan, nil).passing(in).count(); got != list.want {
			t.Errorf("%s: %d rows pass, want %d", name, got, list.want)
		}
	}
}
