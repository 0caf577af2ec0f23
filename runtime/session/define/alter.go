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
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// AlterTable runs ALTER TABLE, ALTER VIEW and ALTER MATERIALIZED VIEW: all of its actions or none.
func AlterTable(ctx context.Context, s *session.Session, stmt *sql.AlterTable) *result.Result {
	key := sqlstate.Must(s.TargetName(stmt.Name))
	name := store.NameOf(key)
	kind := store.Kind(stmt.Kind)
	a := &alteration{Session: s, key: key, stmt: stmt.Name, only: stmt.Only, name: name, res: &result.Result{Tag: "ALTER " + strings.ToUpper(stmt.Kind)}}
	s.Change(a.res.Tag, func(tx *store.Tx) {
		a.tx = tx
		if tx.State().Lookup(key) != nil {
			sqlstate.Check(catalog.MayAlter(s, key, stmt.Actions))
		}
		sqlstate.Check(tx.LockToDefine(ctx, key))
		o := tx.State().Lookup(key)
		switch {
		case o == nil && stmt.IfExists:
			a.res.Notices = append(a.res.Notices, result.NewNotice(value.CodeSuccess, "relation %q does not exist, skipping", name))
			return
		case o == nil:
			panic(value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", stmt.Name.Dotted()))
		case kind != store.KindTable && !store.IsKind(o, kind):
			panic(value.Errorf(value.CodeWrongObjectType, "%q is not a %s", name, kind))
		}
		for _, action := range stmt.Actions {
			a.run(ctx, action, store.KindOf(o))
		}
	})
	return a.res
}

// run runs one action.
func (a *alteration) run(ctx context.Context, action sql.AlterAction, kind store.Kind) {
	switch action := action.(type) {
	case *sql.RenameTable:
		a.rename(ctx, kind, store.KeyIn(store.SchemaOf(a.key), action.To.Name))
	case *sql.SetSchema:
		a.setSchema(ctx, kind, action.To)
	case *sql.ChangeOwner:
		govern.ChangeOwner(ctx, a.Session, a.tx, a.res, a.key, action.To)
	default:
		rename, ok := action.(*sql.RenameColumn)
		switch {
		case ok && kind == store.KindMaterialized:
			a.renameColumn(ctx, a.tx.State().Lookup(a.key).(*store.Table), rename)
		case kind != store.KindTable:
			panic(a.refused(action, kind))
		default:
			table := sqlstate.Must(a.tx.Table(ctx, a.key))
			a.refuseOnPartition(table, action)
			a.runOnTable(ctx, table, action)
			if after, ok := a.tx.State().Lookup(a.key).(*store.Table); ok && !a.only {
				a.follow(table, after)
			}
		}
	}
}

// runOnTable runs an action that only tables have.
func (a *alteration) runOnTable(ctx context.Context, table *store.Table, action sql.AlterAction) {
	switch action := action.(type) {
	case *sql.AttachPartition:
		a.attach(ctx, action)
	case *sql.DetachPartition:
		a.detach(ctx, action)
	case *sql.AddColumn:
		a.addConstrained(ctx, table, action)
	case *sql.DropColumn:
		a.dropColumn(ctx, table, action)
	case *sql.RenameColumn:
		a.renameColumn(ctx, table, action)
	case *sql.AlterColumn:
		a.alterColumn(ctx, table, action)
	case *sql.AddKey:
		a.addKey(ctx, table, action)
	case *sql.AddCheck:
		a.addCheck(ctx, table, action)
	case *sql.AddForeignKey:
		a.addForeignKey(ctx, table, &action.Key)
	case *sql.AlterConstraint:
		a.alterConstraint(table, action)
	case *sql.ValidateConstraint:
		a.validateConstraint(ctx, table, action)
	case *sql.RenameConstraint:
		a.renameConstraint(table, action)
	case *sql.DropConstraint:
		a.dropConstraint(ctx, table, action)
	case *sql.ClusterOn:
		a.clusterOn(table, action)
	case *sql.StorageAction:
		a.storageAction(table, action)
	default:
		panic(value.Errorf(value.CodeInternal, "unknown action %T", action))
	}
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
func (a *alteration) addConstrained(ctx context.Context, table *store.Table, action *sql.AddColumn) {
	if !a.addColumn(ctx, table, action) {
		return
	}
	for i := range action.Keys {
		a.run(ctx, &action.Keys[i], store.KindTable)
	}
	for _, check := range action.Checks {
		a.run(ctx, &sql.AddCheck{Check: check}, store.KindTable)
	}
	for _, key := range action.ForeignKeys {
		a.run(ctx, &sql.AddForeignKey{Key: key}, store.KindTable)
	}
}
