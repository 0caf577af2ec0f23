package define

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/value"
)

// CreateIndex runs CREATE INDEX. A unique index is enforced as a UNIQUE constraint is; any
// other is known to the catalog alone.
func CreateIndex(ctx context.Context, s *session.Session, stmt *sql.CreateIndex) (*result.Result, error) {
	const tag = "CREATE INDEX"
	if err := concurrently(s, tag, stmt.Concurrently); err != nil {
		return nil, err
	}
	key, err := s.TargetName(stmt.Table)
	if err != nil {
		return nil, err
	}
	a := &alteration{Session: s, key: key, stmt: stmt.Table, name: store.NameOf(key), res: &result.Result{Tag: tag}}
	err = s.Change(tag, func(tx *store.Tx) error {
		a.tx = tx
		switch o := tx.State().Lookup(key).(type) {
		case nil:
			return value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", a.name)
		case *store.View:
			e := value.Errorf(value.CodeWrongObjectType, "cannot create index on relation %q", a.name)
			e.Detail = "This operation is not supported for views."
			return e
		default:
			if err := catalog.MustOwn(s, key); err != nil {
				return err
			}
			if err := catalog.MayCreateIn(s, store.SchemaOf(key)); err != nil {
				return err
			}
			return a.createIndex(ctx, o.(*store.Table), stmt)
		}
	})
	if err != nil {
		return nil, err
	}
	return a.res, nil
}

// concurrently refuses to run a command CONCURRENTLY within a transaction block.
func concurrently(s *session.Session, command string, asked bool) error {
	if asked && !s.RunsAlone() {
		return value.Errorf(value.CodeActiveTransaction, "%s CONCURRENTLY cannot run inside a transaction block", command)
	}
	return nil
}

func (a *alteration) createIndex(ctx context.Context, table *store.Table, stmt *sql.CreateIndex) error {
	index, columns, err := indexOf(table, stmt)
	if err != nil {
		return err
	}
	name := stmt.Name.Name
	switch taken := name != "" && a.taken(name); {
	case taken && stmt.IfNotExists:
		a.res.Notices = append(a.res.Notices, alreadyExists(name))
		return nil
	case taken:
		return value.Errorf(value.CodeDuplicateTable, "relation %q already exists", name)
	case name == "":
		name = catalog.NameOfColumns(table, columns, "_idx", a.taken)
	}
	if err := a.tx.LockToDefine(ctx, a.key); err != nil {
		return err
	}
	if table, err = a.tx.Table(ctx, a.key); err != nil {
		return err
	}
	if index.Unique {
		if err := checkUnique(ctx, a.Session, a.tx, table, columns, name); err != nil {
			return err
		}
	}
	key := store.Key{Name: name, Columns: columns, Index: index}
	a.tx.Update(table.Rekeyed(table.Columns(), append(slices.Clip(table.Keys()), key)))
	return nil
}

// taken reports whether a relation has a name beside the table, or an index does.
func (a *alteration) taken(name string) bool {
	return catalog.IsTaken(a.tx.State(), store.KeyIn(store.SchemaOf(a.key), name))
}

// operatorClasses are those that an index may name, with what they are of.
var operatorClasses = map[string]string{
	"varchar_pattern_ops": "btree", "text_pattern_ops": "btree", "bpchar_pattern_ops": "btree", "jsonb_ops": "gin", "jsonb_path_ops": "gin", "array_ops": "gin",
}

// defaultClasses are those of them that need not be named.
var defaultClasses = map[string]bool{"jsonb_ops": true, "array_ops": true}

// indexOf is an index as a statement says it, and its columns.
func indexOf(table *store.Table, stmt *sql.CreateIndex) (*algebra.Index, []int, error) {
	index := &algebra.Index{Unique: stmt.Unique, Method: stmt.Method.Name}
	switch method := index.Method; {
	case method == "":
		index.Method = "btree"
	case method == "gist" || method == "spgist":
		return nil, nil, value.Errorf(value.CodeFeatureNotSupported, "the access method %s is not supported", method)
	case !slices.Contains([]string{"btree", "hash", "brin", "gin"}, method):
		return nil, nil, value.Errorf(value.CodeUndefinedObject, "access method %q does not exist", method)
	case method != "btree" && stmt.Unique:
		return nil, nil, value.Errorf(value.CodeFeatureNotSupported, "access method %q does not support unique indexes", method)
	case method == "hash" && len(stmt.Columns) > 1:
		return nil, nil, value.Errorf(value.CodeFeatureNotSupported, "access method %q does not support multicolumn indexes", method)
	}
	var columns []int
	for _, c := range stmt.Columns {
		i := table.Ordinal(c.Name.Name)
		if i < 0 {
			return nil, nil, value.Errorf(value.CodeUndefinedColumn, "column %q does not exist", c.Name.Name)
		}
		term, err := indexTerm(index.Method, table.Columns()[i].Type, &c)
		if err != nil {
			return nil, nil, err
		}
		columns, index.Terms = append(columns, i), append(index.Terms, term)
	}
	return index, columns, nil
}

// indexTerm is what the definition of an index has behind a column's name.
func indexTerm(method string, typ algebra.Type, c *sql.IndexColumn) (string, error) {
	class := c.Class.Name
	sorted, composed := typ.Kind != algebra.JSONText && (method == "btree" || typ.Kind != algebra.JSONBinary || method == "hash"), typ.Kind == algebra.JSONBinary || typ.Kind == algebra.Array
	switch {
	case class != "" && operatorClasses[class] != method:
		return "", value.Errorf(value.CodeUndefinedObject, "operator class %q does not exist for access method %q", class, method)
	case method == "gin" && !composed || method != "gin" && !sorted:
		e := value.Errorf(value.CodeUndefinedObject, "data type %s has no default operator class for access method %q", typ.Plain(), method)
		e.Hint = "You must specify an operator class for the index or define a default operator class for the data type."
		return "", e
	case method != "btree" && c.Order != "":
		option := "ASC/DESC"
		if !strings.HasPrefix(c.Order, "DESC") {
			option = "NULLS FIRST/LAST"
		}
		return "", value.Errorf(value.CodeFeatureNotSupported, "access method %q does not support %s options", method, option)
	case defaultClasses[class]:
		class = ""
	}
	return strings.TrimSpace(class + " " + c.Order), nil
}

// dropIndexes runs DROP INDEX.
func dropIndexes(ctx context.Context, s *session.Session, stmt *sql.Drop) (*result.Result, error) {
	const tag = "DROP INDEX"
	if err := concurrently(s, tag, stmt.Concurrently); err != nil {
		return nil, err
	}
	if stmt.Concurrently && len(stmt.Names) > 1 {
		return nil, value.Errorf(value.CodeFeatureNotSupported, "DROP INDEX CONCURRENTLY does not support dropping multiple objects")
	}
	res := &result.Result{Tag: tag}
	err := s.Change(tag, func(tx *store.Tx) error {
		for _, name := range stmt.Names {
			a, i, err := findIndexOf(ctx, s, tx, name)
			switch index := name[len(name)-1].Name; {
			case err != nil:
				return err
			case a == nil && !stmt.IfExists:
				return value.Errorf(value.CodeUndefinedObject, "index %q does not exist", index)
			case a == nil:
				res.Notices = append(res.Notices, result.NewNotice(value.CodeSuccess, "index %q does not exist, skipping", index))
				continue
			}
			table := a.tx.State().Lookup(a.key).(*store.Table)
			if constraint := catalog.KeyName(table, i); table.Keys()[i].Index == nil {
				e := value.Errorf(value.CodeDependentObjects, "cannot drop index %s because constraint %s on table %s requires it", constraint, constraint, a.name)
				e.Hint = fmt.Sprintf("You can drop constraint %s on table %s instead.", constraint, a.name)
				return e
			}
			if err := a.freeKey(ctx, table, i, "index "+catalog.KeyName(table, i), stmt.Cascade); err != nil {
				return err
			}
			res.Notices = append(res.Notices, a.res.Notices...)
			table = a.tx.State().Lookup(a.key).(*store.Table) // which may have referred to itself
			next := table.Rekeyed(table.Columns(), slices.Delete(slices.Clone(table.Keys()), i, i+1))
			if err := a.replace(next, "dropping an index that a hierarchy rests on is not supported"); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return res, nil
}

// findIndexOf finds and locks the table of an index, which the session's role must own,
// and the number of its key; nil where there is none.
func findIndexOf(ctx context.Context, s *session.Session, tx *store.Tx, name sql.Name) (*alteration, int, error) {
	target, err := s.TargetName(name)
	if err != nil {
		return nil, 0, err
	}
	index := store.NameOf(target)
	table, i := catalog.FindIndex(tx.State(), store.SchemaOf(target), index)
	for _, schema := range s.SearchPath() {
		if len(name) == 1 && table == nil {
			table, i = catalog.FindIndex(tx.State(), schema, index)
		}
	}
	if table == nil {
		if o := tx.State().Lookup(target); o != nil {
			kind := store.KindOf(o)
			e := value.Errorf(value.CodeWrongObjectType, "%q is not an index", index)
			e.Hint = fmt.Sprintf("Use DROP %s to remove a %s.", strings.ToUpper(string(kind)), kind)
			return nil, 0, e
		}
		return nil, 0, nil
	}
	key := store.KeyOf(table)
	if !store.IsTemporary(key) && !s.Access().Owns(s.User(), session.RelationObject(key)) && !s.Access().Owns(s.User(), access.SchemaObject(table.Schema())) {
		return nil, 0, session.Denied("must be owner of index %s", index)
	}
	if err := tx.LockToDefine(ctx, key); err != nil {
		return nil, 0, err
	}
	return &alteration{Session: s, tx: tx, key: key, name: table.Name(), res: &result.Result{}}, i, nil
}

// RenameIndex runs ALTER INDEX … RENAME TO. The index of a constraint has its name.
func RenameIndex(ctx context.Context, s *session.Session, stmt *sql.RenameIndex) (*result.Result, error) {
	res := &result.Result{Tag: "ALTER INDEX"}
	err := s.Change(res.Tag, func(tx *store.Tx) error {
		a, i, err := findIndexOf(ctx, s, tx, stmt.Name)
		switch last := stmt.Name[len(stmt.Name)-1].Name; {
		case err != nil:
			return err
		case a == nil && !stmt.IfExists:
			return value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", last)
		case a == nil:
			res.Notices = append(res.Notices, result.NewNotice(value.CodeSuccess, "relation %q does not exist, skipping", last))
			return nil
		case a.taken(stmt.To.Name):
			return value.Errorf(value.CodeDuplicateTable, "relation %q already exists", stmt.To.Name)
		}
		table := tx.State().Lookup(a.key).(*store.Table)
		keys := slices.Clone(table.Keys())
		keys[i].Name = stmt.To.Name
		tx.Update(table.Rekeyed(table.Columns(), keys))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return res, nil
}

// Reindex runs REINDEX, after which there is nothing to do: keys are checked against the
// rows themselves.
func Reindex(ctx context.Context, s *session.Session, stmt *sql.Reindex) (*result.Result, error) {
	tag := "REINDEX " + strings.ToUpper(stmt.Kind)
	last := stmt.Name[len(stmt.Name)-1].Name
	if err := concurrently(s, "REINDEX", stmt.Concurrently); err != nil {
		return nil, err
	}
	err := s.Change("REINDEX", func(tx *store.Tx) error {
		switch stmt.Kind {
		case "index":
			a, _, err := findIndexOf(ctx, s, tx, stmt.Name)
			if a == nil && err == nil {
				err = value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", last)
			}
			return err
		case "table":
			key, err := s.TargetName(stmt.Name)
			if err != nil {
				return err
			}
			if _, err := tx.Table(ctx, key); err != nil {
				return err
			}
			return catalog.MustOwn(s, key)
		}
		switch {
		case !s.RunsAlone():
			return value.Errorf(value.CodeActiveTransaction, "%s cannot run inside a transaction block", tag)
		case stmt.Kind != "schema" && last != s.Identity.Database:
			return value.Errorf(value.CodeFeatureNotSupported, "can only reindex the currently open database")
		case stmt.Kind == "schema" && !s.Access().HasSchema(last):
			return value.Errorf(value.CodeUndefinedSchema, "schema %q does not exist", last)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &result.Result{Tag: "REINDEX"}, nil
}
