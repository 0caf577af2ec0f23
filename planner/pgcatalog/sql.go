package pgcatalog

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// descriptionText begins a subquery for the only comment of an object.
const descriptionText = "(SELECT max(d.description) FROM pg_catalog.pg_description d "

// sessionFunctions are the functions without arguments that return a property of the session.
var sessionFunctions = map[string]func(*View) string{
	"version": func(*View) string {
		return QuoteText("PostgreSQL " + ServerVersion + " (Cubeloom), compiled by Go, 64-bit")
	},
	"current_database": func(v *View) string { return nameLiteral(v.Database) },
	"current_catalog":  func(v *View) string { return nameLiteral(v.Database) },
	"current_schema": func(v *View) string {
		if name := v.currentSchema(); name != "" {
			return nameLiteral(name)
		}
		return "NULL::name"
	},
	"current_user":   currentUser,
	"current_role":   currentUser,
	"session_user":   func(v *View) string { return nameLiteral(v.Access.NameOf(v.SessionUser)) },
	"user":           currentUser,
	"pg_backend_pid": func(v *View) string { return itoa(int(v.Pid)) },

	"txid_current":                   transactionNumber(true),
	"txid_current_if_assigned":       transactionNumber(false),
	"pg_current_xact_id":             transactionNumber(true),
	"pg_current_xact_id_if_assigned": transactionNumber(false),

	"pg_postmaster_start_time": func(v *View) string {
		return QuoteText(v.Started.UTC().Format("2006-01-02 15:04:05.999999+00")) + "::timestamp with time zone"
	},
}

// currentUser is the name of the role by whose privileges statements run.
func currentUser(v *View) string { return nameLiteral(v.Access.NameOf(v.User)) }

// transactionNumber is the number of the transaction, which gets one where that is assigned.
func transactionNumber(assign bool) func(*View) string {
	return func(v *View) string {
		if n := v.Of.TransactionNumber(assign); n != 0 {
			return itoa(int(n)) + "::bigint"
		}
		return "NULL::bigint"
	}
}

// objectFunctions are the functions of an object's OID: "" stands for NULL.
var objectFunctions = map[string]func(v *View, o *Object) string{
	"pg_get_indexdef":                func(_ *View, o *Object) string { return indexText(o) },
	"pg_get_indexdef/3":              func(_ *View, o *Object) string { return indexColumnText(o) },
	"pg_table_size":                  func(_ *View, o *Object) string { return sizeText(o) },
	"pg_relation_size":               func(_ *View, o *Object) string { return sizeText(o) },
	"pg_total_relation_size":         func(_ *View, o *Object) string { return sizeText(o) },
	"pg_relation_is_updatable":       func(_ *View, o *Object) string { return updatableText(o) },
	"pg_get_partkeydef":              func(_ *View, o *Object) string { return partitionKeyText(o) },
	"pg_get_partition_constraintdef": func(_ *View, o *Object) string { return partitionConstraintText(o) },
	"pg_indexes_size":                func(*View, *Object) string { return "0::bigint" },
}

// indexText is a text about an index; NULL for other objects.
func indexText(o *Object) string {
	if o.key == nil {
		return ""
	}
	return QuoteText(o.indexDefinition(false))
}

// constraintCase is a CASE over the OIDs of all constraints with their definitions.
func (v *View) constraintCase(args []algebra.Expr) string {
	pretty := false
	if c, ok := constantOf(args[len(args)-1]); ok {
		pretty = c.Kind == value.Bool && c.B
	}
	var whens strings.Builder
	add := func(oid int64, text string) { fmt.Fprintf(&whens, " WHEN $1 = %d THEN %s", oid, QuoteText(text)) }
	for i := range v.Objects() {
		if o := &v.Objects()[i]; o.isConstraint() {
			add(o.oid, o.constraintDefinition())
		}
	}
	for _, r := range v.referrals() {
		add(r.oid, r.definition(v))
	}
	if v.checkDefinitions(pretty, add); whens.Len() == 0 {
		return nullText
	}
	return "CASE" + whens.String() + " END"
}

// updatableText says which changes a relation takes, as pg_relation_is_updatable does: a
// table takes all, a view none.
func updatableText(o *Object) string {
	if o.Table == nil {
		return "0"
	}
	return "28"
}

// indexColumnText is the definition of an index, or of its column $2.
func indexColumnText(o *Object) string {
	if o.key == nil {
		return ""
	}
	text := "CASE $2 WHEN 0 THEN " + QuoteText(o.indexDefinition(true))
	for i, part := range o.parts() {
		text += fmt.Sprintf(" WHEN %d THEN %s", i+1, QuoteText(part))
	}
	return text + " END"
}

// sizeText is the size of a relation in bytes.
func sizeText(o *Object) string {
	if o.Table == nil {
		return "0::bigint"
	}
	return fmt.Sprintf("%d::bigint", o.Table.Bytes())
}

// objectCase is a CASE over the OIDs of all objects. Of a constant that names a
// relation it is the value of that one.
func (v *View) objectCase(arg algebra.Expr, f func(*View, *Object) string) string {
	var whens strings.Builder
	c, constant := constantOf(arg)
	named := int64(-1)
	if constant && c.Kind == value.Text {
		var err error
		if named, err = strconv.ParseInt(c.S, 10, 64); err != nil {
			named, _ = v.findRelation(c.S)
		}
	}
	for i := range v.Objects() {
		text := f(v, &v.Objects()[i])
		if text == "" {
			continue
		}
		if v.Objects()[i].oid == named {
			return text
		}
		fmt.Fprintf(&whens, " WHEN $1 = %d THEN %s", v.Objects()[i].oid, text)
	}
	if whens.Len() == 0 || named >= 0 {
		return nullText
	}
	return "CASE" + whens.String() + " END"
}

// currentSetting is current_setting(name [, missing_ok]).
func (v *View) currentSetting(args []algebra.Expr) (string, error) {
	name, ok := args[0].(*algebra.Const)
	if !ok || name.Val.Kind != value.Text {
		var whens strings.Builder
		for _, row := range settingRows(v) {
			fmt.Fprintf(&whens, " WHEN %s THEN %s", QuoteText(strings.ToLower(row["name"].(string))), QuoteText(row["setting"].(string)))
		}
		for name, text := range v.Of.InventedSettings() {
			fmt.Fprintf(&whens, " WHEN %s THEN %s", QuoteText(name), QuoteText(text))
		}
		return "CASE lower($1)" + whens.String() + " END", nil
	}
	shown, err := v.Of.ShowSetting(name.Val.S)
	if err != nil {
		if len(args) == 2 {
			if missing, ok := args[1].(*algebra.Const); ok && missing.Val.B {
				return nullText, nil
			}
		}
		return "", err
	}
	return QuoteText(shown), nil
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
func (v *View) setConfig(args []algebra.Expr) (string, error) {
	if v.Describing {
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
	shown, err := v.Of.Configure(constants)
	return QuoteText(shown.S), err
}

// currentSchemas is current_schemas(with pg_catalog).
func (v *View) currentSchemas(implicit algebra.Expr) string {
	var list []string
	if c, ok := implicit.(*algebra.Const); !ok || c.Val.Kind != value.Bool || c.Val.B {
		list = append(list, "'pg_catalog'")
	}
	for _, name := range v.SearchPath {
		if name != v.TemporarySchema {
			list = append(list, QuoteText(name))
		}
	}
	return "ARRAY[" + strings.Join(list, ", ") + "]::name[]"
}

// formatTypeText is format_type(oid, modifier).
func (v *View) formatTypeText() string {
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
	for oid, name := range map[int]string{1083: "time", 1114: "timestamp", 1184: "timestamp"} {
		_, zone, _ := strings.Cut(typeText(columnTypes, int64(oid)), " ")
		fmt.Fprintf(&out, " WHEN $1 = %d AND $2 >= 0 THEN '%s(' || $2::text || ') %s'", oid, name, zone)
	}
	out.WriteString(" WHEN $1 = 1186 AND $2 >= 0 THEN 'interval' || CASE $2 / 65536")
	for _, fields := range algebra.IntervalFields[1:] {
		fmt.Fprintf(&out, " WHEN %d THEN ' %s'", algebra.TInterval.WithTime(-1, fields).Typmod()/65536, fields)
	}
	out.WriteString(" ELSE '' END || CASE $2 % 65536 WHEN 65535 THEN '' ELSE '(' || ($2 % 65536)::text || ')' END")
	for _, t := range v.types() {
		fmt.Fprintf(&out, " WHEN $1 = %d THEN %s", t.oid, QuoteText(t.sql))
		if t.array != 0 {
			fmt.Fprintf(&out, " WHEN $1 = %d THEN %s", t.array, QuoteText(t.sql+"[]"))
		}
	}
	for _, t := range pseudoTypes {
		fmt.Fprintf(&out, " WHEN $1 = %d THEN %s", t.oid, QuoteText(typeText(columnTypes, t.oid)))
	}
	out.WriteString(" WHEN $1 IS NOT NULL THEN '???' END")
	return out.String()
}

// viewDefinition is pg_get_viewdef of an object; "" where it is no view.
func (v *View) viewDefinition(o *Object) string {
	if !o.hasQuery() {
		return ""
	}
	return QuoteText(" " + v.Of.ViewText(o) + ";")
}
