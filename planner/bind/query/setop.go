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
func setOp(b *scope.Binder, s *sql.SetOp, env *scope.Environment) *scope.Bound {
	ops := []*sql.SetOp{s}
	for {
		left, ok := ops[len(ops)-1].Left.(*sql.SetOp)
		if !ok {
			break
		}
		ops = append(ops, left)
	}
	first := ops[len(ops)-1]
	rel := nested(b, first.Left, operandEnv(first, env, false), s.Pos)
	for i := len(ops) - 1; i >= 0; i-- {
		right := nested(b, ops[i].Right, operandEnv(ops[i], env, true), ops[i].Pos)
		rel = combine(b, ops[i], rel, right)
	}
	return rel
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
func nested(b *scope.Binder, body sql.QueryBody, env *scope.Environment, pos sql.Pos) *scope.Bound {
	b.CountRelation(int(pos))
	return b.Query(&sql.Query{Body: body, Pos: pos}, env, true)
}

// combine makes the columns of two operands agree in type and joins them.
func combine(b *scope.Binder, s *sql.SetOp, left, right *scope.Bound) *scope.Bound {
	kind, ok := setKinds[s.Kind]
	if !ok {
		panic(value.Errorf(value.CodeInternal, "unknown set operation %q", s.Kind))
	}
	lcols, rcols := left.Columns(), right.Columns()
	if len(lcols) != len(rcols) {
		panic(value.ErrorAt(int(s.Pos), value.CodeSyntax, "each %s query must have the same number of columns", term.Upper(s.Kind)))
	}
	if !s.All && len(lcols) > maxKeys {
		panic(value.ErrorAt(int(s.Pos), value.CodeProgramLimit, "%s of more than %d columns", term.Upper(s.Kind), maxKeys))
	}
	types := make([]algebra.Type, len(lcols))
	lpos, rpos := itemPositions(s.Left, len(lcols), s.Pos), itemPositions(s.Right, len(lcols), s.Pos)
	for i := range lcols {
		pair := []algebra.Expr{outputExpr(left.Node, i), outputExpr(right.Node, i)}
		types[i] = convert.CommonType(pair, term.Upper(s.Kind), []sql.Pos{lpos[i], rpos[i]})
	}
	if kind != algebra.Union || !s.All {
		for i := range types {
			types[i] = convert.GroupedChar(types[i], lcols[i].Type, rcols[i].Type)
		}
	}
	op := &algebra.SetOp{Kind: kind, All: s.All, Cols: make([]algebra.Column, len(lcols))}
	op.Left = convertColumns(b, left.Node, types, lpos)
	op.Right = convertColumns(b, right.Node, types, rpos)
	if kind != algebra.Union {
		op.Left, op.Right = convert.ComparedColumns(b, op.Left), convert.ComparedColumns(b, op.Right)
	}
	lcols, rcols = op.Left.Columns(), op.Right.Columns()
	for i := range op.Cols {
		op.Cols[i] = b.NewColumn(lcols[i].Name, types[i], setNullable(kind, lcols[i], rcols[i]))
	}
	return &scope.Bound{Node: op}
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

// itemPositions are where the n output columns of a query's leftmost SELECT stand; other is
// the place for those that are not written there one by one.
func itemPositions(body sql.QueryBody, n int, other sql.Pos) []sql.Pos {
	positions := slices.Repeat([]sql.Pos{other}, n)
	items := leftmostItems(body)
	for i := range min(n, len(items)) {
		if _, star := items[i].Expr.(*sql.Star); star {
			break
		}
		positions[i] = firstPos(items[i].Expr)
	}
	return positions
}

// leftmostItems are what the leftmost SELECT of a query selects, nil where that is none.
func leftmostItems(body sql.QueryBody) []sql.SelectItem {
	for {
		switch b := body.(type) {
		case *sql.SetOp:
			body = b.Left
		case *sql.Query:
			body = b.Body
		case *sql.Select:
			return b.Items
		default:
			return nil
		}
	}
}

// firstPos is where an expression begins: a cast of a literal where the literal does, as in PostgreSQL.
func firstPos(e sql.Expr) sql.Pos {
	switch e := e.(type) {
	case *sql.Binary:
		return firstPos(e.L)
	case *sql.Cast:
		if _, ok := e.X.(*sql.Literal); ok {
			return e.X.Position()
		}
		return min(e.Pos, firstPos(e.X))
	}
	return e.Position()
}

// convertColumns converts the columns of an operand, which stand at some places. Literals that have no
// type yet are given theirs where they are computed.
func convertColumns(b *scope.Binder, n algebra.Node, types []algebra.Type, positions []sql.Pos) algebra.Node {
	x := &scope.Exprs{Binder: b}
	n = TypeLiterals(x, n, types, positions)
	cols := n.Columns()
	items := make([]algebra.Item, len(cols))
	same := true
	for i, c := range cols {
		items[i] = algebra.Item{Column: c, Expr: c.Ref()}
		if c.Type == types[i] {
			continue
		}
		same = false
		e := convert.ConvertTo(x, c.Ref(), types[i], positions[i])
		items[i] = algebra.Item{Column: b.NewColumn(c.Name, types[i], c.Nullable), Expr: e}
	}
	if same {
		return n
	}
	return &algebra.Project{Input: n, Items: items}
}

// TypeLiterals converts the columns of a query that have no type yet, as literals have, to the types
// at their places; positions are where they stand. They are computed below what orders the rows
// and limits them.
func TypeLiterals(x *scope.Exprs, n algebra.Node, types []algebra.Type, positions []sql.Pos) algebra.Node {
	switch n := n.(type) {
	case *algebra.Limit:
		limited := *n
		limited.Input = TypeLiterals(x, n.Input, types, positions)
		return &limited
	case *algebra.Sort:
		sorted := *n
		sorted.Input = TypeLiterals(x, n.Input, types, positions)
		return &sorted
	case *algebra.Project:
		if sorted, ok := n.Input.(*algebra.Sort); ok && algebra.PassOn(n.Items) {
			return typeSorted(x, n, sorted, types, positions)
		}
		return typeItems(x, n, types, positions)
	}
	return n
}

// typeSorted is TypeLiterals of a projection that leaves out what its rows are sorted by.
func typeSorted(x *scope.Exprs, n *algebra.Project, sorted *algebra.Sort, types []algebra.Type, positions []sql.Pos) algebra.Node {
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
	input := TypeLiterals(x, sorted, below, places)
	typed := map[algebra.ColumnID]algebra.Column{}
	for _, c := range input.Columns() {
		typed[c.ID] = c
	}
	items := make([]algebra.Item, len(n.Items))
	for i, item := range n.Items {
		items[i] = item
		if c, ok := typed[item.Column.ID]; ok {
			items[i] = algebra.Item{Column: c, Expr: c.Ref()}
			items[i].Column.Name = item.Column.Name
		}
	}
	return &algebra.Project{Input: input, Items: items}
}

// typeItems is TypeLiterals of a projection that computes them.
func typeItems(x *scope.Exprs, p *algebra.Project, types []algebra.Type, positions []sql.Pos) algebra.Node {
	items := make([]algebra.Item, len(p.Items))
	for i, item := range p.Items {
		items[i] = item
		if item.Expr.Type().Kind != algebra.Unknown {
			continue
		}
		e := convert.Coerce(x, item.Expr, types[i], sqltype.Implicit, positions[i])
		items[i].Expr = e
		items[i].Column.Type = types[i]
	}
	return &algebra.Project{Input: p.Input, Items: items}
}
