package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/eval"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// setFunctionTable binds a set-returning function in FROM. before is what stands
// before it there, whose columns the arguments may be of.
func (b *binder) setFunctionTable(t *sql.TableFunc, fn string, env *environment, before *scope) (algebra.Node, *scope, error) {
	pos := int(t.Call.Pos)
	if err := b.countRelation(pos); err != nil {
		return nil, nil, err
	}
	x := &exprBinder{binder: b, scope: before, env: env, clause: "functions in FROM"}
	name := fn
	if t.Alias.Name != "" {
		name = t.Alias.Name
	}
	var node algebra.Node
	var err error
	switch fn {
	case "unnest":
		node, err = x.unnest(t, name)
	case "generate_series":
		node, err = x.generateSeries(t, name)
	default:
		var c *setCall
		if c, err = x.setCall(fn, t.Call); err == nil {
			node = x.rowsInFrom([]*setCall{c}, name, t)
		}
	}
	if err != nil {
		return nil, nil, err
	}
	return b.named(&relation{node: node}, name, nil, t.Columns, pos)
}

// rowsInFrom are the rows of set-returning functions side by side, with their
// numbers where those are asked for.
func (b *binder) rowsInFrom(calls []*setCall, name string, t *sql.TableFunc) algebra.Node {
	for _, c := range calls {
		c.col = b.newColumn(name, c.col.Type, c.col.Nullable || len(calls) > 1)
	}
	var ordinality *algebra.Column
	if t.Ordinality {
		col := b.newColumn("ordinality", algebra.TInt64, false)
		ordinality = &col
	}
	return b.expand(&algebra.Values{Rows: make([][]value.Value, 1)}, calls, ordinality)
}

// unnest binds unnest(array, …) in FROM: side by side the elements of each array,
// with NULL behind the end of the shorter ones.
func (x *exprBinder) unnest(t *sql.TableFunc, name string) (algebra.Node, error) {
	arrays, err := x.unnested(t.Call)
	if err != nil {
		return nil, err
	}
	if len(arrays) > 1 {
		name = "unnest"
	}
	calls := make([]*setCall, len(arrays))
	cols := make([]algebra.Column, len(arrays), len(arrays)+1)
	constant := true
	for i, array := range arrays {
		calls[i] = elementRows(array, t.Call.Pos)
		cols[i] = x.newColumn(name, array.Type().Element(), true)
		_, isConst := array.(*algebra.Const)
		constant = constant && isConst
	}
	if !constant {
		return x.rowsInFrom(calls, name, t), nil
	}
	if t.Ordinality {
		cols = append(cols, x.newColumn("ordinality", algebra.TInt64, false))
	}
	node, err := x.constantRows(arrays, cols)
	return node, value.At(err, int(t.Call.Pos))
}

// unnested binds the arguments of unnest.
func (x *exprBinder) unnested(call *sql.FuncCall) ([]algebra.Expr, error) {
	arrays, _, err := x.args(call)
	if err != nil {
		return nil, err
	}
	for i, array := range arrays {
		array = asArray(array, call.Pos)
		arrays[i] = array
		switch array.Type().Kind {
		case algebra.Array:
		case algebra.Unknown:
			return nil, &value.Error{
				Code: value.CodeAmbiguousFunction, Message: "function " + signatureText("unnest", arrays) + " is not unique",
				Hint: "Could not choose a best candidate function. You might need to add explicit type casts.", Pos: int(call.Pos),
			}
		default:
			return nil, noFunction("unnest", arrays, call.Pos)
		}
		k, err := eval.Constant(x.opts.Meter, array)
		if err != nil {
			return nil, value.At(err, int(call.Pos))
		}
		if k != nil {
			arrays[i] = k
		}
	}
	if len(arrays) == 0 {
		return nil, noFunction("unnest", arrays, call.Pos)
	}
	return arrays, nil
}

// constantRows are the elements of constant arrays, and their numbers where there
// is one column more.
func (b *binder) constantRows(arrays []algebra.Expr, cols []algebra.Column) (algebra.Node, error) {
	n := &algebra.Values{Cols: cols}
	for c, array := range arrays {
		elements, err := b.constantElements(array.(*algebra.Const))
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
