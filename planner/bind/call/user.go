package call

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scalar"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/function"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// UserCall is a call of a function that CREATE FUNCTION has made, with its converted arguments, one
// for each parameter.
type UserCall struct {
	*scope.Exprs
	Function *scope.UserFunction
	Args     []algebra.Expr
	call     *sql.FuncCall
}

// FindUser finds the function that CREATE FUNCTION has made which a call is of; nil for none, or where
// the function of the system of the name is meant. That is one of the same parameters, or one that takes
// the arguments where none of CREATE FUNCTION has the very types of them.
func FindUser(x *scope.Exprs, e *sql.FuncCall) *UserCall {
	if x.Arguments != nil && x.Function == nil { // in the text of a function of the system
		return nil
	}
	list, err := x.Catalog.Functions(e.Name.Parts())
	if err != nil {
		panic(value.At(err, int(e.Pos)))
	}
	if len(list) == 0 {
		return nil
	}
	first := slices.IndexFunc(e.Args, isNamed)
	if first >= 0 {
		checkNames(e.Args[first:])
	}
	name := e.Name[len(e.Name)-1].Name
	system := len(e.Name) == 1 && function.Has(name)
	given, positions := givenArgs(x, e)
	suits := suiting(list, e, given)
	if system {
		suits = slices.DeleteFunc(suits, func(c candidate) bool { return !c.exact(given) || takesExactly(name, given) })
	}
	switch {
	case len(suits) == 0 && system:
		return nil
	case len(suits) == 0 && first >= 0:
		panic(noFunctionWithNames(x, e.Name.Dotted(), e))
	case len(suits) == 0:
		panic(term.NoFunction(e.Name.Dotted(), given, e.Pos))
	}
	best := suits[0]
	if len(suits) > 1 {
		best = preferred(suits, e, given)
	}
	if best.function.Called != nil {
		best.function.Called()
	}
	return &UserCall{x, best.function, best.converted(x, given, positions, e.Pos), e}
}

// givenArgs binds the arguments that a call has, in their order.
func givenArgs(x *scope.Exprs, e *sql.FuncCall) ([]algebra.Expr, []sql.Pos) {
	unnamed := *e
	unnamed.Args = slices.Clone(e.Args)
	for i, arg := range unnamed.Args {
		if named, ok := arg.(*sql.NamedArg); ok {
			unnamed.Args[i] = named.Value
		}
	}
	return convert.Args(x, &unnamed)
}

// candidate is a function that takes the arguments of a call: From says of each parameter which of
// them it has, -1 for its default.
type candidate struct {
	function *scope.UserFunction
	from     []int
}

// suiting are the functions that take the arguments of a call.
func suiting(list []*scope.UserFunction, e *sql.FuncCall, given []algebra.Expr) (suits []candidate) {
	for _, f := range list {
		c := candidate{f, matched(f, e)}
		if c.from != nil && c.accepts(given) && !slices.ContainsFunc(suits, c.hiddenBy) {
			suits = append(suits, c)
		}
	}
	return suits
}

// matched says which argument each parameter has; nil where they do not match.
func matched(f *scope.UserFunction, e *sql.FuncCall) []int {
	if len(e.Args) > len(f.Params) || e.Variadic {
		return nil
	}
	from := slices.Repeat([]int{-1}, len(f.Params))
	for i, arg := range e.Args {
		at := i
		if named, ok := arg.(*sql.NamedArg); ok {
			at = slices.IndexFunc(f.Params, func(p scope.Parameter) bool { return p.Name == named.Name.Name })
		}
		if at < 0 || from[at] >= 0 {
			return nil
		}
		from[at] = i
	}
	for i, p := range f.Params {
		if from[i] < 0 && p.Default == "" {
			return nil
		}
	}
	return from
}

// accepts reports whether all arguments convert to the types of their parameters.
func (c *candidate) accepts(given []algebra.Expr) bool {
	return c.all(given, func(from, to algebra.Type) bool {
		return from.Kind == algebra.Unknown || sqltype.ConversionNeeds(from, to) == sqltype.Implicit
	})
}

// exact reports whether all arguments are of the types of their parameters.
func (c *candidate) exact(given []algebra.Expr) bool {
	return c.all(given, func(from, to algebra.Type) bool { return sqltype.ExactKind(from) == sqltype.ExactKind(to) })
}

func (c *candidate) all(given []algebra.Expr, test func(from, to algebra.Type) bool) bool {
	for i, at := range c.from {
		if at >= 0 && !test(given[at].Type(), c.function.Params[i].Type) {
			return false
		}
	}
	return true
}

// hiddenBy reports whether another candidate, of a schema before, has the same parameters.
func (c *candidate) hiddenBy(other candidate) bool {
	same := func(a, b scope.Parameter) bool { return a.Type == b.Type }
	return slices.EqualFunc(c.function.Params, other.function.Params, same)
}

// takesExactly reports whether a function of the system has parameters of the very types of arguments.
func takesExactly(name string, given []algebra.Expr) bool {
	f := function.Find(function.Scalar, name)
	if f == nil {
		return false
	}
	return slices.ContainsFunc(f.Signatures, func(s function.Signature) bool {
		same := func(kind algebra.Kind, e algebra.Expr) bool { return kind == sqltype.ExactKind(e.Type()) }
		return slices.EqualFunc(s.Kinds(), given, same)
	})
}

// preferred is the one of several candidates that PostgreSQL prefers.
func preferred(suits []candidate, e *sql.FuncCall, given []algebra.Expr) candidate {
	kinds := make([]function.Signature, len(suits))
	for i, c := range suits {
		order := make([]algebra.Kind, len(given))
		for at, from := range c.from {
			if from >= 0 {
				order[from] = c.function.Params[at].Type.Kind
			}
		}
		kinds[i] = function.Of(order...)
	}
	best, found := scalar.Preferred(kinds, given)
	if found != 1 {
		panic(term.Ambiguous(e.Name.Dotted(), given, e.Pos))
	}
	return suits[best]
}

// converted are the arguments of a call in the order of the parameters and of their types.
func (c *candidate) converted(x *scope.Exprs, given []algebra.Expr, positions []sql.Pos, pos sql.Pos) []algebra.Expr {
	args := make([]algebra.Expr, len(c.from))
	for i, at := range c.from {
		p := &c.function.Params[i]
		if at >= 0 {
			args[i] = parameterOf(x, given[at], p, positions[at])
			continue
		}
		inner := &scope.Exprs{Binder: x.Binder, Scope: &scope.Scope{}, Clause: x.Clause, Alone: x.Alone}
		x.Calling(c.function, func() {
			args[i] = parameterOf(x, inner.Expr(sqlstate.Must(sql.ParseExpr(p.Default))), p, pos)
		})
	}
	return args
}

// parameterOf converts an argument to a value of a parameter. Exact numbers keep their digits.
func parameterOf(x *scope.Exprs, e algebra.Expr, p *scope.Parameter, pos sql.Pos) algebra.Expr {
	typ := p.Type
	if typ == algebra.TNumeric && e.Type().Kind != algebra.Unknown {
		if from := expression.NumericOperand(e); from.Kind == algebra.Decimal {
			typ = from
		}
	}
	return convert.InDomain(x, convert.Coerce(x, e, typ, sqltype.Implicit, pos), p.Domain)
}
