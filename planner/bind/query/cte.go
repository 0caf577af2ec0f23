package query

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// With binds common table expressions, so that errors in ones that are never
// used are found too, and returns the names that they add.
func With(b *scope.Binder, with *sql.With, env *scope.Environment) (*scope.Environment, error) {
	if with == nil {
		return env, nil
	}
	outer := env
	entries := make([]*scope.Environment, len(with.CTEs))
	for i := range with.CTEs {
		cte := &with.CTEs[i]
		for e := env; e != outer; e = e.Parent {
			if e.Name == cte.Name.Name {
				return nil, value.ErrorAt(int(cte.Name.Pos), value.CodeDuplicateAlias,
					"WITH query name %q specified more than once", cte.Name.Name)
			}
		}
		entries[i] = &scope.Environment{Parent: env, Name: cte.Name.Name, CTE: cte, Env: env}
		env = entries[i]
	}
	for _, entry := range entries {
		if with.Recursive {
			// Each can name itself and those behind it, too.
			entry.With, entry.Env = with, env
		}
	}
	for _, entry := range entries {
		if err := defineCTE(b, entry); err != nil {
			return nil, err
		}
	}
	return env, nil
}

// defineCTE binds a common table expression where it is defined, unless one
// before it has referred to it already.
func defineCTE(b *scope.Binder, entry *scope.Environment) error {
	if entry.Bound {
		return nil
	}
	before, within := b.Randoms, len(b.Open) > 0
	rel, err := bindCTE(b, entry)
	if err != nil {
		return err
	}
	entry.First, entry.Bound, entry.Random = rel, true, b.Randoms > before
	if !within {
		entry.Spool = spool(b, entry, rel)
	}
	return checkNames(entry.CTE, len(rel.Columns()))
}

// spool is what the references to a common table expression read, as PostgreSQL does: all
// read the same rows, unless NOT MATERIALIZED has each computed for itself, which it may
// not where random() would give each others. It is nil where each has a plan of its own:
// that, and where the plan refers to a query around it.
func spool(b *scope.Binder, entry *scope.Environment, rel *scope.Bound) *algebra.Spool {
	said := entry.CTE.Materialized
	if said != nil && !*said && !entry.Random || !algebra.FreeColumns(rel.Node).Empty() {
		return nil
	}
	b.LastID++
	s := &algebra.Spool{ID: b.LastID, Name: entry.CTE.Name.Name, Input: rel.Node, Apart: true, Forced: said != nil && *said || entry.Random}
	for i := range rel.Columns() {
		s.Ordinals = append(s.Ordinals, i)
	}
	return s
}

// read is one more reference to a Spool.
func read(b *scope.Binder, entry *scope.Environment) *scope.Bound {
	s := *entry.Spool
	s.Cols = make([]algebra.Column, len(s.Ordinals))
	for i, c := range s.Input.Columns() {
		s.Cols[i] = b.NewColumn(c.Name, c.Type, c.Nullable)
	}
	b.Spools++
	return &scope.Bound{Node: &s}
}

// InlineSpools gives those Spools of a plan that stand once the plan that they read.
func InlineSpools(b *scope.Binder, n algebra.Node) algebra.Node {
	if b.Spools == 0 {
		return n
	}
	times := make(map[algebra.ColumnID]int)
	var count func(s *algebra.Spool)
	count = func(s *algebra.Spool) {
		if times[s.ID]++; times[s.ID] == 1 {
			algebra.EachSpool(s.Input, count)
		}
	}
	algebra.EachSpool(n, count)
	inputs := make(map[algebra.ColumnID]algebra.Node)
	var inline func(s *algebra.Spool) algebra.Node
	inline = func(s *algebra.Spool) algebra.Node {
		if inputs[s.ID] == nil {
			inputs[s.ID] = algebra.MapSpools(s.Input, inline)
		}
		c := *s
		c.Input = inputs[s.ID]
		if times[s.ID] == 1 {
			return c.Plain()
		}
		return &c
	}
	return algebra.MapSpools(n, inline)
}

// checkNames refuses more names of columns than an expression has columns.
func checkNames(cte *sql.CTE, columns int) error {
	if len(cte.Columns) > columns {
		return value.ErrorAt(int(cte.Name.Pos), value.CodeInvalidColumnReference,
			"WITH query %q has %d columns available but %d columns specified", cte.Name.Name, columns, len(cte.Columns))
	}
	return nil
}

// useCTE returns a relation for a reference to a common table expression. The
// first reference takes the plan that was bound at the definition; each other
// one gets a plan of its own, whose columns have other IDs.
func useCTE(b *scope.Binder, entry, env *scope.Environment, pos sql.Pos) (*scope.Bound, error) {
	if entry.Recursion != nil {
		return reference(b, entry, env, pos)
	}
	if err := defineCTE(b, entry); err != nil {
		return nil, err
	}
	if entry.Spool != nil {
		return read(b, entry), nil
	}
	if rel := entry.First; rel != nil {
		entry.First = nil
		return rel, nil
	}
	if entry.Random {
		return nil, term.NotSupported(pos, "random() in a common table expression that is read more than once is")
	}
	return bindCTE(b, entry)
}

// bindCTE binds the query of a common table expression.
func bindCTE(b *scope.Binder, entry *scope.Environment) (*scope.Bound, error) {
	if entry.With == nil {
		return b.Query(entry.CTE.Query, entry.Env, false)
	}
	saved := entry.Recursion
	entry.Recursion = &scope.Recursion{}
	b.Open = append(b.Open, entry)
	rel, err := recursiveQuery(b, entry)
	b.Open = b.Open[:len(b.Open)-1]
	entry.Recursion = saved
	return rel, err
}

// recursiveQuery binds a query that may refer to itself.
func recursiveQuery(b *scope.Binder, entry *scope.Environment) (*scope.Bound, error) {
	q, r := entry.CTE.Query, entry.Recursion
	union, ok := q.Body.(*sql.SetOp)
	if r.Union = ok && union.Kind == "union"; !r.Union {
		return b.Query(q, entry.Env, false)
	}
	if err := b.Enter(q.Pos); err != nil {
		return nil, err
	}
	defer b.Leave()
	env, err := With(b, q.With, entry.Env)
	if err != nil {
		return nil, err
	}
	base, err := nested(b, union.Left, &scope.Environment{Parent: env, Bar: scope.WithinBase, BarOf: entry}, union.Pos)
	if err == nil {
		err = checkNames(entry.CTE, len(base.Columns()))
	}
	if err != nil {
		return nil, err
	}
	b.LastID++
	r.ID = b.LastID
	r.Working = workingColumns(b, base)
	step, err := nested(b, union.Right, env, union.Pos)
	if err != nil {
		return nil, err
	}
	if r.Used {
		return recursive(b, entry, union, base, step)
	}
	rel, err := combine(b, union, base, step)
	if err != nil {
		return nil, err
	}
	if len(q.OrderBy) > 0 {
		if rel, err = orderOutput(b, rel, q.OrderBy); err != nil {
			return nil, err
		}
	}
	return limit(b, q, rel)
}
