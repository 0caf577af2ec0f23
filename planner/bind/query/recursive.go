package query

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// workingColumns are the columns of the working table: they have the types of the
// non-recursive term, whatever its numerics' scales and its texts' lengths are.
func workingColumns(b *scope.Binder, base *scope.Bound) []algebra.Column {
	cols := make([]algebra.Column, len(base.Columns()))
	for i, c := range base.Columns() {
		typ := c.Type
		switch typ.Kind {
		case algebra.Unknown, algebra.Text:
			typ = algebra.TText
		case algebra.Decimal:
			typ = algebra.TNumeric
		}
		cols[i] = b.NewColumn(c.Name, typ, true)
	}
	return cols
}

// reference binds a reference to an expression whose query is being bound, as
// PostgreSQL allows one: once, in the recursive term, and not within what needs
// all of the rows.
func reference(b *scope.Binder, entry, env *scope.Environment, pos sql.Pos) *scope.Bound {
	refuse := func(pos sql.Pos, format string, args ...any) *scope.Bound {
		panic(value.ErrorAt(int(pos), value.CodeInvalidRecursion, format, args...))
	}
	name, r := entry.CTE.Name, entry.Recursion
	for i := len(b.Open) - 1; b.Open[i] != entry; i-- {
		if b.Open[i].With == entry.With {
			panic(value.ErrorAt(int(name.Pos), value.CodeFeatureNotSupported, "mutual recursion between WITH items is not implemented"))
		}
	}
	bar := env.Barrier(entry)
	switch {
	case entry.CTE.Write != nil:
		return refuse(name.Pos, "recursive query %q must not contain data-modifying statements", name.Name)
	case !r.Union:
		return refuse(name.Pos, "recursive query %q does not have the form non-recursive-term UNION [ALL] recursive-term", name.Name)
	case bar != "":
		return refuse(pos, "recursive reference to query %q must not appear within %s", name.Name, bar)
	case r.Used:
		return refuse(pos, "recursive reference to query %q must not appear more than once", name.Name)
	}
	r.Used = true
	return &scope.Bound{Node: &algebra.Working{Of: r.ID, Cols: r.Working}}
}

// recursive puts the two terms of a recursive expression together.
func recursive(b *scope.Binder, entry *scope.Environment, union *sql.SetOp, base, step *scope.Bound) *scope.Bound {
	q, r := entry.CTE.Query, entry.Recursion
	plainRecursion(q)
	if len(step.Columns()) != len(r.Working) {
		panic(value.ErrorAt(int(union.Pos), value.CodeSyntax, "each UNION query must have the same number of columns"))
	}
	n := &algebra.Recursive{ID: r.ID, Distinct: !union.All, Limit: -1, Cols: make([]algebra.Column, len(r.Working))}
	types, positions := make([]algebra.Type, len(r.Working)), itemPositions(union.Left, len(r.Working), union.Pos)
	for i, c := range r.Working {
		pair := []algebra.Expr{c.Ref(), outputExpr(step.Node, i)}
		overall := convert.CommonType(pair, "UNION", []sql.Pos{union.Pos, union.Pos})
		if overall.Kind != c.Type.Kind {
			panic(&value.Error{
				Code: value.CodeDatatypeMismatch,
				Message: "recursive query \"" + entry.CTE.Name.Name + "\" column " + term.Itoa(i+1) + " has type " + sqltype.Name(c.Type) +
					" in non-recursive term but type " + sqltype.Name(overall) + " overall",
				Hint: "Cast the output of the non-recursive term to the correct type.", Pos: int(positions[i]),
			})
		}
		types[i] = c.Type
		n.Cols[i] = b.NewColumn(c.Name, c.Type, true)
	}
	n.Base = convertColumns(b, base.Node, types, positions)
	n.Term = convertColumns(b, step.Node, types, itemPositions(union.Right, len(types), union.Pos))
	return &scope.Bound{Node: n}
}

// plainRecursion refuses what a recursive query cannot have behind its terms.
func plainRecursion(q *sql.Query) {
	refuse := func(clause string, pos sql.Pos) {
		panic(value.ErrorAt(int(pos), value.CodeFeatureNotSupported, "%s in a recursive query is not implemented", clause))
	}
	switch {
	case len(q.OrderBy) > 0:
		refuse("ORDER BY", q.OrderBy[0].Expr.Position())
		return
	case q.Offset != nil:
		refuse("OFFSET", q.Offset.Position())
		return
	case q.Limit != nil:
		refuse("LIMIT", q.Limit.Position())
		return
	}
}
