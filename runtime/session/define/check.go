package define

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/session/write"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// withChecks is a table with further CHECK constraints, of which it is not looked at whether they
// are true of its rows. Those without a name get that which PostgreSQL gives them.
func withChecks(s *session.Session, table *store.Table, defs []sql.CheckDef) *store.Table {
	rel := catalog.DescribeSource(table.Name(), table)
	rel.Schema = table.Schema()
	for n, def := range defs {
		columns := sqlstate.Must(planner.CheckedColumns(rel, def.Expr, catalog.Of(s), query.Options(s)))
		check := store.Check{Name: def.Name.Name, Text: stored(s, withoutParens(def.Text)), Columns: columns, NotValid: def.NotValid, Comment: def.Comment}
		switch {
		case check.Name == "":
			check.Name = catalog.CheckName(table, columns, func(name string) bool {
				return catalog.HasConstraint(table, name) || hasConstraint(s.State(), table.Schema(), name) || slices.ContainsFunc(defs, func(d sql.CheckDef) bool { return d.Name.Name == name })
			})
		case slices.ContainsFunc(defs[:n], func(d sql.CheckDef) bool { return d.Name.Name == check.Name }):
			panic(value.Errorf(value.CodeDuplicateObject, "check constraint %q already exists", check.Name))
		case catalog.HasConstraint(table, check.Name):
			panic(value.Errorf(value.CodeDuplicateObject, "constraint %q for relation %q already exists", check.Name, table.Name()))
		}
		table = table.Rechecked(append(slices.Clip(table.Checks()), check))
	}
	return table
}

// hasConstraint reports whether a table of a schema has a constraint of a name.
func hasConstraint(state *store.State, schema, name string) bool {
	return slices.ContainsFunc(state.Objects(), func(o store.Object) bool {
		table, ok := o.(*store.Table)
		return ok && table.Schema() == schema && catalog.HasConstraint(table, name)
	})
}

// withoutParens is the text of an expression without parentheses around all of it.
func withoutParens(text string) string {
	for {
		inner, opened := strings.CutPrefix(text, "(")
		inner, closed := strings.CutSuffix(inner, ")")
		if !opened || !closed {
			return text
		}
		if _, err := sql.ParseExpr(inner); err != nil {
			return text
		}
		text = strings.TrimSpace(inner)
	}
}

// addCheck runs ADD CHECK.
func (a *alteration) addCheck(ctx context.Context, table *store.Table, action *sql.AddCheck) {
	next := withChecks(a.Session, table, []sql.CheckDef{action.Check})
	if !action.Check.NotValid {
		a.keepsTo(ctx, next, next.Checks()[len(table.Checks()):])
	}
	a.tx.Update(next)
}

// keepsTo fails with 23514 where one of some CHECK constraints is false of a row of a table.
func (a *alteration) keepsTo(ctx context.Context, table *store.Table, checks []store.Check) {
	if broken := a.broken(ctx, table, checks); broken != nil {
		e := value.Errorf(value.CodeCheckViolation, "check constraint %q of relation %q is violated by some row", broken.Name, a.name)
		e.Object = table.Constraint(broken.Name)
		panic(e)
	}
}

// broken is a constraint that is false of a row of a table; nil for none.
func (a *alteration) broken(ctx context.Context, table *store.Table, checks []store.Check) *store.Check {
	if table.Of() == nil {
		broken, _, err := write.Broken(ctx, a.Session, table, checks)
		sqlstate.Check(err)
		return broken
	}
	for i := range checks {
		if write.AnyRow(ctx, a.Session, a.tx.State(), table, "("+checks[i].Text+"\n) IS FALSE") { // a comment may end the text
			return &checks[i]
		}
	}
	return nil
}

// recheck binds the CHECK constraints of a table that read a column once more, of which the type
// has changed, and checks them.
func (a *alteration) recheck(ctx context.Context, table *store.Table, column int) {
	rel := catalog.DescribeSource(table.Name(), table)
	var checks []store.Check
	for _, check := range table.Checks() {
		if !slices.Contains(check.Columns, column) {
			continue
		}
		e, err := sql.ParseExpr(check.Text)
		if err == nil {
			_, err = planner.CheckedColumns(rel, e, catalog.Of(a.Session), query.Options(a.Session))
		}
		sqlstate.Check(value.WithoutPos(err))
		if !check.NotValid {
			checks = append(checks, check)
		}
	}
	a.keepsTo(ctx, table, checks)
}

// findCheck finds a CHECK constraint by its name; -1 for none.
func findCheck(table *store.Table, name string) int {
	return slices.IndexFunc(table.Checks(), func(c store.Check) bool { return c.Name == name })
}

// findForeignKey finds a FOREIGN KEY constraint by its name; -1 for none.
func findForeignKey(table *store.Table, name string) int {
	return slices.IndexFunc(table.ForeignKeys(), func(k algebra.ForeignKey) bool { return k.Name == name })
}

// renameInChecks are the CHECK constraints of a table with another name for column i.
func renameInChecks(table *store.Table, i int, to string) []store.Check {
	checks := slices.Clone(table.Checks())
	for n := range checks {
		if !slices.Contains(checks[n].Columns, i) {
			continue
		}
		text, err := sql.RenameColumnIn(checks[n].Text, table.Columns()[i].Name, to)
		if err != nil {
			panic(fmt.Errorf("check constraint %q: %w", checks[n].Name, err))
		}
		checks[n].Text = text
	}
	return checks
}
