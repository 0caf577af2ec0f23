package query

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

var setKinds = map[string]algebra.SetKind{
	"union": algebra.Union, "intersect": algebra.Intersect, "except": algebra.Except,
}

// setOp binds UNION, INTERSECT or EXCEPT. Long chains lean to the left, and
// are bound from their leftmost operand on without recursion.
func setOp(b *scope.Binder, s *sql.SetOp, env *scope.Environment) (*scope.Bound, error) {
	ops := []*sql.SetOp{s}
	for {
		left, ok := ops[len(ops)-1].Left.(*sql.SetOp)
		if !ok {
			break
		}
		ops = append(ops, left)
	}
	first := ops[len(ops)-1]
	rel, err := nested(b, first.Left, operandEnv(first, env, false), s.Pos)
	if err != nil {
		return nil, err
	}
	for i := len(ops) - 1; i >= 0; i-- {
		right, err := nested(b, ops[i].Right, operandEnv(ops[i], env, true), ops[i].Pos)
		if err != nil {
			return nil, err
		}
		if rel, err = combine(b, ops[i], rel, right); err != nil {
			return nil, err
		}
	}
	return rel, nil
}

// operandEnv is the environment of an operand: what INTERSECT ALL and EXCEPT
// take away is known when all rows are.
func operandEnv(s *sql.SetOp, env *scope.Environment, right bool) *scope.Environment {
	if s.Kind != "union" && (s.All || right && s.Kind == "except") {
		return scope.Barred(env, term.Upper(s.Kind))
	}
	return env
}

// nested binds an operand, whose untyped literals stay untyped.
func nested(b *scope.Binder, body sql.QueryBody, env *scope.Environment, pos sql.Pos) (*scope.Bound, error) {
	if err := b.CountRelation(int(pos)); err != nil {
		return nil, err
	}
	return b.Query(&sql.Query{Body: body, Pos: pos}, env, true)
}

// combine makes the columns of two operands agree in type and joins them.
func combine(b *scope.Binder, s *sql.SetOp, left, right *scope.Bound) (*scope.Bound, error) {
	kind, ok := setKinds[s.Kind]
	if !ok {
		return nil, value.Errorf(value.CodeInternal, "unknown set operation %q", s.Kind)
	}
	lcols, rcols := left.Columns(), right.Columns()
	if len(lcols) != len(rcols) {
		return nil, value.ErrorAt(int(s.Pos), value.CodeSyntax, "each %s query must have the same number of columns", term.Upper(s.Kind))
	}
	if !s.All && len(lcols) > maxKeys {
		return nil, value.ErrorAt(int(s.Pos), value.CodeProgramLimit, "%s of more than %d columns", term.Upper(s.Kind), maxKeys)
	}
	types := make([]algebra.Type, len(lcols))
	for i := range lcols {
		var err error
		pair := []algebra.Expr{outputExpr(left.Node, i), outputExpr(right.Node, i)}
		if types[i], err = convert.CommonType(pair, term.Upper(s.Kind), []sql.Pos{s.Pos, s.Pos}); err != nil {
			return nil, err
		}
	}
	if kind != algebra.Union || !s.All {
		for i := range types {
			types[i] = convert.GroupedChar(types[i], lcols[i].Type, rcols[i].Type)
		}
	}
	op := &algebra.SetOp{Kind: kind, All: s.All, Cols: make([]algebra.Column, len(lcols))}
	var err error
	if op.Left, err = convertColumns(b, left.Node, types, s.Pos); err != nil {
		return nil, err
	}
	if op.Right, err = convertColumns(b, right.Node, types, s.Pos); err != nil {
		return nil, err
	}
	if kind != algebra.Union {
		op.Left, op.Right = convert.ComparedColumns(b, op.Left), convert.ComparedColumns(b, op.Right)
	}
	lcols, rcols = op.Left.Columns(), op.Right.Columns()
	for i := range op.Cols {
		op.Cols[i] = b.NewColumn(lcols[i].Name, types[i], setNullable(kind, lcols[i], rcols[i]))
	}
	return &scope.Bound{Node: op}, nil
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
func convertColumns(b *scope.Binder, n algebra.Node, types []algebra.Type, pos sql.Pos) (algebra.Node, error) {
	x := &scope.Exprs{Binder: b}
	n, err := TypeLiterals(x, n, types, slices.Repeat([]sql.Pos{pos}, len(types)))
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
		e, err := convert.ConvertTo(x, c.Ref(), types[i], pos)
		if err != nil {
			return nil, err
		}
		items[i] = algebra.Item{Column: b.NewColumn(c.Name, types[i], c.Nullable), Expr: e}
	}
	if same {
		return n, nil
	}
	return &algebra.Project{Input: n, Items: items}, nil
}

// TypeLiterals converts the columns of a query that have no type yet, as literals have, to the types
// at their places; positions are where they stand. They are computed below what orders the rows
// and limits them.
func TypeLiterals(x *scope.Exprs, n algebra.Node, types []algebra.Type, positions []sql.Pos) (algebra.Node, error) {
	switch n := n.(type) {
	case *algebra.Limit:
		limited := *n
		var err error
		limited.Input, err = TypeLiterals(x, n.Input, types, positions)
		return &limited, err
	case *algebra.Sort:
		sorted := *n
		var err error
		sorted.Input, err = TypeLiterals(x, n.Input, types, positions)
		return &sorted, err
	case *algebra.Project:
		if sorted, ok := n.Input.(*algebra.Sort); ok {
			return typeSorted(x, n, sorted, types, positions)
		}
		return typeItems(x, n, types, positions)
	}
	return n, nil
}

// typeSorted is TypeLiterals of a projection that leaves out what its rows are sorted by.
func typeSorted(x *scope.Exprs, n *algebra.Project, sorted *algebra.Sort, types []algebra.Type, positions []sql.Pos) (algebra.Node, error) {
	wanted := map[algebra.ColumnID]int{}
	for i, item := range n.Items {
		wanted[item.Column.ID] = i
	}
	cols := sorted.Columns()
	below, places := make([]algebra.Type, len(cols)), make([]sql.Pos, len(cols))
	for k, c := range cols {
		below[k], places[k] = c.Type, sql.NoPos
		if i, ok := wanted[c.ID]; ok {
			below[k], places[k] = types[i], positions[i]
		}
	}
	input, err := TypeLiterals(x, sorted, below, places)
	if err != nil {
		return nil, err
	}
	typed := map[algebra.ColumnID]algebra.Column{}
	for _, c := range input.Columns() {
		typed[c.ID] = c
	}
	items := make([]algebra.Item, len(n.Items))
	for i, item := range n.Items {
		items[i] = item
		if c, ok := typed[item.Column.ID]; ok {
			items[i] = algebra.Item{Column: c, Expr: c.Ref()}
		}
	}
	return &algebra.Project{Input: input, Items: items}, nil
}

// typeItems is TypeLiterals of a projection that computes them.
func typeItems(x *scope.Exprs, p *algebra.Project, types []algebra.Type, positions []sql.Pos) (algebra.Node, error) {
	items := make([]algebra.Item, len(p.Items))
	for i, item := range p.Items {
		items[i] = item
		if item.Expr.Type().Kind != algebra.Unknown {
			continue
		}
		e, err := convert.Coerce(x, item.Expr, types[i], sqltype.Implicit, positions[i])
		if err != nil {
			return nil, err
		}
		items[i].Expr = e
		items[i].Column.Type = types[i]
	}
	return &algebra.Project{Input: p.Input, Items: items}, nil
}
