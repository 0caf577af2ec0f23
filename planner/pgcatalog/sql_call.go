package pgcatalog

import (
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/function"
)

// SQLFunction is a planner.SQLFunctions: the functions of PostgreSQL about the
// session and the catalog.
func (v *View) SQLFunction(name string, args []algebra.Expr) (string, error) {
	if f := sessionFunctions[name]; f != nil && len(args) == 0 {
		return f(v), nil
	}
	if name == "pg_get_indexdef" && len(args) == 3 {
		name = "pg_get_indexdef/3"
	}
	if f := objectFunctions[name]; f != nil && len(args) > 0 {
		text := v.objectCase(args[0], f)
		switch {
		case name == "pg_relation_is_updatable":
			text = "coalesce((" + text + ")::integer, 0)"
		case strings.HasSuffix(name, "_size"):
			text = "(" + text + ")::bigint"
		}
		return text, nil
	}
	switch {
	case name == "pg_get_constraintdef" && len(args) > 0:
		return v.constraintCase(args), nil
	case name == "pg_table_is_visible" && len(args) == 1:
		return v.visibleText(), nil
	case name == "pg_type_is_visible" && len(args) == 1:
		return v.visibleTypeText(), nil
	case name == "current_setting" && (len(args) == 1 || len(args) == 2):
		return v.currentSetting(args)
	case name == "obj_description" && len(args) == 2:
		return objectDescription(args[1]), nil
	case name == "pg_get_viewdef" && len(args) > 0:
		return v.objectCase(args[0], (*View).viewDefinition), nil
	case name == "pg_get_functiondef" && len(args) == 1:
		return v.functionCase(func(f *Function) string { return f.Definition() + "\n" }, nullText), nil
	case name == "pg_get_function_sqlbody" && len(args) == 1:
		return "nullif(" + v.functionCase(func(f *Function) string { return f.Body }, nullText) + ", '')", nil
	case name == "pg_get_function_result" && len(args) == 1:
		return v.functionCase((*Function).returns, systemResult), nil
	case name == "pg_get_function_arguments" && len(args) == 1:
		return v.functionCase((*Function).arguments, systemArguments), nil
	case name == "pg_get_function_identity_arguments" && len(args) == 1:
		return v.functionCase((*Function).identity, systemArguments), nil
	case name == "set_config" && len(args) == 3:
		return v.setConfig(args)
	case isActing(name):
		return v.describeActing(name, len(args))
	case name == "pg_get_userbyid" && len(args) == 1:
		return v.roleName("'unknown (OID=' || $1::bigint::text || ')'"), nil
	case name == "acldefault" && len(args) == 2:
		return v.aclDefault(), nil
	case name == "current_schemas" && len(args) == 1:
		return v.currentSchemas(args[0]), nil
	case name == "format_type" && len(args) == 2:
		return v.formatTypeText(), nil
	}
	if text, err := v.objectFunction(name, args); text != "" || err != nil {
		return text, err
	}
	return v.privilegeCall(name, args)
}

// HasFunction reports whether there are functions or aggregates of a name.
func HasFunction(name string) bool { return function.Has(name) }
