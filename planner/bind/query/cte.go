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
func With(b *scope.Binder, with *sql.With, env *scope.Environment) *scope.Environment {
	top := env != nil && env.Top
	if top {
		env = &scope.Environment{Parent: env}
	}
	if with == nil {
		return env
	}
	outer := env
	entries := make([]*scope.Environment, len(with.CTEs))
	for i := range with.CTEs {
		cte := &with.CTEs[i]
		for e := env; e != outer; e = e.Parent {
			if e.Name == cte.Name.Name {
				panic(value.ErrorAt(int(cte.Name.Pos), value.CodeDuplicateAlias,
					"WITH query name %q specified more than once", cte.Name.Name))
			}
		}
		if cte.Write != nil {
			writeAllowed(cte, top)
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
		defineCTE(b, entry)
	}
	return env
}

// defineCTE binds a common table expression where it is defined, unless one
// before it has referred to it already.
func defineCTE(b *scope.Binder, entry *scope.Environment) {
	if entry.Bound {
		return
	}
	if entry.CTE.Write != nil {
		defineWrite(b, entry)
		return
	}
	before, within := b.Randoms, len(b.Open) > 0
	rel := bindCTE(b, entry)
	entry.First, entry.Bound, entry.Random = rel, true, b.Randoms > before
	if !within {
		entry.Spool = spool(b, entry, rel)
	}
	checkNames(entry.CTE, len(rel.Columns()))
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

// read is one more reference to what a Spool reads.
func read(b *scope.Binder, spool *algebra.Spool) algebra.Node {
	s := *spool
	s.Cols = make([]algebra.Column, len(s.Ordinals))
	for i, c := range s.Input.Columns() {
		s.Cols[i] = b.NewColumn(c.Name, c.Type, c.Nullable)
	}
	b.Spools++
	return &s
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

// useCTE returns a relation for a reference to a common table expression. The
// first reference takes the plan that was bound at the definition; each other
// one gets a plan of its own, whose columns have other IDs.
func useCTE(b *scope.Binder, entry, env *scope.Environment, pos sql.Pos) *scope.Bound {
	if entry.Recursion != nil {
		return reference(b, entry, env, pos)
	}
	defineCTE(b, entry)
	if entry.CTE.Write != nil {
		return returned(b, entry, pos)
	}
	if entry.Spool != nil {
		return &scope.Bound{Node: read(b, entry.Spool)}
	}
	if rel := entry.First; rel != nil {
		entry.First = nil
		return rel
	}
	if entry.Random {
		panic(term.NotSupported(pos, "random() in a common table expression that is read more than once is"))
	}
	return bindCTE(b, entry)
}

// bindCTE binds the query of a common table expression.
func bindCTE(b *scope.Binder, entry *scope.Environment) *scope.Bound {
	if entry.With == nil {
		return b.Query(entry.CTE.Query, entry.Env, false)
	}
	defer open(b, entry)()
	return recursiveQuery(b, entry)
}

// recursiveQuery binds a query that may refer to itself.
func recursiveQuery(b *scope.Binder, entry *scope.Environment) *scope.Bound {
	q, r := entry.CTE.Query, entry.Recursion
	union, ok := q.Body.(*sql.SetOp)
	if r.Union = ok && union.Kind == "union"; !r.Union {
		return b.Query(q, entry.Env, false)
	}
	b.Enter(q.Pos)
	defer b.Leave()
	env := With(b, q.With, entry.Env)
	base := nested(b, union.Left, &scope.Environment{Parent: env, Bar: scope.WithinBase, BarOf: entry}, union.Pos)
	checkNames(entry.CTE, len(base.Columns()))
	b.LastID++
	r.ID = b.LastID
	r.Working = workingColumns(b, base)
	step := nested(b, union.Right, env, union.Pos)
	if r.Used {
		return recursive(b, entry, union, base, step)
	}
	rel := combine(b, union, base, step)
	if len(q.OrderBy) > 0 {
		rel = orderOutput(b, rel, q.OrderBy)
	}
	return limit(b, q, env, rel)
}
