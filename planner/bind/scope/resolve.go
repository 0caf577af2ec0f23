package scope

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Resolve looks a column up, in the queries around where the scope does not
// have it.
func (x *Exprs) Resolve(name sql.Name) *Column {
	var first error
	for level := x; level != nil; level = level.Env.Enclosing() {
		c, err := level.Scope.resolve(name)
		switch {
		case err == nil && level != x && level.Sets:
			null := *c
			null.Col.Nullable = true
			return &null
		case err == nil:
			return c
		case !mayBeOuter(name, err):
			panic(err)
		case first == nil:
			first = err
		}
	}
	panic(first)
}

// Expand returns the columns that * or t.* stands for; t may be a relation of the queries
// around.
func (x *Exprs) Expand(star *sql.Star) []algebra.Column {
	if len(star.Qualifier) == 0 {
		return x.Scope.Expand(star)
	}
	for level := x; level != nil; level = level.Env.Enclosing() {
		_, err := level.Scope.relation(star.Qualifier)
		switch {
		case err != nil && mayBeOuter(star.Qualifier, err):
			continue
		case err != nil:
			panic(err)
		}
		columns := level.Scope.Expand(star)
		for i := range columns {
			columns[i].Nullable = columns[i].Nullable || level != x && level.Sets
		}
		return columns
	}
	return x.Scope.Expand(star) // the error of this query
}

// WholeRow returns the columns of a relation that a name stands for which is no column's,
// here or in the queries around, and whether an outer join may have NULL in the place of
// its row; nil for none.
func (x *Exprs) WholeRow(name sql.Name) (columns []algebra.Column, extended bool) {
	if len(name) != 1 {
		return nil, false
	}
	for level := x; level != nil; level = level.Env.Enclosing() {
		if c, err := level.Scope.Find(name[0]); c != nil || err != nil {
			return nil, false
		}
		if rel, err := level.Scope.relation(name); err == nil {
			columns := level.Scope.Expand(&sql.Star{Qualifier: name})
			return columns, slices.Contains(level.Scope.Extended, rel)
		}
	}
	return nil, false
}

// mayBeOuter reports whether a name that a scope fails to resolve may be one of
// a query around: the scope does not have the relation or the bare column.
func mayBeOuter(name sql.Name, err error) bool {
	e, ok := err.(*value.Error)
	return ok && (e.Code == value.CodeUndefinedTable || e.Code == value.CodeUndefinedColumn && len(name) == 1)
}

func (b *Binder) PositionOf(ref *algebra.ColumnRef) int {
	if pos, ok := b.RefPos[ref]; ok {
		return pos
	}
	return value.NoPos
}

// OutputColumn finds what an unqualified name means that no input column has,
// where the names of the select list can be used; nil for nothing.
func (x *Exprs) OutputColumn(name sql.Name) algebra.Expr {
	if x.Output == nil || len(name) > 1 {
		return nil
	}
	c, err := x.Scope.Find(name[0])
	switch {
	case err != nil:
		panic(err)
	case c != nil:
		return nil
	}
	return x.Output(name[0])
}
