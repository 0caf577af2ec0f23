package sql

import (
	"strconv"

	"vitess.io/vitess/go/vt/sqlparser"

	"github.com/cubeloom/cubeloom/sql/dialect"
)

// peek gives the mark of a intermediate SQL call without taking it; nil for none.
func (c *converter) peek(f *sqlparser.FuncExpr) dialect.Mark {
	name := f.Name.String()
	if len(name) < 2 {
		return nil
	}
	n, err := strconv.Atoi(name[1:])
	if err != nil || n < 0 || n >= len(c.marks) {
		return nil
	}
	return c.marks[n]
}

// call converts a intermediate SQL call: a function, or a construct that MySQL lacks.
func (c *converter) call(f *sqlparser.FuncExpr) Expr {
	mark := c.mark(f.Name.String())
	if m, ok := mark.(*dialect.Call); ok {
		return c.function(m, f.Exprs)
	}
	args := c.exprs(f.Exprs)
	switch m := mark.(type) {
	case *dialect.Row:
		return &Row{Exprs: args, Pos: Pos(m.Pos)}
	case *dialect.Array:
		if m.Query {
			return &ArrayQuery{Query: args[0].(*Subquery).Query, Pos: Pos(m.Pos)}
		}
		return &Array{Exprs: args, Pos: Pos(m.Pos)}
	case *dialect.Subscript:
		return subscript(m, args)
	}
	if e := c.construct(mark, args); e != nil {
		return e
	}
	c.fail("%T with %d arguments", mark, len(args))
	return &Default{}
}

// subscript converts a subscript, whose array stands before its bounds.
func subscript(m *dialect.Subscript, args []Expr) Expr {
	e := &Subscript{X: args[0], Slice: m.Slice, Pos: Pos(m.Pos)}
	bounds := args[1:]
	if m.Lower {
		e.Lower, bounds = bounds[0], bounds[1:]
	}
	if m.Upper {
		e.Upper = bounds[0]
	}
	return e
}

// construct converts what has a fixed number of operands; nil when the number
// is another.
func (c *converter) construct(mark dialect.Mark, args []Expr) Expr {
	switch len(args) {
	case 1:
		return unaryConstruct(mark, args[0])
	case 2:
		return binaryConstruct(mark, args[0], args[1])
	case 3:
		return ternaryConstruct(mark, args[0], args[1], args[2])
	}
	return nil
}

func unaryConstruct(mark dialect.Mark, x Expr) Expr {
	switch m := mark.(type) {
	case *dialect.Operator:
		return &Unary{Op: m.Symbol, X: x, Pos: Pos(m.Pos)}
	case *dialect.Cast:
		return &Cast{X: x, Type: typeName(m.Type), Pos: Pos(m.Pos)}
	case *dialect.Collate:
		return &Collate{X: x, Name: idents(m.Name), Pos: Pos(m.Pos)}
	case *dialect.Is:
		if !m.Distinct {
			return &Is{X: x, What: "unknown", Not: m.Not, Pos: Pos(m.Pos)}
		}
	case *dialect.Argument:
		return &NamedArg{Name: ident(m.Name), Value: x}
	}
	return nil
}

func binaryConstruct(mark dialect.Mark, x, y Expr) Expr {
	switch m := mark.(type) {
	case *dialect.Operator:
		return operator(m, x, y)
	case *dialect.Is:
		if m.Distinct {
			return &IsDistinct{L: x, R: y, Not: m.Not, Pos: Pos(m.Pos)}
		}
	case *dialect.Like:
		return &Like{X: x, Pattern: y, Not: m.Not, Fold: !m.Similar, Similar: m.Similar, Pos: Pos(m.Pos)}
	case *dialect.Quantified:
		q := &Quantified{X: x, Op: m.Op, All: m.All, Array: y, Pos: Pos(m.Pos)}
		if s, ok := y.(*Subquery); ok {
			q.Query, q.Array = s.Query, nil
		}
		return q
	}
	return nil
}

// operator converts a binary operator; those behind LIKE are LIKE.
func operator(m *dialect.Operator, x, y Expr) Expr {
	switch m.Symbol {
	case "~~", "!~~", "~~*", "!~~*":
		return &Like{
			X: x, Pattern: y,
			Not:  m.Symbol[0] == '!',
			Fold: m.Symbol[len(m.Symbol)-1] == '*',
			Pos:  Pos(m.Pos),
		}
	}
	return &Binary{Op: m.Symbol, L: x, R: y, Pos: Pos(m.Pos)}
}

func ternaryConstruct(mark dialect.Mark, x, y, z Expr) Expr {
	switch m := mark.(type) {
	case *dialect.Between:
		return &Between{X: x, Lo: y, Hi: z, Not: m.Not, Symmetric: true, Pos: Pos(m.Pos)}
	case *dialect.Like:
		return &Like{
			X: x, Pattern: y, Escape: z,
			Not: m.Not, Fold: !m.Similar, Similar: m.Similar, Pos: Pos(m.Pos),
		}
	}
	return nil
}

// function converts a call with its clauses.
func (c *converter) function(m *dialect.Call, args []sqlparser.Expr) Expr {
	call := &FuncCall{Name: idents(m.Name), Star: m.Star, Distinct: m.Distinct, Pos: Pos(m.Pos)}
	for _, arg := range args {
		f, ok := arg.(*sqlparser.FuncExpr)
		if !ok {
			call.Args = append(call.Args, c.expr(arg))
			continue
		}
		switch clause := c.peek(f).(type) {
		case *dialect.Clause:
			c.mark(f.Name.String())
			c.callClause(call, clause.Kind, f.Exprs)
		case *dialect.Window:
			c.mark(f.Name.String())
			call.Over = c.window(clause, f.Exprs)
		default:
			call.Args = append(call.Args, c.expr(arg))
		}
	}
	return call
}

func (c *converter) callClause(call *FuncCall, kind dialect.ClauseKind, args []sqlparser.Expr) {
	switch {
	case kind == dialect.OrderByClause:
		call.OrderBy = c.sortKeys(args)
	case kind == dialect.WithinGroupClause:
		call.WithinGroup = c.sortKeys(args)
	case kind == dialect.FilterClause && len(args) == 1:
		call.Filter = c.expr(args[0])
	default:
		c.fail("clause %d of a call", kind)
	}
}

func (c *converter) sortKeys(args []sqlparser.Expr) []OrderItem {
	var out []OrderItem
	for _, e := range args {
		out = append(out, c.sortKey(e))
	}
	return out
}

func (c *converter) sortKey(e sqlparser.Expr) OrderItem {
	m, args := takeCall[dialect.SortKey](c, e)
	if len(args) != 1 {
		c.fail("a sort key of %d expressions", len(args))
		return OrderItem{}
	}
	return OrderItem{Expr: c.expr(args[0]), Desc: m.Desc, Nulls: NullsOrder(m.Nulls)}
}

// window converts the specification of a window.
func (c *converter) window(m *dialect.Window, args []sqlparser.Expr) *WindowSpec {
	w := &WindowSpec{Base: ident(m.Base), Named: m.Reference, Pos: Pos(m.Pos)}
	if m.Frame != nil {
		w.Frame = &Frame{
			Unit:    m.Frame.Unit,
			Start:   FrameBound{Kind: m.Frame.Start},
			End:     FrameBound{Kind: m.Frame.End},
			Exclude: m.Frame.Exclude,
		}
	}
	for _, arg := range args {
		f, ok := arg.(*sqlparser.FuncExpr)
		if !ok {
			c.fail("%T in a window", arg)
			return w
		}
		c.windowClause(w, c.mark(f.Name.String()), f.Exprs)
	}
	return w
}

func (c *converter) windowClause(w *WindowSpec, mark dialect.Mark, args []sqlparser.Expr) {
	switch m := mark.(type) {
	case *dialect.Clause:
		switch m.Kind {
		case dialect.PartitionByClause:
			w.PartitionBy = c.exprs(args)
			return
		case dialect.OrderByClause:
			w.OrderBy = c.sortKeys(args)
			return
		}
	case *dialect.Bound:
		if w.Frame == nil || len(args) != 1 {
			break
		}
		bound := &w.Frame.Start
		if m.End {
			bound = &w.Frame.End
		}
		bound.Value = c.expr(args[0])
		return
	}
	c.fail("%T in a window", mark)
}
