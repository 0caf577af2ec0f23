package planner

import (
	"strconv"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql/value"
)

// countDistinct counts the different combinations of several values, none of
// them NULL.
func (c *orderedCall) countDistinct() (algebra.Expr, error) {
	return c.countCombinations(func(args []algebra.Expr) []algebra.Expr { return c.counting(args...) })
}

// countDistinctRows counts the different row values; a row is none less for the
// NULLs in it.
func (c *orderedCall) countDistinctRows() (algebra.Expr, error) {
	return c.countCombinations(func([]algebra.Expr) []algebra.Expr { return c.counting() })
}

// countCombinations counts the different combinations of the arguments in the
// rows that count: the first row of each is numbered 1.
func (c *orderedCall) countCombinations(counting func(args []algebra.Expr) []algebra.Expr) (algebra.Expr, error) {
	args := make([]algebra.Expr, len(c.args))
	for i, arg := range c.args {
		var err error
		if args[i], err = c.settle(arg, c.positions[i]); err != nil {
			return nil, err
		}
	}
	counts := counting(args)
	first := equals(c.numbered(counts, nil, args...), int64Value(1))
	agg := algebra.Agg{Func: algebra.CountStar, Filter: connect(algebra.And, append(counts, first), c.pos)}
	return c.group.add(c.binder, agg, c.name, algebra.TInt64).Ref(), nil
}

// stringAgg concatenates texts with separators.
func (c *orderedCall) stringAgg() (algebra.Expr, error) {
	if len(c.args) != 2 || !isTextual(c.args[0]) || !isTextual(c.args[1]) {
		return nil, c.noFunction()
	}
	args := make([]algebra.Expr, 2)
	for i, arg := range c.args {
		var err error
		if args[i], err = c.coerce(arg, algebra.TText, sqltype.Implicit, c.positions[i]); err != nil {
			return nil, err
		}
	}
	call, order := algebra.WindowCall{Func: algebra.StringAgg, Args: args}, c.order
	if c.distinct {
		call.Func = algebra.StringAggDistinct
		if len(order) > 1 || len(order) == 1 && !algebra.Equal(order[0].Expr, args[0]) {
			return nil, c.notAnArgument()
		}
		if len(order) == 0 {
			order = []algebra.SortKey{{Expr: args[0]}}
		}
	}
	counts := c.counting(args[0])
	all := c.window(counts, order, nil, call, algebra.TText)
	return c.pick(all, append(counts, notNull(all))), nil
}

// arrayAgg makes an array of the values, NULLs too: the texts of its items are
// concatenated. DISTINCT takes the first row of each value, in the order of the
// values.
func (c *orderedCall) arrayAgg() (algebra.Expr, error) {
	if len(c.args) != 1 {
		return nil, c.noFunction()
	}
	arg, err := c.settle(c.args[0], c.positions[0])
	if err != nil {
		return nil, err
	}
	if arg.Type().Kind == algebra.Array {
		return nil, severalDimensions(c.pos)
	}
	counts, order := c.counting(), c.order
	if c.distinct {
		if len(order) > 1 || len(order) == 1 && !algebra.Equal(order[0].Expr, arg) {
			return nil, c.notAnArgument()
		}
		counts = append(counts, equals(c.numbered(counts, nil, arg), int64Value(1)))
		if len(order) == 0 {
			order = []algebra.SortKey{{Expr: arg}}
		}
	}
	item, err := c.arrayItem(arg, c.pos)
	if err != nil {
		return nil, err
	}
	call := algebra.WindowCall{Func: algebra.StringAgg, Args: []algebra.Expr{item, textConst(",")}}
	all := c.window(counts, order, nil, call, algebra.TText)
	return c.arrayMade(c.pick(all, append(counts, notNull(all))), arg.Type(), c.pos), nil
}

// notAnArgument is the error for a DISTINCT aggregate whose order is another than
// that of its argument.
func (c *orderedCall) notAnArgument() error {
	return value.ErrorAt(int(c.pos), value.CodeInvalidColumnReference,
		"in an aggregate with DISTINCT, ORDER BY expressions must appear in argument list")
}

func (c *orderedCall) argMin() (algebra.Expr, error) { return c.argBest(false) }

func (c *orderedCall) argMax() (algebra.Expr, error) { return c.argBest(true) }

// argBest is the value of the first argument in the row in which the second is
// least, or greatest; rows in which either is NULL do not count.
func (c *orderedCall) argBest(desc bool) (algebra.Expr, error) {
	if len(c.args) != 2 {
		return nil, c.noFunction()
	}
	args := make([]algebra.Expr, 2)
	for i, arg := range c.args {
		var err error
		if args[i], err = c.settle(arg, c.positions[i]); err != nil {
			return nil, err
		}
	}
	counts := c.counting(args...)
	order := append([]algebra.SortKey{{Expr: args[1], Desc: desc}}, c.order...)
	row := c.numbered(counts, order)
	return c.pick(args[0], counts, equals(row, int64Value(1))), nil
}

// mode is the most frequent value, the first in the order of those.
func (c *orderedCall) mode() (algebra.Expr, error) {
	if len(c.args) > 0 || len(c.order) != 1 {
		return nil, c.noFunction()
	}
	key := c.order[0]
	counts := c.counting(key.Expr)
	times := c.window(counts, nil, []algebra.Expr{key.Expr}, algebra.WindowCall{Func: algebra.WindowFunc(algebra.CountStar)}, algebra.TInt64)
	row := c.numbered(counts, []algebra.SortKey{{Expr: times, Desc: true}, key})
	return c.pick(key.Expr, counts, equals(row, int64Value(1))), nil
}

// fraction evaluates the constant argument of a percentile; nil for NULL.
func (c *orderedCall) fraction() (*algebra.Const, error) {
	if len(c.args) != 1 || sqltype.CastNeeds(c.args[0].Type().Kind, algebra.Float64) != sqltype.Implicit {
		return nil, c.noFunction()
	}
	e, err := c.coerce(c.args[0], algebra.TFloat64, sqltype.Implicit, c.positions[0])
	if err != nil {
		return nil, err
	}
	if !algebra.References(e).Empty() || hasSubquery(e) {
		return nil, notSupported(c.positions[0], c.name+" of a fraction that is not constant is")
	}
	p, err := c.constant(e, int(c.positions[0]))
	if err != nil || p.Val.Kind == value.Null {
		return nil, err
	}
	if !(p.Val.F >= 0 && p.Val.F <= 1) {
		return nil, value.Errorf(value.CodeNumericOutOfRange,
			"percentile value %s is not between 0 and 1", strconv.FormatFloat(p.Val.F, 'g', 6, 64))
	}
	return p, nil
}

// percentileDisc is the first value in the order at or behind which the
// fraction of the rows lies.
func (c *orderedCall) percentileDisc() (algebra.Expr, error) {
	if len(c.order) != 1 {
		return nil, c.noFunction()
	}
	key := c.order[0]
	p, err := c.fraction()
	if err != nil {
		return nil, err
	}
	if p == nil {
		return &algebra.Const{Typ: key.Expr.Type()}, nil
	}
	counts := c.counting(key.Expr)
	row := c.numbered(counts, []algebra.SortKey{key})
	wanted := algebra.Expr(int64Value(1))
	if p.Val.F > 0 {
		part := call(algebra.Mul, algebra.TFloat64, c.pos, p, c.toFloat(c.total(counts, key)))
		wanted = c.toInt(call(algebra.Ceil, algebra.TFloat64, c.pos, part))
	}
	return c.pick(key.Expr, counts, equals(row, wanted)), nil
}

// total is the number of rows that count, in each of them.
func (c *orderedCall) total(counts []algebra.Expr, key algebra.SortKey) *algebra.ColumnRef {
	whole := algebra.Frame{
		Unit:  algebra.FrameRange,
		Start: algebra.FrameBound{Kind: algebra.UnboundedPreceding}, End: algebra.FrameBound{Kind: algebra.UnboundedFollowing},
	}
	return c.window(counts, []algebra.SortKey{key}, nil,
		algebra.WindowCall{Func: algebra.WindowFunc(algebra.CountStar), Frame: whole}, algebra.TInt64)
}

func (c *orderedCall) toFloat(e algebra.Expr) algebra.Expr {
	return call(algebra.Cast, algebra.TFloat64, c.pos, e)
}

func (c *orderedCall) toInt(e algebra.Expr) algebra.Expr {
	return call(algebra.Cast, algebra.TInt64, c.pos, e)
}

// median is the percentile in the middle.
func (c *orderedCall) median() (algebra.Expr, error) {
	if len(c.args) != 1 || c.distinct || len(c.order) > 0 {
		return nil, c.noFunction()
	}
	return c.interpolated(algebra.SortKey{Expr: c.args[0]}, floatConst(0.5))
}

func (c *orderedCall) percentileCont() (algebra.Expr, error) {
	if len(c.order) != 1 {
		return nil, c.noFunction()
	}
	p, err := c.fraction()
	if err != nil {
		return nil, err
	}
	return c.interpolated(c.order[0], p)
}

// interpolated is the value at a fraction p of the way from the first to the
// last row, between the two rows next to that place where it is none's.
func (c *orderedCall) interpolated(key algebra.SortKey, p *algebra.Const) (algebra.Expr, error) {
	if key.Expr.Type().Kind != algebra.Interval {
		if sqltype.CastNeeds(key.Expr.Type().Kind, algebra.Float64) != sqltype.Implicit {
			return nil, c.noFunction()
		}
		var err error
		if key.Expr, err = c.coerce(key.Expr, algebra.TFloat64, sqltype.Implicit, c.pos); err != nil {
			return nil, err
		}
	}
	if p == nil {
		return &algebra.Const{Typ: key.Expr.Type()}, nil
	}
	counts := c.counting(key.Expr)
	row := c.numbered(counts, []algebra.SortKey{key})
	total := c.total(counts, key)
	at := c.place(p, total)
	before := call(algebra.Floor, algebra.TFloat64, c.pos, at)
	after := call(algebra.Ceil, algebra.TFloat64, c.pos, at)
	low := c.pick(key.Expr, counts, equals(row, c.rowNumber(before)))
	high := c.pick(key.Expr, counts, equals(row, c.rowNumber(after)))
	at = c.place(p, c.pick(total, counts))
	before = call(algebra.Floor, algebra.TFloat64, c.pos, at)
	after = call(algebra.Ceil, algebra.TFloat64, c.pos, at)
	part := call(algebra.Sub, algebra.TFloat64, c.pos, at, before)
	return &algebra.Case{
		Whens: []algebra.When{{Cond: call(algebra.Eq, algebra.TBool, c.pos, before, after), Then: low}},
		Else:  c.between(low, high, part), Typ: key.Expr.Type(),
	}, nil
}

// place is how many rows lie before a fraction of the way.
func (c *orderedCall) place(p *algebra.Const, total algebra.Expr) algebra.Expr {
	rest := call(algebra.Sub, algebra.TInt64, c.pos, total, int64Value(1))
	return call(algebra.Mul, algebra.TFloat64, c.pos, p, c.toFloat(rest))
}

// rowNumber is the number of the row that so many rows lie before.
func (c *orderedCall) rowNumber(before algebra.Expr) algebra.Expr {
	return call(algebra.Add, algebra.TInt64, c.pos, c.toInt(before), int64Value(1))
}

// between is low with a part of the way to high.
func (c *orderedCall) between(low, high, part algebra.Expr) algebra.Expr {
	if low.Type().Kind == algebra.Interval {
		way := call(algebra.SubInterval, algebra.TInterval, c.pos, high, low)
		return call(algebra.AddInterval, algebra.TInterval, c.pos, low, call(algebra.MulInterval, algebra.TInterval, c.pos, way, part))
	}
	way := call(algebra.Sub, algebra.TFloat64, c.pos, high, low)
	return call(algebra.Add, algebra.TFloat64, c.pos, low, call(algebra.Mul, algebra.TFloat64, c.pos, part, way))
}
