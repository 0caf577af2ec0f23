package define

import (
	"context"
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/govern"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/session/write"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// domainAlteration is an ALTER DOMAIN while it runs.
type domainAlteration struct {
	*session.Session
	tx   *store.Tx
	res  *result.Result
	stmt *sql.AlterDomain
	old  *algebra.Domain
	next algebra.Domain // what the domain becomes
}

// AlterDomain runs ALTER DOMAIN.
func AlterDomain(ctx context.Context, s *session.Session, stmt *sql.AlterDomain) *result.Result {
	res := &result.Result{Tag: "ALTER DOMAIN"}
	key := sqlstate.Must(s.TypeName(stmt.Name))
	s.Change(res.Tag, func(tx *store.Tx) {
		mustBeDomain(tx.State(), key, stmt.Name)
		sqlstate.Check(catalog.MustOwn(s, key))
		if stmt.Owner != nil {
			govern.ChangeOwner(ctx, s, tx, res, key, *stmt.Owner)
			return
		}
		sqlstate.Check(tx.LockDomain(ctx, key))
		d := tx.State().Domain(key)
		a := &domainAlteration{Session: s, tx: tx, res: res, stmt: stmt, old: d, next: *d}
		a.next.Checks = slices.Clone(d.Checks)
		a.run(ctx)
	})
	return res
}

// mustBeDomain fails where the key of a name stands for no domain.
func mustBeDomain(state *store.State, key string, name sql.Name) {
	switch {
	case state.Lookup(key) == nil:
		panic(value.Errorf(value.CodeUndefinedObject, "type %q does not exist", name.Dotted()))
	case state.Domain(key) == nil:
		panic(value.Errorf(value.CodeWrongObjectType, "%s is not a domain", name.Dotted()))
	}
}

// run runs the action.
func (a *domainAlteration) run(ctx context.Context) {
	switch a.stmt.Action {
	case "set default":
		a.next.Default = domainDefault(a.Session, a.old, a.stmt.Default)
	case "drop default":
		a.next.Default = ""
	case "set not null":
		a.next.NotNull = true
		a.mustKeepTo(ctx, "VALUE IS NOT NULL", value.CodeNotNullViolation, "column %q of table %q contains null values")
	case "drop not null":
		a.next.NotNull = false
	case "add":
		check := domainCheck(a.Session, a.old, a.stmt.Check)
		if a.next.Checks = append(a.next.Checks, check); !check.NotValid {
			a.mustKeepToCheck(ctx, &check)
		}
	case "rename", "schema":
		a.rename(ctx)
		return
	default:
		if !a.alterCheck(ctx) {
			return
		}
	}
	sqlstate.Check(a.tx.ReplaceDomain(ctx, a.old, &a.next))
}

// alterCheck changes a constraint; false where it need not be there, and is not.
func (a *domainAlteration) alterCheck(ctx context.Context) bool {
	name := a.stmt.From.Name
	at := findDomainCheck(a.old, name)
	switch {
	case at < 0 && a.stmt.Action == "rename constraint":
		panic(value.Errorf(value.CodeUndefinedObject, "constraint %q for domain %s does not exist", name, a.Written(&store.UserType{Of: a.old})))
	case at < 0 && a.stmt.IfExists:
		a.res.Notices = append(a.res.Notices, result.NewNotice(value.CodeSuccess, "constraint %q of domain %q does not exist, skipping", name, a.old.Name))
		return false
	case at < 0:
		panic(value.Errorf(value.CodeUndefinedObject, "constraint %q of domain %q does not exist", name, a.old.Name))
	}
	switch check := &a.next.Checks[at]; a.stmt.Action {
	case "drop":
		a.next.Checks = slices.Delete(a.next.Checks, at, at+1)
	case "validate":
		check.NotValid = false
		a.mustKeepToCheck(ctx, check)
	case "rename constraint":
		if to := a.stmt.To.Name; findDomainCheck(a.old, to) >= 0 {
			panic(value.Errorf(value.CodeDuplicateObject, "constraint %q for domain %s already exists", to, a.Written(&store.UserType{Of: a.old})))
		}
		check.Name = a.stmt.To.Name
	}
	return true
}

func (a *domainAlteration) mustKeepToCheck(ctx context.Context, check *algebra.DomainCheck) {
	a.mustKeepTo(ctx, check.Text, value.CodeCheckViolation, "column %q of table %q contains values that violate the new constraint")
}

// mustKeepTo fails where a condition is false of a value of a column of the domain, or of a domain that is of it.
func (a *domainAlteration) mustKeepTo(ctx context.Context, cond, code, message string) {
	a.tx.State().Domained(a.old, func(t *store.Table, column int) {
		name := t.Columns()[column].Name
		text := sqlstate.Must(sql.RenameColumnIn(cond, "value", name))
		if write.AnyRow(ctx, a.Session, a.tx.State(), t, "("+text+"\n) IS FALSE") { // a comment may end the text
			e := value.Errorf(code, message, name, t.Name())
			e.Object = t.Column(name)
			panic(e)
		}
	})
}

// rename gives the domain another name or schema.
func (a *domainAlteration) rename(ctx context.Context) {
	to := a.stmt.To.Name
	if a.stmt.Action == "rename" {
		renameDomain(ctx, a.Session, a.tx, a.old, a.old.Schema, to)
		return
	}
	checkTypeMoves(a.Session, a.tx.State(), &a.old.TypeID, to)
	if to != a.old.Schema {
		renameDomain(ctx, a.Session, a.tx, a.old, to, a.old.Name)
	}
}

// renameDomain gives a domain that is locked another schema and name, also in the texts that have them.
func renameDomain(ctx context.Context, s *session.Session, tx *store.Tx, d *algebra.Domain, schema, name string) {
	if tx.State().Lookup(store.TypeKey(schema, name)) != nil {
		panic(value.Errorf(value.CodeDuplicateObject, "type %q already exists", name))
	}
	next := *d
	next.Schema, next.Name = schema, name
	(&typeAlteration{Session: s, tx: tx, old: d}).renameInTexts(ctx, &next)
	now := tx.State().DomainOf(d.OID) // its own texts may name it, too
	next.Default, next.Checks = now.Default, now.Checks
	sqlstate.Check(tx.ReplaceDomain(ctx, now, &next))
}
