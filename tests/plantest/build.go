// Package plantest makes plans by hand for tests of what comes after the
// planner.
package plantest

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Builder makes the nodes of one plan.
type Builder struct{ next algebra.ColumnID }

// Col makes a column with an ID of its own.
func (b *Builder) Col(name string, t algebra.Type) algebra.Column {
	b.next++
	return algebra.Column{ID: b.next, Name: name, Type: t}
}

// Column describes a column of a table.
type Column struct {
	Name     string
	Type     algebra.Type
	Nullable bool
	Stats    algebra.Stats
}

// Ints is a column of integers between lo and hi.
func Ints(name string, t algebra.Type, lo, hi int64) Column {
	return Column{Name: name, Type: t, Stats: algebra.Stats{HasBounds: true, Min: lo, Max: hi}}
}

// Words is a column of text with a dictionary of n entries.
func Words(name string, n int64) Column {
	return Column{Name: name, Type: algebra.TText, Stats: algebra.Stats{
		Distinct: float64(n), Dict: true, Codes: n,
	}}
}

// Scan reads all columns of an exact table.
func (b *Builder) Scan(table string, rows int64, cols ...Column) *algebra.Scan {
	s := &algebra.Scan{Table: algebra.TableRef{Name: table, Rows: rows, Exact: true}}
	for i, c := range cols {
		col := b.Col(c.Name, c.Type)
		col.Nullable = c.Nullable
		s.Cols = append(s.Cols, col)
		s.Ordinals = append(s.Ordinals, i)
		s.ColStats = append(s.ColStats, c.Stats)
	}
	return s
}

// Ref refers to the column of n with a name.
func Ref(n algebra.Node, name string) *algebra.ColumnRef {
	for _, c := range n.Columns() {
		if c.Name == name {
			return c.Ref()
		}
	}
	panic("no column " + name)
}

// Int is an integer constant.
func Int(i int64) *algebra.Const {
	return &algebra.Const{Val: value.Value{Kind: value.Int, I: i}, Typ: algebra.TInt32}
}

// Date is a date constant, in days since 1970.
func Date(days int64) *algebra.Const {
	return &algebra.Const{Val: value.Value{Kind: value.Int, I: days}, Typ: algebra.TDate}
}

// Text is a text constant.
func Text(s string) *algebra.Const {
	return &algebra.Const{Val: value.Value{Kind: value.Text, S: s}, Typ: algebra.TText}
}

// Decimal is the constant coef·10^-scale.
func Decimal(coef int64, precision, scale uint8) *algebra.Const {
	return &algebra.Const{
		Val: value.Value{Kind: value.Decimal, Num: value.Num{Coef: value.Int128Of(coef), Scale: scale}},
		Typ: algebra.TDecimal(precision, scale),
	}
}

// Call calls a function.
func Call(f algebra.Func, t algebra.Type, args ...algebra.Expr) *algebra.Call {
	return &algebra.Call{Func: f, Args: args, Typ: t, Pos: value.NoPos}
}

// Is compares.
func Is(f algebra.Func, x, y algebra.Expr) *algebra.Call { return Call(f, algebra.TBool, x, y) }

// Filter keeps rows.
func Filter(in algebra.Node, conds ...algebra.Expr) *algebra.Filter {
	return &algebra.Filter{Input: in, Conds: conds}
}

// Join joins on the columns named left and right.
func Join(kind algebra.JoinKind, l, r algebra.Node, left, right string) *algebra.Join {
	return &algebra.Join{Kind: kind, Left: l, Right: r, Keys: []algebra.JoinKey{{Left: Ref(l, left), Right: Ref(r, right)}}}
}

// Agg is an aggregate with a name.
func (b *Builder) Agg(name string, f algebra.AggFunc, arg algebra.Expr) algebra.Agg {
	t := algebra.TInt64
	if arg != nil {
		t, _ = algebra.AggResult(f, arg.Type())
	}
	c := b.Col(name, t)
	c.Nullable = !f.Row().Counts
	return algebra.Agg{Column: c, Func: f, Arg: arg}
}

// GroupBy aggregates by the columns named keys, in one set.
func (b *Builder) GroupBy(in algebra.Node, keys []string, aggs ...algebra.Agg) *algebra.Aggregate {
	n := &algebra.Aggregate{Input: in, Aggs: aggs, Sets: []algebra.KeySet{algebra.AllKeys(len(keys))}}
	for _, k := range keys {
		ref := Ref(in, k)
		col := b.Col(k, ref.Column.Type)
		col.Nullable = ref.Column.Nullable
		n.Keys = append(n.Keys, algebra.Item{Column: col, Expr: ref})
	}
	return n
}

// Cube adds every subset of its keys to an aggregation, and numbers the sets.
func (b *Builder) Cube(n *algebra.Aggregate) *algebra.Aggregate {
	n.Sets = nil
	for set := algebra.AllKeys(len(n.Keys)); ; set-- {
		n.Sets = append(n.Sets, set)
		if set == 0 {
			break
		}
	}
	n.GroupingID = b.Col("set", algebra.TInt32)
	return n
}

// Project computes columns; an Expr that is a column keeps its name.
func (b *Builder) Project(in algebra.Node, names []string, exprs ...algebra.Expr) *algebra.Project {
	n := &algebra.Project{Input: in}
	for i, e := range exprs {
		col := b.Col(names[i], e.Type())
		col.Nullable = true
		n.Items = append(n.Items, algebra.Item{Column: col, Expr: e})
	}
	return n
}

// Sort orders by the columns named.
func Sort(in algebra.Node, names ...string) *algebra.Sort {
	n := &algebra.Sort{Input: in, Limit: -1}
	for _, name := range names {
		n.Keys = append(n.Keys, algebra.SortKey{Expr: Ref(in, name)})
	}
	return n
}
