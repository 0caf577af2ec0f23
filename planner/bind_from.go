package planner

import (
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/function"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// from binds a FROM clause: its items side by side. Without items it is one
// row of no columns.
func (b *binder) from(items []sql.TableExpr, env *environment) (algebra.Node, *scope, error) {
	if len(items) == 0 {
		return &algebra.Values{Rows: make([][]value.Value, 1)}, &scope{}, nil
	}
	node, sc, err := b.table(items[0], env, &scope{})
	if err != nil {
		return nil, nil, err
	}
	for _, item := range items[1:] {
		right, rightScope, err := b.table(item, env, sc)
		if err != nil {
			return nil, nil, err
		}
		if sc, err = sc.join(rightScope, tablePos(item)); err != nil {
			return nil, nil, err
		}
		node = dependent(&algebra.Join{Kind: algebra.JoinInner, Left: node, Right: right})
	}
	return node, sc, nil
}

// tablePos is where a FROM item stands.
func tablePos(t sql.TableExpr) int {
	switch t := t.(type) {
	case *sql.TableName:
		return int(t.Name[0].Pos)
	case *sql.TableFile:
		return int(t.Pos)
	case *sql.TableFunc:
		return int(t.Call.Pos)
	case *sql.DerivedTable:
		return int(t.Pos)
	case *sql.JoinExpr:
		return int(t.Pos)
	}
	return value.NoPos
}

// table binds one FROM item. before is what stands before it, which it may
// name where it is LATERAL.
func (b *binder) table(t sql.TableExpr, env *environment, before *scope) (algebra.Node, *scope, error) {
	if err := b.enter(sql.Pos(tablePos(t))); err != nil {
		return nil, nil, err
	}
	defer b.leave()
	switch t := t.(type) {
	case *sql.TableName:
		return b.tableName(t, env)
	case *sql.TableFile:
		return b.tableFile(t)
	case *sql.TableFunc:
		return b.tableFunc(t, env, before)
	case *sql.DerivedTable:
		return b.derivedTable(t, env, before)
	case *sql.JoinExpr:
		return b.join(t, env, before)
	}
	return nil, nil, value.Errorf(value.CodeInternal, "unknown kind of FROM item %T", t)
}

func (b *binder) tableName(t *sql.TableName, env *environment) (algebra.Node, *scope, error) {
	pos := t.Name[0].Pos
	if err := b.countRelation(int(pos)); err != nil {
		return nil, nil, err
	}
	alias := t.Alias.Name
	if alias == "" {
		alias = t.Name[len(t.Name)-1].Name
	}
	if len(t.Name) == 1 {
		if entry := env.find(t.Name[0].Name); entry != nil {
			rel, err := b.useCTE(entry, env, pos)
			if err != nil {
				return nil, nil, err
			}
			node, sc, err := b.named(rel, alias, entry.cte.Columns, t.Columns, int(pos))
			if err == nil {
				_, sc.recursive = node.(*algebra.Working)
			}
			return node, sc, err
		}
	}
	r, err := b.lookUp(t.Name)
	if err != nil {
		return nil, nil, err
	}
	if r == nil {
		return nil, nil, value.ErrorAt(int(pos), value.CodeUndefinedTable, "relation %q does not exist", nameText(t.Name))
	}
	access := b.accessTo(r)
	if access != nil {
		access.Select = true
	}
	var node algebra.Node
	var sc *scope
	if b.viewDepth == 0 && b.opts.Named != nil {
		b.opts.Named(t.Name)
	}
	if r.View != "" {
		node, sc, err = b.view(r, alias, t)
	} else {
		node, sc, err = b.scan(r, alias, t.Columns, int(pos))
	}
	if err == nil {
		sc.guard(access)
	}
	return node, sc, err
}

// scan reads all columns of a table; pruning comes later.
func (b *binder) scan(r *Relation, alias string, rename []sql.Ident, pos int) (algebra.Node, *scope, error) {
	b.momentary = b.momentary || r.Momentary
	n := &algebra.Scan{
		Table: r.Ref, Alias: alias,
		Cols:     make([]algebra.Column, len(r.Columns)),
		Ordinals: make([]int, len(r.Columns)),
		ColStats: make([]algebra.Stats, len(r.Columns)),
	}
	for i := range r.Columns {
		c := &r.Columns[i]
		n.Cols[i] = b.newColumn(c.Name, c.Type, !c.NotNull && !(r.Ref.Exact && c.Stats.Nulls == 0))
		n.Ordinals[i] = i
		n.ColStats[i] = c.Stats
	}
	for _, key := range r.Unique {
		b.noteKey(n.Cols, key)
		if len(key) == 1 && n.ColStats[key[0]].Distinct == 0 {
			n.ColStats[key[0]].Distinct = float64(r.Ref.Rows)
		}
	}
	own := len(n.Cols)
	for own > 0 && r.Columns[own-1].System {
		own--
	}
	sc, err := renamed(alias, n.Cols[:own], rename, pos)
	if err != nil {
		return nil, nil, err
	}
	for _, col := range n.Cols[own:] {
		sc.cols = append(sc.cols, scopeColumn{col: col, rel: alias, system: true})
	}
	return n, sc, nil
}

// view binds a view's query in the place of its name.
func (b *binder) view(r *Relation, alias string, t *sql.TableName) (algebra.Node, *scope, error) {
	pos := int(t.Name[0].Pos)
	b.viewDepth++
	defer func() { b.viewDepth-- }()
	if b.viewDepth > maxViewDepth {
		return nil, nil, value.ErrorAt(pos, value.CodeTooComplex, "views are nested more than %d levels deep", maxViewDepth)
	}
	q, err := parseView(r.View)
	if err != nil {
		return nil, nil, inView(err, t, pos)
	}
	outer, around := b.cat, b.access.as
	if b.access.as = r.Owner; r.Within != nil {
		b.cat = r.Within
	}
	rel, err := b.query(q, nil, false)
	b.cat, b.access.as = outer, around
	if err != nil {
		return nil, nil, inView(err, t, pos)
	}
	names := make([]sql.Ident, len(r.Names))
	for i, name := range r.Names {
		names[i] = sql.Ident{Name: name, Pos: sql.NoPos}
	}
	return b.named(rel, alias, names, t.Columns, pos)
}

// inView moves an error in a view's text to where the view is used.
func inView(err error, t *sql.TableName, pos int) error {
	e, ok := err.(*value.Error)
	if !ok {
		return err
	}
	c := *e
	c.Pos = pos
	if c.Detail == "" {
		c.Detail = "The error is in the text of view " + nameText(t.Name) + "."
	}
	return &c
}

// named gives a bound query a name and, in this order, the column names of its
// definition and those of its use.
func (b *binder) named(rel *relation, alias string, defined, used []sql.Ident, pos int) (algebra.Node, *scope, error) {
	sc, err := renamed(alias, rel.columns(), defined, pos)
	if err != nil {
		return nil, nil, err
	}
	cols := make([]algebra.Column, len(sc.cols))
	for i := range sc.cols {
		cols[i] = sc.cols[i].col
	}
	sc, err = renamed(alias, cols, used, pos)
	return rel.node, sc, err
}

// renamed is the scope of a relation whose first columns get new names.
func renamed(alias string, cols []algebra.Column, names []sql.Ident, pos int) (*scope, error) {
	if len(names) > len(cols) {
		return nil, value.ErrorAt(pos, value.CodeInvalidColumnReference,
			"table %q has %s available but %s specified", alias, plural(len(cols), "column"), plural(len(names), "column"))
	}
	sc := newScope(alias, cols)
	for i, name := range names {
		sc.cols[i].col.Name = name.Name
	}
	return sc, nil
}

func (b *binder) derivedTable(t *sql.DerivedTable, env *environment, before *scope) (algebra.Node, *scope, error) {
	if t.Lateral {
		outer := &exprBinder{binder: b, scope: before, env: env, clause: "FROM clause of their own query level"}
		env = &environment{parent: env, outer: outer}
	}
	if err := b.countRelation(int(t.Pos)); err != nil {
		return nil, nil, err
	}
	rel, err := b.query(t.Query, env, false)
	if err != nil {
		return nil, nil, err
	}
	return b.named(rel, t.Alias.Name, nil, t.Columns, int(t.Pos))
}

func (b *binder) tableFile(t *sql.TableFile) (algebra.Node, *scope, error) {
	return b.file(t.Path, nil, t.Alias.Name, t.Columns, int(t.Pos))
}

// file binds a file or glob that stands in FROM.
func (b *binder) file(path string, options map[string]string, alias string, rename []sql.Ident, pos int) (algebra.Node, *scope, error) {
	if err := b.countRelation(pos); err != nil {
		return nil, nil, err
	}
	r, err := b.cat.File(path, options)
	if err != nil {
		return nil, nil, value.At(err, pos)
	}
	if r == nil {
		return nil, nil, value.ErrorAt(pos, value.CodeFeatureNotSupported, "reading the file %q is not supported here", path)
	}
	if alias == "" {
		alias = fileAlias(path)
	}
	return b.scan(r, alias, rename, pos)
}

// tableFunc binds a function in FROM: one that gives rows, one that reads a file, one
// of the catalog's relations, or any other, which gives one row.
func (b *binder) tableFunc(t *sql.TableFunc, env *environment, before *scope) (algebra.Node, *scope, error) {
	name := strings.TrimPrefix(nameText(t.Call.Name), "pg_catalog.")
	if f := function.Find(function.Set, name); f != nil && f.Query != "" {
		return b.sqlTable(t, f.Query, env, before)
	} else if f != nil {
		return b.setFunctionTable(t, name, env, before)
	}
	formats := map[string]string{"read_csv": "csv", "read_parquet": "parquet", "read_arrow": "arrow"}
	format, ok := formats[name]
	if !ok {
		return b.relationFunc(t, name, env, before)
	}
	if t.Ordinality {
		return nil, nil, notSupported(t.Call.Pos, "WITH ORDINALITY of the table function "+name+" is")
	}
	if len(t.Call.Args) != 1 {
		return nil, nil, value.ErrorAt(int(t.Call.Pos), value.CodeUndefinedFunction, "%s takes one argument, the path", name)
	}
	path, ok := t.Call.Args[0].(*sql.Literal)
	if !ok || path.Kind != sql.StringLiteral {
		return nil, nil, value.ErrorAt(int(t.Call.Pos), value.CodeInvalidParameter, "the path of %s must be a string literal", name)
	}
	return b.file(path.Text, map[string]string{"format": format}, t.Alias.Name, t.Columns, int(t.Call.Pos))
}

// relationFunc binds a function in FROM that the catalog has, or else one that gives
// one row.
func (b *binder) relationFunc(t *sql.TableFunc, name string, env *environment, before *scope) (algebra.Node, *scope, error) {
	if len(t.Call.Args) == 0 {
		path := make([]string, len(t.Call.Name))
		for i, part := range t.Call.Name {
			path[i] = part.Name
		}
		alias := path[len(path)-1]
		path[len(path)-1] += "()"
		rel, err := b.cat.Relation(path)
		if err != nil {
			return nil, nil, value.At(err, int(t.Call.Pos))
		}
		if rel != nil && t.Ordinality {
			return nil, nil, notSupported(t.Call.Pos, "WITH ORDINALITY of the table function "+name+" is")
		}
		if rel != nil {
			if t.Alias.Name != "" {
				alias = t.Alias.Name
			}
			return b.scan(rel, alias, t.Columns, int(t.Call.Pos))
		}
	}
	return b.setFunctionTable(t, t.Call.Name[len(t.Call.Name)-1].Name, env, before)
}
