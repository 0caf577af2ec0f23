package scope

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Calling binds the text of a function, whose errors have no place in that of the statement. It fails
// where the text is that of a function around, which would go on for ever. The relations of the text are
// read by the privileges of who calls.
func (b *Binder) Calling(f *UserFunction, bind func()) {
	switch {
	case slices.Contains(b.calls, f.Key):
		panic(value.Errorf(value.CodeFeatureNotSupported, "recursive calls of function %s are not supported", f.Name))
	case len(b.calls) >= MaxViewDepth:
		e := value.Errorf(value.CodeTooComplex, "stack depth limit exceeded")
		e.Detail = "Functions call each other more than 64 levels deep."
		panic(e)
	}
	b.calls = append(b.calls, f.Key)
	outer, enclosing := b.Catalog, b.Access.As
	b.Catalog, b.Access.As = f.Within, 0
	b.ViewDepth++
	err := sqlstate.Run(bind)
	b.ViewDepth--
	b.Catalog, b.Access.As = outer, enclosing
	b.calls = b.calls[:len(b.calls)-1]
	if err != nil {
		panic(whileCalling(err, f))
	}
}

// SameSubquery is what bind makes of a call, where that is a subquery the one that it has made of an equal
// call: so that a select list can have what the rows are grouped by.
func (b *Binder) SameSubquery(f *UserFunction, args []algebra.Expr, bind func() algebra.Expr) algebra.Expr {
	for _, made := range b.subqueries[f.Key] {
		if term.SameExprs(made.args, args) {
			return made.result
		}
	}
	drawn := b.Randoms
	result := bind()
	if _, ok := result.(*algebra.Subquery); ok && drawn == b.Randoms {
		if b.subqueries == nil {
			b.subqueries = map[string][]calledSubquery{}
		}
		b.subqueries[f.Key] = append(b.subqueries[f.Key], calledSubquery{args, result})
	}
	return result
}

// Checking has the binder bind the text of a function alone, as Calling does for a call of it.
func (b *Binder) Checking(f *UserFunction) { b.calls, b.Catalog = append(b.calls, f.Key), f.Within }

// whileCalling is an error in the text of a function, where the statement shows it.
func whileCalling(err error, f *UserFunction) error {
	e, ok := err.(*value.Error)
	if !ok {
		return err
	}
	c := *e
	c.Pos = value.NoPos
	where := "SQL function \"" + f.Name + "\" during startup"
	if c.Where != "" {
		where = c.Where + "\n" + where
	}
	c.Where = where
	return &c
}

// InText binds what the text of a function says, over the arguments of a call.
func (b *Binder) InText(f *UserFunction, args []algebra.Expr) *Environment {
	function := &Exprs{Binder: b, Scope: &Scope{}, Clause: "functions", Arguments: append([]algebra.Expr{}, args...), Function: f}
	return &Environment{Outer: function}
}

// Argument is what a name stands for that is a parameter's of the function whose text is bound, with
// the name of the function before it or without; nil where it is none, or a column's.
func (x *Exprs) Argument(name sql.Name) algebra.Expr {
	f, args := x.function()
	if f == nil || len(name) > 2 || len(name) == 2 && name[0].Name != f.Name {
		return nil
	}
	last := name[len(name)-1].Name
	at := slices.IndexFunc(f.Params, func(p Parameter) bool { return p.Name == last && last != "" })
	if at < 0 || at >= len(args) || x.RowNamed(name) != nil {
		return nil
	}
	if _, err := sqlstate.Try(func() *Column { return x.Resolve(name) }); err == nil || !mayBeOuter(name, err) && !isNoColumn(err) {
		return nil
	}
	return args[at]
}

// isNoColumn reports whether an error is that a relation has no column of a name.
func isNoColumn(err error) bool {
	e, ok := err.(*value.Error)
	return ok && e.Code == value.CodeUndefinedColumn
}

// function is the function whose text is bound, and the arguments of its call; nil for none.
func (x *Exprs) function() (*UserFunction, []algebra.Expr) {
	for level := x; level != nil; level = level.Env.Enclosing() {
		if level.Function != nil {
			return level.Function, level.Arguments
		}
	}
	return nil, nil
}

// Substituted charges for an argument that takes the place of a parameter once more: arguments of calls
// within each other can grow to any size.
func (b *Binder) Substituted(arg algebra.Expr) algebra.Expr {
	size := 0
	algebra.WalkExpr(arg, func(algebra.Expr) bool { size++; return true })
	b.Opts.Meter.Must(size * ExprWork)
	sqlstate.Check(b.Opts.Meter.Grow(size * exprBytes))
	return arg
}
