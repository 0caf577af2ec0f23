package setfunc

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/eval"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// elementRows are the elements of an array.
func elementRows(array algebra.Expr, pos sql.Pos) *scope.SetCall {
	elem := array.Type().Element()
	return &scope.SetCall{
		Col: algebra.Column{Type: elem, Nullable: true}, Args: []algebra.Expr{array},
		Times: func(args []algebra.Expr) algebra.Expr {
			return term.Call(algebra.Cast, algebra.TInt64, pos, term.Call(value.Cardinality, algebra.TInt32, pos, args[0]))
		},
		Value: func(args []algebra.Expr, ordinal algebra.Expr) algebra.Expr {
			index := term.Call(algebra.Cast, algebra.TInt32, pos, ordinal)
			text := term.Call(value.ArrayNth, algebra.TText, pos, args[0], index)
			switch elem {
			case algebra.TText:
				return text
			case algebra.TJSON:
				return term.Call(value.JSONMade, elem, pos, text)
			case algebra.TJSONB:
				return term.Call(value.JSONBMade, elem, pos, text)
			}
			return convert.OfKeptText(text, elem, pos)
		},
	}
}

// unnested binds the arguments of unnest.
func unnested(x *scope.Exprs, call *sql.FuncCall) []algebra.Expr {
	arrays, _ := convert.Args(x, call)
	for i, array := range arrays {
		array = convert.AsArray(array, call.Pos)
		arrays[i] = array
		switch array.Type().Kind {
		case algebra.Array:
		case algebra.Unknown:
			panic(term.Ambiguous("unnest", arrays, call.Pos))
		default:
			panic(term.NoFunction("unnest", arrays, call.Pos))
		}
		k, err := eval.Constant(x.Opts.Meter, array)
		if err != nil {
			panic(value.At(err, int(call.Pos)))
		}
		if k != nil {
			arrays[i] = k
		}
	}
	if len(arrays) == 0 {
		panic(term.NoFunction("unnest", arrays, call.Pos))
	}
	return arrays
}
