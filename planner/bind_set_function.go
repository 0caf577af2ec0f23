package planner

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/function"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// bindSet binds a call of a set-returning function, which of unnest takes one
// array only, or of one that gives a single row.
func (x *exprBinder) bindSet(name string, e *sql.FuncCall) (*setCall, error) {
	f := function.Find(function.Set, name)
	if f == nil {
		return x.oneRow(e)
	}
	switch f.Form {
	case "generate_series":
		return x.seriesRows(e)
	case "generate_subscripts":
		return x.subscriptRows(e)
	case "unnest":
		return x.unnestRows(e)
	case "regexp_matches":
		return x.matchRows(e)
	}
	return x.tableOfArray(name, f.Form, e)
}

// oneRow is a function in FROM that gives one value.
func (x *exprBinder) oneRow(e *sql.FuncCall) (*setCall, error) {
	result, err := x.funcCall(e)
	if err != nil {
		return nil, err
	}
	return &setCall{
		col: algebra.Column{Type: result.Type(), Nullable: true}, args: []algebra.Expr{result},
		times: func([]algebra.Expr) algebra.Expr {
			return &algebra.Const{Val: value.Value{Kind: value.Int, I: 1}, Typ: algebra.TInt64}
		},
		value: func(args []algebra.Expr, _ algebra.Expr) algebra.Expr { return args[0] },
	}, nil
}

// setCall binds a call of a set-returning function, and its name.
func (x *exprBinder) setCall(name string, e *sql.FuncCall) (*setCall, error) {
	if err := plainCall(name, e); err != nil {
		return nil, err
	}
	inner := *x
	inner.rows, inner.rowsBar = nil, "a set-returning function's arguments"
	c, err := inner.bindSet(name, e)
	if err != nil {
		return nil, err
	}
	c.col.Name = name
	return c, nil
}

// elementRows are the elements of an array.
func elementRows(array algebra.Expr, pos sql.Pos) *setCall {
	elem := array.Type().Element()
	return &setCall{
		col: algebra.Column{Type: elem, Nullable: true}, args: []algebra.Expr{array},
		times: func(args []algebra.Expr) algebra.Expr {
			return call(algebra.Cast, algebra.TInt64, pos, call(value.Cardinality, algebra.TInt32, pos, args[0]))
		},
		value: func(args []algebra.Expr, ordinal algebra.Expr) algebra.Expr {
			index := call(algebra.Cast, algebra.TInt32, pos, ordinal)
			text := call(value.ArrayNth, algebra.TText, pos, args[0], index)
			if elem == algebra.TText {
				return text
			}
			return conversion(text, elem, sqltype.Explicit, pos)
		},
	}
}

func (x *exprBinder) unnestRows(e *sql.FuncCall) (*setCall, error) {
	arrays, err := x.unnested(e)
	if err != nil {
		return nil, err
	}
	if len(arrays) > 1 {
		return nil, noFunction("unnest", arrays, e.Pos)
	}
	return elementRows(arrays[0], e.Pos), nil
}

// tableOfArray are the elements of what another function gives, of a form.
func (x *exprBinder) tableOfArray(name string, array function.Form, e *sql.FuncCall) (*setCall, error) {
	args, positions, err := x.args(e)
	if err != nil {
		return nil, err
	}
	site := &callSite{exprBinder: x, name: string(array), positions: positions, pos: e.Pos}
	elements, err := arrayForms[array](site, args)
	if wrong, ok := err.(*value.Error); ok && wrong.Code == value.CodeUndefinedFunction {
		return nil, noFunction(name, args, e.Pos)
	}
	if err != nil {
		return nil, err
	}
	return elementRows(elements, e.Pos), nil
}

// subscriptRows are the subscripts of an array.
func (x *exprBinder) subscriptRows(e *sql.FuncCall) (*setCall, error) {
	args, positions, err := x.args(e)
	if err != nil {
		return nil, err
	}
	site := &callSite{exprBinder: x, name: "generate_subscripts", positions: positions, pos: e.Pos}
	for i, arg := range args {
		args[i] = asArray(arg, positions[i])
	}
	length, err := ofArray(value.ArrayLength, algebra.TInt32, algebra.TInt32)(site, slices.Clone(args))
	if err != nil {
		return nil, err
	}
	lower, err := ofArray(value.ArrayLower, algebra.TInt32, algebra.TInt32)(site, args)
	if err != nil {
		return nil, err
	}
	return &setCall{
		col: algebra.Column{Type: algebra.TInt32}, args: []algebra.Expr{length, lower},
		times: func(args []algebra.Expr) algebra.Expr { return call(algebra.Cast, algebra.TInt64, e.Pos, args[0]) },
		value: func(args []algebra.Expr, ordinal algebra.Expr) algebra.Expr {
			one := &algebra.Const{Val: value.Value{Kind: value.Int, I: 1}, Typ: algebra.TInt32}
			before := call(algebra.Sub, algebra.TInt32, e.Pos, args[1], one)
			return call(algebra.Add, algebra.TInt32, e.Pos, call(algebra.Cast, algebra.TInt32, e.Pos, ordinal), before)
		},
	}, nil
}

// matchRows are what the parentheses of a regular expression match: once, or as
// often as it matches with the flag g.
func (x *exprBinder) matchRows(e *sql.FuncCall) (*setCall, error) {
	args, positions, err := x.args(e)
	if err != nil {
		return nil, err
	}
	if len(args) == 2 {
		args, positions = append(args, textConst("")), append(positions, e.Pos)
	}
	if len(args) != 3 {
		return nil, noFunction("regexp_matches", args, e.Pos)
	}
	for i, arg := range args {
		if sqltype.CastNeeds(arg.Type().Kind, algebra.Text) != sqltype.Implicit {
			return nil, noFunction("regexp_matches", args[:len(e.Args)], e.Pos)
		}
		if args[i], err = x.coerce(arg, algebra.TText, sqltype.Implicit, positions[i]); err != nil {
			return nil, err
		}
	}
	return &setCall{
		col: algebra.Column{Type: algebra.TArray(algebra.TText)}, args: args,
		times: func(args []algebra.Expr) algebra.Expr {
			return call(value.MatchCount, algebra.TInt64, e.Pos, args...)
		},
		value: func(args []algebra.Expr, ordinal algebra.Expr) algebra.Expr {
			return call(value.MatchNumber, algebra.TArray(algebra.TText), e.Pos, args[0], args[1], args[2], ordinal)
		},
	}, nil
}
