package planner

import (
	"path"
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// joinKinds maps the words of a join to its kind; a cross join is an inner one
// without a condition.
var joinKinds = map[string]algebra.JoinKind{
	"inner": algebra.JoinInner, "cross": algebra.JoinInner, "left": algebra.JoinLeft,
	"right": algebra.JoinRight, "full": algebra.JoinFull,
}

// join binds a join. The condition is left in Residual as it was written; the
// rules find the keys.
func (b *binder) join(j *sql.JoinExpr, env *environment, before *scope) (algebra.Node, *scope, error) {
	kind, ok := joinKinds[j.Kind]
	if !ok {
		return nil, nil, notSupported(j.Pos, strings.ToUpper(j.Kind)+" JOIN is")
	}
	leftEnv, rightEnv := env, env
	if kind == algebra.JoinRight || kind == algebra.JoinFull {
		leftEnv = barred(env, withinOuterJoin)
	}
	if kind == algebra.JoinLeft || kind == algebra.JoinFull {
		rightEnv = barred(env, withinOuterJoin)
	}
	left, leftScope, err := b.table(j.Left, leftEnv, before)
	if err != nil {
		return nil, nil, err
	}
	right, rightScope, err := b.table(j.Right, rightEnv, before.beside(leftScope))
	if err != nil {
		return nil, nil, err
	}
	both, err := leftScope.join(rightScope, tablePos(j.Right))
	if err != nil {
		return nil, nil, err
	}
	if err := b.lateralAllowed(kind, leftScope, right); err != nil {
		return nil, nil, err
	}
	node := &algebra.Join{Kind: kind, Left: left, Right: right}
	using := j.Using
	if j.Natural {
		using = commonNames(leftScope, rightScope, j.Pos)
	}
	if len(using) > 0 {
		return b.joinUsing(node, using, leftScope, rightScope, both)
	}
	if j.On != nil {
		x := &exprBinder{binder: b, scope: both, env: env, clause: "JOIN conditions"}
		cond, err := x.condition(j.On, "JOIN/ON")
		if err != nil {
			return nil, nil, err
		}
		node.Residual = algebra.Conjuncts(cond)
	}
	both.refresh(node)
	return dependent(node), both, nil
}

// dependent makes a dependent join of one whose right side refers to columns
// of the left one.
func dependent(n *algebra.Join) algebra.Node {
	if !algebra.FreeColumns(n.Right).Intersects(algebra.Outputs(n.Left)) {
		return n
	}
	return &algebra.Apply{Kind: n.Kind, Left: n.Left, Right: n.Right, Conds: n.Residual}
}

// lateralAllowed refuses a right side that refers to the left one where rows
// of the right one are kept that no left row goes with.
func (b *binder) lateralAllowed(kind algebra.JoinKind, left *scope, right algebra.Node) error {
	if kind != algebra.JoinRight && kind != algebra.JoinFull {
		return nil
	}
	free := algebra.FreeColumns(right)
	if !left.makesAny(free) {
		return nil
	}
	first, rel := value.NoPos, ""
	for ref, pos := range b.refPos {
		if c := left.byID(ref.Column.ID); c != nil && free.Has(ref.Column.ID) && (first == value.NoPos || pos < first) {
			first, rel = pos, c.rel
		}
	}
	return &value.Error{
		Code: value.CodeInvalidColumnReference, Message: "invalid reference to FROM-clause entry for table " + strconv.Quote(rel),
		Detail: "The combining JOIN type must be INNER or LEFT for a LATERAL reference.", Pos: first,
	}
}

// commonNames are the columns that a natural join merges: those that both
// sides can name, in the left side's order.
func commonNames(left, right *scope, pos sql.Pos) []sql.Ident {
	var names []sql.Ident
	for i := range left.cols {
		c := &left.cols[i]
		if c.shadowed || c.system {
			continue
		}
		for k := range right.cols {
			if r := &right.cols[k]; !r.shadowed && !r.system && r.col.Name == c.col.Name {
				names = append(names, sql.Ident{Name: c.col.Name, Pos: pos})
				break
			}
		}
	}
	return names
}

// mergedColumn is one column of USING before and after the merge.
type mergedColumn struct {
	left, right algebra.Column
	typ         algebra.Type
}

// joinUsing adds the equality of the named columns and merges each pair: to
// the left column, to the right column of a right join, and to whichever is
// not NULL of a full join.
func (b *binder) joinUsing(n *algebra.Join, using []sql.Ident, left, right, both *scope) (algebra.Node, *scope, error) {
	merged := make([]mergedColumn, len(using))
	x := &exprBinder{binder: b, scope: both}
	for i, id := range using {
		l, err := usingColumn(left, id, "left")
		if err != nil {
			return nil, nil, err
		}
		r, err := usingColumn(right, id, "right")
		if err != nil {
			return nil, nil, err
		}
		cond, err := x.compare(algebra.Eq, l.Ref(), r.Ref(), operands{"=", id.Pos, id.Pos, id.Pos})
		if err != nil {
			return nil, nil, err
		}
		n.Residual = append(n.Residual, cond)
		typ, err := commonType([]algebra.Expr{l.Ref(), r.Ref()}, "JOIN/USING", []sql.Pos{id.Pos, id.Pos})
		if err != nil {
			return nil, nil, err
		}
		merged[i] = mergedColumn{l, r, typ}
	}
	both.refresh(n)
	return b.mergeColumns(n, merged, using, both)
}

func usingColumn(s *scope, id sql.Ident, side string) (algebra.Column, error) {
	c, err := s.find(id)
	if err != nil {
		return algebra.Column{}, value.ErrorAt(int(id.Pos), value.CodeAmbiguousColumn,
			"common column name %q appears more than once in %s table", id.Name, side)
	}
	if c == nil {
		return algebra.Column{}, value.ErrorAt(int(id.Pos), value.CodeUndefinedColumn,
			"column %q specified in USING clause does not exist in %s table", id.Name, side)
	}
	return c.col, nil
}

// mergeColumns puts the merged columns first in the scope and shadows those
// that they were merged from. A merged column that is not one of the inputs'
// is computed by a Project.
func (b *binder) mergeColumns(n *algebra.Join, merged []mergedColumn, using []sql.Ident, both *scope) (algebra.Node, *scope, error) {
	out := &scope{rels: both.rels, recursive: both.recursive}
	var computed []algebra.Item
	for i, m := range merged {
		e, err := b.mergedExpr(n, m)
		if err != nil {
			return nil, nil, err
		}
		var col algebra.Column
		if ref, ok := e.(*algebra.ColumnRef); ok {
			col = ref.Column
			col.Name = using[i].Name
		} else {
			col = b.newColumn(using[i].Name, m.typ, algebra.CanBeNull(e))
			computed = append(computed, algebra.Item{Column: col, Expr: e})
		}
		out.cols = append(out.cols, scopeColumn{col: col})
	}
	for _, c := range both.cols {
		for _, m := range merged {
			c.shadowed = c.shadowed || c.col.ID == m.left.ID || c.col.ID == m.right.ID
		}
		out.cols = append(out.cols, c)
	}
	if len(computed) == 0 {
		return dependent(n), out, nil
	}
	return &algebra.Project{Input: dependent(n), Items: append(passOn(n.Columns()), computed...)}, out, nil
}

// mergedExpr is the value of a merged column over the join's output.
func (b *binder) mergedExpr(n *algebra.Join, m mergedColumn) (algebra.Expr, error) {
	cols := make(map[algebra.ColumnID]algebra.Column)
	for _, c := range n.Columns() {
		cols[c.ID] = c
	}
	x := &exprBinder{binder: b}
	l, err := x.coerce(cols[m.left.ID].Ref(), m.typ, sqltype.Implicit, sql.NoPos)
	if err != nil {
		return nil, err
	}
	r, err := x.coerce(cols[m.right.ID].Ref(), m.typ, sqltype.Implicit, sql.NoPos)
	if err != nil {
		return nil, err
	}
	switch n.Kind {
	case algebra.JoinRight:
		return r, nil
	case algebra.JoinFull:
		return coalesce([]algebra.Expr{l, r}, m.typ), nil
	}
	return l, nil
}

// fileAlias is the name of a file in FROM that has no alias: its base name
// without the extension.
func fileAlias(name string) string {
	base := path.Base(strings.ReplaceAll(name, `\`, "/"))
	return strings.TrimSuffix(base, path.Ext(base))
}
