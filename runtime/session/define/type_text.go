package define

import (
	"context"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// typeAlteration is an ALTER of a type while it runs, and of the tables with columns of it.
type typeAlteration struct {
	*session.Session
	tx     *store.Tx
	old    algebra.UserType
	tables []*store.Table
}

// enumAlteration is an ALTER TYPE of an enum.
type enumAlteration struct {
	typeAlteration
	old *algebra.EnumType
}

// stored is the text of an expression as a table keeps it: without what stands before columns, as the
// table may get another name, and with the schemas of types and functions, whatever the search path is.
func stored(s *session.Session, text string) string {
	text = catalog.QualifiedCalls(s, sqlstate.Must(sql.Unqualified(text)))
	return withTypes(text, func(path []string) string {
		if t := sqlstate.Must(catalog.Of(s).Type(path)); t != nil {
			return t.ID().Qualified()
		}
		return ""
	})
}

// withTypes is the text of an expression with other names for types.
func withTypes(text string, named func(path []string) string) string {
	return sql.RenameTypesIn(text, sqlstate.Must(sql.ParseExpr(text)), named)
}

// withTexts is a table with other texts of its defaults, generated columns, CHECK constraints and indexes;
// the same one where none is changed.
func withTexts(table *store.Table, edit func(text string) string) *store.Table {
	changed := false
	edited := func(text string) string {
		if text == "" {
			return ""
		}
		next := edit(text)
		changed = changed || next != text
		return next
	}
	columns, checks, keys := slices.Clone(table.Columns()), slices.Clone(table.Checks()), slices.Clone(table.Keys())
	for i, c := range columns {
		switch {
		case c.Generated() != "":
			columns[i].Default = store.GeneratedAs(edited(c.Generated()))
		case c.SequenceOf() == "":
			columns[i].Default = edited(c.Default)
		}
	}
	for i := range checks {
		checks[i].Text = edited(checks[i].Text)
	}
	for i, key := range keys {
		if key.Index.Computed() {
			index := *key.Index
			index.Exprs, index.Where = lists.Map(index.Exprs, edited), edited(index.Where)
			keys[i].Index = &index
		}
	}
	if !changed {
		return table
	}
	return table.Rekeyed(columns, keys).Rechecked(checks)
}

// renameInTexts gives the type its next name in the texts of tables, views and domains.
func (a *typeAlteration) renameInTexts(ctx context.Context, next algebra.UserType) {
	id := a.old.ID()
	from, to := store.UserTypeKey(a.old), store.UserTypeKey(next)
	named := func(path []string) string {
		if len(path) == 2 && path[0] == id.Schema && path[1] == id.Name {
			return next.ID().Qualified()
		}
		return ""
	}
	for _, o := range a.tx.State().Objects() {
		if t, ok := o.(*store.Table); ok {
			a.update(ctx, t, withTexts(t, func(text string) string { return withTypes(text, named) }))
		}
	}
	for _, t := range a.tx.State().UserTypes() {
		if d, ok := t.(*algebra.Domain); ok {
			a.renameInDomain(ctx, d, named)
		}
	}
	for _, v := range a.tx.State().Dependents(from) {
		sqlstate.Check(a.tx.LockToDefine(ctx, store.KeyOf(v)))
		renamed := *v
		renamed.Text = catalog.Retyped(a.Session, a.tx.State(), v, a.old, next.ID().Qualified())
		renamed.Depends = slices.Clone(v.Depends)
		renamed.Depends[slices.Index(v.Depends, from)] = to
		a.tx.Redefine(&renamed)
	}
}

// renameInDomain gives types other names in the texts of a domain.
func (a *typeAlteration) renameInDomain(ctx context.Context, d *algebra.Domain, named func(path []string) string) {
	next := *d
	next.Checks = slices.Clone(d.Checks)
	if d.Default != "" {
		next.Default = withTypes(d.Default, named)
	}
	for i := range next.Checks {
		next.Checks[i].Text = withTypes(d.Checks[i].Text, named)
	}
	if next.Default == d.Default && slices.Equal(next.Checks, d.Checks) {
		return
	}
	sqlstate.Check(a.tx.LockDomain(ctx, store.UserTypeKey(d)))
	sqlstate.Check(a.tx.ReplaceDomain(ctx, a.tx.State().DomainOf(d.OID), &next))
}

// update takes the next version of a table in, if it is another one.
func (a *typeAlteration) update(ctx context.Context, table, next *store.Table) {
	if next == table {
		return
	}
	sqlstate.Check(a.tx.LockToDefine(ctx, store.KeyOf(table)))
	a.tx.Update(next)
	if i := slices.Index(a.tables, table); i >= 0 {
		a.tables[i] = next
	}
}

// relabel gives a label its next text in defaults that are the label. It fails with 0A000 where the text
// of something else may have it.
func (a *enumAlteration) relabel(ctx context.Context, from, to string) {
	quoted, keys := pgcatalog.QuoteText(from), []string{store.UserTypeKey(a.old)}
	refuse := func(text, kind, name string) {
		if strings.Contains(text, quoted) {
			panic(value.Errorf(value.CodeFeatureNotSupported, "renaming a value that the text of %s %q has is not supported", kind, name))
		}
	}
	for _, table := range slices.Clone(a.tables) {
		a.update(ctx, table, withTexts(table, func(text string) string {
			if label := literalOf(text); label != nil && label.Text == from {
				return text[:label.Pos] + pgcatalog.QuoteText(to) + text[int(label.Pos)+sql.IdentLength(text[label.Pos:]):]
			}
			refuse(text, "table", table.Name())
			return text
		}))
		keys = append(keys, store.KeyOf(table))
	}
	readers := map[string]bool{}
	a.tx.Dependents(keys, readers)
	for key := range readers {
		refuse(store.QueryOf(a.tx.State().Lookup(key)).Text, "view", store.NameOf(key))
	}
}

// literalOf is the string that an expression is, cast to a type or not; nil where it is another one.
func literalOf(text string) *sql.Literal {
	e := sqlstate.Must(sql.ParseExpr(text))
	if cast, ok := e.(*sql.Cast); ok {
		e = cast.X
	}
	if l, ok := e.(*sql.Literal); ok && l.Kind == sql.StringLiteral {
		return l
	}
	return nil
}
