package window

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/function"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// windowForm binds the arguments of a window function.
type windowForm func(c *expression.CallSite, f *function.Function, args []algebra.Expr) (algebra.WindowCall, algebra.Type)

// Forms bind the functions that only windows have. A third argument of lag and lead
// is kept as one; lagDefault takes it out.
var Forms = map[function.Form]windowForm{"number": numbering, "ntile": ntile, "neighbor": neighbor, "frame": ofFrame}

// numbering binds a function without arguments.
func numbering(c *expression.CallSite, f *function.Function, args []algebra.Expr) (algebra.WindowCall, algebra.Type) {
	typ := function.TypeOf(f.Signatures[0].Result)
	if len(args) > 0 {
		panic(term.NoFunction(c.Name, args, c.Pos))
	}
	return algebra.WindowCall{Func: f.Window}, typ
}

func ntile(c *expression.CallSite, f *function.Function, args []algebra.Expr) (algebra.WindowCall, algebra.Type) {
	if len(args) != 1 {
		panic(term.NoFunction(c.Name, args, c.Pos))
	}
	return algebra.WindowCall{Func: f.Window, Args: []algebra.Expr{int32Arg(c, args, 0)}}, algebra.TInt32
}

// ofFrame binds first_value, last_value and nth_value.
func ofFrame(c *expression.CallSite, f *function.Function, args []algebra.Expr) (algebra.WindowCall, algebra.Type) {
	params := len(f.Signatures[0].Params)
	if len(args) != params {
		panic(term.NoFunction(c.Name, args, c.Pos))
	}
	typed(args[0])
	if params == 2 {
		args[1] = int32Arg(c, args, 1)
	}
	return algebra.WindowCall{Func: f.Window, Args: args}, args[0].Type().Plain()
}

// neighbor binds lag and lead.
func neighbor(c *expression.CallSite, f *function.Function, args []algebra.Expr) (algebra.WindowCall, algebra.Type) {
	if len(args) == 0 || len(args) > 3 {
		panic(term.NoFunction(c.Name, args, c.Pos))
	}
	if len(args) == 1 {
		args = append(args, term.Int32Const(1))
	} else {
		args[1] = int32Arg(c, args, 1)
	}
	if len(args) < 3 {
		typed(args[0])
		return algebra.WindowCall{Func: f.Window, Args: args}, args[0].Type().Plain()
	}
	both := []algebra.Expr{args[0], args[2]}
	positions := []sql.Pos{c.Positions[0], c.Positions[2]}
	typ, err := sqlstate.Try(func() algebra.Type { return convert.CommonType(both, c.Name, positions) })
	if err != nil {
		panic(term.NoFunction(c.Name, args, c.Pos))
	}
	for i := range both {
		both[i] = convert.Coerce(c.Exprs, both[i], typ, sqltype.Implicit, positions[i])
	}
	return algebra.WindowCall{Func: f.Window, Args: []algebra.Expr{both[0], args[1], both[1]}}, typ.Plain()
}

// typed refuses an untyped literal where a function takes any type.
func typed(e algebra.Expr) {
	if e.Type().Kind == algebra.Unknown {
		panic(value.Errorf(value.CodeDatatypeMismatch, "could not determine polymorphic type because input has type unknown"))
	}
}

// int32Arg converts argument i to an integer.
func int32Arg(c *expression.CallSite, args []algebra.Expr, i int) algebra.Expr {
	if sqltype.CastNeeds(args[i].Type().Kind, algebra.Int32) != sqltype.Implicit {
		panic(term.NoFunction(c.Name, args, c.Pos))
	}
	return convert.Coerce(c.Exprs, args[i], algebra.TInt32, sqltype.Implicit, c.Positions[i])
}

// lagDefault takes the third argument from a call of lag or lead.
func lagDefault(c *algebra.WindowCall) (algebra.Expr, bool) {
	if len(c.Args) < 3 {
		return nil, false
	}
	fallback := c.Args[2]
	c.Args = c.Args[:2:2]
	return fallback, true
}

// withDefault returns the value of a call of lag or lead, or fallback where there
// is no row so far away: where the same function of a constant returns NULL,
// though the offset is not NULL.
func withDefault(g *scope.Windowing, x *scope.Exprs, w *scope.Window, call algebra.WindowCall, fallback algebra.Expr) algebra.Expr {
	probe := call
	probe.Args = []algebra.Expr{term.Int32Const(1), call.Args[1]}
	probe.Column = algebra.Column{Name: call.Column.Name, Type: algebra.TInt32, Nullable: true}
	missing := term.IsNull(g.Add(x.Binder, w, probe).Ref())
	if offset, ok := call.Args[1].(*algebra.Const); !ok || offset.Val.Kind == value.Null {
		missing = &algebra.Call{Func: algebra.And, Args: []algebra.Expr{missing, term.NotNull(call.Args[1])}, Typ: algebra.TBool, Pos: value.NoPos}
	}
	found := g.Add(x.Binder, w, call).Ref()
	return &algebra.Case{
		Whens: []algebra.When{{Cond: missing, Then: fallback}},
		Else:  found, Typ: call.Column.Type,
	}
}
