package pgcatalog

import (
	"fmt"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// relationChoice is one of the relations that a function may be asked about.
type relationChoice struct {
	when   string  // a condition on $a; "": it is the one
	object *Object // nil: a relation of the system
	oid    int64
}

// askedRelations are the relation that a constant argument is, or all that an argument
// may be.
func (v *View) askedRelations(arg algebra.Expr) ([]relationChoice, error) {
	if constant, ok := constantOf(arg); ok {
		oid := constant.I
		if constant.Kind == value.Text {
			var err error
			if oid, err = v.lookUp(algebra.Regclass, constant.S); err != nil {
				return nil, err
			}
		}
		for i := range v.Objects() {
			if v.Objects()[i].oid == oid {
				return []relationChoice{{object: &v.Objects()[i], oid: oid}}, nil
			}
		}
		if isSystemOID(oid) {
			return []relationChoice{{oid: oid}}, nil
		}
		return nil, nil
	}
	var choices []relationChoice
	for i := range v.Objects() {
		o := &v.Objects()[i]
		when := fmt.Sprintf("$a = %d", o.oid)
		if isText(arg) {
			if when = "$a = " + QuoteText(QuoteName(o.Schema)+"."+QuoteName(o.Name)); v.isFound(o) {
				when = fmt.Sprintf("(%s OR $a = %s)", when, QuoteText(QuoteName(o.Name)))
			}
		}
		choices = append(choices, relationChoice{when, o, o.oid})
	}
	if !isText(arg) {
		for _, oid := range systemOIDs {
			choices = append(choices, relationChoice{when: fmt.Sprintf("$a = %d", oid), oid: oid})
		}
	}
	return choices, nil
}

// isSystemOID reports whether an OID is that of a relation of the system.
func isSystemOID(oid int64) bool {
	for _, o := range systemOIDs {
		if o == oid {
			return true
		}
	}
	return false
}

// rights are those on all of a relation. Everyone reads those of the system, but for
// what holds passwords.
func (c relationChoice) rights(state *access.State, role access.OID) (rights, options access.Privileges) {
	switch {
	case c.object != nil:
		return state.Rights(role, c.object.Relation())
	case state.IsSuperuser(role):
		return access.Relation.All(), access.Relation.All()
	case c.oid == systemOIDs["pg_authid"]:
		return 0, 0
	}
	return access.Select, 0
}

// columnRights are those on a column, by the relation or by the column.
func (c relationChoice) columnRights(column string) rightsOf {
	return func(state *access.State, role access.OID) (rights, options access.Privileges) {
		rights, options = c.rights(state, role)
		more, grantable := state.ColumnRights(role, c.object.Relation(), column)
		return rights | more, options | grantable
	}
}

// anyColumnRights are those on any of the columns.
func (c relationChoice) anyColumnRights(state *access.State, role access.OID) (rights, options access.Privileges) {
	rights, options = c.rights(state, role)
	if c.object == nil {
		return rights, options
	}
	for _, column := range c.object.Columns {
		more, grantable := state.ColumnRights(role, c.object.Relation(), column.Name)
		rights, options = rights|more, options|grantable
	}
	return rights, options
}

func (v *View) tableChoices(args []algebra.Expr) ([]choice, error) {
	relations, err := v.askedRelations(args[0])
	return lists.Map(relations, func(r relationChoice) choice { return choice{r.when, r.rights} }), err
}

func (v *View) anyColumnChoices(args []algebra.Expr) ([]choice, error) {
	relations, err := v.askedRelations(args[0])
	return lists.Map(relations, func(r relationChoice) choice { return choice{r.when, r.anyColumnRights} }), err
}

// columnChoices are the columns that a relation and a column may stand for.
func (v *View) columnChoices(args []algebra.Expr) ([]choice, error) {
	relations, err := v.askedRelations(args[0])
	var choices []choice
	for _, r := range relations {
		if r.object == nil {
			choices = append(choices, choice{r.when, r.rights})
			continue
		}
		before := len(choices)
		for i, c := range r.object.Columns {
			when, is := columnCondition(args[1], c.Name, i+1)
			if !is {
				continue
			}
			if r.when != "" && when != "" {
				when = " AND " + when
			}
			choices = append(choices, choice{r.when + when, r.columnRights(c.Name)})
		}
		if column, ok := constantOf(args[1]); ok && column.Kind == value.Text && r.when == "" && len(choices) == before {
			return nil, value.Errorf(value.CodeUndefinedColumn, "column %q of relation %q does not exist", column.S, r.object.Name)
		}
	}
	return choices, err
}

// columnCondition is when an argument stands for a column, by name or number: "" for
// always. It may be that it never does.
func columnCondition(arg algebra.Expr, name string, number int) (when string, is bool) {
	column, constant := constantOf(arg)
	switch {
	case constant && column.Kind == value.Text:
		return "", column.S == name
	case constant:
		return "", column.I == int64(number)
	case isText(arg):
		return "$b = " + QuoteText(name), true
	}
	return fmt.Sprintf("$b = %d", number), true
}

// schemaChoices are the schemas.
func (v *View) schemaChoices(args []algebra.Expr) ([]choice, error) {
	constant, ok := constantOf(args[0])
	var choices []choice
	for _, schema := range v.schemas() {
		c := choice{fmt.Sprintf("$a = %d", schema.oid), schema.rights}
		if isText(args[0]) {
			c.when = "$a = " + QuoteText(schema.name)
		}
		if ok && (constant.Kind == value.Text && constant.S == schema.name || constant.Kind == value.Int && constant.I == schema.oid) {
			return []choice{{can: c.can}}, nil
		}
		choices = append(choices, c)
	}
	switch {
	case ok && constant.Kind == value.Text:
		return nil, value.Errorf(value.CodeUndefinedSchema, "schema %q does not exist", constant.S)
	case ok:
		return nil, nil
	}
	return choices, nil
}

// databaseChoices are the database, which has the name that the session gave it.
func (v *View) databaseChoices(args []algebra.Expr) ([]choice, error) {
	database := func(state *access.State, role access.OID) (rights, options access.Privileges) {
		return state.Rights(role, access.TheDatabase)
	}
	constant, ok := constantOf(args[0])
	switch {
	case ok && constant.Kind == value.Text && constant.S != v.Database:
		return nil, value.Errorf(CodeUndefinedDatabase, "database %q does not exist", constant.S)
	case ok && constant.Kind == value.Int && constant.I != oidDatabase:
		return nil, nil
	case ok:
		return []choice{{can: database}}, nil
	case isText(args[0]):
		return []choice{{"$a = " + QuoteText(v.Database), database}}, nil
	}
	return []choice{{fmt.Sprintf("$a = %d", oidDatabase), database}}, nil
}

// functionChoices are the functions that an argument may be: a name or an OID.
func (v *View) functionChoices(args []algebra.Expr) ([]choice, error) {
	can := func(f *proc) rightsOf {
		return func(state *access.State, role access.OID) (rights, options access.Privileges) {
			return state.Rights(role, f.object())
		}
	}
	constant, ok := constantOf(args[0])
	if ok && constant.Kind == value.Text {
		name, _, _ := strings.Cut(constant.S, "(")
		if oid, found, _ := v.findProcedure(constant.S); found {
			constant.I, constant.Kind = oid, value.Int
		} else {
			return []choice{{can: can(&proc{name: unqualified(name)})}}, nil
		}
	}
	var choices []choice
	all := v.procs()
	for i := range all {
		f := &all[i]
		switch {
		case ok && f.oid == constant.I:
			return []choice{{can: can(f)}}, nil
		case !ok && isText(args[0]):
			choices = append(choices, choice{"$a IN (" + QuoteText(f.text()) + ", " + QuoteText(QuoteName(f.name)) + ")", can(f)})
		case !ok:
			choices = append(choices, choice{fmt.Sprintf("$a = %d", f.oid), can(f)})
		}
	}
	return choices, nil
}

// roleChoices are the roles that pg_has_role asks about.
func (v *View) roleChoices(args []algebra.Expr) ([]choice, error) {
	roles, err := v.askedRoles(args[0], false)
	choices := make([]choice, len(roles))
	for i, r := range roles {
		choices[i] = choice{strings.ReplaceAll(r.when, "$1", "$a"), func(state *access.State, role access.OID) (rights, options access.Privileges) {
			if state.Has(role, r.role) {
				rights |= access.Usage
			}
			if state.IsMember(role, r.role) {
				rights |= access.Create
			}
			if state.IsAdmin(role, r.role) {
				options = roleQuestions
			}
			return rights, options
		}}
	}
	return choices, err
}

// roleName is pg_get_userbyid, and the text of a regrole.
func (v *View) roleName(otherwise string) string {
	text := "CASE"
	for _, r := range v.Access.All() {
		text += fmt.Sprintf(" WHEN $1 = %d THEN %s", r.OID, QuoteText(r.Name))
	}
	return text + " WHEN $1 IS NOT NULL THEN " + otherwise + " END"
}

// aclDefault is acldefault(kind, owner).
func (v *View) aclDefault() string {
	text := "CASE"
	for _, r := range v.Access.All() {
		for kind, letter := range aclLetters {
			acl := textArray(access.DefaultACL(kind, r.OID).Text(v.Access.NameOf))
			text += fmt.Sprintf(" WHEN $1 = '%s' AND $2 = %d THEN %s::text[]", letter, r.OID, QuoteText(acl))
		}
	}
	return text + " END"
}
