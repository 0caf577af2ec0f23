package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/eval"
	"github.com/cubeloom/cubeloom/planner/value"
	"github.com/cubeloom/cubeloom/sql"
)

// unnest binds unnest(array, …) in FROM to rows of constants: side by side the
// elements of each array, with NULL behind the end of the shorter ones. before is
// what stands before it in FROM.
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
	n := &algebra.Values{}
	for _, array := range arrays {
		column := name
		if len(arrays) > 1 {
			column = "unnest"
		}
		elements, err := constantElements(array)
		if err != nil {
			return nil, nil, value.At(err, int(pos))
		}
		for len(n.Rows) < len(elements) {
			n.Rows = append(n.Rows, make([]value.Value, len(n.Cols)))
		}
		for i := range n.Rows {
			element := value.Value{}
			if i < len(elements) {
				element = elements[i].(*algebra.Const).Val
			}
			n.Rows[i] = append(n.Rows[i], element)
		}
		n.Cols = append(n.Cols, x.newColumn(column, array.Typ.Element(), true))
	}
	if t.Ordinality {
		n.Cols = append(n.Cols, x.newColumn("ordinality", algebra.TInt64, false))
		for i := range n.Rows {
			n.Rows[i] = append(n.Rows[i], value.Value{Kind: value.Int, I: int64(i) + 1})
		}
	}
	return b.named(&relation{node: n}, name, nil, t.Columns, int(pos))
}

// unnested binds the arguments of unnest, which must be constant.
func (x *exprBinder) unnested(call *sql.FuncCall) ([]*algebra.Const, error) {
	args, _, err := x.args(call)
	if err != nil {
		return nil, err
	}
	arrays := make([]*algebra.Const, len(args))
	for i, arg := range args {
		switch arg.Type().Kind {
		case algebra.Array:
		case algebra.Unknown:
			return nil, &value.Error{
				Code: value.CodeAmbiguousFunction, Message: "function " + signatureText("unnest", args) + " is not unique",
				Hint: "Could not choose a best candidate function. You might need to add explicit type casts.", Pos: int(call.Pos),
			}
		default:
			return nil, noFunction("unnest", args, call.Pos)
		}
		k, err := eval.Constant(arg)
		switch {
		case err != nil:
			return nil, value.At(err, int(call.Pos))
		case k == nil:
			return nil, notSupported(call.Pos, "unnest of an array that is not constant is")
		}
		arrays[i] = k
	}
	if len(arrays) == 0 {
		return nil, noFunction("unnest", args, call.Pos)
	}
	return arrays, nil
}
