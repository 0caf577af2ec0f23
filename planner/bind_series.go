package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/value"
	"github.com/cubeloom/cubeloom/sql"
)

// Limits of generate_series: up to maxSeriesValues rows stand in the plan as
// they are; longer series of integers are computed, up to maxSeriesRows rows.
const (
	seriesDigit     = 1024
	maxSeriesValues = 1 << 20
	maxSeriesRows   = 1 << 40
)

// generateSeries binds generate_series(start, stop[, step]) in FROM, its
// arguments being constants.
func (b *binder) generateSeries(t *sql.TableFunc) (algebra.Node, *scope, error) {
	call := t.Call
	if err := b.countRelation(int(call.Pos)); err != nil {
		return nil, nil, err
	}
	x := &exprBinder{binder: b, scope: &scope{}, clause: "functions in FROM"}
	for _, e := range call.Args {
		if ref := firstColumn(e); ref != nil {
			return nil, nil, notSupported(ref.Position(), "generate_series of columns is")
		}
	}
	args, positions, err := x.args(call)
	if err != nil {
		return nil, nil, err
	}
	if len(args) != 2 && len(args) != 3 {
		return nil, nil, noFunction("generate_series", args, call.Pos)
	}
	name := "generate_series"
	if t.Alias.Name != "" {
		name = t.Alias.Name
	}
	node, err := x.series(&seriesCall{name, args, positions, call.Pos})
	if err != nil {
		return nil, nil, err
	}
	return b.named(&relation{node: node}, name, nil, t.Columns, int(call.Pos))
}

// seriesCall is a call of generate_series.
type seriesCall struct {
	column    string
	args      []algebra.Expr
	positions []sql.Pos
	pos       sql.Pos
}

// series makes the rows of a series of integers, numbers or timestamps.
func (x *exprBinder) series(c *seriesCall) (algebra.Node, error) {
	moments := isMoment(c.args[0].Type().Kind) || isMoment(c.args[1].Type().Kind)
	if moments && len(c.args) != 3 {
		return nil, noFunction("generate_series", c.args, c.pos)
	}
	typ, step := c.momentType(), algebra.TInterval
	if !moments {
		var err error
		if typ, err = commonType(c.args, "generate_series", c.positions); err != nil {
			return nil, noFunction("generate_series", c.args, c.pos)
		}
		switch typ.Kind {
		case algebra.Text:
			if c.args[0].Type().Kind == algebra.Unknown {
				return nil, value.ErrorAt(int(c.pos), value.CodeAmbiguousFunction, "function %s is not unique", signatureText("generate_series", c.args))
			}
			return nil, noFunction("generate_series", c.args, c.pos)
		case algebra.Int16:
			typ = algebra.TInt32
		case algebra.Decimal:
			typ = algebra.TNumeric
		case algebra.Int32, algebra.Int64, algebra.Numeric:
		default:
			return nil, noFunction("generate_series", c.args, c.pos)
		}
		step = typ
	}
	vals := []value.Value{2: {Kind: value.Int, I: 1}}
	if typ.Kind == algebra.Numeric {
		vals[2] = value.Value{Kind: value.Decimal, Num: value.NumOf(1)}
	}
	for i, arg := range c.args {
		want := typ
		if i == 2 {
			want = step
		}
		if castNeeds(arg.Type().Kind, want.Kind) != implicitCast {
			return nil, noFunction("generate_series", c.args, c.pos)
		}
		bound, err := x.coerce(arg, want, implicitCast, c.positions[i])
		if err != nil {
			return nil, err
		}
		k, err := x.constant(bound, int(c.positions[i]))
		if err != nil {
			return nil, err
		}
		vals[i] = k.Val
		if k.Val.Kind == value.Null {
			return &algebra.Values{Cols: []algebra.Column{x.newColumn(c.column, typ, true)}}, nil
		}
	}
	if typ.IsInteger() {
		return x.integerSeries(c, typ, vals[0].I, vals[1].I, vals[2].I)
	}
	return x.steppedSeries(c, typ, vals[0], vals[1], vals[2])
}

// momentType is the type of a series of dates or timestamps: with time zone where
// one is, and where no timestamp says otherwise.
func (c *seriesCall) momentType() algebra.Type {
	typ := algebra.TTimestampTZ
	for _, e := range c.args[:2] {
		switch e.Type().Kind {
		case algebra.TimestampTZ:
			return e.Type()
		case algebra.Timestamp:
			typ = e.Type()
		}
	}
	return typ
}

func errZeroStep() error {
	return value.Errorf(value.CodeInvalidParameter, "step size cannot equal zero")
}

// steppedSeries adds the step to the start as long as the stop is not passed.
func (x *exprBinder) steppedSeries(c *seriesCall, typ algebra.Type, at, stop, step value.Value) (algebra.Node, error) {
	n := &algebra.Values{Cols: []algebra.Column{x.newColumn(c.column, typ, true)}}
	sign := step.Num.Sign()
	if isMoment(typ.Kind) {
		sign = step.Interval.Cmp(value.Interval{})
	}
	if sign == 0 {
		return nil, errZeroStep()
	}
	for {
		order := at.Num.Cmp(stop.Num)
		if isMoment(typ.Kind) {
			order = int(min(max(at.I-stop.I, -1), 1))
		}
		if order*sign > 0 {
			return n, nil
		}
		if len(n.Rows) == maxSeriesValues {
			return nil, notSupported(c.pos, "generate_series of so many values of type "+typeName(typ)+" is")
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
func (x *exprBinder) integerSeries(c *seriesCall, typ algebra.Type, start, stop, step int64) (algebra.Node, error) {
	var last uint64 // the number of steps
	switch {
	case step == 0:
		return nil, errZeroStep()
	case step > 0 && start > stop, step < 0 && start < stop:
		return x.integers(c.column, typ, 0, start, step), nil
	case step > 0:
		last = (uint64(stop) - uint64(start)) / uint64(step)
	default:
		last = (uint64(start) - uint64(stop)) / -uint64(step)
	}
	switch {
	case last < seriesDigit:
		return x.integers(c.column, typ, int64(last)+1, start, step), nil
	case last >= maxSeriesRows:
		return nil, value.ErrorAt(int(c.pos), value.CodeProgramLimit, "generate_series of more than %d rows", int64(maxSeriesRows))
	}
	count := int64(last) + 1
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
