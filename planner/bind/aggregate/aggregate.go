// Package aggregate binds calls of aggregates and of GROUPING to columns that the
// aggregation of their query makes.
package aggregate

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/function"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// maxGroupingArgs is how many arguments GROUPING takes: its result is an integer.
const maxGroupingArgs = 31

// Accumulator is what an aggregate is that is accumulated as it is; "" for others.
func Accumulator(name string) algebra.AggFunc {
	if f := function.Find(function.Aggregate, name); f != nil {
		return f.Accumulator
	}
	return ""
}

// Bind binds a call of an aggregate to a column that the aggregation will
// compute. Equal calls share one.
func Bind(x *scope.Exprs, f algebra.AggFunc, name string, e *sql.FuncCall) algebra.Expr {
	inner := x.InAggregate()
	agg, typ := Call(inner, f, name, e)
	// The order of its rows does not matter to any of these aggregates, but the level does.
	order := sortKeys(inner, e.OrderBy)
	agg.Filter = Filter(x, e)
	refs := term.References(agg.Arg, agg.Arg2, agg.Filter)
	for _, key := range order {
		refs.AddReferences(key.Expr)
	}
	owner := LevelOf(x, refs, "aggregate functions are not allowed in %s", e.Pos)
	return Finished(owner.Group.Add(x.Binder, agg, name, Accumulated(agg.Func, typ)), typ, e.Pos)
}

// Accumulated is the type of what is accumulated for a result of a type: double precision for the sum of reals, and a text
// for the extremes of arrays.
func Accumulated(f algebra.AggFunc, typ algebra.Type) algebra.Type {
	switch {
	case f == algebra.Sum && typ == algebra.TFloat32:
		return algebra.TFloat64
	case isExtreme(f) && typ.Kind == algebra.Array:
		return algebra.TText
	}
	return typ
}

// Finished is the result, of a type, of what was accumulated.
func Finished(c algebra.Column, typ algebra.Type, pos sql.Pos) algebra.Expr {
	switch {
	case c.Type == algebra.TFloat64 && typ == algebra.TFloat32:
		return convert.RoundedToReal(c.Ref(), pos)
	case c.Type == algebra.TText && typ.Kind == algebra.Array:
		return term.Call(value.ArrayOfKeyed, typ, pos, c.Ref())
	}
	return c.Ref()
}

func isExtreme(f algebra.AggFunc) bool { return f == algebra.Min || f == algebra.Max }

// Filter binds the condition of FILTER; nil where there is none.
func Filter(x *scope.Exprs, e *sql.FuncCall) algebra.Expr {
	if x.Composition != nil {
		return Filter(x.Composition.Outer, x.Composition.Call)
	}
	if e.Filter == nil {
		return nil
	}
	inner := &scope.Exprs{Binder: x.Binder, Scope: x.Scope, Env: x.Env, Clause: "FILTER"}
	if e.Over != nil { // behind the groups
		inner.Arrays = x.Arrays
	}
	return convert.Condition(inner, e.Filter, "FILTER")
}

// LevelOf returns what binds the query that an aggregate belongs to, or GROUPING: the
// innermost one that has columns or aggregates which it is of, or, where it is of
// none, the one that it stands in. The message refuses it where none may stand.
func LevelOf(x *scope.Exprs, refs algebra.ColSet, message string, pos sql.Pos) *scope.Exprs {
	owner := x
	for level := x; level != nil; level = level.Env.Enclosing() {
		if level.Group != nil && level.Group.Made.Intersects(refs) {
			panic(nestedAggregate(pos))
		}
		if level.Scope.MakesAny(refs) {
			owner = level
			break
		}
	}
	aggregateAllowed(owner, message, pos)
	return owner
}

func nestedAggregate(pos sql.Pos) error {
	return value.ErrorAt(int(pos), value.CodeGrouping, "aggregate function calls cannot be nested")
}

// Call binds a call of an aggregate, its FILTER aside, and returns the
// type of the result. The expression binder is that of the argument.
func Call(x *scope.Exprs, f algebra.AggFunc, name string, e *sql.FuncCall) (algebra.Agg, algebra.Type) {
	agg := algebra.Agg{Func: f, Distinct: e.Distinct && !f.Row().Idempotent}
	if e.Star {
		if name != "count" || e.Distinct || len(e.Args) > 0 {
			panic(term.NoFunction(name, nil, e.Pos))
		}
		agg.Func = algebra.CountStar
		return agg, algebra.TInt64
	}
	aggregateArg(x, &agg, name, e)
	if agg.Distinct {
		agg.Arg = convert.ComparedChar(x.Binder, agg.Arg)
	}
	if agg.Arg.Type() == algebra.TFloat32 && !f.Row().KeepsType {
		agg.Arg = convert.OfReal(agg.Arg, e.Pos)
		if f == algebra.Sum {
			return agg, algebra.TFloat32
		}
	}
	if isExtreme(f) {
		return extremeCall(x, agg, name, e.Pos)
	}
	if agg.Arg.Type().Kind == algebra.Time && (f == algebra.Sum || f == algebra.Avg) {
		agg.Arg = convert.Coerce(x, agg.Arg, algebra.TInterval, sqltype.Implicit, e.Pos)
	}
	typ, ok := algebra.AggResult(f, agg.Arg.Type())
	if !ok {
		panic(term.NoFunction(name, []algebra.Expr{agg.Arg}, e.Pos))
	}
	return agg, typ
}

// extremeCall is a call of min or max. Of arrays it takes texts that order as they do.
func extremeCall(x *scope.Exprs, agg algebra.Agg, name string, pos sql.Pos) (algebra.Agg, algebra.Type) {
	agg.Arg = convert.ComparedAs(agg.Arg, pos)
	of := agg.Arg.Type()
	if of.Kind == algebra.Array {
		if of.Elem == algebra.JSONText {
			panic(value.Errorf(value.CodeUndefinedFunction, "could not identify a comparison function for type json"))
		}
		agg.Arg = term.Call(value.ArrayKeyed, algebra.TText, pos, convert.ElementText(of), agg.Arg)
		return agg, of
	}
	typ, ok := algebra.AggResult(agg.Func, of)
	if !ok || of.IsJSON() || of.Kind == algebra.Record {
		panic(term.NoFunction(name, []algebra.Expr{agg.Arg}, pos))
	}
	return agg, typ
}

// aggregateAllowed refuses an aggregate or GROUPING where none may stand.
func aggregateAllowed(x *scope.Exprs, message string, pos sql.Pos) {
	switch {
	case x.InAgg:
		panic(nestedAggregate(pos))
	case x.Group == nil:
		panic(value.ErrorAt(int(pos), value.CodeGrouping, message, x.Clause))
	case x.Scope.Recursive:
		panic(value.ErrorAt(int(pos), value.CodeInvalidRecursion, "aggregate functions are not allowed in a recursive query's recursive term"))
	}
}

func aggregateArg(x *scope.Exprs, agg *algebra.Agg, name string, e *sql.FuncCall) {
	args, positions := convert.Args(x, e)
	row := agg.Func.Row()
	if row.Statistic || name == "regr_count" {
		numberArgs(x, agg, name, e, args, positions)
		return
	}
	if len(args) != 1 {
		panic(term.NoFunction(name, args, e.Pos))
	}
	agg.Arg = args[0]
	if agg.Arg.Type().Kind != algebra.Unknown {
		return
	}
	if row.Unknown == (algebra.Type{}) {
		panic(term.Ambiguous(name, args, e.Pos))
	}
	agg.Arg = convert.Coerce(x, agg.Arg, row.Unknown, sqltype.Implicit, positions[0])
}

// numberArgs binds the arguments of a statistic of numbers, or of pairs of them, which
// regr_count counts.
func numberArgs(x *scope.Exprs, agg *algebra.Agg, name string, e *sql.FuncCall, args []algebra.Expr, positions []sql.Pos) {
	counts := agg.Func == algebra.Count
	if pairs := len(args) == 2; !pairs && counts || !counts && len(args) != agg.Func.Row().Args {
		panic(term.NoFunction(name, args, e.Pos))
	}
	if e.Distinct && len(args) > 1 {
		panic(term.NotSupported(e.Pos, name+" with DISTINCT is"))
	}
	for i, arg := range args {
		if sqltype.CastNeeds(arg.Type().Kind, algebra.Float64) != sqltype.Implicit {
			panic(term.NoFunction(name, args, e.Pos))
		}
		args[i] = convert.Coerce(x, arg, algebra.TFloat64, sqltype.Implicit, positions[i])
	}
	agg.Arg = args[0]
	switch {
	case counts:
		agg.Arg = &algebra.Case{Whens: []algebra.When{{Cond: term.NotNull(args[1]), Then: args[0]}}, Typ: algebra.TFloat64}
	case len(args) > 1:
		agg.Arg2 = args[1]
	}
}

// Grouping binds GROUPING(…) to a column that is defined once the grouping
// sets are known.
func Grouping(x *scope.Exprs, e *sql.FuncCall) algebra.Expr {
	if len(e.Args) == 0 || len(e.Args) > maxGroupingArgs {
		panic(value.ErrorAt(int(e.Pos), "54023", "GROUPING must have between 1 and %d arguments", maxGroupingArgs))
	}
	inner := x.InAggregate()
	args, positions := convert.Args(inner, e)
	for i := range args {
		args[i] = convert.ResolveUnknown(x, args[i], positions[i])
	}
	owner := LevelOf(x, term.References(args...), "grouping operations are not allowed in %s", e.Pos)
	col := x.NewColumn("grouping", algebra.TInt32, false)
	owner.Group.Used = true
	owner.Group.Groupings = append(owner.Group.Groupings, scope.GroupingCall{Col: col, Args: args, Positions: positions})
	owner.Group.Made.Add(col.ID)
	return col.Ref()
}

// NoAggregate is the error for a function with WITHIN GROUP that does not take it.
func NoAggregate(x *scope.Exprs, name string, e *sql.FuncCall) error {
	args, _ := convert.Args(x.InAggregate(), e)
	return term.NoFunction(name, args, e.Pos)
}
