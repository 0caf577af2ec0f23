package window

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/aggregate"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/function"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Aggregates that make lists are, with OVER, parts of the text of a whole partition, in which a separator stands before each
// row's text: sums of the lengths of these texts say where the frame begins and ends in it.

// textForms bind such calls, by the forms of the aggregates.
var textForms = map[function.Form]func(x *scope.Exprs, e *sql.FuncCall, args []algebra.Expr, positions []sql.Pos) algebra.Expr{
	"string_agg": stringAgg, "array_agg": arrayAgg, "json_agg": jsonAgg, "json_object_agg": jsonObjectAgg,
}

// textCall binds a call of them; nil for others.
func textCall(x *scope.Exprs, name string, e *sql.FuncCall) algebra.Expr {
	f := function.Find(function.Aggregate, name)
	if f == nil || textForms[f.Form] == nil {
		return nil
	}
	inner := *x
	inner.Window, inner.InCall = nil, true
	args, positions := convert.Args(&inner, e)
	RefuseOver(e, true)
	Allowed(x, e.Pos)
	return textForms[f.Form](x, e, args, positions)
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

func jsonAgg(x *scope.Exprs, e *sql.FuncCall, args []algebra.Expr, positions []sql.Pos) algebra.Expr {
	name := e.Name[len(e.Name)-1].Name
	if len(args) != 1 {
		panic(term.NoFunction(name, args, e.Pos))
	}
	item, before := aggregate.JSONItem(x, args[0], positions[0])
	return aggregate.JSONList(name, listing(x, e, item, ", "), "[", before, "]", e.Pos)
}

func jsonObjectAgg(x *scope.Exprs, e *sql.FuncCall, args []algebra.Expr, positions []sql.Pos) algebra.Expr {
	name := e.Name[len(e.Name)-1].Name
	if len(args) != 2 {
		panic(term.NoFunction(name, args, e.Pos))
	}
	return aggregate.JSONList(name, listing(x, e, aggregate.JSONMember(x, args, positions), ", "), "{ ", "", " }", e.Pos)
}

// listing is the texts of the rows of the frame with a separator between them; NULL where there are none.
func listing(x *scope.Exprs, e *sql.FuncCall, item algebra.Expr, separator string) algebra.Expr {
	l := &list{Exprs: x, window: over(x.Window, e.Over), pos: e.Pos}
	item = l.call(algebra.Concat, algebra.TText, term.TextConst(separator), item)
	if filter := aggregate.Filter(x, e); filter != nil {
		item = &algebra.Case{Whens: []algebra.When{{Cond: filter, Then: item}}, Typ: algebra.TText}
	}
	empty := term.TextConst("")
	last := l.over(algebra.StringAgg, algebra.TText, algebra.DefaultFrame(), term.Coalesce([]algebra.Expr{item, empty}, algebra.TText), empty)
	l.whole = x.Window.AddBehind(x.Binder, l.window.Partition, algebra.WindowCall{
		Func: algebra.WindowFunc(algebra.Max), Args: []algebra.Expr{last}, Frame: algebra.DefaultFrame(), Column: algebra.Column{Name: "list", Type: algebra.TText, Nullable: true},
	}).Ref()
	start := term.Int32Const(int64(len([]rune(separator))) + 1)
	return l.call(algebra.Substring, algebra.TText, l.part(item), start)
}

// list is the list of a call with OVER.
type list struct {
	*scope.Exprs
	window *scope.Window
	whole  algebra.Expr // the text of the whole partition
	length algebra.Expr // the length of a row's text; NULL where the row does not count
	pos    sql.Pos
}

func (l *list) call(f algebra.Func, typ algebra.Type, args ...algebra.Expr) algebra.Expr {
	return term.Call(f, typ, l.pos, args...)
}

// over is a function over the window.
func (l *list) over(f algebra.WindowFunc, typ algebra.Type, frame algebra.Frame, args ...algebra.Expr) algebra.Expr {
	column := algebra.Column{Name: "list", Type: typ, Nullable: true}
	return l.Window.Add(l.Binder, l.window, algebra.WindowCall{Func: f, Args: args, Frame: frame, Column: column}).Ref()
}

// sum is the length of the texts of a frame; NULL where there are none.
func (l *list) sum(frame algebra.Frame) algebra.Expr {
	return l.over(algebra.WindowFunc(algebra.Sum), algebra.TInt64, frame, l.length)
}

// bytes is sum, with 0 in the place of NULL.
func (l *list) bytes(frame algebra.Frame) algebra.Expr {
	return term.Coalesce([]algebra.Expr{l.sum(frame), term.Int64Value(0)}, algebra.TInt64)
}

func (l *list) minus(a, b algebra.Expr) algebra.Expr {
	return l.call(algebra.Sub, algebra.TInt64, a, b)
}

// part is what the whole text has of the frame. Where the frame begins with the partition and grows it is counted in
// characters, which devices do as well; elsewhere in bytes, which are found without reading what stands before.
func (l *list) part(item algebra.Expr) algebra.Expr {
	frame := l.window.Frame
	if frame.Start.Kind == algebra.UnboundedPreceding && frame.Exclude == algebra.ExcludeNothing {
		l.length = l.call(algebra.Length, algebra.TInt32, item)
		return l.call(algebra.Left, algebra.TText, l.whole, l.call(algebra.Cast, algebra.TInt32, l.sum(frame)))
	}
	l.length = l.call("octet_length", algebra.TInt32, item)
	full, before := frame, frame
	full.Exclude = algebra.ExcludeNothing
	before.Exclude, before.Start = algebra.ExcludeNothing, algebra.FrameBound{Kind: algebra.UnboundedPreceding}
	end := l.bytes(before)
	args := append([]algebra.Expr{l.whole, l.minus(end, l.bytes(full)), end}, l.excluded(frame.Exclude)...)
	some := algebra.When{Cond: term.NotNull(l.sum(frame)), Then: l.call(value.TextWithout, algebra.TText, args...)}
	return &algebra.Case{Whens: []algebra.When{some}, Typ: algebra.TText}
}

// excluded is where what an exclusion leaves out begins and ends in the whole text.
func (l *list) excluded(what algebra.FrameExclusion) []algebra.Expr {
	upTo := func(unit algebra.FrameUnit) algebra.Expr {
		frame := algebra.DefaultFrame()
		frame.Unit = unit
		return l.bytes(frame)
	}
	row := l.call(algebra.Cast, algebra.TInt64, term.Coalesce([]algebra.Expr{l.length, term.Int32Const(0)}, algebra.TInt32))
	behindRow := upTo(algebra.FrameRows)
	beforeRow := l.minus(behindRow, row)
	if what == algebra.ExcludeCurrent {
		return []algebra.Expr{beforeRow, behindRow}
	}
	peers := algebra.DefaultFrame()
	peers.Start.Kind = algebra.CurrentRow
	behindPeers := upTo(algebra.FrameRange)
	beforePeers := l.minus(behindPeers, l.bytes(peers))
	switch what {
	case algebra.ExcludeGroup:
		return []algebra.Expr{beforePeers, behindPeers}
	case algebra.ExcludeTies:
		return []algebra.Expr{beforePeers, beforeRow, behindRow, behindPeers}
	}
	return nil
}
