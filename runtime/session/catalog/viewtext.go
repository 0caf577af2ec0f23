package catalog

import (
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
)

// ViewText implements pgcatalog.Session: it is the query of a view as pg_get_viewdef writes it: with the names that the
// view has for its columns and, where the session does not search the schema of tables
// and views, that schema before their names. It is the query as it stands where its
// query has become wrong.
func (s shown) ViewText(of *pgcatalog.Object) string {
	view, ok := s.State().Lookup(of.StoreKey).(*store.View)
	if !ok {
		return of.Definition
	}
	text := view.Text
	if !pgcatalog.SearchesPublic(s.Settings.Client["search_path"]) {
		text = Qualified(s.Session, s.State(), view)
	}
	if len(view.Columns) == 0 {
		return text
	}
	columns := make([]string, len(view.Columns))
	for i, c := range view.Columns {
		columns[i] = pgcatalog.QuoteName(c)
	}
	return "SELECT * FROM (" + text + ") AS " + pgcatalog.QuoteName(view.Name()) + " (" + strings.Join(columns, ", ") + ")"
}

// Qualified is the query of a view with the schema before the names of tables and views
// of a state.
func Qualified(s *session.Session, state *store.State, view *store.View) string {
	text := view.Text
	var places []int
	named := func(name sql.Name) {
		if len(name) == 1 && state.Lookup(name[0].Name) != nil {
			places = append(places, int(name[0].Pos))
		}
	}
	if _, err := planOutline(s, state, view, named); err != nil {
		return text
	}
	slices.Sort(places)
	for _, at := range slices.Backward(slices.Compact(places)) {
		text = text[:at] + store.Schema + "." + text[at:]
	}
	return text
}
