package scope

import (
	"cmp"
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
			panic(x.hinted(err, name, name[:len(name)-1]))
		case first == nil:
			first = err
		}
	}
	panic(x.hinted(first, name, name[:len(name)-1]))
}

// Expand returns the columns that * or t.* stands for; t may be a relation of the queries
// around.
func (x *Exprs) Expand(star *sql.Star) []algebra.Column {
	if len(star.Qualifier) == 0 {
		return x.Scope.Expand(star)
	}
	level, _ := x.relationOf(star.Qualifier)
	return x.columnsOf(level, star)
}

// relationOf finds the relation that a qualifier stands for, here or in the queries around.
func (x *Exprs) relationOf(qualifier sql.Name) (level *Exprs, rel RelName) {
	for level := x; level != nil; level = level.Env.Enclosing() {
		rel, err := level.Scope.relation(qualifier)
		switch {
		case err == nil:
			return level, rel
		case !mayBeOuter(qualifier, err):
			panic(err)
		}
	}
	_, err := x.Scope.relation(qualifier) // the error of this query
	panic(x.hinted(err, nil, qualifier))
}

// columnsOf are the columns of a relation of a level.
func (x *Exprs) columnsOf(level *Exprs, star *sql.Star) []algebra.Column {
	columns := level.Scope.Expand(star)
	for i := range columns {
		columns[i].Nullable = columns[i].Nullable || level != x && level.Sets
	}
	return columns
}

// WholeRow is the row of a relation.
type WholeRow struct {
	Columns  []algebra.Column
	Type     string // the name of its type, "record" where it has none
	Extended bool   // an outer join may have NULL in its place
}

// RowOf is the row of the relation that a qualifier stands for.
func (x *Exprs) RowOf(qualifier sql.Name) *WholeRow {
	level, rel := x.relationOf(qualifier)
	columns := x.columnsOf(level, &sql.Star{Qualifier: qualifier})
	return &WholeRow{columns, cmp.Or(rel.Type, "record"), slices.Contains(level.Scope.Extended, rel)}
}

// RowNamed is the row of the relation that a name stands for which is no column's, here and
// in the queries around; nil where there is none.
func (x *Exprs) RowNamed(name sql.Name) *WholeRow {
	if len(name) != 1 {
		return nil
	}
	named := false
	for level := x; level != nil; level = level.Env.Enclosing() {
		if c, err := level.Scope.Find(name[0]); c != nil || err != nil {
			return nil
		}
		_, err := level.Scope.relation(name)
		named = named || err == nil
	}
	if !named {
		return nil
	}
	return x.RowOf(name)
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
