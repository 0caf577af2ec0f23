package write

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// among is a condition that only the rows of a table have to fulfil, which may be a partition.
func (r *rules) among(t *store.Table, text string) string {
	if t.Of() == nil {
		return text
	}
	return "NOT (" + catalog.PartitionCondition(r.state, t) + ") OR (" + text + "\n)" // a comment may end the text
}

// within is the rule that rows are those of a partition.
func (r *rules) within(p *store.Table) rule {
	return rule{store.Check{Text: catalog.PartitionCondition(r.state, p)}, func(_ *store.Table, text string) error {
		e := value.Errorf(value.CodeCheckViolation, "new row for relation %q violates partition constraint", p.Name())
		e.Detail = "Failing row contains (" + text + ")."
		e.Object = value.Object{Schema: p.Schema(), Table: p.Name()}
		return e
	}}
}

// divided is the rule that each row of a partitioned table is one of a partition.
func (r *rules) divided(t *store.Table) rule {
	check := store.Check{Text: r.among(t, catalog.Accepted(r.state, t))}
	return rule{check, func(rows *store.Table, _ string) error {
		keys := lists.Map(catalog.KeyTexts(t), func(key string) string { return "coalesce((" + key + ")::text, 'null')" })
		texts := r.ask(rows, fmt.Sprintf("SELECT %s FROM %s WHERE (%s) IS FALSE LIMIT 1", strings.Join(keys, ", "), qualified(rows), check.Text))
		e := value.Errorf(value.CodeCheckViolation, "no partition of relation %q found for row", t.Name())
		e.Detail = fmt.Sprintf("Partition key of the failing row contains %s.", keyText(catalog.ShownKeys(t), texts, " = "))
		e.Object = value.Object{Schema: t.Schema(), Table: t.Name()}
		return e
	}}
}

// notNull are the rules that columns of a partition are not NULL which can be so in others.
func (r *rules) notNull(p *store.Table) (list []rule) {
	for i, c := range p.Columns() {
		if !c.NotNull || r.table.Columns()[i].NotNull {
			continue
		}
		check := store.Check{Text: r.among(p, pgcatalog.Quote(c.Name)+" IS NOT NULL")}
		list = append(list, rule{check, func(_ *store.Table, text string) error {
			e := value.Errorf(value.CodeNotNullViolation, "null value in column %q of relation %q violates not-null constraint", c.Name, p.Name())
			e.Detail = "Failing row contains (" + text + ")."
			e.Object = p.Column(c.Name)
			return e
		}})
	}
	return list
}

// check is the rule that a CHECK constraint is, which asks a text of rows.
func (r *rules) check(check store.Check, text string) rule {
	name := check.Name
	check.Text = text
	return rule{check, func(rows *store.Table, row string) error {
		t := r.partitionOf(rows, text)
		e := value.Errorf(value.CodeCheckViolation, "new row for relation %q violates check constraint %q", t.Name(), name)
		e.Detail = "Failing row contains (" + row + ")."
		e.Object = t.Constraint(name)
		return e
	}}
}

// partitionOf is the table, without partitions of its own, that has the first row of which a condition is false.
func (r *rules) partitionOf(rows *store.Table, cond string) *store.Table {
	leaves := slices.DeleteFunc(r.state.Below(r.table), func(p *store.Table) bool { return p.By() != nil })
	var number strings.Builder
	for i, p := range leaves {
		fmt.Fprintf(&number, " WHEN %s THEN %d", catalog.PartitionCondition(r.state, p), i)
	}
	if len(leaves) > 0 {
		texts := r.ask(rows, fmt.Sprintf("SELECT CASE%s END FROM %s WHERE (%s\n) IS FALSE LIMIT 1", &number, qualified(rows), cond))
		for i, p := range leaves {
			if texts[0] == fmt.Sprint(i) {
				return p
			}
		}
	}
	return r.table
}

// ask is the first row that a query of some rows returns, as texts.
func (r *rules) ask(rows *store.Table, text string) []string {
	return firstRow(r.ctx, r.s, store.NewState([]store.Object{rows}), text)
}

// RemoveRows removes the rows of a partition from the table that has them. FOREIGN KEY constraints that refer to it
// are not looked at.
func RemoveRows(ctx context.Context, s *session.Session, tx *store.Tx, p *store.Table) (err error) {
	defer sqlstate.Catch(&err)
	root := sqlstate.Must(tx.LockRows(ctx, store.KeyOf(p)))
	stmt := sqlstate.Must(sql.Parse("DELETE FROM " + qualified(p)))
	plan := sqlstate.Must(planner.BuildStatement(stmt, catalog.Keyless(s, tx.State()), query.Options(s)))
	c := sqlstate.Must(query.Weave(s, plan.Source, false))
	res := sqlstate.Must(query.Execute(ctx, s, c))
	defer res.Close()
	picks := sqlstate.Must(store.Picks(res.Rows, 0, s.Meter))
	if len(picks) == 0 {
		return nil
	}
	tx.Update(sqlstate.Must(tx.Rewrite(ctx, sqlstate.Must(tx.Table(ctx, root)), &store.Change{Picks: picks}, s.Settings.Threads)))
	return nil
}
