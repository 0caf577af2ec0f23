package call

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/function"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// inOrder is a call with its arguments in the order of the parameters, and without names. What is
// left out between them has the default of the parameter.
func inOrder(x *scope.Exprs, name string, e *sql.FuncCall) *sql.FuncCall {
	first := slices.IndexFunc(e.Args, isNamed)
	if first < 0 {
		return e
	}
	checkNames(e.Args[first:])
	f := cmp.Or(function.Find(function.Scalar, name), function.Find(function.Set, name))
	if f == nil {
		panic(noFunctionWithNames(x, name, e))
	}
	args := make([]sql.Expr, max(first, len(f.Params)))
	copy(args, e.Args[:first])
	last := first
	for _, arg := range e.Args[first:] {
		named := arg.(*sql.NamedArg)
		i := slices.IndexFunc(f.Params, func(p function.Param) bool { return p.Name == named.Name.Name })
		if i < first {
			panic(noFunctionWithNames(x, name, e))
		}
		args[i], last = named.Value, max(last, i+1)
	}
	for i := range args[:last] {
		if args[i] == nil && f.Params[i].Default == "" {
			panic(noFunctionWithNames(x, name, e))
		} else if args[i] == nil {
			args[i] = &sql.Literal{Kind: sql.StringLiteral, Text: f.Params[i].Default, Pos: e.Pos}
		}
	}
	ordered := *e
	ordered.Args = args[:last]
	return &ordered
}

func isNamed(e sql.Expr) bool {
	_, ok := e.(*sql.NamedArg)
	return ok
}

// checkNames fails with 42601 for arguments of which one has no name, or two have the same.
func checkNames(args []sql.Expr) {
	had := make(map[string]bool, len(args))
	for _, arg := range args {
		named, ok := arg.(*sql.NamedArg)
		if !ok {
			panic(value.ErrorAt(int(arg.Position()), value.CodeSyntax, "positional argument cannot follow named argument"))
		}
		if name := named.Name.Name; had[name] {
			panic(value.ErrorAt(int(arg.Position()), value.CodeSyntax, "argument name %q used more than once", name))
		}
		had[named.Name.Name] = true
	}
}

// noFunctionWithNames is the error for names that no function has.
func noFunctionWithNames(x *scope.Exprs, name string, e *sql.FuncCall) error {
	args := make([]algebra.Expr, len(e.Args))
	names := make([]string, len(e.Args))
	for i, arg := range e.Args {
		if named, ok := arg.(*sql.NamedArg); ok {
			arg, names[i] = named.Value, named.Name.Name+" => "
		}
		args[i] = x.Expr(arg)
	}
	err := term.NoFunction(name, args, e.Pos).(*value.Error)
	types := make([]string, len(args))
	for i, arg := range args {
		types[i] = names[i] + strings.TrimSuffix(strings.TrimPrefix(term.SignatureText("", []algebra.Expr{arg}), "("), ")")
	}
	err.Message = "function " + name + "(" + strings.Join(types, ", ") + ") does not exist"
	return err
}
