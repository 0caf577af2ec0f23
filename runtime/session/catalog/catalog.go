// Package catalog is what the statements of a session see of tables, views and relations of
// the system, and what the session's role may do with them. catalog.go shows a state of the
// store to the planner; system.go and viewtext.go show a session and its tables as relations
// of the system; permit.go says who may do what.
package catalog

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Catalog shows one state of the store to the planner. It remembers the tables
// and views that were looked up, for the dependencies of a view.
type Catalog struct {
	state *store.State
	types *store.State // where types are looked up; nil: in state
	files fileOpener
	// system makes the relations of the system; nil: there are none.
	system func(*pgcatalog.Table, *store.State) (*planner.Relation, error)
	// access is who may do what, and user the role that asks; nil: relations are not protected.
	access *access.State
	user   access.OID
	local  func(name []string) ([]string, error) // session.LocalName; nil: names are as they stand
	path   []string                              // in which names without a schema are looked up
	Used   *[]string                             // keys
	view   *store.View                           // in whose text names stand; nil: in none
	// deriving is what rows of hierarchies are charged to; nil where none are read.
	// Outlined hierarchies are the views that their texts make them.
	deriving *deriving
	outlined bool
	// refreshed is a materialized view that is shown as its query; nil: none is.
	refreshed *store.Table
	// altering says that partitions may not have followed what was changed of their table.
	altering bool
	// ignoreKeys hides the tables' keys, while it is being checked that they hold.
	ignoreKeys bool
}

// deriving is what rows are charged to that the catalog computes and keeps, and what
// computing them is.
type deriving struct {
	ctx     context.Context
	account *runtime.Account
	meter   *value.Meter
}

// fileOpener opens the files that queries name.
type fileOpener func(path string, options map[string]string) (store.Source, error)

// once has each of the files that a statement names opened once, by path and options.
func (open fileOpener) once() fileOpener {
	opened := make(map[string]store.Source)
	return func(path string, options map[string]string) (store.Source, error) {
		key := fmt.Sprintf("%q %q", path, options)
		if src, ok := opened[key]; ok {
			return src, nil
		}
		src, err := open(path, options)
		if err == nil {
			opened[key] = src
		}
		return src, err
	}
}

// Relation implements planner.Catalog.
func (c *Catalog) Relation(name []string) (*planner.Relation, error) {
	if c.local != nil {
		var err error
		if name, err = c.local(name); err != nil {
			return nil, err
		}
	}
	switch o := c.resolve(name).(type) {
	case *store.View:
		c.use(o)
		if o.Hierarchy != nil && c.deriving != nil {
			return c.hierarchy(o)
		}
		return c.text(o), nil
	case *store.Table:
		c.use(o)
		if o == c.refreshed {
			return c.text(store.QueryOf(o)), nil
		}
		return c.table(o), nil
	}
	if q, ok := c.resolve(name).(*store.Sequence); ok {
		rel := describeSequence(q)
		rel.TableOID = func() string { return oidsOf(c.state).OIDOf(store.KeyOf(q)) }
		c.protect(rel, q)
		return rel, nil
	}
	if t := pgcatalog.Find(name); t != nil && c.system != nil {
		return c.system(t, c.state)
	}
	return nil, nil
}

// table describes a table.
func (c *Catalog) table(o *store.Table) *planner.Relation {
	rows := c.state.Root(o)
	rel := describe(o.Name(), o.Columns(), rows)
	rel.Ref.Sample = rows.Sample()
	if !c.ignoreKeys {
		describeKeys(rel, o)
	}
	rel.Numbered, rel.Materialized = rows.Numbered(), store.QueryOf(o) != nil
	rel.Where, rel.Partitioned = PartitionCondition(c.state, o), o.By() != nil
	rel.TableOID = func() string { return tableOID(c.state, o, !c.altering) }
	for i, column := range o.Columns() {
		rel.Columns[i].Sequence = column.SequenceOf()
		rel.Columns[i].Identity = IdentityOf(c.state, &column)
		if d := cmp.Or(c.types, c.state).DomainOf(column.Domain); d != nil {
			rel.Columns[i].Domain = d
			rel.Columns[i].Default = domainDefault(&column, d)
		}
	}
	c.protect(rel, o)
	return rel
}

// Type implements planner.Catalog.
func (c *Catalog) Type(name []string) (algebra.UserType, error) {
	if c.local != nil {
		var err error
		if name, err = c.local(name); err != nil {
			return nil, err
		}
	}
	if len(name) == 2 && c.access != nil && name[0] != store.TemporarySchema && !c.access.HasSchema(name[0]) && !access.IsSystemSchema(name[0]) {
		return nil, session.NoSchema(name[0])
	}
	t := c.userType(name)
	if t != nil {
		c.use(&store.UserType{Of: t})
	}
	return t, nil
}

// userType finds what the name of a type stands for that a statement has made.
func (c *Catalog) userType(name []string) algebra.UserType {
	path := c.path
	if c.view != nil {
		path = c.view.SearchPath()
	}
	return cmp.Or(c.types, c.state).ResolveType(name, path)
}

// describeKeys adds what the planner needs to know of a table's keys.
func describeKeys(rel *planner.Relation, t *store.Table) {
	names := keyNames(t)
	for i, key := range t.Keys() {
		if key.Primary && (t.Of() == nil || key.Inherited) {
			rel.Unique = append(rel.Unique, key.Columns)
		}
		if key.Enforced() {
			rel.Keys = append(rel.Keys, planner.Key{Name: names[i], Columns: key.Columns, Index: key.Index})
		}
	}
}

// Within is the catalog as the text of a view sees it: names stand for what they did when the
// view was created.
func (c *Catalog) Within(view *store.View) *Catalog {
	inner := *c
	inner.view = view
	return &inner
}

// Refreshing is the catalog with the query of a materialized view in the place of its rows.
func (c *Catalog) Refreshing(table *store.Table) *Catalog {
	refreshing := *c
	refreshing.refreshed = table
	return &refreshing
}

// Altering is the catalog while a table is altered: rows have the OID of the table that is read, and not those of partitions.
func (c *Catalog) Altering() *Catalog {
	altering := *c
	altering.altering = true
	return &altering
}

// resolve finds what a name stands for.
func (c *Catalog) resolve(name []string) store.Object {
	if len(name) != 1 || c.view == nil {
		return c.state.Resolve(name, c.path)
	}
	for _, schema := range append([]string{store.TemporarySchema}, c.view.SearchPath()...) {
		if key := store.KeyIn(schema, name[0]); slices.Contains(c.view.Depends, key) {
			return c.state.Lookup(key)
		}
	}
	return nil
}

// hierarchy describes the rows of a hierarchy.
func (c *Catalog) hierarchy(v *store.View) (rel *planner.Relation, err error) {
	if c.outlined {
		rel = c.text(v)
	} else {
		rows, err := v.Hierarchy.Rows(c.deriving.ctx, v, c.state, c.deriving.account, c.deriving.meter)
		if err != nil {
			return nil, err
		}
		rel = c.derived(v, rows)
		rel.Unique = [][]int{{0, 1}}
	}
	rel.Elements = func() (*planner.Relation, error) {
		elements, err := v.Hierarchy.Elements(c.deriving.ctx, v, c.state, c.deriving.account, c.deriving.meter)
		if err != nil {
			return nil, err
		}
		rel := c.derived(v, elements)
		rel.Unique = [][]int{{0}}
		return rel, nil
	}
	return rel, nil
}

// text is a view as the query that it is.
func (c *Catalog) text(v *store.View) *planner.Relation {
	rel := &planner.Relation{View: v.Text, Names: v.Columns, Within: c.Within(v)}
	c.protect(rel, v)
	return rel
}

// derived is a table that is made of what a hierarchy reads, which its owner must be able
// to read.
func (c *Catalog) derived(v *store.View, t *store.Table) *planner.Relation {
	rel := DescribeSource(v.Name(), t)
	rel.Ref.Sample = t.Sample()
	c.protect(rel, v)
	if rel.Protected == "" {
		return rel
	}
	def := &v.Hierarchy.HierarchyDef
	reads := func(key string, names ...string) {
		a := planner.Access{Relation: key, Select: true}
		if t, ok := c.state.Lookup(key).(*store.Table); ok {
			for _, name := range names {
				if i := t.Ordinal(name); i >= 0 {
					a.Read = append(a.Read, i)
				}
			}
		}
		rel.Derived = append(rel.Derived, a)
	}
	if reads(def.Edges, def.Child, def.Parent, def.Weight); def.On != "" {
		reads(def.On, def.ID)
	}
	return rel
}

// use notes that a table or view was looked up.
func (c *Catalog) use(o store.Object) {
	if c.Used != nil {
		*c.Used = append(*c.Used, store.KeyOf(o))
	}
}

// protect says in which schema a relation is, and names it for Permit, where a session asks.
// Temporary ones are the session's own.
func (c *Catalog) protect(rel *planner.Relation, o store.Object) {
	rel.Schema = o.Schema()
	if key := store.KeyOf(o); c.access != nil && !store.IsTemporary(key) {
		rel.Protected, rel.Owner = key, uint32(c.access.Grants(store.AccessTo(store.KindOf(o), key)).Owner)
		if schema := access.SchemaObject(store.SchemaOf(key)); !c.access.Can(c.user, schema, access.Usage) {
			rel.Closed = schema.Name
		}
	}
}

// File implements planner.Catalog.
func (c *Catalog) File(path string, options map[string]string) (*planner.Relation, error) {
	src, err := c.files(path, options)
	if err != nil {
		return nil, err
	}
	rel := DescribeSource(path, src)
	rel.Momentary = true
	return rel, nil
}

// DescribeSource is what the planner needs to know of a table or a file.
func DescribeSource(name string, src store.Source) *planner.Relation {
	return describe(name, src.Columns(), src)
}

// describe is what the planner needs to know of a table of some columns whose rows are those of a source.
func describe(name string, columns []store.Column, src store.Source) *planner.Relation {
	rel := &planner.Relation{
		Ref:     algebra.TableRef{Name: name, Handle: src, Rows: src.Rows(), Exact: src.Exact()},
		Columns: make([]planner.CatalogColumn, len(columns)),
	}
	for i, col := range columns {
		rel.Columns[i] = planner.CatalogColumn{Name: col.Name, Type: col.Type, NotNull: src.Columns()[i].NotNull, Default: defaultText(&col), Generated: col.Generated(), Stats: src.Stats(i)}
	}
	return rel
}
