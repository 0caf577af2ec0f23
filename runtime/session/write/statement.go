package write

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// Run runs a statement that changes rows, and those in its WITH.
func Run(ctx context.Context, s *session.Session, stmt sql.Change) (res *result.Result) {
	change(ctx, s, stmt, func(c *changes) { res = c.run(stmt, nil) })
	return res
}

// Query runs a query as query.Run does, and the statements in its WITH that change rows.
func Query(ctx context.Context, s *session.Session, q *sql.Query, keepOrder bool) (res *result.Result, err error) {
	defer sqlstate.Catch(&err)
	if len(sql.Writes(q)) == 0 {
		return query.Run(ctx, s, q, keepOrder)
	}
	change(ctx, s, q, func(c *changes) {
		compiled := sqlstate.Must(query.Compile(s, q, c.cat, c.opts, keepOrder))
		res = sqlstate.Must(query.Execute(ctx, s, compiled))
	})
	return res, nil
}

// change runs a statement, which main does, and those in its WITH that change rows: before it
// those that it reads, and behind it the others, the last one first. The tables are
// locked before they are read, so that nothing that others commit is lost.
func change(ctx context.Context, s *session.Session, stmt sql.Statement, main func(*changes)) {
	defer s.EndTurns()
	c := &changes{ctx: ctx, s: s, with: sql.WithOf(stmt), writes: sql.Writes(stmt), begun: map[*sql.CTE]bool{}, touched: map[string]*touched{}}
	command := c.aim(stmt)
	s.ChangeOf(c.targets[0].named, command, func(tx *store.Tx) {
		c.tx = tx
		c.prepare(stmt)
		if len(c.writes) > 0 {
			c.before(stmt, len(c.with.CTEs))
		}
		main(c)
		for _, cte := range slices.Backward(c.writes) {
			c.write(cte)
		}
		keepReferences(ctx, s, tx, c.written...)
	})
}

// aim finds the tables that are to be changed, and returns what messages call the statement.
func (c *changes) aim(stmt sql.Statement) (command string) {
	command = "SELECT"
	list := make([]sql.Change, 0, 1+len(c.writes))
	if main, ok := stmt.(sql.Change); ok {
		_, command = main.Changes()
		list = append(list, main)
	}
	for _, cte := range c.writes {
		list = append(list, cte.Write)
	}
	for _, stmt := range list {
		table, _ := stmt.Changes()
		key := sqlstate.Must(c.s.ChangedName(table))
		sqlstate.Check(c.s.Writable(key, command))
		c.targets = append(c.targets, target{stmt: stmt, named: key})
	}
	return command
}

// prepare locks the tables, and binds the whole statement where it has several parts. Where the
// session's role may not, an error of the statement itself comes first.
func (c *changes) prepare(stmt sql.Statement) {
	var denied error
	for _, t := range c.targets {
		denied = cmp.Or(denied, mayChange(c.s, t))
	}
	for i := range c.targets {
		t := &c.targets[i]
		if t.key = c.tx.State().RootKey(t.named); denied == nil && len(needed(t.stmt)) > 0 {
			t.key = sqlstate.Must(c.tx.LockRows(c.ctx, t.named))
		}
	}
	c.cat, c.opts = catalog.Of(c.s), query.Options(c.s)
	if denied == nil && len(c.writes) == 0 {
		return
	}
	opts := query.Explaining(c.s)
	opts.Returned = map[*sql.CTE]*planner.Relation{}
	plan, err := planner.BuildStatement(stmt, c.cat, opts)
	sqlstate.Check(cmp.Or(err, denied))
	sqlstate.Check(catalog.Permit(c.s, plan.Source.Access))
	c.opts.Returned = opts.Returned
}

// mayChange fails where the session's role may not do to any row what a statement does.
func mayChange(s *session.Session, t target) error {
	var err error
	for _, needs := range needed(t.stmt) {
		err = cmp.Or(err, catalog.MayChange(s, t.named, needs))
	}
	return err
}

// needed are the privileges that a statement needs; none for a MERGE that does nothing.
func needed(stmt sql.Change) (list []access.Privileges) {
	switch stmt := stmt.(type) {
	case *sql.Insert:
		return []access.Privileges{access.Insert}
	case *sql.Update:
		return []access.Privileges{access.Update}
	case *sql.Delete:
		return []access.Privileges{access.Delete}
	case *sql.Merge:
		for _, w := range stmt.Whens {
			switch {
			case w.Insert != nil:
				list = append(list, access.Insert)
			case w.Delete:
				list = append(list, access.Delete)
			case w.Set != nil:
				list = append(list, access.Update)
			}
		}
	}
	return list
}

// before runs those statements in WITH that a statement reads, which can name the first n
// expressions.
func (c *changes) before(stmt sql.Statement, n int) {
	names := sql.NamesBeside(stmt, c.with)
	for i := range c.with.CTEs[:n] {
		cte := &c.with.CTEs[i]
		switch {
		case !names[cte.Name.Name]:
		case cte.Write != nil:
			c.write(cte)
		case !c.begun[cte]:
			c.begun[cte] = true
			c.before(cte.Query, c.named(cte))
		}
	}
}

// named is how many expressions of WITH an expression can name.
func (c *changes) named(cte *sql.CTE) int {
	if c.with.Recursive {
		return len(c.with.CTEs)
	}
	return slices.IndexFunc(c.with.CTEs, func(other sql.CTE) bool { return other.Name == cte.Name })
}

// write runs a statement in WITH, once, and keeps what it returns.
func (c *changes) write(cte *sql.CTE) {
	if c.begun[cte] {
		return
	}
	c.begun[cte] = true
	c.before(cte.Write, c.named(cte))
	res := c.run(cte.Write, c.with)
	if rel := c.opts.Returned[cte]; rel != nil {
		c.opts.Returned[cte] = returnedRows(rel, res.Rows)
	}
}

// fetched is a result that is on the host and nothing else: a device that has made it has it no longer.
type fetched struct{ runtime.Relation }

// returnedRows are the rows that a statement in WITH has returned, of which it was said before what they look like.
func returnedRows(described *planner.Relation, rows runtime.Relation) *planner.Relation {
	rel := *described
	rel.Ref.Handle, rel.Ref.Rows = &fetched{rows}, rows.Rows()
	rel.Columns = slices.Clone(rel.Columns)
	for i, t := range rows.Types() {
		rel.Columns[i].Stats.Dict = t == kernel.Code
	}
	return &rel
}

// run runs a statement that changes rows, which may stand in a WITH: a query finds the rows and
// computes what becomes of them, then the blocks that hold them are written anew.
func (c *changes) run(stmt sql.Change, around *sql.With) *result.Result {
	opts := c.opts
	opts.Around = around
	plan := sqlstate.Must(planner.BuildStatement(stmt, c.cat, opts))
	sqlstate.Check(catalog.Permit(c.s, plan.Source.Access))
	_, verb := stmt.Changes()
	compiled := sqlstate.Must(query.Weave(c.s, plan.Source, verb == "INSERT" || verb == "MERGE"))
	res := sqlstate.Must(query.Execute(c.ctx, c.s, compiled))
	t := &c.targets[slices.IndexFunc(c.targets, func(t target) bool { return t.stmt == stmt })]
	key := t.key
	c.target = t.named
	rows := int64(0)
	switch verb {
	case "INSERT":
		verb = "INSERT 0"
		rows, res = c.insert(key, plan, res)
	case "MERGE":
		rows = c.merge(key, plan, res)
	default:
		rows, res = c.change(key, plan, res)
	}
	c.s.EndTurns()
	tag := fmt.Sprintf("%s %d", verb, rows)
	if !plan.Returns {
		return &result.Result{Tag: tag}
	}
	res.Tag = tag
	return res
}
