package define

import (
	"context"
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// CreateDomain runs CREATE DOMAIN.
func CreateDomain(ctx context.Context, s *session.Session, stmt *sql.CreateDomain) *result.Result {
	res := &result.Result{Tag: "CREATE DOMAIN"}
	key := newTypeKey(s, stmt.Name)
	d := &algebra.Domain{TypeID: algebra.TypeID{Schema: store.SchemaOf(key), Name: store.NameOf(key)}, NotNull: stmt.NotNull}
	var err error
	d.Base, d.Over, err = sqltype.ResolveDomain(stmt.Type, catalog.Of(s).Type)
	sqlstate.Check(value.WithoutPos(err))
	switch {
	case d.Base.Alias == algebra.Void:
		panic(value.Errorf(value.CodeDatatypeMismatch, "%q is not a valid base type for a domain", "void"))
	case d.Base.Enum != nil, d.Base.Alias != algebra.NoAlias:
		panic(value.ErrorAt(int(stmt.Type.Pos), value.CodeFeatureNotSupported, "a domain over the type %s is not supported", sqltype.Name(d.Base)))
	}
	if d.Default = domainDefault(s, d, stmt.Default); stmt.Default == nil && d.Over != nil {
		d.Default = d.Over.Default
	}
	for _, def := range stmt.Checks {
		d.Checks = append(d.Checks, domainCheck(s, d, def))
	}
	s.Change(res.Tag, func(tx *store.Tx) {
		d.OID = tx.State().NewTypeOID(key)
		of := []store.Column{{Domain: algebra.DomainOID(d.Over)}}
		sqlstate.Check(catalog.MayUseTypes(s, tx.State(), of))
		sqlstate.Check(tx.LockTypes(ctx, of))
		sqlstate.Check(tx.Create(ctx, &store.UserType{Of: d}, false))
	})
	return res
}

// domainDefault is the default of a domain as it is stored; "" for none.
func domainDefault(s *session.Session, d *algebra.Domain, def *sql.DefaultExpr) string {
	if def == nil {
		return ""
	}
	if sqlstate.Must(sequenceDefault(s, def)) != "" {
		panic(value.ErrorAt(int(def.Expr.Position()), value.CodeFeatureNotSupported, "the next value of a sequence as the default of a domain is not supported"))
	}
	text, err := sqlstate.Try(func() string {
		return columnDefault(s, def, planner.CatalogColumn{Name: d.Name, Type: d.Base, Domain: d.Over})
	})
	sqlstate.Check(value.WithoutPos(err))
	return text
}

// domainCheck is a CHECK constraint as it is stored, of a domain that has those before it.
func domainCheck(s *session.Session, d *algebra.Domain, def sql.CheckDef) algebra.DomainCheck {
	if def.NoInherit {
		panic(value.Errorf(value.CodeInvalidObjectDefinition, "check constraints for domains cannot be marked NO INHERIT"))
	}
	sqlstate.Check(value.WithoutPos(planner.CheckDomain(d, def.Expr, catalog.Of(s), query.Options(s))))
	text := sqlstate.Must(sql.DomainCondition(stored(s, withoutParens(def.Text))))
	check := algebra.DomainCheck{Name: def.Name.Name, Text: text, NotValid: def.NotValid}
	if check.Name == "" {
		check.Name = d.Name + "_check"
		for n := 1; findDomainCheck(d, check.Name) >= 0; n++ {
			check.Name = fmt.Sprintf("%s_check%d", d.Name, n)
		}
	}
	if findDomainCheck(d, check.Name) >= 0 {
		panic(value.Errorf(value.CodeDuplicateObject, "constraint %q for domain %q already exists", check.Name, d.Name))
	}
	return check
}

// findDomainCheck finds a CHECK constraint of a domain by its name; -1 for none.
func findDomainCheck(d *algebra.Domain, name string) int {
	return slices.IndexFunc(d.Checks, func(c algebra.DomainCheck) bool { return c.Name == name })
}
