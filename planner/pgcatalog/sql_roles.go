package pgcatalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/value"
)

// privilegeFunction is a function that asks for a privilege.
type privilegeFunction struct {
	objects int                                    // how many arguments stand for what it asks about
	find    func([]algebra.Expr) ([]choice, error) // what they may stand for
	words   access.Privileges                      // that may be asked for
}

// privilegeFunction finds a function that asks for a privilege.
func (v *View) privilegeFunction(name string) (f privilegeFunction, ok bool) {
	switch name {
	case "has_table_privilege":
		return privilegeFunction{1, v.tableChoices, access.Relation.All()}, true
	case "has_any_column_privilege":
		return privilegeFunction{1, v.anyColumnChoices, access.OnColumns}, true
	case "has_column_privilege":
		return privilegeFunction{2, v.columnChoices, access.OnColumns}, true
	case "has_schema_privilege":
		return privilegeFunction{1, v.schemaChoices, access.Schema.All()}, true
	case "has_database_privilege":
		return privilegeFunction{1, v.databaseChoices, access.Database.All()}, true
	case "has_function_privilege":
		return privilegeFunction{1, v.functionChoices, access.Function.All()}, true
	case "pg_has_role":
		return privilegeFunction{1, v.roleChoices, roleQuestions}, true
	}
	return f, false
}

// privilegeCall is the SQL text of a function that asks for a privilege: a constant
// where all arguments are, else a CASE over the roles and objects that there are. It
// is "" for a function that is none.
func (v *View) privilegeCall(name string, args []algebra.Expr) (string, error) {
	f, ok := v.privilegeFunction(name)
	if !ok || len(args) != f.objects+1 && len(args) != f.objects+2 {
		return "", nil
	}
	if slices.ContainsFunc(args, isNull) {
		return "NULL::boolean", nil
	}
	first := len(args) - f.objects - 1
	roles := []roleChoice{{role: v.User}}
	if first == 1 {
		var err error
		if roles, err = v.askedRoles(args[0], name != "pg_has_role"); err != nil {
			return "", err
		}
	}
	choices, err := f.find(args[first : len(args)-1])
	if err != nil {
		return "", err
	}
	asked, err := askedPrivileges(args[len(args)-1], name == "pg_has_role", f.words)
	if err != nil {
		return "", err
	}
	state := v.Access
	texts := make([]string, len(roles))
	for i, r := range roles {
		texts[i] = caseOf(choices, first+1, func(c choice) bool {
			rights, options := c.can(state, r.role)
			return slices.ContainsFunc(asked, func(a askedPrivilege) bool {
				return !a.option && rights&a.right != 0 || a.option && options&a.right != 0
			})
		})
	}
	if len(roles) == 1 && roles[0].when == "" {
		return texts[0], nil
	}
	var out strings.Builder
	for i, r := range roles {
		fmt.Fprintf(&out, " WHEN %s THEN %s", r.when, texts[i])
	}
	return "CASE" + out.String() + " END", nil
}

// caseOf is a truth value for each of the choices; NULL where none is it. The first
// of their arguments is that of a number.
func caseOf(choices []choice, first int, holds func(choice) bool) string {
	whens := map[bool][]string{}
	for _, c := range choices {
		is := holds(c)
		if c.when == "" {
			return fmt.Sprint(is)
		}
		when := strings.NewReplacer("$a", fmt.Sprintf("$%d", first), "$b", fmt.Sprintf("$%d", first+1)).Replace(c.when)
		whens[is] = append(whens[is], when)
	}
	if len(choices) == 0 {
		return "NULL::boolean"
	}
	var out strings.Builder
	for _, is := range []bool{true, false} {
		if len(whens[is]) > 0 {
			fmt.Fprintf(&out, " WHEN %s THEN %v", strings.Join(whens[is], " OR "), is)
		}
	}
	return "CASE" + out.String() + " END"
}

// askedPrivilege is a privilege that is asked for, or the right to grant it.
type askedPrivilege struct {
	right  access.Privileges
	option bool
}

// askedPrivileges reads a list of privileges, any of which is asked for.
func askedPrivileges(arg algebra.Expr, ofRole bool, words access.Privileges) ([]askedPrivilege, error) {
	v, ok := constantOf(arg)
	if !ok || v.Kind != value.Text {
		return nil, value.Errorf(value.CodeFeatureNotSupported, "a question for a privilege that is not constant is not supported")
	}
	var asked []askedPrivilege
	for word := range strings.SplitSeq(v.S, ",") {
		word = strings.TrimSpace(word)
		name, option := cutSuffixFold(word, " with grant option")
		if ofRole && !option {
			name, option = cutSuffixFold(word, " with admin option")
		}
		right := access.ParsePrivilege(name)
		if ofRole && strings.EqualFold(name, "member") {
			right = access.Create
		} else if ofRole && right != access.Usage {
			right = 0
		}
		if right&words == 0 {
			return nil, value.Errorf(value.CodeInvalidParameter, "unrecognized privilege type: %q", word)
		}
		asked = append(asked, askedPrivilege{right, option})
	}
	return asked, nil
}

// cutSuffixFold cuts a suffix of any case.
func cutSuffixFold(s, suffix string) (string, bool) {
	if n := len(s) - len(suffix); n >= 0 && strings.EqualFold(s[n:], suffix) {
		return s[:n], true
	}
	return s, false
}
