package cubeloom

import (
	"fmt"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/dialect"
	"github.com/cubeloom/cubeloom/sql/value"
)

const nullText = "NULL::text"

// descriptionText begins a subquery for the only comment of an object.
const descriptionText = "(SELECT max(d.description) FROM pg_catalog.pg_description d "

// sqlFunction is a planner.SQLFunctions: the functions of PostgreSQL about the
// session and the catalog.
func (v *sysView) sqlFunction(name string, args []algebra.Expr) (string, error) {
	if f := sessionFunctions[name]; f != nil && len(args) == 0 {
		return f(v), nil
	}
	if name == "pg_get_indexdef" && len(args) == 3 {
		name = "pg_get_indexdef/3"
	}
	if f := objectFunctions[name]; f != nil && len(args) > 0 {
		return v.objectCase(name, args[0], f), nil
	}
	switch {
	case name == "pg_table_is_visible" && len(args) == 1:
		return v.visibleText(), nil
	case name == "current_setting" && (len(args) == 1 || len(args) == 2):
		return v.currentSetting(args)
	case name == "obj_description" && len(args) == 2:
		return objectDescription(args[1]), nil
	case name == "pg_get_viewdef" && len(args) > 0:
		return v.objectCase(name, args[0], (*sysView).viewDefinition), nil
	case name == "set_config" && len(args) == 3:
		return v.setConfig(args)
	case name == "parse_ident" && len(args) == 1:
		return identifierParts(args[0])
	case isSignal(name) && len(args) == 1:
		return v.describeSignal(name)
	case name == "pg_get_userbyid" && len(args) == 1:
		return v.roleName("'unknown (OID=' || $1::bigint::text || ')'"), nil
	case name == "acldefault" && len(args) == 2:
		return v.aclDefault(), nil
	case name == "current_schemas" && len(args) == 1:
		return v.currentSchemas(args[0]), nil
	case name == "format_type" && len(args) == 2:
		return formatTypeText(), nil
	}
	if text, err := v.objectFunction(name, args); text != "" || err != nil {
		return text, err
	}
	return v.privilegeCall(name, args)
}

// sessionFunctions are the functions without arguments that tell of the session.
var sessionFunctions = map[string]func(*sysView) string{
	"version": func(*sysView) string {
		return quoteText("PostgreSQL " + serverVersion + " (Cubeloom), compiled by Go, 64-bit")
	},
	"current_database": func(v *sysView) string { return nameLiteral(v.database) },
	"current_catalog":  func(v *sysView) string { return nameLiteral(v.database) },
	"current_schema": func(v *sysView) string {
		if !searchesPublic(v.searchPath) {
			return "NULL::name"
		}
		return nameLiteral(schemaPublic)
	},
	"current_user":   currentUser,
	"current_role":   currentUser,
	"session_user":   func(v *sysView) string { return nameLiteral(v.access.NameOf(v.sessionUser)) },
	"user":           currentUser,
	"pg_backend_pid": func(v *sysView) string { return itoa(int(v.pid)) },
}

// currentUser is the name of the role by whose privileges statements run.
func currentUser(v *sysView) string { return nameLiteral(v.access.NameOf(v.user)) }

// nameLiteral is a constant of the type name.
func nameLiteral(name string) string { return quoteText(name) + "::name" }

// objectFunctions are the functions of an object's OID: "" stands for NULL.
var objectFunctions = map[string]func(v *sysView, o *sysObject) string{
	"pg_get_indexdef":        func(_ *sysView, o *sysObject) string { return indexText(o, o.indexDefinition) },
	"pg_get_indexdef/3":      func(_ *sysView, o *sysObject) string { return indexColumnText(o) },
	"pg_get_constraintdef":   func(_ *sysView, o *sysObject) string { return indexText(o, o.constraintDefinition) },
	"pg_table_size":          func(_ *sysView, o *sysObject) string { return sizeText(o) },
	"pg_relation_size":       func(_ *sysView, o *sysObject) string { return sizeText(o) },
	"pg_total_relation_size": func(_ *sysView, o *sysObject) string { return sizeText(o) },
	"pg_indexes_size":        func(*sysView, *sysObject) string { return "0::bigint" },
}

// indexText is a text about an index; NULL for other objects.
func indexText(o *sysObject, text func() string) string {
	if o.key == nil {
		return ""
	}
	return quoteText(text())
}

// indexColumnText is the definition of an index, or of its column $2.
func indexColumnText(o *sysObject) string {
	if o.key == nil {
		return ""
	}
	text := "CASE $2 WHEN 0 THEN " + quoteText(o.indexDefinition())
	for i, c := range o.columns {
		text += fmt.Sprintf(" WHEN %d THEN %s", i+1, quoteText(quoteName(c.Name)))
	}
	return text + " END"
}

// sizeText is the size of a relation in bytes.
func sizeText(o *sysObject) string {
	if o.table == nil {
		return "0::bigint"
	}
	return fmt.Sprintf("%d::bigint", o.table.Bytes())
}

// objectCase is a CASE over the OIDs of all objects. Of a constant that names a
// relation it is the value of that one.
func (v *sysView) objectCase(name string, arg algebra.Expr, f func(*sysView, *sysObject) string) string {
	var whens strings.Builder
	for i := range v.objects() {
		text := f(v, &v.objects()[i])
		if text == "" {
			continue
		}
		if c, ok := arg.(*algebra.Const); ok && c.Val.Kind == value.Text && unqualified(c.Val.S) == v.objects()[i].name {
			return text
		}
		fmt.Fprintf(&whens, " WHEN $1 = %d THEN %s", v.objects()[i].oid, text)
	}
	if c, ok := arg.(*algebra.Const); whens.Len() == 0 || ok && c.Val.Kind == value.Text {
		return nullText
	}
	return "CASE" + whens.String() + " END"
}

// currentSetting is current_setting(name [, missing_ok]).
func (v *sysView) currentSetting(args []algebra.Expr) (string, error) {
	name, ok := args[0].(*algebra.Const)
	if !ok || name.Val.Kind != value.Text {
		var whens strings.Builder
		for _, row := range settingRows(v) {
			fmt.Fprintf(&whens, " WHEN %s THEN %s", quoteText(strings.ToLower(row["name"].(string))), quoteText(row["setting"].(string)))
		}
		return "CASE lower($1)" + whens.String() + " END", nil
	}
	shown, err := v.session.showSetting(name.Val.S)
	if err != nil {
		if len(args) == 2 {
			if missing, ok := args[1].(*algebra.Const); ok && missing.Val.B {
				return nullText, nil
			}
		}
		return "", err
	}
	return quoteText(shown), nil
}

// objectDescription is obj_description of an object in a catalog that is named.
func objectDescription(catalog algebra.Expr) string {
	c, ok := catalog.(*algebra.Const)
	if !ok || systemOIDs[c.Val.S] == 0 {
		return nullText
	}
	return fmt.Sprintf("%sWHERE d.objoid = $1 AND d.objsubid = 0 AND d.classoid = %d)", descriptionText, systemOIDs[c.Val.S])
}

// setConfig is set_config(name, value, local) of constants. It acts when the
// statement that calls it is planned to run.
func (v *sysView) setConfig(args []algebra.Expr) (string, error) {
	if v.describing {
		return "$2::text", nil
	}
	constants := make([]value.Value, len(args))
	for i, arg := range args {
		c, ok := arg.(*algebra.Const)
		switch {
		case !ok:
			return "", value.Errorf(value.CodeFeatureNotSupported, "set_config of values of rows elsewhere than as an item of a SELECT list is not supported")
		case c.Val.Kind != value.Null && (c.Val.Kind == value.Text) != (i < 2), i == 2 && c.Val.Kind != value.Bool && c.Val.Kind != value.Null:
			return "", nil
		}
		constants[i] = c.Val
	}
	shown, err := v.session.configure(constants)
	return quoteText(shown.S), err
}

// identifierParts is parse_ident of a constant.
func identifierParts(arg algebra.Expr) (string, error) {
	c, ok := arg.(*algebra.Const)
	switch {
	case !ok:
		return "", value.Errorf(value.CodeFeatureNotSupported, "parse_ident of a text that is not constant is not supported")
	case c.Val.Kind != value.Text:
		return "NULL::text[]", nil
	}
	var texts []string
	cursor, err := dialect.NewCursor(c.Val.S, nil)
	if err == nil {
		var parts []dialect.Ident
		parts, err = cursor.QualifiedName()
		for _, p := range parts {
			texts = append(texts, quoteText(p.Name))
		}
	}
	if err != nil || len(texts) == 0 || cursor.Peek().Kind != dialect.End {
		return "", value.Errorf(value.CodeInvalidParameter, "string is not a valid identifier: \"%s\"", c.Val.S)
	}
	return "ARRAY[" + strings.Join(texts, ", ") + "]", nil
}

// currentSchemas is current_schemas(with pg_catalog).
func (v *sysView) currentSchemas(implicit algebra.Expr) string {
	var list []string
	if c, ok := implicit.(*algebra.Const); !ok || c.Val.Kind != value.Bool || c.Val.B {
		list = append(list, "'pg_catalog'")
	}
	if searchesPublic(v.searchPath) {
		list = append(list, "'public'")
	}
	return "ARRAY[" + strings.Join(list, ", ") + "]::name[]"
}

// searchesPublic reports whether a search_path names the schema of tables and views. Names
// without a schema are found there in any case.
func searchesPublic(path string) bool {
	for name := range strings.SplitSeq(path, ",") {
		if strings.Trim(name, ` "`) == schemaPublic {
			return true
		}
	}
	return false
}

// formatTypeText is format_type(oid, modifier).
func formatTypeText() string {
	var out strings.Builder
	out.WriteString("CASE")
	for _, t := range []struct {
		varchar, numeric, char int
		suffix                 string
	}{{1043, 1700, 1042, ""}, {1015, 1231, 1014, "[]"}} {
		fmt.Fprintf(&out, ` WHEN $1 = %d AND $2 >= 4 THEN 'character varying(' || ($2 - 4)::text || ')%[3]s'
			WHEN $1 = %[2]d AND $2 >= 4 THEN 'numeric(' || (($2 - 4) / 65536)::text || ',' || (($2 - 4) %% 65536)::text || ')%[3]s'`,
			t.varchar, t.numeric, t.suffix)
		fmt.Fprintf(&out, ` WHEN $1 = %d AND $2 >= 4 THEN 'character(' || ($2 - 4)::text || ')%[2]s' WHEN $1 = %[1]d AND $2 = -1 THEN 'bpchar%[2]s'`, t.char, t.suffix)
	}
	for _, t := range sysTypeTable {
		fmt.Fprintf(&out, " WHEN $1 = %d THEN '%s'", t.oid, t.sql)
		if t.array != 0 {
			fmt.Fprintf(&out, " WHEN $1 = %d THEN '%s[]'", t.array, t.sql)
		}
	}
	out.WriteString(" WHEN $1 IS NOT NULL THEN '???' END")
	return out.String()
}

// quoteText makes a literal of a text.
func quoteText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// quoteName makes an identifier of a name, with quotes where it needs them.
func quoteName(name string) string {
	if isLower(name) && dialect.Keyword(name) <= dialect.Unreserved {
		return name
	}
	return quote(name)
}

// isLower reports whether a name is one that quotes do not change, but for keywords.
func isLower(name string) bool {
	return name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == "" && (name[0] < '0' || name[0] > '9')
}

// viewDefinition is pg_get_viewdef of an object; "" where it is no view.
func (v *sysView) viewDefinition(o *sysObject) string {
	if o.kind != "v" {
		return ""
	}
	return quoteText(" " + v.session.viewText(o) + ";")
}
