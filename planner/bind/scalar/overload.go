package scalar

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/function"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// Choose finds the signature that a call is of, and converts the arguments to its
// parameters.
func Choose(c *expression.CallSite, signatures []function.Signature, args []algebra.Expr) *function.Signature {
	types := make([]algebra.Type, len(args))
	for i, arg := range args {
		if c.Name == "octet_length" {
			args[i] = convert.Shown(c.Exprs.Binder, arg)
		}
		types[i] = arg.Type()
	}
	best, found := chooseOverload(signatures, types)
	switch {
	case found == 0:
		panic(term.NoFunction(c.Name, args, c.Pos))
	case found > 1:
		panic(term.Ambiguous(c.Name, args, c.Pos))
	}
	for i, kind := range best.Kinds() {
		args[i] = argument(c, args[i], kind, c.Positions[i])
	}
	return best
}

// Preferred is the place of the signature that PostgreSQL prefers for arguments, and how many are as good.
func Preferred(signatures []function.Signature, args []algebra.Expr) (at, found int) {
	best, found := chooseOverload(signatures, lists.Map(args, algebra.Expr.Type))
	for at < len(signatures) && best != &signatures[at] {
		at++
	}
	return at, found
}

// argument converts an argument to a parameter's kind. Exact numbers become
// numeric(p,s), so that a function may keep track of the scale; a function
// whose scale depends on the values converts them to Numeric.
func argument(c *expression.CallSite, e algebra.Expr, kind algebra.Kind, pos sql.Pos) algebra.Expr {
	typ := algebra.Type{Kind: kind}
	switch kind {
	case algebra.Unknown:
		return e // of any type
	case algebra.Numeric:
		if from := expression.NumericOperand(e); from.Kind == algebra.Decimal {
			typ = from
		}
	}
	return convert.Coerce(c.Exprs, e, typ, sqltype.Implicit, pos)
}

// chooseOverload is PostgreSQL's choice among overloads: those that the
// arguments convert to implicitly, of them those with most arguments of the
// very type, of them those with most arguments of a preferred type, of them
// those that suit the untyped literals. It returns how many remain.
func chooseOverload(overloads []function.Signature, args []algebra.Type) (best *function.Signature, found int) {
	var candidates []*function.Signature
	for i := range overloads {
		if accepts(&overloads[i], args) {
			candidates = append(candidates, &overloads[i])
		}
	}
	candidates = keepBest(candidates, args, func(param algebra.Kind, arg algebra.Type) bool {
		return arg.Kind != algebra.Unknown && param == sqltype.ExactKind(arg)
	})
	candidates = keepBest(candidates, args, func(param algebra.Kind, arg algebra.Type) bool {
		return arg.Kind != algebra.Unknown && (param == sqltype.ExactKind(arg) || sqltype.IsPreferred(param))
	})
	candidates = suitLiterals(candidates, args)
	if len(candidates) == 0 {
		return nil, 0
	}
	return candidates[0], len(candidates)
}

// suitLiterals keeps the candidates that suit the untyped literals: texts if there are some. Where some
// take an interval for one of them and others a moment, only the type that all other arguments have says what it is.
func suitLiterals(candidates []*function.Signature, args []algebra.Type) []*function.Signature {
	candidates = keepBest(candidates, args, func(param algebra.Kind, arg algebra.Type) bool {
		return arg.Kind == algebra.Unknown && param == algebra.Text
	})
	intervals := make([]int, len(args))
	for _, c := range candidates {
		for i, param := range c.Kinds() {
			if args[i].Kind == algebra.Unknown && param == algebra.Interval {
				intervals[i]++
			}
		}
	}
	if slices.ContainsFunc(intervals, func(n int) bool { return n > 0 && n < len(candidates) }) {
		return suitOthers(candidates, args)
	}
	return keepBest(candidates, args, func(param algebra.Kind, arg algebra.Type) bool {
		return arg.Kind == algebra.Unknown && sqltype.IsPreferred(param)
	})
}

// suitOthers keeps the candidates that take the one type that the arguments but untyped literals
// have in the place of those, too.
func suitOthers(candidates []*function.Signature, args []algebra.Type) []*function.Signature {
	known := slices.DeleteFunc(slices.Clone(args), func(t algebra.Type) bool { return t.Kind == algebra.Unknown })
	if len(known) == 0 || slices.ContainsFunc(known, func(t algebra.Type) bool { return t.Kind != known[0].Kind }) {
		return candidates
	}
	same := slices.Repeat(known[:1], len(args))
	if kept := slices.DeleteFunc(slices.Clone(candidates), func(c *function.Signature) bool { return !accepts(c, same) }); len(kept) > 0 {
		return kept
	}
	return candidates
}

func accepts(o *function.Signature, args []algebra.Type) bool {
	if len(o.Kinds()) != len(args) {
		return false
	}
	for i, arg := range args {
		if to := o.Kinds()[i]; to != algebra.Unknown && sqltype.CastNeeds(arg.Kind, to) != sqltype.Implicit {
			return false
		}
	}
	return true
}

// keepBest keeps the candidates for which most parameters count.
func keepBest(candidates []*function.Signature, args []algebra.Type, counts func(algebra.Kind, algebra.Type) bool) []*function.Signature {
	if len(candidates) < 2 {
		return candidates
	}
	var kept []*function.Signature
	most := -1
	for _, c := range candidates {
		n := 0
		for i, param := range c.Kinds() {
			if counts(param, args[i]) {
				n++
			}
		}
		if n > most {
			most, kept = n, nil
		}
		if n == most {
			kept = append(kept, c)
		}
	}
	return kept
}

// PlainCall refuses what only aggregates take.
func PlainCall(name string, e *sql.FuncCall) {
	what := ""
	switch {
	case e.Star:
		what = name + "(*)"
	case e.Distinct:
		what = "DISTINCT"
	case e.Filter != nil:
		what = "FILTER"
	case len(e.OrderBy) > 0:
		what = "ORDER BY"
	default:
		return
	}
	panic(value.ErrorAt(int(e.Pos), value.CodeWrongObjectType, "%s specified, but %s is not an aggregate function", what, name))
}
