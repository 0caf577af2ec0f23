package planner

import (
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/function"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// funcCall binds a call of a function or an aggregate.
func (x *exprBinder) funcCall(e *sql.FuncCall) (algebra.Expr, error) {
	name := e.Name[len(e.Name)-1].Name
	if len(e.Name) > 1 && e.Name[0].Name != "pg_catalog" {
		return nil, noFunction(nameText(e.Name), nil, e.Pos)
	}
	if x.opts.MayCall != nil && x.arguments == nil { // but not in the text of another function
		if err := x.opts.MayCall(name); err != nil {
			return nil, err
		}
	}
	switch {
	case e.Over != nil:
		return x.windowCall(name, e)
	case function.Find(function.Window, name) != nil && !(len(e.WithinGroup) > 0 && function.Find(function.Aggregate, name) != nil):
		return nil, value.ErrorAt(int(e.Pos), value.CodeWrongObjectType, "window function %s requires an OVER clause", name)
	case function.Refused(function.Aggregate, name):
		return nil, notSupported(e.Pos, "the aggregate function "+name+" is")
	case function.Refused(function.Scalar, name):
		return nil, notSupported(e.Pos, "the function "+name+" is")
	}
	if f := function.Find(function.Aggregate, name); f != nil {
		return x.aggregateOf(f, name, e)
	}
	if len(e.WithinGroup) > 0 {
		return nil, x.noAggregate(name, e)
	}
	if err := plainCall(name, e); err != nil {
		return nil, err
	}
	if f := function.Find(function.Set, name); f != nil && f.Form != "" {
		return x.setFunction(name, e)
	}
	return x.scalarOf(function.Find(function.Scalar, name), name, e)
}

// aggregateOf binds a call of an aggregate.
func (x *exprBinder) aggregateOf(f *function.Function, name string, e *sql.FuncCall) (algebra.Expr, error) {
	switch f.Form {
	case "hypothetical":
		return x.hypothetical(name, e)
	case "grouping":
		return x.grouping(e)
	}
	if bind := orderedAggregate(name, e); bind != nil {
		return x.ordered(name, e, bind)
	}
	if len(e.WithinGroup) > 0 {
		return nil, x.noAggregate(name, e)
	}
	return x.aggregate(f.Accumulator, name, e)
}

// noAggregate is the error for a function with WITHIN GROUP that does not take it.
func (x *exprBinder) noAggregate(name string, e *sql.FuncCall) error {
	args, _, err := x.inAggregate().args(e)
	if err != nil {
		return err
	}
	return noFunction(name, args, e.Pos)
}

// scalarOf binds a call of a scalar function; f is nil where the planner has none.
func (x *exprBinder) scalarOf(f *function.Function, name string, e *sql.FuncCall) (algebra.Expr, error) {
	form := function.Form("")
	if f != nil {
		form = f.Form
	}
	switch form {
	case "coalesce", "nullif", "greatest", "least":
		return x.conditional(name, e)
	case "concat":
		return x.concatAll(e)
	case "concat_ws":
		return x.concatWithSeparator(e)
	case "format":
		return x.format(e)
	case "json_build_object":
		return x.jsonObject(e)
	case "pg_typeof":
		return x.typeOf(e)
	case "num_nulls", "num_nonnulls":
		return x.countNulls(name, e)
	case "make_interval":
		return x.makeInterval(e)
	case "random":
		return x.random(e)
	case "setseed":
		return x.setSeed(e)
	}
	args, positions, err := x.args(e)
	if err != nil {
		return nil, err
	}
	site := &callSite{exprBinder: x, name: name, positions: positions, pos: e.Pos}
	if bind := arrayForms[form]; bind != nil {
		arrays := make([]algebra.Expr, len(args))
		for i, arg := range args {
			arrays[i] = asArray(arg, positions[i])
		}
		bound, err := bind(site, arrays)
		if e, ok := err.(*value.Error); !ok || e.Code != value.CodeUndefinedFunction {
			return bound, err
		}
	}
	return site.resolve(args)
}

// plainCall refuses what only aggregates take.
func plainCall(name string, e *sql.FuncCall) error {
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
		return nil
	}
	return value.ErrorAt(int(e.Pos), value.CodeWrongObjectType, "%s specified, but %s is not an aggregate function", what, name)
}

// callSite is one call of a function whose overload is to be found.
type callSite struct {
	*exprBinder
	name      string
	positions []sql.Pos
	pos       sql.Pos
}

// resolve finds the overload that PostgreSQL would and binds the call to it.
func (c *callSite) resolve(args []algebra.Expr) (algebra.Expr, error) {
	f := function.Find(function.Scalar, c.name)
	if f == nil || f.OfSession || len(f.Signatures) == 0 {
		if bound, err := c.sqlFunction(c.name, args, c.pos); bound != nil || err != nil {
			return bound, err
		}
		if f == nil || len(f.Signatures) == 0 {
			return c.typeCast(args)
		}
	}
	types := make([]algebra.Type, len(args))
	for i, arg := range args {
		if c.name == "octet_length" {
			args[i] = c.shown(arg)
		}
		types[i] = arg.Type()
	}
	best, found := chooseOverload(f.Signatures, types)
	switch {
	case found == 0:
		return nil, noFunction(c.name, args, c.pos)
	case found > 1:
		return nil, &value.Error{
			Code: value.CodeAmbiguousFunction, Message: "function " + signatureText(c.name, args) + " is not unique",
			Hint: "Could not choose a best candidate function. You might need to add explicit type casts.", Pos: int(c.pos),
		}
	}
	for i, kind := range best.Kinds() {
		var err error
		if args[i], err = c.argument(args[i], kind, c.positions[i]); err != nil {
			return nil, err
		}
	}
	return c.make(best, args)
}

// argument converts an argument to a parameter's kind. Exact numbers become
// numeric(p,s), so that a function may keep track of the scale; a function
// whose scale depends on the values converts them to Numeric.
func (c *callSite) argument(e algebra.Expr, kind algebra.Kind, pos sql.Pos) (algebra.Expr, error) {
	typ := algebra.Type{Kind: kind}
	switch kind {
	case algebra.Unknown:
		return e, nil // of any type
	case algebra.Numeric:
		if from := numericOperand(e); from.Kind == algebra.Decimal {
			typ = from
		}
	}
	return c.coerce(e, typ, implicitCast, pos)
}

// typeCast is a call of a function that has the name of a type, which converts
// to it.
func (c *callSite) typeCast(args []algebra.Expr) (algebra.Expr, error) {
	to, ok := plainTypes[c.name]
	if !ok || len(args) != 1 || strings.Contains(c.name, "char") {
		return nil, noFunction(c.name, args, c.pos)
	}
	if castNeeds(args[0].Type().Kind, to.Kind) == noCast {
		return nil, noFunction(c.name, args, c.pos)
	}
	return c.coerce(args[0], to, explicitCast, c.pos)
}

func signatureText(name string, args []algebra.Expr) string {
	types := make([]string, len(args))
	for i, arg := range args {
		types[i] = typeName(arg.Type())
	}
	return name + "(" + strings.Join(types, ", ") + ")"
}

func noFunction(name string, args []algebra.Expr, pos sql.Pos) error {
	return &value.Error{
		Code: value.CodeUndefinedFunction, Message: "function " + signatureText(name, args) + " does not exist",
		Hint: "No function matches the given name and argument types. You might need to add explicit type casts.", Pos: int(pos),
	}
}

// chooseOverload is PostgreSQL's choice among overloads: those that the
// arguments convert to implicitly, of them those with most arguments of the
// very type, of them those with most arguments of a preferred type, of them
// those that suit the untyped literals. It gives how many remain.
func chooseOverload(overloads []function.Signature, args []algebra.Type) (best *function.Signature, found int) {
	var candidates []*function.Signature
	for i := range overloads {
		if accepts(&overloads[i], args) {
			candidates = append(candidates, &overloads[i])
		}
	}
	candidates = keepBest(candidates, args, func(param algebra.Kind, arg algebra.Type) bool {
		return arg.Kind != algebra.Unknown && param == exactKind(arg)
	})
	candidates = keepBest(candidates, args, func(param algebra.Kind, arg algebra.Type) bool {
		return arg.Kind != algebra.Unknown && (param == exactKind(arg) || isPreferred(param))
	})
	candidates = keepBest(candidates, args, func(param algebra.Kind, arg algebra.Type) bool {
		return arg.Kind == algebra.Unknown && param == algebra.Text
	})
	candidates = keepBest(candidates, args, func(param algebra.Kind, arg algebra.Type) bool {
		return arg.Kind == algebra.Unknown && isPreferred(param)
	})
	if len(candidates) == 0 {
		return nil, 0
	}
	return candidates[0], len(candidates)
}

func accepts(o *function.Signature, args []algebra.Type) bool {
	if len(o.Kinds()) != len(args) {
		return false
	}
	for i, arg := range args {
		if to := o.Kinds()[i]; to != algebra.Unknown && castNeeds(arg.Kind, to) != implicitCast {
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

func exactKind(t algebra.Type) algebra.Kind {
	if t.Kind == algebra.Decimal {
		return algebra.Numeric
	}
	return t.Kind
}

// isPreferred tells which type of a category PostgreSQL prefers.
func isPreferred(k algebra.Kind) bool {
	return k == algebra.Float64 || k == algebra.Text || k == algebra.Bool || k == algebra.Interval || k == algebra.TimestampTZ
}

// boolOutput is a boolean as a result shows it, t or f, where a cast to text
// gives true or false.
func boolOutput(e algebra.Expr) algebra.Expr {
	return &algebra.Case{Typ: algebra.TText, Whens: []algebra.When{
		{Cond: e, Then: textConst("t")},
		{Cond: call(algebra.Not, algebra.TBool, value.NoPos, e), Then: textConst("f")},
	}}
}

// concatAll binds concat(…): each argument as text, NULL as the empty text.
func (x *exprBinder) concatAll(e *sql.FuncCall) (algebra.Expr, error) {
	args, positions, err := x.args(e)
	if err != nil {
		return nil, err
	}
	if len(args) == 0 {
		return nil, noFunction("concat", nil, e.Pos)
	}
	var all algebra.Expr
	for i, arg := range args {
		if arg.Type().Kind == algebra.Bool {
			arg = boolOutput(arg)
		}
		if arg, err = x.coerce(x.shown(arg), algebra.TText, assignmentCast, positions[i]); err != nil {
			return nil, err
		}
		// A key that is never NULL here can be in the rows of a coarser
		// grouping set: only a constant is certain not to be.
		if c, isConst := arg.(*algebra.Const); !isConst || c.Val.Kind == value.Null {
			arg = coalesce([]algebra.Expr{arg, textConst("")}, algebra.TText)
		}
		if all == nil {
			all = arg
		} else {
			all = call(algebra.Concat, algebra.TText, e.Pos, all, arg)
		}
	}
	return all, nil
}
