package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/eval"
	"github.com/cubeloom/cubeloom/planner/value"
	"github.com/cubeloom/cubeloom/sql"
)

// unnest binds unnest(array, …) in FROM: side by side the elements of each array,
// with NULL behind the end of the shorter ones. before is what stands before it in
// FROM, whose columns the arrays may be of.
func (b *binder) unnest(t *sql.TableFunc, env *environment, before *scope) (algebra.Node, *scope, error) {
	pos := t.Call.Pos
	if err := b.countRelation(int(pos)); err != nil {
		return nil, nil, err
	}
	x := &exprBinder{binder: b, scope: before, env: env, clause: "functions in FROM"}
	arrays, err := x.unnested(t.Call)
	if err != nil {
		return nil, nil, err
	}
	name := "unnest"
	if t.Alias.Name != "" {
		name = t.Alias.Name
	}
	cols := make([]algebra.Column, len(arrays))
	constant := true
	for i, array := range arrays {
		cols[i] = x.newColumn(name, array.Type().Element(), true)
		if len(arrays) > 1 {
			cols[i].Name = "unnest"
		}
		_, isConst := array.(*algebra.Const)
		constant = constant && isConst
	}
	ordinality := x.newColumn("ordinality", algebra.TInt64, false)
	if t.Ordinality {
		cols = append(cols, ordinality)
	}
	node := x.elements(arrays, cols, ordinality, pos)
	if constant {
		if node, err = constantRows(arrays, cols); err != nil {
			return nil, nil, value.At(err, int(pos))
		}
	}
	return b.named(&relation{node: node}, name, nil, t.Columns, int(pos))
}

// unnested binds the arguments of unnest.
func (x *exprBinder) unnested(call *sql.FuncCall) ([]algebra.Expr, error) {
	arrays, _, err := x.args(call)
	if err != nil {
		return nil, err
	}
	for i, array := range arrays {
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
		k, err := eval.Constant(array)
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
func constantRows(arrays []algebra.Expr, cols []algebra.Column) (algebra.Node, error) {
	n := &algebra.Values{Cols: cols}
	for c, array := range arrays {
		elements, err := constantElements(array.(*algebra.Const))
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

// elements repeats one row as often as the longest array has elements, and takes
// that of the copy's number of each.
func (x *exprBinder) elements(arrays []algebra.Expr, cols []algebra.Column, ordinality algebra.Column, pos sql.Pos) algebra.Node {
	ordinal := x.newColumn("ordinal", algebra.TInt64, false)
	rows := &algebra.Repetition{Input: &algebra.Values{Rows: make([][]value.Value, 1)}, Times: longest(arrays, pos), Ordinal: ordinal}
	index := call(algebra.Cast, algebra.TInt32, pos, ordinal.Ref())
	items := make([]algebra.Item, len(cols))
	for i, col := range cols {
		items[i] = algebra.Item{Column: col, Expr: ordinal.Ref()}
		if col.ID == ordinality.ID {
			continue
		}
		items[i].Expr = call(value.ArrayGet, algebra.TText, pos, arrays[i], index)
		if col.Type != algebra.TText {
			items[i].Expr = call(algebra.Cast, col.Type, pos, items[i].Expr)
		}
	}
	return &algebra.Project{Input: rows, Items: items}
}

// longest is the number of elements of the longest array; NULL where all are NULL.
func longest(arrays []algebra.Expr, pos sql.Pos) algebra.Expr {
	var most algebra.Expr
	for _, array := range arrays {
		n := algebra.Expr(call(algebra.Cast, algebra.TInt64, pos, call(value.Cardinality, algebra.TInt32, pos, array)))
		if most != nil {
			atLeast := call(algebra.Ge, algebra.TBool, pos, n, most)
			enough := connect(algebra.Or, []algebra.Expr{atLeast, isNull(most)}, pos)
			n = &algebra.Case{Whens: []algebra.When{{Cond: enough, Then: n}}, Else: most, Typ: algebra.TInt64}
		}
		most = n
	}
	return most
}
