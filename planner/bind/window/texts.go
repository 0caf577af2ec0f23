package window

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/aggregate"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
)

// string_agg and array_agg with OVER are the beginning of the text of a whole partition, as long as the texts of
// the frame are together: so the frame has to begin where the partition does.

// textForms bind such calls.
var textForms = map[string]func(x *scope.Exprs, e *sql.FuncCall, args []algebra.Expr, positions []sql.Pos) algebra.Expr{
	"string_agg": stringAgg, "array_agg": arrayAgg,
}

// textCall binds a call of them; nil for others.
func textCall(x *scope.Exprs, name string, e *sql.FuncCall) algebra.Expr {
	form := textForms[name]
	if form == nil {
		return nil
	}
	inner := *x
	inner.Window, inner.InCall = nil, true
	args, positions := convert.Args(&inner, e)
	RefuseOver(e, true)
	Allowed(x, e.Pos)
	return form(x, e, args, positions)
}

func stringAgg(x *scope.Exprs, e *sql.FuncCall, args []algebra.Expr, positions []sql.Pos) algebra.Expr {
	texts, result, ok := expression.Aggregated(x, args, positions)
	if !ok {
		panic(term.NoFunction("string_agg", args, e.Pos))
	}
	separator, ok := texts[1].(*algebra.Const)
	if !ok {
		panic(term.NotSupported(positions[1], "string_agg with OVER and a separator that is not constant is"))
	}
	return result(listing(x, e, texts[0], separator.Val.S))
}

func arrayAgg(x *scope.Exprs, e *sql.FuncCall, args []algebra.Expr, positions []sql.Pos) algebra.Expr {
	if len(args) != 1 {
		panic(term.NoFunction("array_agg", args, e.Pos))
	}
	arg := convert.ResolveUnknown(x, args[0], positions[0])
	if arg.Type().Kind == algebra.Array {
		panic(expression.SeveralDimensions(e.Pos))
	}
	return expression.ArrayMade(x.Binder, listing(x, e, expression.ArrayItem(x, arg, e.Pos), ","), arg.Type(), e.Pos)
}

// listing is the texts of the rows of the frame with a separator between them; NULL where there are none.
func listing(x *scope.Exprs, e *sql.FuncCall, item algebra.Expr, separator string) algebra.Expr {
	w := over(x.Window, e.Over)
	if w.Frame.Start.Kind != algebra.UnboundedPreceding || w.Frame.Exclude != algebra.ExcludeNothing {
		panic(term.NotSupported(e.Pos, e.Name[len(e.Name)-1].Name+" over a frame that does not begin with the partition is"))
	}
	item = term.Call(algebra.Concat, algebra.TText, e.Pos, term.TextConst(separator), item)
	if filter := aggregate.Filter(x, e); filter != nil {
		item = &algebra.Case{Whens: []algebra.When{{Cond: filter, Then: item}}, Typ: algebra.TText}
	}
	add := func(w *scope.Window, f algebra.WindowFunc, typ algebra.Type, frame algebra.Frame, args ...algebra.Expr) algebra.Expr {
		return x.Window.Add(x.Binder, w, algebra.WindowCall{Func: f, Args: args, Frame: frame, Column: algebra.Column{Name: "list", Type: typ, Nullable: true}}).Ref()
	}
	empty := term.TextConst("")
	last := add(w, algebra.StringAgg, algebra.TText, algebra.DefaultFrame(), term.Coalesce([]algebra.Expr{item, empty}, algebra.TText), empty)
	length := add(w, algebra.WindowFunc(algebra.Sum), algebra.TInt64, w.Frame, term.Call(algebra.Length, algebra.TInt32, e.Pos, item))
	whole := x.Window.AddBehind(x.Binder, w.Partition, algebra.WindowCall{
		Func: algebra.WindowFunc(algebra.Max), Args: []algebra.Expr{last}, Frame: algebra.DefaultFrame(), Column: algebra.Column{Name: "list", Type: algebra.TText, Nullable: true},
	}).Ref()
	start := term.Int32Const(int64(len([]rune(separator))) + 1)
	count := term.Call(algebra.Cast, algebra.TInt32, e.Pos, length)
	return term.Call(algebra.Substring, algebra.TText, e.Pos, term.Call(algebra.Left, algebra.TText, e.Pos, whole, count), start)
}
