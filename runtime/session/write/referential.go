package write

import (
	"fmt"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// referred does what constraints ask for to the rows that refer to those that were changed or
// removed.
func (r *references) referred(w *written) {
	for _, ref := range r.state().ReferencesTo(store.KeyOf(w.old)) {
		k := ref.Key()
		if !w.touches(k.Referenced) || r.newest(store.KeyOf(ref.Table)).Rows() == 0 {
			continue
		}
		c := &referral{references: r, ForeignKey: k, child: store.KeyOf(ref.Table), parent: w.old, removed: w.removed, action: k.OnUpdate}
		next := w.next
		if w.removed {
			next, c.action = nil, k.OnDelete
		}
		c.keys = sqlstate.Must(w.old.Changed(next, w.picks, k.Referenced, r.s.Meter))
		if c.action == algebra.NoAction && r.tx.Defers(c.child, k) {
			r.putOff(c.child, k, k.Table, c.keys, c.refuseLater)
			continue
		}
		c.run()
	}
}

// referral is what a change of rows does to those that refer to them by a constraint.
type referral struct {
	*references
	*algebra.ForeignKey
	child   string       // the key of the table that refers
	parent  *store.Table // the other
	removed bool         // its rows, which else were changed
	keys    *store.Table // store.Changed of the rows
	action  string
}

func (c *referral) run() {
	switch c.action {
	case algebra.NoAction, algebra.Restrict:
		c.refuse()
	case algebra.SetDefault:
		c.act()
		c.refuse() // the default may be what was there before
	default:
		c.act()
	}
}

// matches is the condition that a row refers to one that was changed.
func (c *referral) matches() string {
	return each(columnNames(c.newest(c.child), c.Columns), " AND ", func(i int, name string) string {
		return "c." + name + " = o." + numbered(i, 1)[0]
	})
}

// changes is the condition that the key has changed.
func (c *referral) changes() string {
	if c.removed {
		return ""
	}
	return differs("o", len(c.Columns))
}

// refuse fails where a row refers to one that was changed: unless, where the constraint does not
// restrict, another row has its key now.
func (c *referral) refuse() {
	child := c.newest(c.child)
	own := numbered(0, len(c.Columns))
	text := fmt.Sprintf("SELECT %s FROM %s o WHERE EXISTS (SELECT 1 FROM %s c WHERE %s)%s",
		each(own, ", ", func(_ int, name string) string { return "o." + name }), keysOf(changedKeys), keysOf(referencing), c.matches(), c.changes())
	if c.action != algebra.Restrict {
		text += fmt.Sprintf(" AND NOT EXISTS (SELECT 1 FROM %s r WHERE %s)", keysOf(referenced),
			each(columnNames(c.parent, c.Referenced), " AND ", func(i int, name string) string { return "r." + name + " = o." + own[i] }))
	}
	texts := c.find(text+" LIMIT 1", named{changedKeys, c.keys}, named{referencing, child}, named{referenced, c.newest(c.Table)})
	if texts == nil {
		return
	}
	e := value.Errorf(value.CodeForeignKeyViolation, "update or delete on table %q violates foreign key constraint %q on table %q", c.parent.Name(), c.Name, child.Name())
	e.Object = child.Constraint(c.Name)
	e.Detail = fmt.Sprintf("Key %sis still referenced from table %q.", c.shown(c.parent, c.Referenced, texts), child.Name())
	panic(e)
}

// refuseLater is refuse at the end of the transaction, when the constraint may refer to a table of another name.
func (c *referral) refuseLater(r *references, _ *store.Table, k *algebra.ForeignKey) {
	later := *c
	later.references, later.ForeignKey, later.parent = r, k, r.newest(k.Table)
	later.refuse()
}

// act changes or removes the rows that refer to those that were changed.
func (c *referral) act() {
	child := sqlstate.Must(c.tx.Table(c.ctx, c.child))
	view := c.view([]named{{changedKeys, c.keys}, {referencing, child}})
	plan, err := planner.BuildStatement(sqlstate.Must(sql.Parse(c.statement(child))), view, query.Options(c.s))
	sqlstate.Check(value.WithoutPos(err))
	res := sqlstate.Must(query.Execute(c.ctx, c.s, sqlstate.Must(query.Weave(c.s, plan.Source, false))))
	made := &changes{ctx: c.ctx, s: c.s, tx: c.tx, target: c.child}
	made.change(c.child, plan, res)
	res.Close()
	c.queue = append(c.queue, made.written...)
}

// statement is the DELETE or UPDATE of the rows that refer.
func (c *referral) statement(child *store.Table) string {
	where := " WHERE " + c.matches() + c.changes()
	if c.action == algebra.Cascade && c.removed {
		return fmt.Sprintf("DELETE FROM %s c USING %s o%s", keysOf(referencing), keysOf(changedKeys), where)
	}
	columns := c.Columns
	if c.removed && c.SetColumns != nil {
		columns = c.SetColumns
	}
	set := each(columnNames(child, columns), ", ", func(i int, name string) string {
		switch c.action {
		case algebra.SetNull:
			return name + " = NULL"
		case algebra.SetDefault:
			return name + " = DEFAULT"
		}
		return name + " = o." + numbered(len(columns)+i, 1)[0]
	})
	return fmt.Sprintf("UPDATE %s c SET %s FROM %s o%s", keysOf(referencing), set, keysOf(changedKeys), where)
}
