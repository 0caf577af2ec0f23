package define

import (
	"context"
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/session/write"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// alteration is an ALTER TABLE while it runs.
type alteration struct {
	*session.Session
	tx   *store.Tx
	key  string // of the table or view
	stmt sql.Name
	only bool // not on its partitions
	name string
	res  *result.Result
}

// replace takes a new version of the table in, unless it changes the columns of
// a view.
func (a *alteration) replace(next *store.Table, refusal string) {
	a.keepViews(func() { a.tx.Update(next) }, value.Errorf(value.CodeFeatureNotSupported, "%s", refusal))
}

// keepViews makes a change, unless it changes the columns of a view that reads the
// relation, or has its query be wrong.
func (a *alteration) keepViews(change func(), refusal error) {
	views := a.dependentViews()
	before := lists.Map(views, func(v *store.View) int { return len(sqlstate.Must(a.planView(v)).Columns) })
	change()
	for i, v := range a.dependentViews() { // the same views, perhaps with other queries
		if plan, err := a.planView(v); err != nil || len(plan.Columns) != before[i] || a.retypes(v) {
			panic(refusal)
		}
	}
}

// dependentViews are the views that read the table or view, or one of its partitions.
func (a *alteration) dependentViews() []*store.View {
	state := a.tx.State()
	views := state.Dependents(a.key)
	if t, ok := state.Lookup(a.key).(*store.Table); ok {
		for _, p := range state.Below(t) {
			for _, v := range state.Dependents(store.KeyOf(p)) {
				if !slices.Contains(views, v) {
					views = append(views, v)
				}
			}
		}
	}
	return views
}

// retypes reports whether a hierarchy would have elements or weights of another type than
// it was made with.
func (a *alteration) retypes(v *store.View) bool {
	if v.Hierarchy == nil {
		return false
	}
	text, err := hierarchyText(a.tx.State(), &v.Hierarchy.HierarchyDef)
	return err != nil || text != v.Text
}

// planView plans the query of a view.
func (a *alteration) planView(v *store.View) (*planner.Plan, error) {
	q, err := catalog.ParseView(v)
	if err != nil {
		return nil, err
	}
	return planner.Build(q, catalog.Of(a.Session).Altering().Within(v), planner.Options{Trace: true, SQLFunctions: catalog.SQLFunctions(a.Session)})
}

// readers are the views that read a column of the table.
func (a *alteration) readers(ordinal int) []*store.View {
	table := a.tx.State().Lookup(a.key)
	var views []*store.View
	for _, v := range a.dependentViews() {
		if sqlstate.Must(a.planView(v)).Reads(table, ordinal) {
			views = append(views, v)
		}
	}
	return views
}

// written is the name of an object of the transaction as messages have it.
func (a *alteration) written(o store.Object) string {
	return session.Written(a.tx.State(), a.SearchPath(), o)
}

// dependents is the error of dropping a column that generated columns and views read, or constraints refer to.
func (a *alteration) dependents(column string, generated []string, views []*store.View, refs []store.Reference) error {
	of := a.columnOf(column)
	var lines []string
	seen := map[string]bool{}
	add := func(of string, views []*store.View) {
		for _, v := range views {
			if key := store.KeyOf(v); !seen[key] {
				seen[key] = true
				lines = append(lines, fmt.Sprintf("%s %s depends on %s", store.KindOf(v), a.written(v), of))
				lines = append(lines, a.tx.Dependents([]string{key}, seen)...)
			}
		}
	}
	table := a.tx.State().Lookup(a.key).(*store.Table)
	for _, c := range generated {
		lines = append(lines, fmt.Sprintf("%s depends on %s", a.columnOf(c), of))
		add(a.columnOf(c), a.readers(table.Ordinal(c)))
	}
	add(of, views)
	for _, r := range refs {
		lines = append(lines, a.tx.DependsOn(r, of))
	}
	return store.StillRead(of, lines)
}

func (a *alteration) noColumn(id sql.Ident) error {
	return value.Errorf(value.CodeUndefinedColumn, "column %q of relation %q does not exist", id.Name, a.name)
}

// checkUnique fails with 23505 where two rows of a table agree in columns of which an index of a
// name is to be unique.
func checkUnique(ctx context.Context, s *session.Session, tx *store.Tx, table *store.Table, key *store.Key, index string) {
	twice, err := write.Duplicate(ctx, s, tx.State(), table, key)
	if sqlstate.Check(err); twice != "" {
		e := value.Errorf(value.CodeUniqueViolation, "could not create unique index %q", index)
		e.Detail = fmt.Sprintf("Key %s is duplicated.", twice)
		e.Object = table.Constraint(index)
		panic(e)
	}
}

// hasNulls reports whether a row of a table has NULL in a column.
func (a *alteration) hasNulls(ctx context.Context, table *store.Table, column int) bool {
	if table.Of() == nil {
		return table.Stats(column).Nulls > 0
	}
	return write.AnyRow(ctx, a.Session, a.tx.State(), table, pgcatalog.Quote(table.Columns()[column].Name)+" IS NULL")
}

// columnOf names a column of the table as messages have it.
func (a *alteration) columnOf(column string) string {
	return fmt.Sprintf("column %s of table %s", column, a.written(a.tx.State().Lookup(a.key)))
}

// rewrite makes the rows of a plan those of the table, which has columns of such types then. Its CHECK
// constraints are not looked at.
func (a *alteration) rewrite(ctx context.Context, table *store.Table, columns []store.Column, plan *planner.Plan) *store.Table {
	c := sqlstate.Must(query.Weave(a.Session, plan, true))
	res := sqlstate.Must(query.Execute(ctx, a.Session, c))
	plain := slices.Clone(columns) // whose domains are not asked once more
	for i := range plain {
		plain[i].Domain = 0
	}
	empty := sqlstate.Must(table.Emptied(plain))
	a.tx.Update(empty.Rechecked(nil).WithForeignKeys(nil))
	sqlstate.Check(write.AppendRelation(ctx, a.Session, a.tx, a.key, res.Rows, lists.Upto[int](len(columns))))
	next := sqlstate.Must(a.tx.Table(ctx, a.key))
	return next.Redefined(columns).Rechecked(table.Checks()).WithForeignKeys(table.ForeignKeys())
}
