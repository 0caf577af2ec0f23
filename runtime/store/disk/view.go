package disk

import "github.com/cubeloom/cubeloom/runtime/store"

// entryOf is a view as the manifest has it.
func entryOf(v *store.View) viewEntry {
	e := viewEntry{Name: store.KeyOf(v), Text: v.Text, Columns: v.Columns, Depends: v.Depends, Path: v.Path,
		Materialized: v.Materialized, Unpopulated: v.Unpopulated}
	if v.Hierarchy != nil {
		e.Hierarchy = &v.Hierarchy.HierarchyDef
	}
	return e
}

// view is the view of an entry.
func (e *viewEntry) view() *store.View {
	if e.Hierarchy != nil {
		return store.NewHierarchy(e.Name, e.Text, *e.Hierarchy)
	}
	v := store.NewView(e.Name, e.Text, e.Columns, e.Depends)
	v.Path, v.Materialized, v.Unpopulated = e.Path, e.Materialized, e.Unpopulated
	return v
}
