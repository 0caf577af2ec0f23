package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/function"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// maxGroupingArgs is how many arguments GROUPING takes: its result is an integer.
const maxGroupingArgs = 31

// accumulator is what an aggregate is that is accumulated as it is; "" for others.
func accumulator(name string) algebra.AggFunc {
	if f := function.Find(function.Aggregate, name); f != nil {
		return f.Accumulator
	}
	return ""
}

// aggregate binds a call of an aggregate to a column that the aggregation will
// compute. Equal calls share one.
func (x *exprBinder) aggregate(f algebra.AggFunc, name string, e *sql.FuncCall) (algebra.Expr, error) {
	inner := x.inAggregate()
	agg, typ, err := inner.aggregateCall(f, name, e)
	if err != nil {
		return nil, err
	}
	// The order of its rows does not matter to any of these aggregates, but the level does.
	order, err := inner.sortKeys(e.OrderBy)
	if err != nil {
		return nil, err
	}
	if agg.Filter, err = x.filter(e); err != nil {
		return nil, err
	}
	refs := references(agg.Arg, agg.Arg2, agg.Filter)
	for _, key := range order {
		refs.AddReferences(key.Expr)
	}
	owner, err := x.levelOf(refs, "aggregate functions are not allowed in %s", e.Pos)
	if err != nil {
		return nil, err
	}
	if isRealSum(agg.Func, typ) {
		return roundedToReal(owner.group.add(x.binder, agg, name, algebra.TFloat64).Ref(), e.Pos), nil
	}
	return owner.group.add(x.binder, agg, name, typ).Ref(), nil
}

// inAggregate binds the argument of an aggregate.
func (x *exprBinder) inAggregate() *exprBinder {
	return &exprBinder{binder: x.binder, scope: x.scope, env: x.env, clause: x.clause, inAgg: true, arguments: x.arguments}
}

// filter binds the condition of FILTER; nil where there is none.
func (x *exprBinder) filter(e *sql.FuncCall) (algebra.Expr, error) {
	if x.composition != nil {
		return x.composition.outer.filter(x.composition.call)
	}
	if e.Filter == nil {
		return nil, nil
	}
	inner := &exprBinder{binder: x.binder, scope: x.scope, env: x.env, clause: "FILTER"}
	return inner.condition(e.Filter, "FILTER")
}

// levelOf gives what binds the query that an aggregate belongs to, or GROUPING: the
// innermost one that has columns or aggregates which it is of, or, where it is of
// none, the one that it stands in. The message refuses it where none may stand.
func (x *exprBinder) levelOf(refs algebra.ColSet, message string, pos sql.Pos) (*exprBinder, error) {
	owner := x
	for level := x; level != nil; level = level.env.enclosing() {
		if level.group != nil && level.group.made.Intersects(refs) {
			return nil, nestedAggregate(pos)
		}
		if level.scope.makesAny(refs) {
			owner = level
			break
		}
	}
	return owner, owner.aggregateAllowed(message, pos)
}

func nestedAggregate(pos sql.Pos) error {
	return value.ErrorAt(int(pos), value.CodeGrouping, "aggregate function calls cannot be nested")
}

// aggregateCall binds a call of an aggregate, its FILTER aside, and gives the
// type of the result. The expression binder is that of the argument.
func (x *exprBinder) aggregateCall(f algebra.AggFunc, name string, e *sql.FuncCall) (algebra.Agg, algebra.Type, error) {
	agg := algebra.Agg{Func: f, Distinct: e.Distinct && !f.Row().Idempotent}
	if e.Star {
		if name != "count" || e.Distinct || len(e.Args) > 0 {
			return agg, algebra.Type{}, noFunction(name, nil, e.Pos)
		}
		agg.Func = algebra.CountStar
		return agg, algebra.TInt64, nil
	}
	if err := x.aggregateArg(&agg, name, e); err != nil {
		return agg, algebra.Type{}, err
	}
	if agg.Distinct {
		agg.Arg = x.comparedChar(agg.Arg)
	}
	if agg.Arg.Type() == algebra.TFloat32 && !f.Row().KeepsType {
		agg.Arg = ofReal(agg.Arg, e.Pos)
		if f == algebra.Sum {
			return agg, algebra.TFloat32, nil
		}
	}
	if f == algebra.Min || f == algebra.Max {
		agg.Arg = comparedAs(agg.Arg, e.Pos)
	}
	typ, ok := algebra.AggResult(f, agg.Arg.Type())
	if (f == algebra.Min || f == algebra.Max) && agg.Arg.Type().Kind == algebra.Array {
		return agg, typ, notSupported(e.Pos, name+" of arrays is")
	}
	if !ok {
		return agg, typ, noFunction(name, []algebra.Expr{agg.Arg}, e.Pos)
	}
	return agg, typ, nil
}

// aggregateAllowed refuses an aggregate or GROUPING where none may stand.
func (x *exprBinder) aggregateAllowed(message string, pos sql.Pos) error {
	switch {
	case x.inAgg:
		return nestedAggregate(pos)
	case x.group == nil:
		return value.ErrorAt(int(pos), value.CodeGrouping, message, x.clause)
	case x.scope.recursive:
		return value.ErrorAt(int(pos), value.CodeInvalidRecursion, "aggregate functions are not allowed in a recursive query's recursive term")
	}
	return nil
}

func (x *exprBinder) aggregateArg(agg *algebra.Agg, name string, e *sql.FuncCall) error {
	args, positions, err := x.args(e)
	if err != nil {
		return err
	}
	row := agg.Func.Row()
	if row.Statistic || name == "regr_count" {
		return x.numberArgs(agg, name, e, args, positions)
	}
	if len(args) != 1 {
		return noFunction(name, args, e.Pos)
	}
	agg.Arg = args[0]
	if agg.Arg.Type().Kind != algebra.Unknown {
		return nil
	}
	if row.Unknown == (algebra.Type{}) {
		return value.ErrorAt(int(e.Pos), value.CodeAmbiguousFunction, "function %s is not unique", signatureText(name, args))
	}
	agg.Arg, err = x.coerce(agg.Arg, row.Unknown, sqltype.Implicit, positions[0])
	return err
}

// numberArgs binds the arguments of a statistic of numbers, or of pairs of them, which
// regr_count counts.
func (x *exprBinder) numberArgs(agg *algebra.Agg, name string, e *sql.FuncCall, args []algebra.Expr, positions []sql.Pos) error {
	counts := agg.Func == algebra.Count
	if pairs := len(args) == 2; !pairs && counts || !counts && len(args) != agg.Func.Row().Args {
		return noFunction(name, args, e.Pos)
	}
	if e.Distinct && len(args) > 1 {
		return notSupported(e.Pos, name+" with DISTINCT is")
	}
	for i, arg := range args {
		if sqltype.CastNeeds(arg.Type().Kind, algebra.Float64) != sqltype.Implicit {
			return noFunction(name, args, e.Pos)
		}
		var err error
		if args[i], err = x.coerce(arg, algebra.TFloat64, sqltype.Implicit, positions[i]); err != nil {
			return err
		}
	}
	agg.Arg = args[0]
	switch {
	case counts:
		agg.Arg = &algebra.Case{Whens: []algebra.When{{Cond: notNull(args[1]), Then: args[0]}}, Typ: algebra.TFloat64}
	case len(args) > 1:
		agg.Arg2 = args[1]
	}
	return nil
}

// add gives the column of an aggregate.
func (g *grouping) add(b *binder, agg algebra.Agg, name string, typ algebra.Type) algebra.Column {
	g.used = true
	for i := range g.aggs {
		have := &g.aggs[i]
		if have.Func == agg.Func && have.Distinct == agg.Distinct &&
			algebra.Equal(have.Arg, agg.Arg) && algebra.Equal(have.Arg2, agg.Arg2) && algebra.Equal(have.Filter, agg.Filter) {
			return have.Column
		}
	}
	agg.Column = b.newColumn(name, typ, !agg.Func.Row().Counts)
	g.aggs = append(g.aggs, agg)
	g.made.Add(agg.Column.ID)
	return agg.Column
}

// grouping binds GROUPING(…) to a column that is defined once the grouping
// sets are known.
func (x *exprBinder) grouping(e *sql.FuncCall) (algebra.Expr, error) {
	if len(e.Args) == 0 || len(e.Args) > maxGroupingArgs {
		return nil, value.ErrorAt(int(e.Pos), "54023", "GROUPING must have between 1 and %d arguments", maxGroupingArgs)
	}
	inner := x.inAggregate()
	args, positions, err := inner.args(e)
	if err != nil {
		return nil, err
	}
	for i := range args {
		if args[i], err = x.settle(args[i], positions[i]); err != nil {
			return nil, err
		}
	}
	owner, err := x.levelOf(references(args...), "grouping operations are not allowed in %s", e.Pos)
	if err != nil {
		return nil, err
	}
	col := x.newColumn("grouping", algebra.TInt32, false)
	owner.group.used = true
	owner.group.groupings = append(owner.group.groupings, groupingCall{col: col, args: args, positions: positions})
	owner.group.made.Add(col.ID)
	return col.Ref(), nil
}

// noAggregate is the error for a function with WITHIN GROUP that does not take it.
func (x *exprBinder) noAggregate(name string, e *sql.FuncCall) error {
	args, _, err := x.inAggregate().args(e)
	if err != nil {
		return err
	}
	return noFunction(name, args, e.Pos)
}
