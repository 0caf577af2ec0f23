package setfunc

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// RowsInFrom are the rows of set-returning functions side by side, with their
// numbers where those are asked for. Columns have the name, unless several have names of their own.
func RowsInFrom(b *scope.Binder, calls []*scope.SetCall, name string, t *sql.TableFunc) algebra.Node {
	for _, c := range calls {
		column := name
		if len(calls) > 1 && c.Col.Name != "" {
			column = c.Col.Name
		}
		c.Col = b.NewColumn(column, c.Col.Type, c.Col.Nullable || len(calls) > 1)
	}
	var ordinality *algebra.Column
	if t.Ordinality {
		col := b.NewColumn("ordinality", algebra.TInt64, false)
		ordinality = &col
	}
	return Expand(b, &algebra.Values{Rows: make([][]value.Value, 1)}, calls, ordinality)
}

// Unnest binds unnest(array, …) in FROM: side by side the elements of each array,
// with NULL behind the end of the shorter ones.
func Unnest(x *scope.Exprs, t *sql.TableFunc, name string) algebra.Node {
	arrays := unnested(x, t.Call)
	if len(arrays) > 1 {
		name = "unnest"
	}
	calls := make([]*scope.SetCall, len(arrays))
	cols := make([]algebra.Column, len(arrays), len(arrays)+1)
	constant := true
	for i, array := range arrays {
		calls[i] = elementRows(array, t.Call.Pos)
		cols[i] = x.NewColumn(name, array.Type().Element(), true)
		_, isConst := array.(*algebra.Const)
		constant = constant && isConst
	}
	if !constant {
		return RowsInFrom(x.Binder, calls, name, t)
	}
	if t.Ordinality {
		cols = append(cols, x.NewColumn("ordinality", algebra.TInt64, false))
	}
	node, err := constantRows(x.Binder, arrays, cols)
	if err != nil {
		panic(value.At(err, int(t.Call.Pos)))
	}
	return node
}

// constantRows are the elements of constant arrays, and their numbers where there
// is one column more.
func constantRows(b *scope.Binder, arrays []algebra.Expr, cols []algebra.Column) (algebra.Node, error) {
	n := &algebra.Values{Cols: cols}
	for c, array := range arrays {
		elements, err := expression.ConstantElements(b, array.(*algebra.Const))
		if err != nil {
			return nil, err
		}
		for len(n.Rows) < len(elements) {
			n.Rows = append(n.Rows, make([]value.Value, len(cols)))
		}
		for i, element := range elements {
			n.Rows[i][c] = element.(*algebra.Const).Val
		}
	}
	if len(cols) > len(arrays) {
		for i := range n.Rows {
			n.Rows[i][len(arrays)] = value.Value{Kind: value.Int, I: int64(i) + 1}
		}
	}
	return n, nil
}
