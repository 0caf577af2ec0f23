package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

var setKinds = map[string]algebra.SetKind{
	"union": algebra.Union, "intersect": algebra.Intersect, "except": algebra.Except,
}

// setOp binds UNION, INTERSECT or EXCEPT. Long chains lean to the left, and
// are bound from their leftmost operand on without recursion.
func (b *binder) setOp(s *sql.SetOp, env *environment) (*relation, error) {
	ops := []*sql.SetOp{s}
	for {
		left, ok := ops[len(ops)-1].Left.(*sql.SetOp)
		if !ok {
			break
		}
		ops = append(ops, left)
	}
	first := ops[len(ops)-1]
	rel, err := b.nested(first.Left, operandEnv(first, env, false), s.Pos)
	if err != nil {
		return nil, err
	}
	for i := len(ops) - 1; i >= 0; i-- {
		right, err := b.nested(ops[i].Right, operandEnv(ops[i], env, true), ops[i].Pos)
		if err != nil {
			return nil, err
		}
		if rel, err = b.combine(ops[i], rel, right); err != nil {
			return nil, err
		}
	}
	return rel, nil
}

// operandEnv is the environment of an operand: what INTERSECT ALL and EXCEPT
// take away is known when all rows are.
func operandEnv(s *sql.SetOp, env *environment, right bool) *environment {
	if s.Kind != "union" && (s.All || right && s.Kind == "except") {
		return barred(env, upper(s.Kind))
	}
	return env
}

func (b *binder) nested(body sql.QueryBody, env *environment, pos sql.Pos) (*relation, error) {
	if err := b.countRelation(int(pos)); err != nil {
		return nil, err
	}
	if err := b.enter(pos); err != nil {
		return nil, err
	}
	defer b.leave()
	return b.body(body, env, true)
}

// combine makes the columns of two operands agree in type and joins them.
func (b *binder) combine(s *sql.SetOp, left, right *relation) (*relation, error) {
	kind, ok := setKinds[s.Kind]
	if !ok {
		return nil, value.Errorf(value.CodeInternal, "unknown set operation %q", s.Kind)
	}
	lcols, rcols := left.columns(), right.columns()
	if len(lcols) != len(rcols) {
		return nil, value.ErrorAt(int(s.Pos), value.CodeSyntax, "each %s query must have the same number of columns", upper(s.Kind))
	}
	if !s.All && len(lcols) > maxKeys {
		return nil, value.ErrorAt(int(s.Pos), value.CodeProgramLimit, "%s of more than %d columns", upper(s.Kind), maxKeys)
	}
	types := make([]algebra.Type, len(lcols))
	for i := range lcols {
		var err error
		pair := []algebra.Expr{outputExpr(left.node, i), outputExpr(right.node, i)}
		if types[i], err = commonType(pair, upper(s.Kind), []sql.Pos{s.Pos, s.Pos}); err != nil {
			return nil, err
		}
	}
	if kind != algebra.Union || !s.All {
		for i := range types {
			types[i] = groupedChar(types[i], lcols[i].Type, rcols[i].Type)
		}
	}
	op := &algebra.SetOp{Kind: kind, All: s.All, Cols: make([]algebra.Column, len(lcols))}
	var err error
	if op.Left, err = b.convertColumns(left.node, types, s.Pos); err != nil {
		return nil, err
	}
	if op.Right, err = b.convertColumns(right.node, types, s.Pos); err != nil {
		return nil, err
	}
	if kind != algebra.Union || !s.All {
		op.Left, op.Right = b.comparedColumns(op.Left), b.comparedColumns(op.Right)
	}
	lcols, rcols = op.Left.Columns(), op.Right.Columns()
	for i := range op.Cols {
		op.Cols[i] = b.newColumn(lcols[i].Name, types[i], setNullable(kind, lcols[i], rcols[i]))
	}
	return &relation{node: op}, nil
}

func setNullable(kind algebra.SetKind, l, r algebra.Column) bool {
	switch kind {
	case algebra.Union:
		return l.Nullable || r.Nullable
	case algebra.Intersect:
		return l.Nullable && r.Nullable
	}
	return l.Nullable
}

// outputExpr is the expression of an output column where the node computes it,
// else a reference to the column.
func outputExpr(n algebra.Node, i int) algebra.Expr {
	if p, ok := n.(*algebra.Project); ok {
		return p.Items[i].Expr
	}
	return n.Columns()[i].Ref()
}

// convertColumns converts the columns of an operand. Literals that have no
// type yet are given theirs where they are computed.
func (b *binder) convertColumns(n algebra.Node, types []algebra.Type, pos sql.Pos) (algebra.Node, error) {
	x := &exprBinder{binder: b}
	n, err := x.typeLiterals(n, types, pos)
	if err != nil {
		return nil, err
	}
	cols := n.Columns()
	items := make([]algebra.Item, len(cols))
	same := true
	for i, c := range cols {
		items[i] = algebra.Item{Column: c, Expr: c.Ref()}
		if c.Type == types[i] {
			continue
		}
		same = false
		e, err := x.convertTo(c.Ref(), types[i], pos)
		if err != nil {
			return nil, err
		}
		items[i] = algebra.Item{Column: b.newColumn(c.Name, types[i], c.Nullable), Expr: e}
	}
	if same {
		return n, nil
	}
	return &algebra.Project{Input: n, Items: items}, nil
}

// convertTo converts to exactly the given type, even between types that
// differ only in the length of their text.
func (x *exprBinder) convertTo(e algebra.Expr, typ algebra.Type, pos sql.Pos) (algebra.Expr, error) {
	if e.Type() != typ && e.Type().Kind == algebra.Text && !e.Type().Padded && typ == algebra.TText {
		return call(algebra.Cast, typ, pos, e), nil
	}
	return x.coerce(e, typ, sqltype.Implicit, pos)
}

func (x *exprBinder) typeLiterals(n algebra.Node, types []algebra.Type, pos sql.Pos) (algebra.Node, error) {
	p, ok := n.(*algebra.Project)
	if !ok {
		return n, nil
	}
	items := make([]algebra.Item, len(p.Items))
	for i, item := range p.Items {
		items[i] = item
		if item.Expr.Type().Kind != algebra.Unknown {
			continue
		}
		e, err := x.coerce(item.Expr, types[i], sqltype.Implicit, pos)
		if err != nil {
			return nil, err
		}
		items[i].Expr = e
		items[i].Column.Type = types[i]
	}
	return &algebra.Project{Input: p.Input, Items: items}, nil
}
