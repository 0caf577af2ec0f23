package define

import (
	"context"
	"slices"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// checkReplaced fails where a view has other columns than the one that it replaces, which
// others may read.
func checkReplaced(s *session.Session, tx *store.Tx, view *store.View) {
	old, ok := tx.State().Lookup(store.KeyOf(view)).(*store.View)
	if !ok {
		return
	}
	had, has := catalog.ViewColumns(s, tx.State(), old), catalog.ViewColumns(s, tx.State(), view)
	if len(has) < len(had) {
		panic(value.Errorf(value.CodeInvalidTable, "cannot drop columns from view"))
	}
	for i, c := range had {
		switch next := has[i]; {
		case next.Name != c.Name:
			e := value.Errorf(value.CodeInvalidTable, "cannot change name of view column %q to %q", c.Name, next.Name)
			e.Hint = "Use ALTER VIEW ... RENAME COLUMN ... to change name of view column instead."
			panic(e)
		case next.Type != c.Type || algebra.DomainOID(next.Domain) != algebra.DomainOID(c.Domain):
			panic(value.Errorf(value.CodeInvalidTable, "cannot change data type of view column %q from %v to %v", c.Name, c.TypeName(), next.TypeName()))
		}
	}
}

// CreateView runs CREATE VIEW. The query is planned, so that a view which can
// never work is refused here. A query that is the text of a hierarchy makes one.
func CreateView(ctx context.Context, s *session.Session, stmt *sql.CreateView) *result.Result {
	res := &result.Result{Tag: "CREATE VIEW"}
	s.Change(res.Tag, func(tx *store.Tx) {
		key, err := s.CreatedName(stmt.Name, stmt.Temporary)
		sqlstate.Check(value.WithoutPos(err))
		view := hierarchyView(ctx, s, tx, key, stmt)
		if view == nil {
			view = newView(ctx, s, tx, key, stmt)
		}
		sqlstate.Check(catalog.MayCreate(s, key, stmt.OrReplace))
		if view.Schema() == store.TemporarySchema && !store.IsTemporary(key) {
			if len(stmt.Name) > 1 {
				panic(value.Errorf(value.CodeInvalidTable, "cannot create temporary relation in non-temporary schema"))
			}
			res.Notices = []result.Notice{result.NewNotice(value.CodeSuccess, "view %q will be a temporary view", view.Name())}
		}
		if stmt.OrReplace {
			sqlstate.Check(tx.LockToDefine(ctx, store.KeyOf(view)))
			checkReplaced(s, tx, view)
		}
		a := &alteration{Session: s, tx: tx, key: store.KeyOf(view)}
		a.keepViews(func() { sqlstate.Check(tx.Create(ctx, view, stmt.OrReplace)) },
			value.Errorf(value.CodeFeatureNotSupported, "adding a column to a view of which another view selects * is not supported"))
	})
	return res
}

// checkNames fails where two columns of a view have one name, those that it is given and those
// of its query behind them, and where a column holds rows without a type of their own.
func checkNames(given []string, columns []algebra.Column) {
	seen := map[string]bool{}
	for i, c := range columns {
		name := c.Name
		if i < len(given) {
			name = given[i]
		}
		if seen[name] {
			panic(value.Errorf(value.CodeDuplicateColumn, "column %q specified more than once", name))
		}
		seen[name] = true
		checkPseudo(name, c.Type)
	}
}

// newView is the view of a key that a statement creates. What it reads keeps its
// definition until the transaction ends: each relation is locked, and the query planned
// again, as it may have become another one meanwhile.
func newView(ctx context.Context, s *session.Session, tx *store.Tx, key string, stmt *sql.CreateView) *store.View {
	var columns, locked []string
	for _, id := range stmt.Columns {
		columns = append(columns, id.Name)
	}
	for {
		var used []string
		cat := catalog.Of(s)
		cat.Used = &used
		plan := sqlstate.Must(planner.Build(stmt.Query, cat, query.Explaining(s)))
		switch surplus := len(columns) > len(plan.Columns); {
		case surplus && stmt.Materialized:
			panic(tooManyNames())
		case surplus:
			panic(value.ErrorAt(int(stmt.Columns[len(plan.Columns)].Pos), value.CodeSyntax,
				"CREATE VIEW specifies more column names than columns"))
		}
		checkNames(columns, plan.Columns)
		if len(sql.Writes(stmt.Query)) > 0 {
			panic(value.Errorf(value.CodeFeatureNotSupported, "views must not contain data-modifying statements in WITH"))
		}
		before := len(locked)
		for _, name := range used {
			if slices.Contains(locked, name) {
				continue
			}
			sqlstate.Check(tx.LockDefinition(ctx, name, true))
			locked = append(locked, name)
		}
		if len(locked) == before {
			if slices.ContainsFunc(used, store.IsTemporary) {
				key = store.TemporaryKey(store.NameOf(key))
			}
			view := store.NewView(key, stmt.Text, columns, used)
			if path := s.SearchPath(); !slices.Equal(path, []string{store.TemporarySchema, store.Schema}) {
				view.Path = path
			}
			return view
		}
	}
}
