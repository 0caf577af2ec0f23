package write

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// CheckRows fails with 23514 where a CHECK constraint is false of a row of a table that an
// older version, which may be nil, does not have: one behind its rows, or one that was changed.
// Rows of a partitioned table must be those of partitions, too, and of the one that is named by its key.
func CheckRows(ctx context.Context, s *session.Session, state *store.State, named string, table, old *store.Table, changed []store.Pick) (err error) {
	defer sqlstate.Catch(&err)
	list := (&rules{ctx, s, state, table}).of(named)
	checks := lists.Map(list, func(r rule) store.Check { return r.Check })
	rows := table.Since(old)
	n, row := firstBroken(ctx, s, rows, checks)
	if n >= 0 && old != nil {
		// It may be an older row of the same block, of which the constraint has never been true.
		rows = sqlstate.Must(table.Fresh(old, changed, s.Meter))
		n, row = firstBroken(ctx, s, rows, checks)
	}
	if n < 0 {
		return nil
	}
	return list[n].failed(rows, row)
}

// of are the rules of rows that a statement writes which names a table by its key: the one that has
// the rows, or a partition.
func (r *rules) of(named string) (list []rule) {
	for i := range r.table.Columns() {
		list = append(list, r.domain(i)...)
	}
	if p, ok := r.state.Lookup(named).(*store.Table); ok && p.Of() != nil {
		list = append(list, r.within(p))
	}
	if r.table.By() != nil {
		list = append(list, r.divided(r.table))
	}
	checks := lists.Map(r.table.Checks(), func(check store.Check) rule { return r.check(check, check.Text) })
	for _, p := range r.state.Below(r.table) {
		if p.By() != nil {
			list = append(list, r.divided(p))
		}
		list = append(list, r.notNull(p)...)
		for _, check := range p.Checks() {
			if !check.Inherited {
				checks = append(checks, r.check(check, r.among(p, check.Text)))
			}
		}
	}
	slices.SortStableFunc(checks, func(a, b rule) int { return strings.Compare(a.Name, b.Name) })
	return append(list, checks...)
}

// CheckDomain fails where a value of column i of a table, as a state has its types, is none of the column's domain.
func CheckDomain(ctx context.Context, s *session.Session, state *store.State, table *store.Table, i int) (err error) {
	defer sqlstate.Catch(&err)
	list := (&rules{ctx, s, state, table}).domain(i)
	if n, _ := firstBroken(ctx, s, table, lists.Map(list, func(r rule) store.Check { return r.Check })); n >= 0 {
		return list[n].failed(table, "")
	}
	return nil
}

// checkProposed is CheckRows of the rows that an INSERT with ON CONFLICT proposes, in the first
// columns of a relation, also of those that will not be stored.
func (c *changes) checkProposed(table *store.Table, rel runtime.Relation, columns int) {
	list := (&rules{c.ctx, c.s, c.tx.State(), table}).of(c.target)
	if len(list) == 0 {
		return
	}
	def := store.Definition{Schema: table.Schema(), Name: table.Name(), Columns: slices.Clone(table.Columns()), Checks: table.Checks(), By: table.By()}
	app := sqlstate.Must(c.tx.Stage(def, func(proposed *store.Table) error {
		return CheckRows(c.ctx, c.s, c.tx.State(), c.target, proposed, nil, nil)
	}))
	sqlstate.Check(app.AddRelation(c.ctx, rel, lists.Upto[int](columns), c.s.Settings.Threads))
	sqlstate.Check(app.PassOn())
}

// Broken finds a row of a table of which one of some CHECK constraints is false: the constraint,
// the first one by name, and the row as messages show it; nil for none. It asks the engine itself.
func Broken(ctx context.Context, s *session.Session, table *store.Table, checks []store.Check) (_ *store.Check, _ string, err error) {
	defer sqlstate.Catch(&err)
	checks = slices.Clone(checks)
	slices.SortFunc(checks, func(a, b store.Check) int { return strings.Compare(a.Name, b.Name) })
	if n, row := firstBroken(ctx, s, table, checks); n >= 0 {
		return &checks[n], row, nil
	}
	return nil, "", nil
}

// firstBroken finds a row of a table of which one of some constraints is false: the number of the first
// such constraint, and the row as messages show it; -1 for none.
func firstBroken(ctx context.Context, s *session.Session, table *store.Table, checks []store.Check) (int, string) {
	if len(checks) == 0 || table.Rows() == 0 {
		return -1, ""
	}
	stmt := sqlstate.Must(sql.Parse(brokenQuery(table, checks)))
	alone := catalog.Keyless(s, store.NewState([]store.Object{table}))
	c, err := query.Compile(s, stmt.(*sql.Query), alone, query.Options(s), true)
	sqlstate.Check(value.WithoutPos(err))
	res := sqlstate.Must(query.Execute(ctx, s, c))
	defer res.Close()
	for i := range res.Rows.Blocks() {
		block := sqlstate.Must(res.Rows.Load(i, lists.Upto[int](len(res.Columns))))
		if block.Rows > 0 {
			return int(block.Cols[0].Int(0)), store.RowText(table.Columns(), block.Cols[1:], 0)
		}
	}
	return -1, ""
}

// brokenQuery finds a row of which a check is false, with the number of the first such check.
func brokenQuery(table *store.Table, checks []store.Check) string {
	var number, where strings.Builder
	for i, check := range checks {
		broken := "(" + check.Text + "\n) IS FALSE" // a comment may end the text
		fmt.Fprintf(&number, " WHEN %s THEN %d", broken, i)
		if i > 0 {
			where.WriteString(" OR ")
		}
		where.WriteString(broken)
	}
	return fmt.Sprintf("SELECT CASE%s END, * FROM %s WHERE %s LIMIT 1", &number, qualified(table), &where)
}
