package query

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Scan reads all columns of a table; pruning comes later.
func Scan(b *scope.Binder, r *scope.Relation, alias string, rename []sql.Ident, pos int) (algebra.Node, *scope.Scope) {
	b.Momentary = b.Momentary || r.Momentary
	n := &algebra.Scan{
		Table: r.Ref, Alias: alias,
		Cols:     make([]algebra.Column, len(r.Columns)),
		Ordinals: make([]int, len(r.Columns)),
		ColStats: make([]algebra.Stats, len(r.Columns)),
	}
	for i := range r.Columns {
		c := &r.Columns[i]
		n.Cols[i] = b.NewColumn(c.Name, c.Type, !c.NotNull && !(r.Ref.Exact && c.Stats.Nulls == 0))
		b.NoteDomain(n.Cols[i], c.Domain)
		n.Ordinals[i] = i
		n.ColStats[i] = c.Stats
	}
	for _, key := range r.Unique {
		noteKey(b, n.Cols, key)
		if len(key) == 1 && n.ColStats[key[0]].Distinct == 0 {
			n.ColStats[key[0]].Distinct = float64(r.Ref.Rows)
		}
	}
	return n, renamed(alias, n.Cols, rename, pos)
}

// named sets the name of a bound query and, in this order, the column names of its
// definition and those of its use.
func named(rel *scope.Bound, alias string, defined, used []sql.Ident, pos int) (algebra.Node, *scope.Scope) {
	sc := renamed(alias, rel.Columns(), defined, pos)
	cols := make([]algebra.Column, len(sc.Cols))
	for i := range sc.Cols {
		cols[i] = sc.Cols[i].Col
	}
	sc = renamed(alias, cols, used, pos)
	return rel.Node, sc
}

// renamed is the scope of a relation whose first columns get new names.
func renamed(alias string, cols []algebra.Column, names []sql.Ident, pos int) *scope.Scope {
	if len(names) > len(cols) {
		panic(value.ErrorAt(pos, value.CodeInvalidColumnReference,
			"table %q has %s available but %s specified", alias, term.Plural(len(cols), "column"), term.Plural(len(names), "column")))
	}
	sc := scope.New(alias, cols)
	for i, name := range names {
		sc.Cols[i].Col.Name = name.Name
	}
	return sc
}

// Numbered is a scan of a table with one more column, the positions of the rows.
func Numbered(b *scope.Binder, n *algebra.Scan, r *scope.Relation) (*algebra.Scan, algebra.Column) {
	out := *n
	out.Table.Handle = r.Numbered
	position := b.NewColumn("position", algebra.TInt64, false)
	stats := algebra.Stats{}
	if rows := r.Ref.Rows; rows > 0 {
		stats = algebra.Stats{HasBounds: true, Max: rows - 1, Distinct: float64(rows), Unique: true}
	}
	out.Cols = append(slices.Clip(n.Cols), position)
	out.Ordinals = append(slices.Clip(n.Ordinals), len(r.Columns))
	out.ColStats = append(slices.Clip(n.ColStats), stats)
	return &out, position
}
