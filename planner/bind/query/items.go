package query

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// distinctRows reports whether the block is SELECT DISTINCT without ON.
func (s *Block) distinctRows() bool { return s.Sel.Distinct && len(s.Sel.DistinctOn) == 0 }

// Exprs binds expressions of a clause; aggregates are allowed where grouped,
// window functions where windowed binds them.
func (s *Block) Exprs(clause string, grouped bool) *scope.Exprs {
	x := &scope.Exprs{Binder: s.Binder, Scope: s.Scope, Env: s.Env, Clause: clause}
	if grouped {
		x.Group, x.Arrays, x.Sets = &s.group, s.arrays, s.hasSets()
	}
	return x
}

// hasSets reports whether GROUP BY may have several grouping sets.
func (s *Block) hasSets() bool {
	return s.Sel.GroupBy != nil && slices.ContainsFunc(s.Sel.GroupBy.Elements, func(e sql.GroupElement) bool {
		_, plain := e.(*sql.GroupExprs)
		return !plain
	})
}

// windowed binds expressions of a clause that is computed behind the groups
// and windows.
func (s *Block) windowed(clause string) *scope.Exprs {
	x := s.Exprs(clause, true)
	x.Window = &s.win
	if clause != "QUALIFY" {
		x.Rows = &s.rows
	}
	return x
}

// orderItem finds or adds the item that a key of a clause is.
func (s *Block) orderItem(e sql.Expr, clause string) int {
	if n, ok := ordinal(e, s.visible, clause); ok {
		return n
	}
	if ref, ok := e.(*sql.ColumnRef); ok && len(ref.Name) == 1 {
		if n := s.outputNamed(ref.Name[0], clause); n >= 0 {
			return n
		}
	}
	x := s.windowed(clause)
	bound := x.Expr(e)
	bound = convert.ResolveUnknown(x, bound, e.Position())
	for i := range s.Items {
		if algebra.Equal(s.Items[i].Expr, bound) {
			return i
		}
	}
	if s.distinctRows() {
		panic(value.ErrorAt(int(e.Position()), value.CodeInvalidColumnReference,
			"for SELECT DISTINCT, ORDER BY expressions must appear in select list"))
	}
	s.Items = append(s.Items, selectItem{Expr: bound, Name: term.OutputName(e), pos: e.Position()})
	return len(s.Items) - 1
}

// outputNamed finds the output column of a name; -1 for none. Several columns
// of the name are ambiguous unless they are the same expression.
func (s *Block) outputNamed(id sql.Ident, clause string) int {
	found := -1
	for i := range s.visible {
		if s.Items[i].Name != id.Name {
			continue
		}
		if found >= 0 && !algebra.Equal(s.Items[found].Expr, s.Items[i].Expr) {
			panic(value.ErrorAt(int(id.Pos), value.CodeAmbiguousColumn, "%s %q is ambiguous", clause, id.Name))
		}
		if found < 0 {
			found = i
		}
	}
	return found
}

// ordinal reads a position of the select list; ok is false where e is no
// constant.
func ordinal(e sql.Expr, n int, clause string) (index int, ok bool) {
	lit, ok := e.(*sql.Literal)
	if !ok {
		return 0, false
	}
	pos := int(lit.Pos)
	if lit.Kind != sql.IntegerLiteral {
		panic(value.ErrorAt(pos, value.CodeSyntax, "non-integer constant in %s", clause))
	}
	k, ok := smallInt(lit.Text)
	if !ok || k < 1 || k > n {
		panic(value.ErrorAt(pos, value.CodeInvalidColumnReference, "%s position %s is not in select list", clause, lit.Text))
	}
	return k - 1, true
}

// smallInt reads a few decimal digits.
func smallInt(s string) (int, bool) {
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' || n > 1<<20 {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, s != ""
}
