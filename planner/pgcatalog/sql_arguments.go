package pgcatalog

import (
	"fmt"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/value"
)

// A rightsOf returns the rights of a role on something, and those that it may grant.
type rightsOf func(state *access.State, role access.OID) (rights, options access.Privileges)

// roleQuestions are what pg_has_role asks: whether a role has the privileges of
// another (USAGE), or may SET ROLE to it (MEMBER), which here is the right to create.
const roleQuestions = access.Usage | access.Create

// choice is one of the objects that a function may be asked about.
type choice struct {
	when string // a condition on the object's arguments, $a and $b; "": it is the one
	can  rightsOf
}

// isNull reports whether an argument is NULL.
func isNull(arg algebra.Expr) bool {
	c, ok := arg.(*algebra.Const)
	return ok && c.Val.Kind == value.Null
}

// constantOf is the value of a constant argument.
func constantOf(arg algebra.Expr) (value.Value, bool) {
	c, ok := arg.(*algebra.Const)
	if !ok {
		return value.Value{}, false
	}
	return c.Val, true
}

// isText reports whether an argument is a name and not an OID.
func isText(arg algebra.Expr) bool {
	k := arg.Type().Kind
	return k == algebra.Text || k == algebra.Unknown
}

// roleChoice is one of the roles that a function may be asked about.
type roleChoice struct {
	when string // a condition on $1; "": it is the one
	role access.OID
}

// askedRoles are the roles that the first argument of a function may be; with public
// it may be that word.
func (v *View) askedRoles(arg algebra.Expr, public bool) ([]roleChoice, error) {
	state := v.Access
	if v, ok := constantOf(arg); ok {
		if v.Kind != value.Text {
			return []roleChoice{{role: access.OID(v.I)}}, nil
		}
		if public && v.S == "public" {
			return []roleChoice{{role: access.Public}}, nil
		}
		r := state.Named(v.S)
		if r == nil {
			return nil, ErrNoRole(v.S)
		}
		return []roleChoice{{role: r.OID}}, nil
	}
	var choices []roleChoice
	for _, r := range state.All() {
		when := fmt.Sprintf("$1 = %d", r.OID)
		if isText(arg) {
			when = "$1 = " + QuoteText(r.Name)
		}
		choices = append(choices, roleChoice{when, r.OID})
	}
	return choices, nil
}
