package define

import (
	"context"
	"fmt"
	"strings"

	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/govern"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// AlterTable runs ALTER TABLE, ALTER VIEW and ALTER MATERIALIZED VIEW: all of its actions or none.
func AlterTable(ctx context.Context, s *session.Session, stmt *sql.AlterTable) (*result.Result, error) {
	key, err := s.TargetName(stmt.Name)
	if err != nil {
		return nil, err
	}
	name := store.NameOf(key)
	kind := store.Kind(stmt.Kind)
	a := &alteration{Session: s, key: key, stmt: stmt.Name, name: name, res: &result.Result{Tag: "ALTER " + strings.ToUpper(stmt.Kind)}}
	err = s.Change(a.res.Tag, func(tx *store.Tx) error {
		a.tx = tx
		if tx.State().Lookup(key) != nil {
			if err := catalog.MayAlter(s, key, stmt.Actions); err != nil {
				return err
			}
		}
		if err := tx.LockToDefine(ctx, key); err != nil {
			return err
		}
		o := tx.State().Lookup(key)
		switch {
		case o == nil && stmt.IfExists:
			a.res.Notices = append(a.res.Notices, result.NewNotice(value.CodeSuccess, "relation %q does not exist, skipping", name))
			return nil
		case o == nil:
			return value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", strings.Join(session.NameParts(stmt.Name), "."))
		case kind != store.KindTable && !store.IsKind(o, kind):
			return value.Errorf(value.CodeWrongObjectType, "%q is not a %s", name, kind)
		}
		for _, action := range stmt.Actions {
			if err := a.run(ctx, action, store.KindOf(o)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return a.res, nil
}

// run runs one action.
func (a *alteration) run(ctx context.Context, action sql.AlterAction, kind store.Kind) error {
	switch action := action.(type) {
	case *sql.RenameTable:
		return a.rename(ctx, kind, store.KeyIn(store.SchemaOf(a.key), action.To.Name))
	case *sql.SetSchema:
		return a.setSchema(ctx, kind, action.To)
	case *sql.ChangeOwner:
		return govern.ChangeOwner(ctx, a.Session, a.tx, a.res, a.key, action.To)
	}
	if rename, ok := action.(*sql.RenameColumn); ok && kind == store.KindMaterialized {
		return a.renameColumn(ctx, a.tx.State().Lookup(a.key).(*store.Table), rename)
	}
	if kind != store.KindTable {
		return a.refused(action, kind)
	}
	table, err := a.tx.Table(ctx, a.key)
	if err != nil {
		return err
	}
	switch action := action.(type) {
	case *sql.AddColumn:
		return a.addConstrained(ctx, table, action)
	case *sql.DropColumn:
		return a.dropColumn(ctx, table, action)
	case *sql.RenameColumn:
		return a.renameColumn(ctx, table, action)
	case *sql.AlterColumn:
		if action.Type != nil {
			return a.retype(ctx, table, action)
		}
		return a.alterColumn(ctx, table, action)
	case *sql.AddKey:
		return a.addKey(ctx, table, action)
	case *sql.AddCheck:
		return a.addCheck(ctx, table, action)
	case *sql.AddForeignKey:
		return a.addForeignKey(ctx, table, &action.Key)
	case *sql.AlterConstraint:
		return a.alterConstraint(table, action)
	case *sql.ValidateConstraint:
		return a.validateConstraint(ctx, table, action)
	case *sql.RenameConstraint:
		return a.renameConstraint(table, action)
	case *sql.DropConstraint:
		return a.dropConstraint(ctx, table, action)
	}
	return value.Errorf(value.CodeInternal, "unknown action %T", action)
}

// refused is the error of an action that is for tables.
func (a *alteration) refused(action sql.AlterAction, kind store.Kind) error {
	words := actionWords(action)
	if words == "" || kind != store.KindView && kind != store.KindMaterialized {
		return value.Errorf(value.CodeFeatureNotSupported, "changing the columns of a %s is not supported", kind)
	}
	e := value.Errorf(value.CodeWrongObjectType, "ALTER action %s cannot be performed on relation %q", words, a.name)
	e.Detail = fmt.Sprintf("This operation is not supported for %ss.", kind)
	return e
}

// actionWords are what messages call an action that PostgreSQL has for tables alone; "" for others.
func actionWords(action sql.AlterAction) string {
	switch action := action.(type) {
	case *sql.AddColumn:
		return "ADD COLUMN"
	case *sql.DropColumn:
		return "DROP COLUMN"
	case *sql.AddKey, *sql.AddCheck:
		return "ADD CONSTRAINT"
	case *sql.AlterConstraint:
		return "ALTER CONSTRAINT"
	case *sql.ValidateConstraint:
		return "VALIDATE CONSTRAINT"
	case *sql.DropConstraint:
		return "DROP CONSTRAINT"
	case *sql.AlterColumn:
		switch {
		case action.Type != nil:
			return "ALTER COLUMN ... SET DATA TYPE"
		case action.SetNotNull:
			return "ALTER COLUMN ... SET NOT NULL"
		case action.DropNotNull:
			return "ALTER COLUMN ... DROP NOT NULL"
		}
	}
	return ""
}

// addConstrained runs ADD COLUMN: the column, and then its constraints.
func (a *alteration) addConstrained(ctx context.Context, table *store.Table, action *sql.AddColumn) error {
	had := table.Ordinal(action.Column.Name.Name) >= 0
	if err := a.addColumn(table, action); had || err != nil {
		return err
	}
	if action.Column.Generated != nil {
		if err := a.generate(ctx, action.Column.NotNull); err != nil {
			return value.WithoutPos(err)
		}
	}
	for i := range action.Keys {
		if err := a.run(ctx, &action.Keys[i], store.KindTable); err != nil {
			return err
		}
	}
	for _, check := range action.Checks {
		if err := a.run(ctx, &sql.AddCheck{Check: check}, store.KindTable); err != nil {
			return err
		}
	}
	for _, key := range action.ForeignKeys {
		if err := a.run(ctx, &sql.AddForeignKey{Key: key}, store.KindTable); err != nil {
			return err
		}
	}
	return nil
}
