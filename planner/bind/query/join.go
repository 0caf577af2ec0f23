package query

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
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

// join joins two FROM items. The condition is left in Residual as it was written; the
// rules find the keys.
func join(b *scope.Binder, j *sql.JoinExpr, env *scope.Environment, left, right algebra.Node, leftScope, rightScope, before *scope.Scope) (algebra.Node, *scope.Scope) {
	kind := joinKinds[j.Kind]
	both := leftScope.Join(rightScope, int(j.Right.Position()))
	if kind == algebra.JoinLeft || kind == algebra.JoinFull {
		both.Extended = append(both.Extended, rightScope.Rels...)
	}
	if kind == algebra.JoinRight || kind == algebra.JoinFull {
		both.Extended = append(both.Extended, leftScope.Rels...)
	}
	lateralAllowed(b, kind, leftScope, right)
	node := &algebra.Join{Kind: kind, Left: left, Right: right}
	using := j.Using
	if j.Natural {
		using = commonNames(leftScope, rightScope, j.Pos)
	}
	if len(using) > 0 {
		joined, sc := joinUsing(b, node, using, leftScope, rightScope, both)
		if j.Alias.Name != "" {
			sc.AddMerged(j.Alias.Name, len(using), int(j.Alias.Pos))
		}
		return joined, sc
	}
	if j.On != nil {
		on := *both
		on.Hidden = before
		x := &scope.Exprs{Binder: b, Scope: &on, Env: env, Clause: "JOIN conditions"}
		cond := convert.Condition(x, j.On, "JOIN/ON")
		node.Residual = algebra.Conjuncts(cond)
	}
	both.Refresh(node)
	hideTableOIDs(both)
	return dependent(node), both
}

// hideTableOIDs has the columns tableoid of what is joined found under the names of their relations only.
func hideTableOIDs(sc *scope.Scope) {
	for i := range sc.Cols {
		c := &sc.Cols[i]
		c.Shadowed = c.Shadowed || c.System && c.Col.Name == scope.TableOID
	}
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
func lateralAllowed(b *scope.Binder, kind algebra.JoinKind, left *scope.Scope, right algebra.Node) {
	if kind != algebra.JoinRight && kind != algebra.JoinFull {
		return
	}
	free := algebra.FreeColumns(right)
	if !left.MakesAny(free) {
		return
	}
	first, rel := value.NoPos, ""
	for ref, pos := range b.RefPos {
		if c := left.ByID(ref.Column.ID); c != nil && free.Has(ref.Column.ID) && (first == value.NoPos || pos < first) {
			first, rel = pos, c.Rel.Name
		}
	}
	panic(&value.Error{
		Code: value.CodeInvalidColumnReference, Message: "invalid reference to FROM-clause entry for table " + strconv.Quote(rel),
		Detail: "The combining JOIN type must be INNER or LEFT for a LATERAL reference.", Pos: first,
	})
}

// commonNames are the columns that a natural join merges: those that both
// sides can name, in the left side's order.
func commonNames(left, right *scope.Scope, pos sql.Pos) []sql.Ident {
	var names []sql.Ident
	for i := range left.Cols {
		c := &left.Cols[i]
		if c.Shadowed || c.System {
			continue
		}
		for k := range right.Cols {
			if r := &right.Cols[k]; !r.Shadowed && !r.System && r.Col.Name == c.Col.Name {
				names = append(names, sql.Ident{Name: c.Col.Name, Pos: pos})
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
func joinUsing(b *scope.Binder, n *algebra.Join, using []sql.Ident, left, right, both *scope.Scope) (algebra.Node, *scope.Scope) {
	merged := make([]mergedColumn, len(using))
	x := &scope.Exprs{Binder: b, Scope: both}
	for i, id := range using {
		if slices.ContainsFunc(using[:i], func(before sql.Ident) bool { return before.Name == id.Name }) {
			panic(value.Errorf(value.CodeDuplicateColumn, "column name %q appears more than once in USING clause", id.Name))
		}
		l := usingColumn(left, id, "left")
		r := usingColumn(right, id, "right")
		cond := expression.Compare(x, algebra.Eq, l.Ref(), r.Ref(), term.Operands{Op: "=", Left: id.Pos, Right: id.Pos, Pos: id.Pos})
		n.Residual = append(n.Residual, cond)
		typ := convert.CommonType([]algebra.Expr{l.Ref(), r.Ref()}, "JOIN/USING", []sql.Pos{id.Pos, id.Pos})
		merged[i] = mergedColumn{l, r, typ}
	}
	both.Refresh(n)
	hideTableOIDs(both)
	return mergeColumns(b, n, merged, using, both)
}

func usingColumn(s *scope.Scope, id sql.Ident, side string) algebra.Column {
	c, err := s.Find(id)
	if err != nil {
		panic(value.ErrorAt(int(id.Pos), value.CodeAmbiguousColumn,
			"common column name %q appears more than once in %s table", id.Name, side))
	}
	if c == nil || c.System {
		panic(value.ErrorAt(int(id.Pos), value.CodeUndefinedColumn,
			"column %q specified in USING clause does not exist in %s table", id.Name, side))
	}
	return c.Col
}

// mergeColumns puts the merged columns first in the scope and shadows those
// that they were merged from. A merged column that is not one of the inputs'
// is computed by a Project.
func mergeColumns(b *scope.Binder, n *algebra.Join, merged []mergedColumn, using []sql.Ident, both *scope.Scope) (algebra.Node, *scope.Scope) {
	out := &scope.Scope{Rels: both.Rels, Extended: both.Extended, Recursive: both.Recursive}
	var computed []algebra.Item
	for i, m := range merged {
		e := mergedExpr(b, n, m)
		var col algebra.Column
		if ref, ok := e.(*algebra.ColumnRef); ok {
			col = ref.Column
			col.Name = using[i].Name
		} else {
			col = b.NewColumn(using[i].Name, m.typ, algebra.CanBeNull(e))
			computed = append(computed, algebra.Item{Column: col, Expr: e})
		}
		out.Cols = append(out.Cols, scope.Column{Col: col})
	}
	for _, c := range both.Cols {
		for _, m := range merged {
			c.Shadowed = c.Shadowed || c.Col.ID == m.left.ID || c.Col.ID == m.right.ID
		}
		out.Cols = append(out.Cols, c)
	}
	if len(computed) == 0 {
		return dependent(n), out
	}
	return &algebra.Project{Input: dependent(n), Items: append(term.PassOn(n.Columns()), computed...)}, out
}

// mergedExpr is the value of a merged column over the join's output.
func mergedExpr(b *scope.Binder, n *algebra.Join, m mergedColumn) algebra.Expr {
	cols := make(map[algebra.ColumnID]algebra.Column)
	for _, c := range n.Columns() {
		cols[c.ID] = c
	}
	x := &scope.Exprs{Binder: b}
	l := convert.Coerce(x, cols[m.left.ID].Ref(), m.typ, sqltype.Implicit, sql.NoPos)
	r := convert.Coerce(x, cols[m.right.ID].Ref(), m.typ, sqltype.Implicit, sql.NoPos)
	switch n.Kind {
	case algebra.JoinRight:
		return r
	case algebra.JoinFull:
		return term.Coalesce([]algebra.Expr{l, r}, m.typ)
	}
	return l
}

// fileAlias is the name of a file in FROM that has no alias: its base name
// without the extension.
func fileAlias(name string) string {
	base := path.Base(strings.ReplaceAll(name, `\`, "/"))
	return strings.TrimSuffix(base, path.Ext(base))
}
