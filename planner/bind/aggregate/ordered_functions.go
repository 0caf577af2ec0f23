package aggregate

import (
	"slices"
	"strconv"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// countDistinct counts the different combinations of several values, none of
// them NULL.
func countDistinct(c *scope.OrderedCall) algebra.Expr {
	return countCombinations(c, func(args []algebra.Expr) []algebra.Expr { return counting(c, args...) })
}

// countDistinctRows counts the different row values; a row is none less for the
// NULLs in it.
func countDistinctRows(c *scope.OrderedCall) algebra.Expr {
	return countCombinations(c, func([]algebra.Expr) []algebra.Expr { return counting(c) })
}

// countCombinations counts the different combinations of the arguments in the
// rows that count: the first row of each is numbered 1.
func countCombinations(c *scope.OrderedCall, counting func(args []algebra.Expr) []algebra.Expr) algebra.Expr {
	args := make([]algebra.Expr, len(c.Args))
	for i, arg := range c.Args {
		args[i] = convert.ResolveUnknown(c.Exprs, arg, c.Positions[i])
	}
	counts := counting(args)
	first := term.Equals(numbered(c, counts, nil, args...), term.Int64Value(1))
	agg := algebra.Agg{Func: algebra.CountStar, Filter: term.Connect(algebra.And, append(counts, first), c.Pos)}
	return c.Group.Add(c.Binder, agg, c.Name, algebra.TInt64).Ref()
}

// stringAgg concatenates texts with separators.
func stringAgg(c *scope.OrderedCall) algebra.Expr {
	args, result, ok := expression.Aggregated(c.Exprs, c.Args, c.Positions)
	if !ok {
		panic(noFunction(c))
	}
	by, counts, order := algebra.StringAgg, counting(c, args[0]), c.Order
	_, alike := args[1].(*algebra.Const)
	switch {
	case c.Distinct && alike:
		by, order = algebra.StringAggDistinct, distinctOrder(c, c.Args[:1], args[:1])
	case c.Distinct:
		counts, order = distinct(c, counts, c.Args...)
	}
	return result(concatenated(c, by, counts, order, args[0], args[1]))
}

// concatenated is the texts of the rows that count with separators between them, NULL where there are none. Without an
// order, where separators are alike, it is an aggregate by itself.
func concatenated(c *scope.OrderedCall, by algebra.WindowFunc, counts []algebra.Expr, order []algebra.SortKey, item, separator algebra.Expr) algebra.Expr {
	if between, ok := separator.(*algebra.Const); ok && len(order) == 0 {
		agg := algebra.Agg{Func: algebra.Concatenate, Arg: item, Arg2: term.TextConst(between.Val.S), Filter: c.Filter}
		return c.Group.Add(c.Binder, agg, c.Name, algebra.TText).Ref()
	}
	all := window(c, counts, order, nil, algebra.WindowCall{Func: by, Args: []algebra.Expr{item, separator}}, algebra.TText)
	return pick(c, all, append(counts, term.NotNull(all)))
}

// arrayAgg makes an array of the values, NULLs too: the texts of its items are
// concatenated. DISTINCT takes the first row of each value, in the order of the
// values.
func arrayAgg(c *scope.OrderedCall) algebra.Expr {
	if len(c.Args) != 1 {
		panic(noFunction(c))
	}
	arg := convert.ResolveUnknown(c.Exprs, c.Args[0], c.Positions[0])
	if arg.Type().Kind == algebra.Array {
		panic(expression.SeveralDimensions(c.Pos))
	}
	counts, order := counting(c), c.Order
	if c.Distinct {
		counts, order = distinct(c, counts, arg)
	}
	item := expression.ArrayItem(c.Exprs, arg, c.Pos)
	items := concatenated(c, algebra.StringAgg, counts, order, item, term.TextConst(","))
	return expression.ArrayMade(c.Exprs.Binder, items, arg.Type(), c.Pos)
}

// distinct are those rows that count of a call with DISTINCT that are the first with their arguments, and their order.
func distinct(c *scope.OrderedCall, counts []algebra.Expr, args ...algebra.Expr) ([]algebra.Expr, []algebra.SortKey) {
	keys := lists.Map(args, func(arg algebra.Expr) algebra.Expr { return orderKey(c, arg) })
	first := term.Equals(numbered(c, counts, nil, keys...), term.Int64Value(1))
	return append(slices.Clone(counts), first), distinctOrder(c, args, keys)
}

// orderKey is what a value is ordered by.
func orderKey(c *scope.OrderedCall, e algebra.Expr) algebra.Expr {
	return convert.ComparedChar(c.Binder, expression.OrderKey(c.Binder, e, c.Pos))
}

// distinctOrder is the order of a call with DISTINCT, which is by its arguments alone, and so by
// keys of them: those that are asked for, then the others.
func distinctOrder(c *scope.OrderedCall, args, keys []algebra.Expr) (order []algebra.SortKey) {
	add := func(i int, by algebra.SortKey) {
		if !slices.ContainsFunc(order, func(k algebra.SortKey) bool { return algebra.Equal(k.Expr, keys[i]) }) {
			by.Expr = keys[i]
			order = append(order, by)
		}
	}
	for n, by := range c.Order {
		i := slices.IndexFunc(args, func(arg algebra.Expr) bool { return algebra.Equal(by.Expr, orderKey(c, arg)) })
		if i < 0 {
			i = slices.IndexFunc(keys, func(key algebra.Expr) bool { return !term.Depends(key) && algebra.Equal(by.Expr, key) })
		}
		if i < 0 {
			panic(notAnArgument(c.OrderPositions[n]))
		}
		add(i, by)
	}
	for i := range keys {
		add(i, algebra.SortKey{})
	}
	return order
}

// notAnArgument is the error for a key of the order of a DISTINCT aggregate that is none of its arguments.
func notAnArgument(pos sql.Pos) error {
	return value.ErrorAt(int(pos), value.CodeInvalidColumnReference,
		"in an aggregate with DISTINCT, ORDER BY expressions must appear in argument list")
}

func argMin(c *scope.OrderedCall) algebra.Expr { return argBest(c, false) }

func argMax(c *scope.OrderedCall) algebra.Expr { return argBest(c, true) }

// argBest is the value of the first argument in the row in which the second is
// least, or greatest; rows in which either is NULL do not count.
func argBest(c *scope.OrderedCall, desc bool) algebra.Expr {
	if len(c.Args) != 2 {
		panic(noFunction(c))
	}
	args := make([]algebra.Expr, 2)
	for i, arg := range c.Args {
		args[i] = convert.ResolveUnknown(c.Exprs, arg, c.Positions[i])
	}
	counts := counting(c, args...)
	order := append([]algebra.SortKey{{Expr: args[1], Desc: desc}}, c.Order...)
	row := numbered(c, counts, order)
	return pick(c, args[0], counts, term.Equals(row, term.Int64Value(1)))
}

// pickedOf is the aggregate of a key, f or the one for descending keys, with a constant, nil for none; ok is
// false where it is not defined on the key's type, so that windows are to find the value.
func pickedOf(c *scope.OrderedCall, key algebra.SortKey, p *algebra.Const, f, desc algebra.AggFunc) (picked algebra.Expr, ok bool) {
	agg := algebra.Agg{Func: f, Arg: key.Expr, Filter: c.Filter}
	if key.Desc {
		agg.Func = desc
	}
	if p != nil {
		agg.Arg2 = p
	}
	typ, ok := algebra.AggResult(agg.Func, key.Expr.Type())
	if !ok {
		return nil, false
	}
	return c.Group.Add(c.Binder, agg, c.Name, typ).Ref(), true
}

// mode is the most frequent value, the first in the order of those.
func mode(c *scope.OrderedCall) algebra.Expr {
	if len(c.Args) > 0 || len(c.Order) != 1 {
		panic(noFunction(c))
	}
	key := c.Order[0]
	if picked, ok := pickedOf(c, key, nil, algebra.Mode, algebra.ModeDesc); ok {
		return picked
	}
	counts := counting(c, key.Expr)
	times := window(c, counts, nil, []algebra.Expr{key.Expr}, algebra.WindowCall{Func: algebra.WindowFunc(algebra.CountStar)}, algebra.TInt64)
	row := numbered(c, counts, []algebra.SortKey{{Expr: times, Desc: true}, key})
	return pick(c, expression.Sorted(key.Expr), counts, term.Equals(row, term.Int64Value(1)))
}

// fraction evaluates the constant argument of a percentile; nil for NULL.
func fraction(c *scope.OrderedCall) *algebra.Const {
	if len(c.Args) != 1 || sqltype.CastNeeds(c.Args[0].Type().Kind, algebra.Float64) != sqltype.Implicit {
		panic(noFunction(c))
	}
	e := convert.Coerce(c.Exprs, c.Args[0], algebra.TFloat64, sqltype.Implicit, c.Positions[0])
	if !algebra.References(e).Empty() || term.HasSubquery(e) {
		panic(term.NotSupported(c.Positions[0], c.Name+" of a fraction that is not constant is"))
	}
	p := c.Constant(e, int(c.Positions[0]))
	if p.Val.Kind == value.Null {
		return nil
	}
	if !(p.Val.F >= 0 && p.Val.F <= 1) {
		panic(value.Errorf(value.CodeNumericOutOfRange,
			"percentile value %s is not between 0 and 1", strconv.FormatFloat(p.Val.F, 'g', 6, 64)))
	}
	return p
}

// percentileDisc is the first value in the order at or behind which the
// fraction of the rows lies.
func percentileDisc(c *scope.OrderedCall) algebra.Expr {
	if len(c.Order) != 1 {
		panic(noFunction(c))
	}
	key := c.Order[0]
	p := fraction(c)
	if p == nil {
		return &algebra.Const{Typ: expression.Sorted(key.Expr).Type()}
	}
	if picked, ok := pickedOf(c, key, p, algebra.PercentileDisc, algebra.PercentileDiscDesc); ok {
		return picked
	}
	counts := counting(c, key.Expr)
	row := numbered(c, counts, []algebra.SortKey{key})
	wanted := algebra.Expr(term.Int64Value(1))
	if p.Val.F > 0 {
		part := term.Call(algebra.Mul, algebra.TFloat64, c.Pos, p, toFloat(c, total(c, counts, key)))
		wanted = toInt(c, term.Call(algebra.Ceil, algebra.TFloat64, c.Pos, part))
	}
	return pick(c, expression.Sorted(key.Expr), counts, term.Equals(row, wanted))
}

// total is the number of rows that count, in each of them.
func total(c *scope.OrderedCall, counts []algebra.Expr, key algebra.SortKey) *algebra.ColumnRef {
	whole := algebra.Frame{
		Unit:  algebra.FrameRange,
		Start: algebra.FrameBound{Kind: algebra.UnboundedPreceding}, End: algebra.FrameBound{Kind: algebra.UnboundedFollowing},
	}
	return window(c, counts, []algebra.SortKey{key}, nil,
		algebra.WindowCall{Func: algebra.WindowFunc(algebra.CountStar), Frame: whole}, algebra.TInt64)
}

func toFloat(c *scope.OrderedCall, e algebra.Expr) algebra.Expr {
	return term.Call(algebra.Cast, algebra.TFloat64, c.Pos, e)
}

func toInt(c *scope.OrderedCall, e algebra.Expr) algebra.Expr {
	return term.Call(algebra.Cast, algebra.TInt64, c.Pos, e)
}

// median is the percentile in the middle.
func median(c *scope.OrderedCall) algebra.Expr {
	if len(c.Args) != 1 || c.Distinct || len(c.Order) > 0 {
		panic(noFunction(c))
	}
	return interpolated(c, algebra.SortKey{Expr: c.Args[0]}, term.FloatConst(0.5))
}

func percentileCont(c *scope.OrderedCall) algebra.Expr {
	if len(c.Order) != 1 {
		panic(noFunction(c))
	}
	return interpolated(c, c.Order[0], fraction(c))
}

// interpolated is the value at a fraction p of the way from the first to the
// last row, between the two rows next to that place where it is none's.
func interpolated(c *scope.OrderedCall, key algebra.SortKey, p *algebra.Const) algebra.Expr {
	if key.Expr.Type().Kind == algebra.Time {
		key.Expr = convert.Coerce(c.Exprs, key.Expr, algebra.TInterval, sqltype.Implicit, c.Pos)
	}
	if key.Expr.Type().Kind != algebra.Interval {
		if sqltype.CastNeeds(key.Expr.Type().Kind, algebra.Float64) != sqltype.Implicit {
			panic(noFunction(c))
		}
		key.Expr = convert.Coerce(c.Exprs, key.Expr, algebra.TFloat64, sqltype.Implicit, c.Pos)
	}
	if p == nil {
		return &algebra.Const{Typ: key.Expr.Type()}
	}
	if picked, ok := pickedOf(c, key, p, algebra.PercentileCont, algebra.PercentileContDesc); ok {
		return picked
	}
	counts := counting(c, key.Expr)
	row := numbered(c, counts, []algebra.SortKey{key})
	total := total(c, counts, key)
	at := place(c, p, total)
	before := term.Call(algebra.Floor, algebra.TFloat64, c.Pos, at)
	after := term.Call(algebra.Ceil, algebra.TFloat64, c.Pos, at)
	low := pick(c, key.Expr, counts, term.Equals(row, rowNumber(c, before)))
	high := pick(c, key.Expr, counts, term.Equals(row, rowNumber(c, after)))
	at = place(c, p, pick(c, total, counts))
	before = term.Call(algebra.Floor, algebra.TFloat64, c.Pos, at)
	after = term.Call(algebra.Ceil, algebra.TFloat64, c.Pos, at)
	part := term.Call(algebra.Sub, algebra.TFloat64, c.Pos, at, before)
	return &algebra.Case{
		Whens: []algebra.When{{Cond: term.Call(algebra.Eq, algebra.TBool, c.Pos, before, after), Then: low}},
		Else:  between(c, low, high, part), Typ: key.Expr.Type(),
	}
}

// place is how many rows lie before a fraction of the way.
func place(c *scope.OrderedCall, p *algebra.Const, total algebra.Expr) algebra.Expr {
	rest := term.Call(algebra.Sub, algebra.TInt64, c.Pos, total, term.Int64Value(1))
	return term.Call(algebra.Mul, algebra.TFloat64, c.Pos, p, toFloat(c, rest))
}

// rowNumber is the number of the row that so many rows lie before.
func rowNumber(c *scope.OrderedCall, before algebra.Expr) algebra.Expr {
	return term.Call(algebra.Add, algebra.TInt64, c.Pos, toInt(c, before), term.Int64Value(1))
}

// between is low with a part of the way to high.
func between(c *scope.OrderedCall, low, high, part algebra.Expr) algebra.Expr {
	way := term.Call(algebra.SubInterval, algebra.TInterval, c.Pos, high, low)
	return term.Call(algebra.AddInterval, algebra.TInterval, c.Pos, low, term.Call(algebra.MulInterval, algebra.TInterval, c.Pos, way, part))
}
