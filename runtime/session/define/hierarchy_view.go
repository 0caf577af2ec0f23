package define

import (
	"context"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
)

// hierarchyView is the hierarchy that CREATE VIEW makes of a query that is the text of one,
// as pg_dump writes it; nil for any other query. Where elements come from a table, that
// must have a key: pg_dump restores the view behind the rows only then.
func hierarchyView(ctx context.Context, s *session.Session, tx *store.Tx, key string, stmt *sql.CreateView) *store.View {
	h := hierarchyIn(stmt.Query)
	if h == nil || len(stmt.Columns) > 0 {
		return nil
	}
	def, err := hierarchyDef(ctx, s, tx, h)
	if err != nil || checkTemporary(key, def) != nil {
		return nil // as a plain view it says what is wrong, if anything is
	}
	text, err := hierarchyText(tx.State(), def)
	if err != nil || text != strings.TrimSpace(stmt.Text) {
		return nil
	}
	if on, ok := tx.State().Lookup(def.On).(*store.Table); ok && !slices.ContainsFunc(on.Keys(), func(key store.Key) bool { return key.Enforced() }) {
		return nil
	}
	return store.NewHierarchy(key, text, *def)
}

// hierarchyIn is the statement whose hierarchy has a query as its text, if the query is one
// of hierarchyText; nil where it has another shape.
func hierarchyIn(q *sql.Query) *sql.CreateHierarchy {
	if q == nil || q.With == nil || !q.With.Recursive || len(q.With.CTEs) != 1 {
		return nil
	}
	paths, ok := q.With.CTEs[0].Query.Body.(*sql.SetOp)
	if !ok {
		return nil
	}
	elements, next := derivedIn(paths.Left), derivedIn(paths.Right)
	if elements == nil || next == nil {
		return nil
	}
	h := &sql.CreateHierarchy{}
	var on []sql.Ident
	if h.Edges, h.Columns = columnsIn(next.Body); len(h.Columns) < 2 {
		return nil
	}
	if h.On, on = columnsIn(elements.Body); len(on) == 1 {
		h.ID = on[0]
	}
	return h
}

// derivedIn is the query of the only table of a SELECT, or of the table that it joins last.
func derivedIn(body sql.QueryBody) *sql.Query {
	sel, ok := body.(*sql.Select)
	if !ok || len(sel.From) != 1 {
		return nil
	}
	table := sel.From[0]
	if join, ok := table.(*sql.JoinExpr); ok {
		table = join.Right
	}
	if derived, ok := table.(*sql.DerivedTable); ok {
		return derived.Query
	}
	return nil
}

// columnsIn are the table and the columns, converted or not, that a SELECT reads.
func columnsIn(body sql.QueryBody) (table sql.Name, columns []sql.Ident) {
	sel, ok := body.(*sql.Select)
	if !ok || len(sel.From) != 1 {
		return nil, nil
	}
	from, ok := sel.From[0].(*sql.TableName)
	if !ok {
		return nil, nil
	}
	for _, item := range sel.Items {
		e := item.Expr
		if cast, ok := e.(*sql.Cast); ok {
			e = cast.X
		}
		ref, ok := e.(*sql.ColumnRef)
		if !ok {
			return nil, nil
		}
		columns = append(columns, ref.Name[len(ref.Name)-1])
	}
	return from.Name, columns
}
