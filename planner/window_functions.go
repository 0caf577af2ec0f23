package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/function"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// windowForm binds the arguments of a window function.
type windowForm func(c *callSite, f *function.Function, args []algebra.Expr) (algebra.WindowCall, algebra.Type, error)

// windowForms bind the functions that only windows have. A third argument of lag and lead
// is kept as one; lagDefault takes it out.
var windowForms = map[function.Form]windowForm{"number": numbering, "ntile": ntile, "neighbor": neighbor, "frame": ofFrame}

// canGiveNull reports whether a function can give NULL.
func canGiveNull(f algebra.WindowFunc) bool {
	switch f {
	case algebra.RowNumber, algebra.Rank, algebra.DenseRank, algebra.PercentRank, algebra.CumeDist,
		algebra.WindowFunc(algebra.Count), algebra.WindowFunc(algebra.CountStar):
		return false
	}
	return true
}

// numbering binds a function without arguments.
func numbering(c *callSite, f *function.Function, args []algebra.Expr) (algebra.WindowCall, algebra.Type, error) {
	typ := function.TypeOf(f.Signatures[0].Result)
	if len(args) > 0 {
		return algebra.WindowCall{}, typ, noFunction(c.name, args, c.pos)
	}
	return algebra.WindowCall{Func: f.Window}, typ, nil
}

func ntile(c *callSite, f *function.Function, args []algebra.Expr) (algebra.WindowCall, algebra.Type, error) {
	if len(args) != 1 {
		return algebra.WindowCall{}, algebra.Type{}, noFunction(c.name, args, c.pos)
	}
	n, err := c.int32Arg(args, 0)
	return algebra.WindowCall{Func: f.Window, Args: []algebra.Expr{n}}, algebra.TInt32, err
}

// ofFrame binds first_value, last_value and nth_value.
func ofFrame(c *callSite, f *function.Function, args []algebra.Expr) (call algebra.WindowCall, typ algebra.Type, err error) {
	params := len(f.Signatures[0].Params)
	if len(args) != params {
		return call, typ, noFunction(c.name, args, c.pos)
	}
	if err := typed(args[0]); err != nil {
		return call, typ, err
	}
	if params == 2 {
		if args[1], err = c.int32Arg(args, 1); err != nil {
			return call, typ, err
		}
	}
	return algebra.WindowCall{Func: f.Window, Args: args}, args[0].Type(), nil
}

// neighbor binds lag and lead.
func neighbor(c *callSite, f *function.Function, args []algebra.Expr) (call algebra.WindowCall, typ algebra.Type, err error) {
	if len(args) == 0 || len(args) > 3 {
		return call, typ, noFunction(c.name, args, c.pos)
	}
	if len(args) == 1 {
		args = append(args, int32Const(1))
	} else if args[1], err = c.int32Arg(args, 1); err != nil {
		return call, typ, err
	}
	if len(args) < 3 {
		return algebra.WindowCall{Func: f.Window, Args: args}, args[0].Type(), typed(args[0])
	}
	both := []algebra.Expr{args[0], args[2]}
	positions := []sql.Pos{c.positions[0], c.positions[2]}
	if typ, err = commonType(both, c.name, positions); err != nil {
		return call, typ, noFunction(c.name, args, c.pos)
	}
	for i := range both {
		if both[i], err = c.coerce(both[i], typ, sqltype.Implicit, positions[i]); err != nil {
			return call, typ, err
		}
	}
	return algebra.WindowCall{Func: f.Window, Args: []algebra.Expr{both[0], args[1], both[1]}}, typ, nil
}

// typed refuses an untyped literal where a function takes any type.
func typed(e algebra.Expr) error {
	if e.Type().Kind == algebra.Unknown {
		return value.Errorf(value.CodeDatatypeMismatch, "could not determine polymorphic type because input has type unknown")
	}
	return nil
}

// int32Arg converts argument i to an integer.
func (c *callSite) int32Arg(args []algebra.Expr, i int) (algebra.Expr, error) {
	if sqltype.CastNeeds(args[i].Type().Kind, algebra.Int32) != sqltype.Implicit {
		return nil, noFunction(c.name, args, c.pos)
	}
	return c.coerce(args[i], algebra.TInt32, sqltype.Implicit, c.positions[i])
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

// withDefault gives the value of a call of lag or lead, or fallback where there
// is no row so far away: where the same function of a constant gives NULL,
// though the offset is not NULL.
func (g *windowing) withDefault(x *exprBinder, w *boundWindow, call algebra.WindowCall, fallback algebra.Expr) algebra.Expr {
	probe := call
	probe.Args = []algebra.Expr{int32Const(1), call.Args[1]}
	probe.Column = algebra.Column{Name: call.Column.Name, Type: algebra.TInt32, Nullable: true}
	missing := isNull(g.add(x.binder, w, probe).Ref())
	if offset, ok := call.Args[1].(*algebra.Const); !ok || offset.Val.Kind == value.Null {
		missing = &algebra.Call{Func: algebra.And, Args: []algebra.Expr{missing, notNull(call.Args[1])}, Typ: algebra.TBool, Pos: value.NoPos}
	}
	found := g.add(x.binder, w, call).Ref()
	return &algebra.Case{
		Whens: []algebra.When{{Cond: missing, Then: fallback}},
		Else:  found, Typ: call.Column.Type,
	}
}
