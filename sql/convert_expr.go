package sql

import (
	"strconv"

	"vitess.io/vitess/go/vt/sqlparser"

	"github.com/cubeloom/cubeloom/sql/dialect"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

func (c *converter) exprs(list []sqlparser.Expr) []Expr {
	if len(list) == 0 {
		return nil
	}
	return lists.Map(list, c.expr)
}

// checkExprs is how many expressions are converted between two looks at whether to go on.
const checkExprs = 4096

// expr converts an expression.
func (c *converter) expr(e sqlparser.Expr) Expr {
	if c.seen++; c.check != nil && c.seen%checkExprs == 0 {
		if err := c.check(); err != nil {
			panic(err)
		}
	}
	switch e := e.(type) {
	case *sqlparser.Argument:
		return c.constant(e.Name)
	case *sqlparser.ColName:
		return &ColumnRef{Name: idents(take[dialect.Column](c, e.Name.String()).Name)}
	case *sqlparser.FuncExpr:
		return c.call(e)
	case *sqlparser.CollateExpr:
		return c.native(e.Expr, Pos(take[dialect.At](c, e.Collation).Pos))
	}
	panic(defect("%T in an expression", e))
}

func (c *converter) constant(name string) Expr {
	switch m := c.placeholder(name).(type) {
	case *dialect.Literal:
		if m.Kind == dialect.DefaultValue {
			return &Default{Pos: Pos(m.Pos)}
		}
		return &Literal{Kind: literalKinds[m.Kind], Text: m.Text, Pos: Pos(m.Pos)}
	case *dialect.TypedLiteral:
		return &TypedLiteral{Type: typeName(m.Type), Text: m.Text, TextPos: Pos(m.TextPos), Pos: Pos(m.Pos)}
	case *dialect.Parameter:
		return &Param{Index: m.Index, Pos: Pos(m.Pos)}
	default:
		panic(defect("%T for a constant", m))
	}
}

var literalKinds = map[dialect.LiteralKind]LiteralKind{
	dialect.Null:         NullLiteral,
	dialect.Bool:         BoolLiteral,
	dialect.IntegerValue: IntegerLiteral,
	dialect.DecimalValue: DecimalLiteral,
	dialect.StringValue:  StringLiteral,
}

// native converts an operator that MySQL has too.
func (c *converter) native(e sqlparser.Expr, pos Pos) Expr {
	switch e := e.(type) {
	case *sqlparser.AndExpr:
		return &Binary{Op: "and", L: c.expr(e.Left), R: c.expr(e.Right), Pos: pos}
	case *sqlparser.OrExpr:
		return &Binary{Op: "or", L: c.expr(e.Left), R: c.expr(e.Right), Pos: pos}
	case *sqlparser.NotExpr:
		return &Unary{Op: "not", X: c.expr(e.Expr), Pos: pos}
	case *sqlparser.UnaryExpr:
		return c.unary(e, pos)
	case *sqlparser.BinaryExpr:
		return c.arithmetic(e, pos)
	case *sqlparser.ComparisonExpr:
		return c.comparison(e, pos)
	case *sqlparser.IsExpr:
		return c.is(e, pos)
	case *sqlparser.BetweenExpr:
		return &Between{X: c.expr(e.Left), Lo: c.expr(e.From), Hi: c.expr(e.To), Not: !e.IsBetween, Pos: pos}
	case *sqlparser.CaseExpr:
		return c.caseExpr(e, pos)
	case *sqlparser.ExistsExpr:
		return &Exists{Query: c.query(e.Subquery.Select), Pos: pos}
	case *sqlparser.Subquery:
		return &Subquery{Query: c.query(e.Select), Pos: pos}
	case *sqlparser.Argument, *sqlparser.ColName, *sqlparser.FuncExpr, *sqlparser.CollateExpr:
		// Vitess leaves a unary plus out, and its placeholder stands around the
		// operand.
		return &Unary{Op: "+", X: c.expr(e), Pos: pos}
	}
	panic(defect("%T under a placeholder", e))
}

func (c *converter) unary(e *sqlparser.UnaryExpr, pos Pos) Expr {
	if e.Operator != sqlparser.UMinusOp {
		panic(defect("unary %s", e.Operator.ToString()))
	}
	return &Unary{Op: "-", X: c.expr(e.Expr), Pos: pos}
}

func (c *converter) arithmetic(e *sqlparser.BinaryExpr, pos Pos) Expr {
	switch e.Operator {
	case sqlparser.PlusOp, sqlparser.MinusOp, sqlparser.MultOp, sqlparser.DivOp, sqlparser.ModOp:
	default:
		panic(defect("operator %s", e.Operator.ToString()))
	}
	return &Binary{Op: e.Operator.ToString(), L: c.expr(e.Left), R: c.expr(e.Right), Pos: pos}
}

func (c *converter) comparison(e *sqlparser.ComparisonExpr, pos Pos) Expr {
	x := c.expr(e.Left)
	switch e.Operator {
	case sqlparser.InOp, sqlparser.NotInOp:
		return c.in(x, e.Right, e.Operator == sqlparser.NotInOp, pos)
	case sqlparser.LikeOp, sqlparser.NotLikeOp:
		like := &Like{X: x, Pattern: c.expr(e.Right), Not: e.Operator == sqlparser.NotLikeOp, Pos: pos}
		if e.Escape != nil {
			like.Escape = c.expr(e.Escape)
		}
		return like
	}
	op, ok := map[sqlparser.ComparisonExprOperator]string{
		sqlparser.EqualOp:        "=",
		sqlparser.NotEqualOp:     "<>",
		sqlparser.LessThanOp:     "<",
		sqlparser.GreaterThanOp:  ">",
		sqlparser.LessEqualOp:    "<=",
		sqlparser.GreaterEqualOp: ">=",
	}[e.Operator]
	if !ok {
		panic(defect("operator %s", e.Operator.ToString()))
	}
	return &Binary{Op: op, L: x, R: c.expr(e.Right), Pos: pos}
}

func (c *converter) in(x Expr, right sqlparser.Expr, not bool, pos Pos) Expr {
	in := &In{X: x, Not: not, Pos: pos}
	switch r := right.(type) {
	case sqlparser.ValTuple:
		in.List = c.exprs(r)
	case *sqlparser.Subquery:
		in.Query = c.query(r.Select)
	default:
		panic(defect("IN of %T", right))
	}
	return in
}

func (c *converter) is(e *sqlparser.IsExpr, pos Pos) Expr {
	is := &Is{X: c.expr(e.Left), Pos: pos}
	switch e.Right {
	case sqlparser.IsNullOp:
		is.What = "null"
	case sqlparser.IsNotNullOp:
		is.What, is.Not = "null", true
	case sqlparser.IsTrueOp:
		is.What = "true"
	case sqlparser.IsNotTrueOp:
		is.What, is.Not = "true", true
	case sqlparser.IsFalseOp:
		is.What = "false"
	case sqlparser.IsNotFalseOp:
		is.What, is.Not = "false", true
	}
	return is
}

func (c *converter) caseExpr(e *sqlparser.CaseExpr, pos Pos) Expr {
	out := &Case{Pos: pos}
	if e.Expr != nil {
		out.Operand = c.expr(e.Expr)
	}
	for _, w := range e.Whens {
		out.Whens = append(out.Whens, When{Cond: c.expr(w.Cond), Then: c.expr(w.Val)})
	}
	if e.Else != nil {
		out.Else = c.expr(e.Else)
	}
	return out
}

// peek returns the placeholder of an intermediate SQL call without taking it; nil for none.
func (c *converter) peek(f *sqlparser.FuncExpr) dialect.Placeholder {
	name := f.Name.String()
	if len(name) < 2 {
		return nil
	}
	n, err := strconv.Atoi(name[1:])
	if err != nil || n < 0 || n >= len(c.placeholders) {
		return nil
	}
	return c.placeholders[n]
}

// call converts an intermediate SQL call: a function, or a construct that MySQL lacks.
func (c *converter) call(f *sqlparser.FuncExpr) Expr {
	placeholder := c.placeholder(f.Name.String())
	if m, ok := placeholder.(*dialect.Call); ok {
		return c.function(m, f.Exprs)
	}
	args := c.exprs(f.Exprs)
	switch m := placeholder.(type) {
	case *dialect.Row:
		return &Row{Exprs: args, Pos: Pos(m.Pos)}
	case *dialect.Array:
		if m.Query {
			return &ArrayQuery{Query: args[0].(*Subquery).Query, Pos: Pos(m.Pos)}
		}
		return &Array{Exprs: args, Pos: Pos(m.Pos)}
	case *dialect.Subscript:
		return subscript(m, args)
	case *dialect.Star:
		return &Star{Qualifier: idents(m.Qualifier), Pos: Pos(m.Pos)}
	}
	if e := c.construct(placeholder, args); e != nil {
		return e
	}
	panic(defect("%T with %d arguments", placeholder, len(args)))
}

// function converts a call with its clauses.
func (c *converter) function(m *dialect.Call, args []sqlparser.Expr) Expr {
	call := &FuncCall{Name: idents(m.Name), Star: m.Star, Distinct: m.Distinct, Variadic: m.Variadic, Pos: Pos(m.Pos)}
	for _, arg := range args {
		f, ok := arg.(*sqlparser.FuncExpr)
		if !ok {
			call.Args = append(call.Args, c.expr(arg))
			continue
		}
		switch clause := c.peek(f).(type) {
		case *dialect.Clause:
			c.placeholder(f.Name.String())
			c.callClause(call, clause.Kind, f.Exprs)
		case *dialect.Window:
			c.placeholder(f.Name.String())
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
		panic(defect("clause %d of a call", kind))
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
		panic(defect("a sort key of %d expressions", len(args)))
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
			panic(defect("%T in a window", arg))
		}
		c.windowClause(w, c.placeholder(f.Name.String()), f.Exprs)
	}
	return w
}

func (c *converter) windowClause(w *WindowSpec, placeholder dialect.Placeholder, args []sqlparser.Expr) {
	switch m := placeholder.(type) {
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
	panic(defect("%T in a window", placeholder))
}
