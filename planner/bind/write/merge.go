package write

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/check"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/query"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// actionOf is what a clause does.
func actionOf(w *sql.MergeWhen) MergeAction {
	switch {
	case w.Set != nil:
		return MergeUpdate
	case w.Delete:
		return MergeDelete
	case w.Insert != nil:
		return MergeInsert
	}
	return MergeNothing
}

// merge binds MERGE.
func merge(b *scope.Binder, stmt *sql.Merge, env *scope.Environment) *Bound {
	if stmt.With != nil && stmt.With.Recursive {
		panic(value.Errorf(value.CodeSyntax, "WITH RECURSIVE is not supported for MERGE statement"))
	}
	env = query.With(b, stmt.With, env)
	m := &merging{change: change{Binder: b}, stmt: stmt, set: map[int][]algebra.When{}, inserted: map[int][]algebra.When{}}
	for i := range stmt.Whens {
		m.made.Actions = append(m.made.Actions, actionOf(&stmt.Whens[i]))
	}
	checkReachable(stmt)
	m.from(env, stmt.Table, stmt.Only, mergeInto, stmt.Alias, nil)
	m.join()
	m.choose(m.clauses())
	m.number()
	return m.bound()
}

// checkReachable refuses clauses behind one of their kind that has no condition.
func checkReachable(stmt *sql.Merge) {
	var last [2]bool
	for i := range stmt.Whens {
		w := &stmt.Whens[i]
		kind := 0
		if w.Matched {
			kind = 1
		}
		if last[kind] {
			panic(value.Errorf(value.CodeSyntax, "unreachable WHEN clause specified after unconditional WHEN clause"))
		}
		last[kind] = w.Cond == nil
	}
}

// join joins the source with the table; where no clause inserts, rows of the source without
// one of the table are left out.
func (m *merging) join() {
	node, source := query.From(m.Binder, []sql.TableExpr{m.stmt.Using}, m.env)
	for _, rel := range source.Rels {
		if alias := targetAlias(m.stmt.Table, m.stmt.Alias); rel.Name == alias {
			e := value.Errorf(value.CodeDuplicateAlias, "name %q specified more than once", alias)
			e.Detail = "The name is used both as MERGE target table and data source."
			panic(e)
		}
	}
	m.unmatched = &scope.Scope{Cols: source.Cols, Rels: source.Rels, Hidden: m.scope}
	m.scope = m.scope.Join(source, int(m.stmt.Using.Position()))
	join := &algebra.Join{Kind: algebra.JoinInner, Left: node, Right: m.node}
	if slices.Contains(m.made.Actions, MergeInsert) {
		join.Kind = algebra.JoinLeft
		m.at.Nullable = true
	}
	x := &scope.Exprs{Binder: m.Binder, Scope: m.scope, Env: m.env, Clause: "JOIN conditions"}
	join.Residual = algebra.Conjuncts(convert.Condition(x, m.stmt.On, "JOIN/ON"))
	m.scope.Refresh(join)
	m.node = join
}

// clauses binds the clauses one by one. It returns their numbers by their conditions: of those for
// rows that match, and of the others.
func (m *merging) clauses() (matched, unmatched []algebra.When) {
	m.action = m.NewColumn("action", algebra.TInt64, true)
	for i := range m.stmt.Whens {
		w := &m.stmt.Whens[i]
		when := algebra.When{Cond: m.condition(w), Then: m.numberOf(i)}
		if m.bind(i, w); w.Matched {
			matched = append(matched, when)
		} else {
			unmatched = append(unmatched, when)
		}
	}
	return matched, unmatched
}

// choose finds the clause of each row, and keeps those rows that something is done for.
func (m *merging) choose(matched, unmatched []algebra.When) {
	chosen := firstOf(matched)
	if m.at.Nullable {
		chosen = where(term.NotNull(m.at.Ref()), chosen, firstOf(unmatched))
	}
	m.node = &algebra.Project{Input: m.node, Items: append(term.PassOn(m.node.Columns()), algebra.Item{Column: m.action, Expr: chosen})}
	m.node = &algebra.Filter{Input: m.node, Conds: []algebra.Expr{term.NotNull(m.action.Ref())}}
}

// firstOf is the number of the first clause whose condition is true; NULL for none.
func firstOf(whens []algebra.When) algebra.Expr {
	if len(whens) == 0 {
		return &algebra.Const{Typ: algebra.TInt64}
	}
	return &algebra.Case{Typ: algebra.TInt64, Whens: whens}
}

// numberOf is the number of a clause; NULL for one that does nothing.
func (m *merging) numberOf(i int) algebra.Expr {
	if m.made.Actions[i] == MergeNothing {
		return &algebra.Const{Typ: algebra.TInt64}
	}
	return term.Int64Value(int64(i))
}

// condition binds AND of a clause.
func (m *merging) condition(w *sql.MergeWhen) algebra.Expr {
	if w.Cond == nil {
		return &algebra.Const{Val: value.Value{Kind: value.Bool, B: true}, Typ: algebra.TBool}
	}
	x := &scope.Exprs{Binder: m.Binder, Scope: m.scope, Env: m.env, Clause: "MERGE WHEN conditions"}
	if !w.Matched {
		x.Scope = m.unmatched
	}
	return convert.Condition(x, w.Cond, "WHEN")
}

// bind binds the action of a clause.
func (m *merging) bind(i int, w *sql.MergeWhen) {
	switch m.made.Actions[i] {
	case MergeUpdate:
		m.bindSet(i, w)
		return
	case MergeInsert:
		m.bindInsert(i, w.Insert)
		return
	case MergeDelete:
		if m.written != nil {
			m.written.Delete = true
		}
	}
}

// bindSet binds UPDATE SET.
func (m *merging) bindSet(i int, w *sql.MergeWhen) {
	_, values := m.after(w.Set)
	columns, items := m.assignments(w.Set, values)
	if err := check.Items(m.Opts.Meter, items); err != nil {
		panic(err)
	}
	for n, c := range columns {
		m.set[c] = append(m.set[c], algebra.When{Cond: m.taken(i), Then: items[n].Expr})
	}
	if m.written != nil {
		m.written.Update = true
		m.written.Written = append(m.written.Written, columns...)
	}
}

// bound completes the query.
func (m *merging) bound() *Bound {
	out := &Bound{Target: m.target, Merge: &m.made}
	items := term.PassOn(m.node.Columns())
	add := func(c *scope.CatalogColumn, whens []algebra.When, otherwise algebra.Expr) algebra.Column {
		e := algebra.Expr(&algebra.Case{Typ: c.Type, Whens: whens, Else: otherwise})
		items = append(items, algebra.Item{Column: m.NewColumn(c.Name, c.Type, algebra.CanBeNull(e)), Expr: e})
		return items[len(items)-1].Column
	}
	var updated, inserted []algebra.Column // the columns of the table in rows that are updated and inserted
	for i := range m.target.Columns {
		old := m.scope.Cols[i].Col
		if whens := m.set[i]; whens != nil {
			out.Set = append(out.Set, i)
			old = add(&m.target.Columns[i], whens, old.Ref())
		}
		updated = append(updated, old)
		if whens := m.inserted[i]; whens != nil {
			inserted = append(inserted, add(&m.target.Columns[i], whens, nil))
		}
	}
	m.node = &algebra.Project{Input: m.node, Items: items}
	out.Set = append(out.Set, m.generate(updated, MergeUpdate, func(name string) bool { return m.set[find(m.target, name)] != nil })...)
	m.generate(inserted, MergeInsert, func(string) bool { return inserted != nil })
	own := []algebra.Column{m.action, m.at}
	for _, i := range out.Set {
		own = append(own, updated[i])
	}
	own = append(own, inserted...)
	out.Rows, out.Own = &algebra.Project{Input: m.node, Items: term.PassOn(own)}, len(own)
	return out
}

// generate adds what becomes of generated columns in rows for which an action is taken, and puts them into
// the row: of those that are among some columns or read one of them. It returns their positions.
func (m *merging) generate(row []algebra.Column, action MergeAction, among func(name string) bool) []int {
	columns := generatedColumns(m.target, among)
	if len(columns) == 0 {
		return nil
	}
	items := term.PassOn(m.node.Columns())
	for n, e := range generatedValues(m.Binder, m.target, columns, row) {
		c := &m.target.Columns[columns[n]]
		items = append(items, algebra.Item{Column: m.NewColumn(c.Name, c.Type, true), Expr: where(m.takes(action), e, nil)})
	}
	for n, item := range items[len(m.node.Columns()):] {
		row[columns[n]] = item.Column
	}
	m.node = &algebra.Project{Input: m.node, Items: items}
	return columns
}
