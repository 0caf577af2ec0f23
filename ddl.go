package cubeloom

import (
	"context"
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// nameParts are the identifiers of a name, without their positions.
func nameParts(name sql.Name) []string {
	parts := make([]string, len(name))
	for i, id := range name {
		parts[i] = id.Name
	}
	return parts
}

// createTable runs CREATE TABLE.
func (s *Session) createTable(ctx context.Context, stmt *sql.CreateTable) (*answer, error) {
	key, err := s.createdName(stmt.Name, stmt.Temporary)
	if err == nil {
		err = checkOnCommit(key, store.OnCommit(stmt.OnCommit))
	}
	if err != nil {
		return nil, err
	}
	name := store.NameOf(key)
	if err := s.mayCreate(key, stmt.OrReplace); err != nil {
		return nil, at(err, stmt.Name[0].Pos)
	}
	if stmt.IfNotExists && s.state().Lookup(key) != nil {
		return &answer{Tag: "CREATE TABLE", Notices: []Notice{alreadyExists(name)}}, nil
	}
	if len(stmt.Options) > 0 {
		return nil, value.ErrorAt(int(stmt.Options[0].Pos), value.CodeInvalidParameter,
			"unrecognized parameter %q", stmt.Options[0].Name)
	}
	columns, err := planner.TableColumns(stmt.Columns)
	if err != nil {
		return nil, err
	}
	def := store.Definition{
		Name: name, Keys: tableKeys(stmt), Temporary: store.IsTemporary(key), OnCommit: store.OnCommit(stmt.OnCommit),
	}
	if len(def.Keys) > 0 && def.Keys[0].Primary {
		for _, i := range def.Keys[0].Columns {
			columns[i].NotNull = true
		}
	}
	for i, col := range columns {
		c, err := s.storedColumn(&stmt.Columns[i], col)
		if err != nil {
			return nil, err
		}
		def.Columns = append(def.Columns, c)
	}
	table, err := store.NewTable(def)
	if err != nil {
		return nil, err
	}
	err = s.change("CREATE TABLE", func(tx *store.Tx) error { return s.createRelation(ctx, tx, table, stmt.OrReplace) })
	if err != nil {
		return nil, err
	}
	return &answer{Tag: "CREATE TABLE"}, nil
}

// createRelation creates a table, in the place of one that there is where replace is set:
// unless a view reads that which would not work any more, or have other columns.
func (s *Session) createRelation(ctx context.Context, tx *store.Tx, table *store.Table, replace bool) error {
	create := func() error { return tx.Create(ctx, table, replace) }
	key := store.KeyOf(table)
	if !replace || tx.State().Lookup(key) == nil {
		return create()
	}
	if err := tx.LockToDefine(ctx, key); err != nil {
		return err
	}
	a := &alteration{Session: s, tx: tx, key: key, name: table.Name()}
	refusal := value.Errorf(value.CodeDependentObjects, "cannot replace table %s because views that read it would change", table.Name())
	refusal.Hint = "Drop the views first."
	return a.keepViews(create, refusal)
}

// checkReplaced fails where a view has other columns than the one that it replaces, which
// others may read.
func (s *Session) checkReplaced(tx *store.Tx, view *store.View) error {
	old, ok := tx.State().Lookup(store.KeyOf(view)).(*store.View)
	if !ok {
		return nil
	}
	had, has := s.viewColumns(tx.State(), old), s.viewColumns(tx.State(), view)
	if len(has) < len(had) {
		return value.Errorf(codeInvalidTable, "cannot drop columns from view")
	}
	for i, c := range had {
		switch next := has[i]; {
		case next.Name != c.Name:
			e := value.Errorf(codeInvalidTable, "cannot change name of view column %q to %q", c.Name, next.Name)
			e.Hint = "Use ALTER VIEW ... RENAME COLUMN ... to change name of view column instead."
			return e
		case next.Type != c.Type:
			return value.Errorf(codeInvalidTable, "cannot change data type of view column %q from %v to %v", c.Name, c.Type, next.Type)
		}
	}
	return nil
}

// tableKeys are the keys that CREATE TABLE declares. One over the columns of
// another adds nothing.
func tableKeys(stmt *sql.CreateTable) []store.Key {
	var keys []store.Key
	for n, declared := range stmt.Keys() {
		key := store.Key{Name: declared.Name.Name, Primary: n == 0 && stmt.Primary != nil}
		for _, id := range declared.Columns {
			key.Columns = append(key.Columns, slices.IndexFunc(stmt.Columns, func(c sql.ColumnDef) bool { return c.Name.Name == id.Name }))
		}
		if !slices.ContainsFunc(keys, func(have store.Key) bool { return slices.Equal(have.Columns, key.Columns) }) {
			keys = append(keys, key)
		}
	}
	return keys
}

// storedColumn is a column as it is stored, with its default.
func (s *Session) storedColumn(def *sql.ColumnDef, col planner.CatalogColumn) (store.Column, error) {
	c := store.Column{Name: col.Name, Type: col.Type, NotNull: col.NotNull}
	var err error
	if def.Default != nil {
		c.Default, err = planner.CheckDefault(def.Default, col, s.catalog(), s.planOptions())
	}
	return c, err
}

// alreadyExists is the notice of IF NOT EXISTS.
func alreadyExists(name string) Notice {
	return notice(value.CodeDuplicateTable, "relation %q already exists, skipping", name)
}

// createTableAs runs CREATE TABLE AS.
func (s *Session) createTableAs(ctx context.Context, stmt *sql.CreateTableAs) (*answer, error) {
	key, err := s.createdName(stmt.Name, stmt.Temporary)
	if err == nil {
		err = checkOnCommit(key, store.OnCommit(stmt.OnCommit))
	}
	if err != nil {
		return nil, err
	}
	if err := s.mayCreate(key, stmt.OrReplace); err != nil {
		return nil, s.refusedFirst(stmt, err)
	}
	if stmt.IfNotExists && s.state().Lookup(key) != nil {
		return &answer{Tag: "CREATE TABLE AS", Notices: []Notice{alreadyExists(store.NameOf(key))}}, nil
	}
	var rows int64
	err = s.change("CREATE TABLE AS", func(tx *store.Tx) error {
		res, err := s.createdRows(ctx, stmt)
		if err != nil {
			return err
		}
		if !stmt.NoData {
			rows = res.count()
		}
		return s.storeResult(ctx, tx, key, stmt, res)
	})
	if err != nil {
		return nil, err
	}
	return &answer{Tag: fmt.Sprintf("SELECT %d", rows)}, nil
}

// refusedFirst is the error of a CREATE TABLE AS that the session's role may not run:
// what is wrong with its query comes first, as in PostgreSQL.
func (s *Session) refusedFirst(stmt *sql.CreateTableAs, refusal error) error {
	if stmt.Query == nil {
		return refusal
	}
	if _, err := s.compile(stmt.Query, s.catalog(), s.planOptions(), true); err != nil {
		return err
	}
	return refusal
}

// createdRows runs the query of CREATE TABLE AS.
func (s *Session) createdRows(ctx context.Context, stmt *sql.CreateTableAs) (*answer, error) {
	if stmt.Execute == nil {
		return s.runQuery(ctx, stmt.Query, true)
	}
	var res *answer
	err := s.withPrepared(stmt.Execute, func(p *Prepared) error {
		query, ok := p.Statement.parsed.Statement.(*sql.Query)
		if !ok {
			return value.Errorf(value.CodeWrongObjectType, "prepared statement is not a SELECT")
		}
		var err error
		res, err = s.runQuery(ctx, query, true)
		return err
	})
	return res, err
}

// storeResult creates a table of a query's result.
func (s *Session) storeResult(ctx context.Context, tx *store.Tx, key string, stmt *sql.CreateTableAs, res *answer) error {
	if len(stmt.Columns) > len(res.Columns) {
		return value.ErrorAt(int(stmt.Columns[len(res.Columns)].Pos), value.CodeSyntax, "too many column names were specified")
	}
	def := store.Definition{Name: store.NameOf(key), Temporary: store.IsTemporary(key), OnCommit: store.OnCommit(stmt.OnCommit)}
	for i, col := range res.Columns {
		colName := col.Name
		if i < len(stmt.Columns) {
			colName = stmt.Columns[i].Name
		}
		def.Columns = append(def.Columns, store.Column{Name: colName, Type: storedType(col.Type.Type)})
	}
	table, err := store.NewTable(def)
	if err != nil {
		return err
	}
	if err := s.createRelation(ctx, tx, table, stmt.OrReplace); err != nil {
		return err
	}
	if stmt.NoData {
		return nil
	}
	return s.appendRelation(ctx, tx, key, res, allOrdinals(len(res.Columns)))
}

// appendRelation appends a result to a table: table column i takes column
// ordinals[i], or NULLs where that is -1.
func (s *Session) appendRelation(ctx context.Context, tx *store.Tx, name string, res *answer, ordinals []int) error {
	app, err := tx.Append(ctx, name)
	if err != nil {
		return err
	}
	if err := app.AddRelation(ctx, res.rows, ordinals, s.settings.Threads); err != nil {
		return err
	}
	table, err := app.Finish()
	if err != nil {
		return err
	}
	return s.update(ctx, tx, table)
}

// createView runs CREATE VIEW. The query is planned, so that a view which can
// never work is refused here.
func (s *Session) createView(ctx context.Context, stmt *sql.CreateView) (*answer, error) {
	res := &answer{Tag: "CREATE VIEW"}
	err := s.change(res.Tag, func(tx *store.Tx) error {
		key, err := s.createdName(stmt.Name, stmt.Temporary)
		if err != nil {
			return err
		}
		view, err := s.newView(ctx, tx, key, stmt)
		if err != nil {
			return err
		}
		if err := s.mayCreate(key, stmt.OrReplace); err != nil {
			return err
		}
		if view.Temporary && !store.IsTemporary(key) {
			res.Notices = []Notice{notice(codeSuccess, "view %q will be a temporary view", view.Name())}
		}
		if stmt.OrReplace {
			if err := tx.LockToDefine(ctx, store.KeyOf(view)); err != nil {
				return err
			}
			if err := s.checkReplaced(tx, view); err != nil {
				return err
			}
		}
		return tx.Create(ctx, view, stmt.OrReplace)
	})
	if err != nil {
		return nil, err
	}
	return res, nil
}

// newView is the view of a key that a statement creates. What it reads keeps its
// definition until the transaction ends: each relation is locked, and the query planned
// again, as it may have become another one meanwhile.
func (s *Session) newView(ctx context.Context, tx *store.Tx, key string, stmt *sql.CreateView) (*store.View, error) {
	var columns, locked []string
	for _, id := range stmt.Columns {
		columns = append(columns, id.Name)
	}
	for {
		var used []string
		cat := s.catalog()
		cat.used = &used
		plan, err := planner.Build(stmt.Query, cat, s.planOptions())
		if err != nil {
			return nil, err
		}
		if len(columns) > len(plan.Columns) {
			return nil, value.ErrorAt(int(stmt.Columns[len(plan.Columns)].Pos), value.CodeSyntax,
				"CREATE VIEW specifies more column names than columns")
		}
		before := len(locked)
		for _, name := range used {
			if slices.Contains(locked, name) {
				continue
			}
			if err := tx.LockDefinition(ctx, name, true); err != nil {
				return nil, err
			}
			locked = append(locked, name)
		}
		if len(locked) == before {
			view := store.NewView(store.NameOf(key), stmt.Text, columns, used)
			view.Temporary = store.IsTemporary(key) || slices.ContainsFunc(used, store.IsTemporary)
			return view, nil
		}
	}
}

// drop runs DROP TABLE and DROP VIEW.
func (s *Session) drop(ctx context.Context, stmt *sql.Drop) (*answer, error) {
	kind, tag := store.KindTable, "DROP TABLE"
	if stmt.View {
		kind, tag = store.KindView, "DROP VIEW"
	}
	res := &answer{Tag: tag}
	var names []string
	for _, n := range stmt.Names {
		name, err := s.targetName(n)
		if err != nil {
			return nil, err
		}
		if stmt.IfExists && s.state().Lookup(name) == nil {
			res.Notices = append(res.Notices, notice(codeSuccess, "%s %q does not exist, skipping", kind, store.NameOf(name)))
			continue
		}
		if err := s.mayDrop(kind, name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return res, nil
	}
	err := s.change(tag, func(tx *store.Tx) error { return tx.Drop(ctx, kind, names, stmt.Cascade) })
	if err != nil {
		return nil, err
	}
	return res, nil
}

// storedType is the type of a table's column that holds a query's column: the
// type itself, but text for a NULL or literal that never got a type, and the number
// for an object identifier.
func storedType(t algebra.Type) algebra.Type {
	if t.Kind == algebra.Unknown {
		return algebra.TText
	}
	t.Alias = algebra.NoAlias
	return t
}
