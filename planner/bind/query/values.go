package query

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// values binds VALUES, its columns unified. Rows of constants are computed now.
func values(b *scope.Binder, v *sql.Values, env *scope.Environment) *scope.Bound {
	if len(v.Rows) == 0 {
		panic(value.ErrorAt(int(v.Pos), value.CodeSyntax, "VALUES without a row"))
	}
	width := len(v.Rows[0])
	exprs := make([][]algebra.Expr, width)
	positions := make([][]sql.Pos, width)
	x := &scope.Exprs{Binder: b, Scope: &scope.Scope{}, Env: env, Clause: "VALUES"}
	for _, row := range v.Rows {
		if len(row) != width {
			panic(value.ErrorAt(int(row[0].Position()), value.CodeSyntax, "VALUES lists must all be the same length"))
		}
		for i, e := range row {
			bound := x.Expr(e)
			exprs[i] = append(exprs[i], bound)
			positions[i] = append(positions[i], e.Position())
		}
	}
	if AnyDepends(exprs) {
		return computedRows(x, exprs, positions)
	}
	n := &algebra.Values{Cols: make([]algebra.Column, width), Rows: make([][]value.Value, len(v.Rows))}
	for i := range n.Rows {
		n.Rows[i] = make([]value.Value, width)
	}
	for i := range exprs {
		valuesColumn(x, n, i, exprs[i], positions[i])
	}
	return &scope.Bound{Node: n}
}

// valuesColumn computes column i of VALUES.
func valuesColumn(x *scope.Exprs, n *algebra.Values, i int, exprs []algebra.Expr, positions []sql.Pos) {
	exprs, typ := convert.Unify(x, exprs, "VALUES", positions)
	nullable := false
	for k, e := range exprs {
		c := x.Constant(e, int(positions[k]))
		n.Rows[k][i] = c.Val
		nullable = nullable || c.Val.Kind == value.Null
	}
	n.Cols[i] = x.NewColumn("column"+term.Itoa(i+1), typ, nullable)
}

func AnyDepends(lists [][]algebra.Expr) bool {
	for _, list := range lists {
		for _, e := range list {
			if term.Depends(e) {
				return true
			}
		}
	}
	return false
}

// computedRows is VALUES with rows that are not constant, given by column.
func computedRows(x *scope.Exprs, exprs [][]algebra.Expr, positions [][]sql.Pos) *scope.Bound {
	names := make([]string, len(exprs))
	rows := make([][]algebra.Expr, len(exprs[0]))
	for i := range exprs {
		column, typ := convert.Unify(x, exprs[i], "VALUES", positions[i])
		names[i] = "column" + term.Itoa(i+1)
		for r, e := range column {
			e = convert.ConvertTo(x, e, typ, positions[i][r])
			rows[r] = append(rows[r], e)
		}
	}
	return &scope.Bound{Node: UnionOfRows(x.Binder, names, rows)}
}

// UnionOfRows computes rows one by one and unites them. The expressions of a
// column have one type.
func UnionOfRows(b *scope.Binder, names []string, rows [][]algebra.Expr) algebra.Node {
	var all algebra.Node
	for _, row := range rows {
		items := make([]algebra.Item, len(row))
		for i, e := range row {
			items[i] = algebra.Item{Column: b.NewColumn(names[i], e.Type(), algebra.CanBeNull(e)), Expr: e}
		}
		next := &algebra.Project{Input: &algebra.Values{Rows: make([][]value.Value, 1)}, Items: items}
		if all == nil {
			all = next
			continue
		}
		union := &algebra.SetOp{Kind: algebra.Union, All: true, Left: all, Right: next}
		left := all.Columns()
		for i, item := range items {
			union.Cols = append(union.Cols, b.NewColumn(names[i], item.Column.Type, left[i].Nullable || item.Column.Nullable))
		}
		all = union
	}
	return all
}
