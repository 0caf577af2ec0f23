package define

import (
	"context"
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/planner"
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

// CreateMaterializedView runs CREATE MATERIALIZED VIEW: it makes a table of the query's columns,
// and populates it as REFRESH does.
func CreateMaterializedView(ctx context.Context, s *session.Session, stmt *sql.CreateView) *result.Result {
	res := &result.Result{Tag: "CREATE MATERIALIZED VIEW"}
	s.Change(res.Tag, func(tx *store.Tx) {
		key, err := s.CreatedName(stmt.Name, false)
		sqlstate.Check(value.WithoutPos(err))
		if stmt.IfNotExists && tx.State().Lookup(key) != nil {
			res.Notices = []result.Notice{alreadyExists(store.NameOf(key))}
			return
		}
		checkStorage(stmt.Storage, tableStorage)
		view := newView(ctx, s, tx, key, stmt)
		if tx.State().Lookup(key) != nil {
			panic(value.Errorf(value.CodeDuplicateTable, "relation %q already exists", view.Name()))
		}
		sqlstate.Check(catalog.MayCreate(s, key, false))
		table := unpopulated(s, tx, view)
		createRelation(ctx, s, tx, table, false)
		if !stmt.NoData {
			res.Tag = fmt.Sprintf("SELECT %d", populate(ctx, s, tx, table, false))
		}
	})
	return res
}

// unpopulated is the table that a materialized view is before its query has run.
func unpopulated(s *session.Session, tx *store.Tx, view *store.View) *store.Table {
	if view.Schema() == store.TemporarySchema {
		panic(value.Errorf(value.CodeFeatureNotSupported, "materialized views must not use temporary tables or views"))
	}
	view.Materialized, view.Unpopulated = true, true
	def := store.Definition{Schema: view.Schema(), Name: view.Name(), Query: view}
	for _, c := range catalog.ViewColumns(s, tx.State(), view) {
		sqlstate.Check(planner.CheckColumnName(c.Name))
		def.Columns = append(def.Columns, plainColumn(c))
	}
	return sqlstate.Must(store.NewTable(def))
}

// RefreshView runs REFRESH MATERIALIZED VIEW. Others read the old rows until the transaction
// commits, also without CONCURRENTLY.
func RefreshView(ctx context.Context, s *session.Session, stmt *sql.RefreshView) *result.Result {
	const tag = "REFRESH MATERIALIZED VIEW"
	key, err := s.TargetName(stmt.Name)
	sqlstate.Check(value.WithoutPos(err))
	s.Change(tag, func(tx *store.Tx) {
		if tx.State().Lookup(key) != nil {
			sqlstate.Check(catalog.MustOwn(s, key))
		}
		sqlstate.Check(tx.Lock(ctx, key))
		o := tx.State().Lookup(key)
		switch {
		case o == nil:
			panic(value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", stmt.Name.Dotted()))
		case store.IsKind(o, store.KindView):
			panic(value.Errorf(value.CodeWrongObjectType, "%q is not a table or materialized view", o.Name()))
		case !store.IsKind(o, store.KindMaterialized):
			panic(value.Errorf(value.CodeFeatureNotSupported, "%q is not a materialized view", o.Name()))
		}
		table := o.(*store.Table)
		if mayRefresh(table, stmt); stmt.NoData {
			tx.Update(emptied(table, true))
			return
		}
		populate(ctx, s, tx, table, stmt.Concurrently)
	})
	return &result.Result{Tag: tag}
}

// mayRefresh fails where CONCURRENTLY cannot be.
func mayRefresh(table *store.Table, stmt *sql.RefreshView) {
	unique := func(key store.Key) bool { return key.Enforced() && !key.Index.Computed() }
	switch {
	case !stmt.Concurrently:
	case store.QueryOf(table).Unpopulated:
		panic(value.Errorf(value.CodeFeatureNotSupported, "CONCURRENTLY cannot be used when the materialized view is not populated"))
	case stmt.NoData:
		panic(value.Errorf(value.CodeSyntax, "CONCURRENTLY and WITH NO DATA options cannot be used together"))
	case !slices.ContainsFunc(table.Keys(), unique):
		e := value.Errorf(value.CodeNotInState, "cannot refresh materialized view \"%s\" concurrently", schemaName(table))
		e.Hint = "Create a unique index with no WHERE clause on one or more columns of the materialized view."
		panic(e)
	}
}

// emptied is a materialized view without rows.
func emptied(table *store.Table, unpopulated bool) *store.Table {
	empty := sqlstate.Must(table.Emptied(table.Columns()))
	view := *store.QueryOf(table)
	view.Unpopulated = unpopulated
	return empty.Requeried(&view)
}

// populate gives a materialized view the rows that its query has now, and returns their number.
func populate(ctx context.Context, s *session.Session, tx *store.Tx, table *store.Table, concurrently bool) int64 {
	key := store.KeyOf(table)
	stmt := sqlstate.Must(sql.Parse("SELECT * FROM " + schemaName(table)))
	columns := catalog.DescribeSource(table.Name(), table).Columns
	plan, err := planner.BuildRows(stmt.(*sql.Query), columns, catalog.Of(s).Refreshing(table), query.Options(s))
	sqlstate.Check(value.WithoutPos(err))
	plan.Access = slices.DeleteFunc(plan.Access, func(a *planner.Access) bool { return a.Relation == key })
	sqlstate.Check(catalog.Permit(s, plan.Access))
	c := sqlstate.Must(query.Weave(s, plan, true))
	res, err := query.Execute(ctx, s, c)
	sqlstate.Check(value.WithoutPos(err))
	empty := emptied(table, false)
	tx.Update(empty.Rekeyed(table.Columns(), nil))
	sqlstate.Check(write.AppendRelation(ctx, s, tx, key, res.Rows, lists.Upto[int](len(table.Columns()))))
	next := sqlstate.Must(tx.Table(ctx, key)).Rekeyed(table.Columns(), table.Keys())
	for i, k := range next.Keys() {
		switch {
		case k.Enforced() && concurrently:
			sqlstate.Check(write.CheckKey(ctx, s, tx.State(), next, i))
		case k.Enforced():
			checkUnique(ctx, s, tx, next, &k, catalog.KeyName(next, i))
		}
	}
	tx.Update(next)
	return res.Count()
}
