package setfunc

import (
	"cmp"
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/eval"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// Limits of generate_series: up to maxSeriesValues rows stand in the plan as
// they are; longer series of integers are computed, up to value.MaxSeries rows.
const (
	seriesDigit     = 1024
	maxSeriesValues = 1 << 20
)

// GenerateSeries binds generate_series(start, stop[, step]) in FROM. Series of
// constants are rows of the plan, or computed of the digits of their numbers.
func GenerateSeries(x *scope.Exprs, t *sql.TableFunc, name string) algebra.Node {
	c := bindSeries(x, t.Call)
	c.column = name
	vals := make([]value.Value, len(c.args))
	for i, arg := range c.args {
		k, err := eval.Constant(x.Opts.Meter, arg)
		if err != nil {
			panic(value.At(err, int(c.pos)))
		}
		if k == nil || t.Ordinality {
			return RowsInFrom(x.Binder, []*scope.SetCall{seriesOf(x, c)}, name, t)
		}
		vals[i] = k.Val
	}
	switch {
	case slices.ContainsFunc(vals, func(v value.Value) bool { return v.Kind == value.Null }):
		return &algebra.Values{Cols: []algebra.Column{x.NewColumn(c.column, c.typ, true)}}
	case c.typ.IsInteger():
		return integerSeries(x, c, vals[0].I, vals[1].I, vals[2].I)
	}
	return steppedSeries(x, c, vals[0], vals[1], vals[2])
}

// seriesCall is a call of generate_series, its arguments start, stop and step.
type seriesCall struct {
	column string
	args   []algebra.Expr
	typ    algebra.Type
	pos    sql.Pos
}

// bindSeries binds the arguments of generate_series: integers, numbers, or times
// and an interval.
func bindSeries(x *scope.Exprs, e *sql.FuncCall) *seriesCall {
	args, positions := convert.Args(x, e)
	none := term.NoFunction("generate_series", args, e.Pos)
	if len(args) != 2 && len(args) != 3 {
		panic(none)
	}
	typ, step := momentType(args), algebra.TInterval
	if !sqltype.IsMoment(args[0].Type().Kind) && !sqltype.IsMoment(args[1].Type().Kind) {
		common, err := sqlstate.Try(func() algebra.Type { return convert.CommonType(args, "generate_series", positions) })
		if err != nil {
			panic(none)
		}
		typ = seriesType(common, args, e.Pos)
		step = typ
	} else if len(args) != 3 {
		panic(none)
	}
	types := []algebra.Type{typ, typ, step}
	for i, arg := range args {
		if sqltype.CastNeeds(arg.Type().Kind, types[i].Kind) != sqltype.Implicit {
			panic(term.NoFunction("generate_series", args, e.Pos))
		}
		args[i] = convert.Coerce(x, arg, types[i], sqltype.Implicit, positions[i])
	}
	if len(args) == 2 {
		one := &algebra.Const{Val: value.Value{Kind: value.Int, I: 1}, Typ: typ}
		if typ.Kind == algebra.Numeric {
			one.Val = value.Value{Kind: value.Decimal, Num: value.NumOf(1)}
		}
		args = append(args, one)
	}
	return &seriesCall{args: args, typ: typ, pos: e.Pos}
}

// seriesType is the type of a series of numbers whose arguments have a type in
// common.
func seriesType(common algebra.Type, args []algebra.Expr, pos sql.Pos) algebra.Type {
	switch common.Kind {
	case algebra.Int16:
		return algebra.TInt32
	case algebra.Decimal:
		return algebra.TNumeric
	case algebra.Int32, algebra.Int64, algebra.Numeric:
		return common
	case algebra.Text:
		if args[0].Type().Kind == algebra.Unknown {
			panic(term.Ambiguous("generate_series", args, pos))
		}
	}
	panic(term.NoFunction("generate_series", args, pos))
}

// seriesRows binds generate_series as a set-returning function.
func seriesRows(x *scope.Exprs, e *sql.FuncCall) *scope.SetCall {
	return seriesOf(x, bindSeries(x, e))
}

// seriesOf are the values of a series as rows.
func seriesOf(x *scope.Exprs, c *seriesCall) *scope.SetCall {
	set := &scope.SetCall{Col: algebra.Column{Type: c.typ}, Args: c.args}
	zoned := func(args ...algebra.Expr) []algebra.Expr {
		if c.typ.Kind == algebra.TimestampTZ {
			return append(args, term.TextConst(x.Zone().String()))
		}
		return args
	}
	set.Times = func(args []algebra.Expr) algebra.Expr {
		if c.typ.IsInteger() {
			args = lists.Map(args, func(e algebra.Expr) algebra.Expr { return wide(x.Binder, e) })
		}
		return term.Call(value.SeriesLength, algebra.TInt64, c.pos, zoned(args[0], args[1], args[2])...)
	}
	set.Value = func(args []algebra.Expr, ordinal algebra.Expr) algebra.Expr {
		if !c.typ.IsInteger() {
			return term.Call(value.SeriesValue, c.typ, c.pos, zoned(args[0], args[2], ordinal)...)
		}
		before := term.Call(algebra.Sub, algebra.TInt64, c.pos, ordinal, term.Int64Value(1))
		way := term.Call(algebra.Mul, algebra.TInt64, c.pos, before, wide(x.Binder, args[2]))
		e := term.Call(algebra.Add, algebra.TInt64, c.pos, wide(x.Binder, args[0]), way)
		if c.typ.Kind != algebra.Int64 {
			e = term.Call(algebra.Cast, c.typ, c.pos, e)
		}
		return e
	}
	return set
}

// wide is an integer as a bigint.
func wide(b *scope.Binder, e algebra.Expr) algebra.Expr {
	if e.Type().Kind == algebra.Int64 {
		return e
	}
	return b.Folded(term.Call(algebra.Cast, algebra.TInt64, sql.NoPos, e))
}

// momentType is the type of a series of dates or timestamps: with time zone where
// one is, and where no timestamp says otherwise.
func momentType(args []algebra.Expr) algebra.Type {
	typ := algebra.TTimestampTZ
	for _, e := range args[:2] {
		switch e.Type().Kind {
		case algebra.TimestampTZ:
			return e.Type()
		case algebra.Timestamp:
			typ = e.Type()
		}
	}
	return typ
}

// steppedSeries adds the step to the start as long as the stop is not passed.
func steppedSeries(x *scope.Exprs, c *seriesCall, at, stop, step value.Value) algebra.Node {
	typ := c.typ
	n := &algebra.Values{Cols: []algebra.Column{x.NewColumn(c.column, typ, true)}}
	sign := step.Num.Sign()
	if sqltype.IsMoment(typ.Kind) {
		sign = step.Interval.Cmp(value.Interval{})
	}
	if sign == 0 {
		panic(value.ErrZeroStep())
	}
	if sqltype.IsMoment(typ.Kind) {
		sqlstate.Check(value.At(value.CheckSeries(at.I, stop.I, sign), int(c.pos)))
	}
	for {
		order := at.Num.Cmp(stop.Num)
		if sqltype.IsMoment(typ.Kind) {
			order = cmp.Compare(at.I, stop.I)
		}
		if order*sign > 0 {
			return n
		}
		if len(n.Rows) == maxSeriesValues {
			panic(term.NotSupported(c.pos, "generate_series of so many values of type "+sqltype.Name(typ)+" is"))
		}
		n.Rows = append(n.Rows, []value.Value{at})
		var err error
		switch typ.Kind {
		case algebra.Timestamp:
			at.I, err = value.AddInterval(at.I, step.Interval)
		case algebra.TimestampTZ:
			at.I, err = value.AddIntervalTZ(at.I, step.Interval, x.Zone())
		default:
			at.Num, err = at.Num.Add(step.Num)
		}
		if err != nil {
			panic(value.At(err, int(c.pos)))
		}
	}
}

// integerSeries makes a series of integers.
func integerSeries(x *scope.Exprs, c *seriesCall, start, stop, step int64) algebra.Node {
	typ := c.typ
	count, err := value.SeriesOf(start, stop, step)
	if err != nil {
		panic(value.At(err, int(c.pos)))
	}
	if count <= seriesDigit {
		return integers(x, c.column, typ, count, start, step)
	}
	index, number := indexes(x, count)
	within := term.Call(algebra.Lt, algebra.TBool, c.pos, number, term.Int64Value(count))
	var e algebra.Expr = number
	if step != 1 {
		e = term.Call(algebra.Mul, algebra.TInt64, c.pos, e, term.Int64Value(step))
	}
	e = term.Call(algebra.Add, algebra.TInt64, c.pos, e, term.Int64Value(start))
	if typ.Kind != algebra.Int64 {
		e = term.Call(algebra.Cast, typ, c.pos, e)
	}
	return &algebra.Project{
		Input: &algebra.Filter{Input: index, Conds: []algebra.Expr{within}},
		Items: []algebra.Item{{Column: x.NewColumn(c.column, typ, false), Expr: e}},
	}
}

// integers are count rows from start on.
func integers(x *scope.Exprs, name string, typ algebra.Type, count, start, step int64) *algebra.Values {
	n := &algebra.Values{Cols: []algebra.Column{x.NewColumn(name, typ, false)}, Rows: make([][]value.Value, count)}
	for i := range n.Rows {
		n.Rows[i] = []value.Value{{Kind: value.Int, I: start + int64(i)*step}}
	}
	return n
}

// indexes are at least count rows numbered from 0, put together from digits,
// and the column of the number.
func indexes(x *scope.Exprs, count int64) (algebra.Node, *algebra.ColumnRef) {
	if count <= seriesDigit {
		n := integers(x, "digit", algebra.TInt64, count, 0, 1)
		return n, n.Cols[0].Ref()
	}
	high, more := indexes(x, (count+seriesDigit-1)/seriesDigit)
	low := integers(x, "digit", algebra.TInt64, seriesDigit, 0, 1)
	e := term.Call(algebra.Mul, algebra.TInt64, sql.NoPos, more, term.Int64Value(seriesDigit))
	number := algebra.Item{
		Column: x.NewColumn("number", algebra.TInt64, false),
		Expr:   term.Call(algebra.Add, algebra.TInt64, sql.NoPos, e, low.Cols[0].Ref()),
	}
	join := &algebra.Join{Kind: algebra.JoinInner, Left: high, Right: low}
	return &algebra.Project{Input: join, Items: []algebra.Item{number}}, number.Column.Ref()
}
