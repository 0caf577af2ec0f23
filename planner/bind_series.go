package planner

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/eval"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Limits of generate_series: up to maxSeriesValues rows stand in the plan as
// they are; longer series of integers are computed, up to value.MaxSeries rows.
const (
	seriesDigit     = 1024
	maxSeriesValues = 1 << 20
)

// generateSeries binds generate_series(start, stop[, step]) in FROM. Series of
// constants are rows of the plan, or computed of the digits of their numbers.
func (x *exprBinder) generateSeries(t *sql.TableFunc, name string) (algebra.Node, error) {
	c, err := x.seriesCall(t.Call)
	if err != nil {
		return nil, err
	}
	c.column = name
	vals := make([]value.Value, len(c.args))
	for i, arg := range c.args {
		k, err := eval.Constant(x.opts.Meter, arg)
		if err != nil {
			return nil, value.At(err, int(c.pos))
		}
		if k == nil || t.Ordinality {
			return x.rowsInFrom([]*setCall{x.seriesOf(c)}, name, t), nil
		}
		vals[i] = k.Val
	}
	switch {
	case slices.ContainsFunc(vals, func(v value.Value) bool { return v.Kind == value.Null }):
		return &algebra.Values{Cols: []algebra.Column{x.newColumn(c.column, c.typ, true)}}, nil
	case c.typ.IsInteger():
		return x.integerSeries(c, vals[0].I, vals[1].I, vals[2].I)
	}
	return x.steppedSeries(c, vals[0], vals[1], vals[2])
}

// seriesCall is a call of generate_series, its arguments start, stop and step.
type seriesCall struct {
	column string
	args   []algebra.Expr
	typ    algebra.Type
	pos    sql.Pos
}

// seriesCall binds the arguments of generate_series: integers, numbers, or times
// and an interval.
func (x *exprBinder) seriesCall(e *sql.FuncCall) (*seriesCall, error) {
	args, positions, err := x.args(e)
	if err != nil {
		return nil, err
	}
	none := noFunction("generate_series", args, e.Pos)
	if len(args) != 2 && len(args) != 3 {
		return nil, none
	}
	typ, step := momentType(args), algebra.TInterval
	if !sqltype.IsMoment(args[0].Type().Kind) && !sqltype.IsMoment(args[1].Type().Kind) {
		if typ, err = commonType(args, "generate_series", positions); err != nil {
			return nil, none
		}
		if typ, err = seriesType(typ, args, e.Pos); err != nil {
			return nil, err
		}
		step = typ
	} else if len(args) != 3 {
		return nil, none
	}
	types := []algebra.Type{typ, typ, step}
	for i, arg := range args {
		if sqltype.CastNeeds(arg.Type().Kind, types[i].Kind) != sqltype.Implicit {
			return nil, noFunction("generate_series", args, e.Pos)
		}
		if args[i], err = x.coerce(arg, types[i], sqltype.Implicit, positions[i]); err != nil {
			return nil, err
		}
	}
	if len(args) == 2 {
		one := &algebra.Const{Val: value.Value{Kind: value.Int, I: 1}, Typ: typ}
		if typ.Kind == algebra.Numeric {
			one.Val = value.Value{Kind: value.Decimal, Num: value.NumOf(1)}
		}
		args = append(args, one)
	}
	return &seriesCall{args: args, typ: typ, pos: e.Pos}, nil
}

// seriesType is the type of a series of numbers whose arguments have a type in
// common.
func seriesType(common algebra.Type, args []algebra.Expr, pos sql.Pos) (algebra.Type, error) {
	switch common.Kind {
	case algebra.Int16:
		return algebra.TInt32, nil
	case algebra.Decimal:
		return algebra.TNumeric, nil
	case algebra.Int32, algebra.Int64, algebra.Numeric:
		return common, nil
	case algebra.Text:
		if args[0].Type().Kind == algebra.Unknown {
			return common, value.ErrorAt(int(pos), value.CodeAmbiguousFunction, "function %s is not unique", signatureText("generate_series", args))
		}
	}
	return common, noFunction("generate_series", args, pos)
}

// seriesRows binds generate_series as a set-returning function.
func (x *exprBinder) seriesRows(e *sql.FuncCall) (*setCall, error) {
	c, err := x.seriesCall(e)
	if err != nil {
		return nil, err
	}
	return x.seriesOf(c), nil
}

// seriesOf are the values of a series as rows.
func (x *exprBinder) seriesOf(c *seriesCall) *setCall {
	set := &setCall{col: algebra.Column{Type: c.typ}, args: c.args}
	zoned := func(args ...algebra.Expr) []algebra.Expr {
		if c.typ.Kind == algebra.TimestampTZ {
			return append(args, textConst(x.zone().String()))
		}
		return args
	}
	set.times = func(args []algebra.Expr) algebra.Expr {
		if c.typ.IsInteger() {
			args = mapSlice(args, x.wide)
		}
		return call(value.SeriesLength, algebra.TInt64, c.pos, zoned(args[0], args[1], args[2])...)
	}
	set.value = func(args []algebra.Expr, ordinal algebra.Expr) algebra.Expr {
		if !c.typ.IsInteger() {
			return call(value.SeriesValue, c.typ, c.pos, zoned(args[0], args[2], ordinal)...)
		}
		before := call(algebra.Sub, algebra.TInt64, c.pos, ordinal, int64Value(1))
		way := call(algebra.Mul, algebra.TInt64, c.pos, before, x.wide(args[2]))
		e := call(algebra.Add, algebra.TInt64, c.pos, x.wide(args[0]), way)
		if c.typ.Kind != algebra.Int64 {
			e = call(algebra.Cast, c.typ, c.pos, e)
		}
		return e
	}
	return set
}

// wide is an integer as a bigint.
func (b *binder) wide(e algebra.Expr) algebra.Expr {
	if e.Type().Kind == algebra.Int64 {
		return e
	}
	return b.folded(call(algebra.Cast, algebra.TInt64, sql.NoPos, e))
}

func mapSlice(exprs []algebra.Expr, f func(algebra.Expr) algebra.Expr) []algebra.Expr {
	out := make([]algebra.Expr, len(exprs))
	for i, e := range exprs {
		out[i] = f(e)
	}
	return out
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
func (x *exprBinder) steppedSeries(c *seriesCall, at, stop, step value.Value) (algebra.Node, error) {
	typ := c.typ
	n := &algebra.Values{Cols: []algebra.Column{x.newColumn(c.column, typ, true)}}
	sign := step.Num.Sign()
	if sqltype.IsMoment(typ.Kind) {
		sign = step.Interval.Cmp(value.Interval{})
	}
	if sign == 0 {
		return nil, value.ErrZeroStep()
	}
	for {
		order := at.Num.Cmp(stop.Num)
		if sqltype.IsMoment(typ.Kind) {
			order = int(min(max(at.I-stop.I, -1), 1))
		}
		if order*sign > 0 {
			return n, nil
		}
		if len(n.Rows) == maxSeriesValues {
			return nil, notSupported(c.pos, "generate_series of so many values of type "+sqltype.Name(typ)+" is")
		}
		n.Rows = append(n.Rows, []value.Value{at})
		var err error
		switch typ.Kind {
		case algebra.Timestamp:
			at.I, err = value.AddInterval(at.I, step.Interval)
		case algebra.TimestampTZ:
			at.I, err = value.AddIntervalTZ(at.I, step.Interval, x.zone())
		default:
			at.Num, err = at.Num.Add(step.Num)
		}
		if err != nil {
			return nil, value.At(err, int(c.pos))
		}
	}
}

// integerSeries makes a series of integers.
func (x *exprBinder) integerSeries(c *seriesCall, start, stop, step int64) (algebra.Node, error) {
	typ := c.typ
	count, err := value.SeriesOf(start, stop, step)
	if err != nil {
		return nil, value.At(err, int(c.pos))
	}
	if count <= seriesDigit {
		return x.integers(c.column, typ, count, start, step), nil
	}
	index, number := x.indexes(count)
	within := call(algebra.Lt, algebra.TBool, c.pos, number, int64Value(count))
	e := call(algebra.Mul, algebra.TInt64, c.pos, number, int64Value(step))
	e = call(algebra.Add, algebra.TInt64, c.pos, e, int64Value(start))
	if typ.Kind != algebra.Int64 {
		e = call(algebra.Cast, typ, c.pos, e)
	}
	return &algebra.Project{
		Input: &algebra.Filter{Input: index, Conds: []algebra.Expr{within}},
		Items: []algebra.Item{{Column: x.newColumn(c.column, typ, false), Expr: e}},
	}, nil
}

// integers are count rows from start on.
func (x *exprBinder) integers(name string, typ algebra.Type, count, start, step int64) *algebra.Values {
	n := &algebra.Values{Cols: []algebra.Column{x.newColumn(name, typ, false)}, Rows: make([][]value.Value, count)}
	for i := range n.Rows {
		n.Rows[i] = []value.Value{{Kind: value.Int, I: start + int64(i)*step}}
	}
	return n
}

// indexes are at least count rows numbered from 0, put together from digits,
// and the column of the number.
func (x *exprBinder) indexes(count int64) (algebra.Node, *algebra.ColumnRef) {
	if count <= seriesDigit {
		n := x.integers("digit", algebra.TInt64, count, 0, 1)
		return n, n.Cols[0].Ref()
	}
	high, more := x.indexes((count + seriesDigit - 1) / seriesDigit)
	low := x.integers("digit", algebra.TInt64, seriesDigit, 0, 1)
	e := call(algebra.Mul, algebra.TInt64, sql.NoPos, more, int64Value(seriesDigit))
	number := algebra.Item{
		Column: x.newColumn("number", algebra.TInt64, false),
		Expr:   call(algebra.Add, algebra.TInt64, sql.NoPos, e, low.Cols[0].Ref()),
	}
	join := &algebra.Join{Kind: algebra.JoinInner, Left: high, Right: low}
	return &algebra.Project{Input: join, Items: []algebra.Item{number}}, number.Column.Ref()
}
