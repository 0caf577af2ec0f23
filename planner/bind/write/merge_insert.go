package write

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// merging binds a MERGE.
type merging struct {
	change
	stmt      *sql.Merge
	made      Merge
	unmatched *scope.Scope   // where the table has no row
	action    algebra.Column // the number of the clause
	// values are, by column of the table, what UPDATE sets and what INSERT inserts, each by clause.
	set, inserted map[int][]algebra.When
	next          []int // columns that take values of sequences
}

// taken reports that the action of a clause is taken.
func (m *merging) taken(i int) algebra.Expr {
	return term.Call(algebra.Eq, algebra.TBool, sql.NoPos, m.action.Ref(), term.Int64Value(int64(i)))
}

// takes is true where a clause of an action is taken, and else NULL.
func (m *merging) takes(action MergeAction) algebra.Expr {
	var takes algebra.Expr = &algebra.Const{Typ: algebra.TBool}
	for i, a := range m.made.Actions {
		if a == action {
			takes = where(m.taken(i), m.taken(i), takes)
		}
	}
	return takes
}

// givenIn are the expressions of an INSERT of MERGE, and the columns that they are for.
func (m *merging) givenIn(ins *sql.Insert) (given []sql.Expr, columns []int) {
	if ins.Elements != nil {
		panic(term.NotSupported(ins.Pos, "a part of a column in INSERT of MERGE is"))
	}
	columns = TargetColumns(m.target, ins.Columns, ins.Elements)
	if ins.Query == nil {
		return nil, nil
	}
	given = ins.Query.Body.(*sql.Values).Rows[0]
	switch n := len(columns); {
	case len(given) > n:
		panic(value.ErrorAt(int(given[n].Position()), value.CodeSyntax, "INSERT has more expressions than target columns"))
	case len(given) < n && ins.Columns != nil:
		panic(value.ErrorAt(int(ins.Columns[len(given)].Pos), value.CodeSyntax, "INSERT has more target columns than expressions"))
	}
	columns = columns[:len(given)]
	checkGenerated(ins, m.target, columns)
	return given, columns
}

// fromSequences are the columns that take values of sequences in an INSERT of MERGE.
func (m *merging) fromSequences(ins *sql.Insert) []int {
	given, columns := m.givenIn(ins)
	next := generated(ins, m.target, columns)
	for n, i := range columns {
		if _, isDefault := given[n].(*sql.Default); isDefault && m.target.Columns[i].Sequence != "" && !slices.Contains(next, i) {
			next = append(next, i)
		}
	}
	return next
}

// number adds the values of sequences that rows to insert take.
func (m *merging) number() {
	slices.Sort(m.next)
	m.next = slices.Compact(m.next)
	own := len(m.node.Columns())
	m.node = nextOfRows(m.Binder, m.node, m.target, m.next, -1, m.takes(MergeInsert))
	x := &scope.Exprs{Binder: m.Binder}
	for n, i := range m.next {
		s := source{expr: m.node.Columns()[own+n].Ref(), pos: sql.NoPos}
		for k := range m.inserted[i] {
			if w := &m.inserted[i][k]; w.Then == nil {
				w.Then = assigned(x, &s, &m.target.Columns[i])
			}
		}
	}
}

// bindInsert binds INSERT.
func (m *merging) bindInsert(i int, ins *sql.Insert) {
	given, columns := m.givenIn(ins)
	next := m.fromSequences(ins)
	m.next = append(m.next, next...)
	if access := m.AccessTo(m.target); access != nil {
		access.Insert, access.Written = true, columns
	}
	x := &scope.Exprs{Binder: m.Binder, Scope: m.unmatched, Env: m.env, Clause: "VALUES"}
	for c := range m.target.Columns {
		column := &m.target.Columns[c]
		s := source{pos: sql.NoPos}
		if n := slices.Index(columns, c); n >= 0 {
			s = source{expr: valueOrDefault(x, given[n]), pos: given[n].Position()}
		}
		when := algebra.When{Cond: m.taken(i)} // number adds the value where it is of a sequence
		switch {
		case column.Generated != "":
			when.Then = &algebra.Const{Typ: column.Type}
		case !slices.Contains(next, c):
			when.Then = assigned(x, &s, column)
		}
		m.inserted[c] = append(m.inserted[c], when)
	}
}
