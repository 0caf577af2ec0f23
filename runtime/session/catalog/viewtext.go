package catalog

import (
	"maps"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// ViewText implements pgcatalog.Session: it is the query of a view as pg_get_viewdef writes it: with the names that the
// view has for its columns, and a schema before the names of tables and views that the session
// would not find without. It is the query as it stands where its query has become wrong.
func (s shown) ViewText(of *pgcatalog.Object) string {
	view := store.QueryOf(s.State().Lookup(of.StoreKey))
	if view == nil {
		return of.Definition
	}
	state, path := s.State(), s.SearchPath()
	text := qualified(s.Session, state, view, func(o store.Object) bool { return session.Finds(state, path, o) })
	if len(view.Columns) == 0 {
		return text
	}
	columns := lists.Map(view.Columns, pgcatalog.QuoteName)
	return "SELECT * FROM (" + text + ") AS " + pgcatalog.QuoteName(view.Name()) + " (" + strings.Join(columns, ", ") + ")"
}

// Renamed is the query of a view with another name for what has a key. It keeps its old name as
// an alias where columns are named by that.
func Renamed(s *session.Session, state *store.State, view *store.View, from, to string) string {
	return replaced(s, state, view, from, pgcatalog.QuoteName(store.SchemaOf(to))+"."+pgcatalog.QuoteName(store.NameOf(to)), false)
}

// Replaced is the query of a view with a query in parentheses, which gets its name, in the place of
// what has a key.
func Replaced(s *session.Session, state *store.State, view *store.View, key, query string) string {
	return replaced(s, state, view, key, query, true)
}

// Retyped is the query of a view with another name for a type.
func Retyped(s *session.Session, state *store.State, view *store.View, from algebra.UserType, to string) string {
	stmt, err := ParseView(view)
	if err != nil {
		return view.Text
	}
	within := OfState(s, state).Within(view)
	return sql.RenameTypesIn(view.Text, stmt, func(path []string) string {
		if within.userType(path) != from {
			return ""
		}
		return to
	})
}

// replaced is the query of a view with something else in the place of what has a key. That gets its
// old name as an alias where it must have one, or columns are named by that.
func replaced(s *session.Session, state *store.State, view *store.View, from, name string, aliased bool) string {
	text := view.Text
	stmt, err := ParseView(view)
	if err != nil {
		return text
	}
	within := OfState(s, state).Within(view)
	var tables []*sql.TableName
	named := func(name sql.Name) {
		if o := within.resolve(name.Parts()); o == nil || store.KeyOf(o) != from {
			return
		}
		for _, t := range sql.SourcesOf(stmt).Tables {
			if t.Name[0].Pos == name[0].Pos && !slices.ContainsFunc(tables, func(other *sql.TableName) bool { return other.Name[0].Pos == name[0].Pos }) {
				tables = append(tables, t)
			}
		}
	}
	if _, err := planOutline(s, state, view, named); err != nil {
		return text
	}
	old := pgcatalog.QuoteName(store.NameOf(from))
	qualifiers := sql.SourcesOf(stmt).Qualifiers()
	aliased = aliased || slices.ContainsFunc(qualifiers, func(q sql.Name) bool { return len(q) == 1 && q[0].Name == store.NameOf(from) })
	var edits []edit
	replace := func(by string, replaced sql.Name) {
		start := int(replaced[0].Pos)
		edits = append(edits, edit{start, start + sql.NameLength(text[start:]), by})
	}
	for _, t := range tables {
		if t.Alias.Name == "" && aliased {
			replace(name+" AS "+old, t.Name)
		} else {
			replace(name, t.Name)
		}
	}
	for _, q := range qualifiers {
		if o := within.resolve(q.Parts()); len(q) == 1 || o == nil || store.KeyOf(o) != from {
			continue
		}
		last := int(q[len(q)-1].Pos)
		whole := edit{int(q[0].Pos), last + sql.IdentLength(text[last:]), name}
		if aliased {
			whole.text = old
		}
		edits = append(edits, whole)
	}
	return edited(text, edits)
}

// edit is what takes the place of a part of a text.
type edit struct {
	start, end int
	text       string
}

// edited is a text with edits of parts that do not overlap.
func edited(text string, edits []edit) string {
	slices.SortFunc(edits, func(a, b edit) int { return b.start - a.start })
	for _, e := range edits {
		text = text[:e.start] + e.text + text[e.end:]
	}
	return text
}

// Qualified is the query of a view with the schema before the names of tables and views
// of a state.
func Qualified(s *session.Session, state *store.State, view *store.View) string {
	return qualified(s, state, view, func(store.Object) bool { return false })
}

// qualified is Qualified but for the names of what found is true of.
func qualified(s *session.Session, state *store.State, view *store.View, found func(store.Object) bool) string {
	text := view.Text
	stmt, err := ParseView(view)
	if err != nil {
		return text
	}
	schemas := map[int]string{} // by place
	within := OfState(s, state).Within(view)
	named := func(name sql.Name) {
		if o := within.resolve(name.Parts()); len(name) == 1 && o != nil && !found(o) {
			schemas[int(name[0].Pos)] = o.Schema()
		}
	}
	if _, err := planOutline(s, state, view, named); err != nil {
		return text
	}
	for _, t := range sql.TypesIn(stmt) {
		if typ := within.userType(t.Path); len(t.Path) == 1 && typ != nil && !found(&store.UserType{Of: typ}) {
			schemas[int(t.Pos)] = typ.ID().Schema
		}
	}
	for _, name := range sql.CallsIn(stmt) {
		if list := within.functions(name.Parts()); len(name) == 1 && len(list) > 0 && !found(list[0]) {
			schemas[int(name[0].Pos)] = list[0].Schema()
		}
	}
	for _, at := range slices.Backward(slices.Sorted(maps.Keys(schemas))) {
		text = text[:at] + pgcatalog.QuoteName(schemas[at]) + "." + text[at:]
	}
	return text
}
