package pgcatalog

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/sql/value/lists"
)

const (
	languageSQL = 14
	recordOID   = 2249
)

// procs are the functions of the system and those that CREATE FUNCTION has made.
func (v *View) procs() []proc {
	if v.procList == nil {
		v.procList = slices.Clip(procs())
		taken := map[int64]bool{}
		for _, f := range v.Functions() {
			v.procList = append(v.procList, v.made(&f, objectOID(f.Object.Name, taken)))
		}
	}
	return v.procList
}

// madeProcs are those that CREATE FUNCTION has made.
func (v *View) madeProcs() []proc { return v.procs()[len(procs()):] }

// procsNamed are the functions of a name.
func (v *View) procsNamed(name string) []*proc {
	named := slices.Clip(functionsByName()[name])
	made := v.madeProcs()
	for i := range made {
		if made[i].name == name {
			named = append(named, &made[i])
		}
	}
	return named
}

// made is a function as those of the system are.
func (v *View) made(f *Function, oid int64) proc {
	letter := func(is bool, letter string) string {
		if is {
			return letter
		}
		return "-"
	}
	p := proc{oid: oid, name: f.Name, result: v.typeOIDOf(f.Result), made: f,
		letters: "f" + f.Volatility + f.Parallel + letter(f.Strict, "s") + letter(f.Set, "r") + letter(f.Leakproof, "l")}
	var types []string
	for _, param := range f.inputs() {
		types = append(types, strconv.FormatInt(v.typeOIDOf(param.Type), 10))
		if param.Default != "" {
			p.defaults++
		}
	}
	p.arguments = strings.Join(types, " ")
	return p
}

// typeOIDOf is the OID of a type by its name, that of record where it is the rows of a relation.
func (v *View) typeOIDOf(text string) int64 {
	if oid, ok := v.findTypeNamed(text, unqualified(text)); ok {
		return oid
	}
	return recordOID
}

// describeMade says in a row of pg_proc what only functions have that CREATE FUNCTION has made.
func (v *View) describeMade(row Row, f *Function) {
	row["pronamespace"], row["prolang"], row["prosrc"] = v.schemaOID(f.Schema), languageSQL, f.Source
	v.addGrants(row, f.Object, "proowner", "")
	if row["procost"] = numberOr(f.Cost, 100); f.Set {
		row["prorows"] = numberOr(f.Rows, 1000)
	}
	if f.Body != "" {
		row["prosqlbody"] = f.Body
	}
	if slices.ContainsFunc(f.Params, func(p Parameter) bool { return p.Name != "" }) {
		row["proargnames"] = textArray(lists.Map(f.Params, func(p Parameter) string { return p.Name }))
	}
	if len(f.inputs()) < len(f.Params) || slices.ContainsFunc(f.Params, func(p Parameter) bool { return p.Mode != "i" }) {
		row["proargmodes"] = textArray(lists.Map(f.Params, func(p Parameter) string { return p.Mode }))
		row["proallargtypes"] = textArray(lists.Map(f.Params, func(p Parameter) string { return strconv.FormatInt(v.typeOIDOf(p.Type), 10) }))
	}
	var defaults []string
	for _, p := range f.Params {
		if p.Default != "" {
			defaults = append(defaults, p.Default)
		}
	}
	if defaults != nil {
		row["proargdefaults"] = strings.Join(defaults, ", ")
	}
}

// numberOr is a number that was given, or the default.
func numberOr(text string, other float64) float64 {
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		return n
	}
	return other
}

// functionCase is the SQL of what is said of a function by its OID: of those that CREATE FUNCTION has made by
// a Go function, of those of the system by system, which is SQL with the OID as $1.
func (v *View) functionCase(say func(*Function) string, system string) string {
	var whens strings.Builder
	for _, p := range v.madeProcs() {
		whens.WriteString(" WHEN $1 = " + strconv.FormatInt(p.oid, 10) + " THEN " + QuoteText(say(p.made)))
	}
	if whens.Len() == 0 {
		return system
	}
	return "CASE" + whens.String() + " ELSE " + system + " END"
}

// systemResult and systemArguments are pg_get_function_result and pg_get_function_arguments of functions of the system.
const (
	systemResult = `(SELECT max(CASE WHEN p.proretset THEN 'SETOF ' ELSE '' END || p.prorettype::regtype::text) FROM pg_catalog.pg_proc p WHERE p.oid = $1)`

	systemArguments = `(SELECT string_agg(CASE WHEN p.provariadic <> 0 AND a.n = p.pronargs THEN 'VARIADIC ' ELSE '' END || a.t::oid::regtype::text, ', ' ORDER BY a.n)
	FROM pg_catalog.pg_proc p, unnest(p.proargtypes) WITH ORDINALITY AS a(t, n) WHERE p.oid = $1)`
)

// functionRows are the rows of pg_proc.
func functionRows(v *View) []Row {
	functions := v.procs()
	rows := make([]Row, len(functions))
	for i := range functions {
		f := &functions[i]
		types := f.types()
		row := Row{"oid": f.oid, "proname": f.name, "provariadic": f.variadic, "prokind": f.letters[:1], "provolatile": f.letters[1:2],
			"proparallel": f.letters[2:3], "proisstrict": f.letters[3] == 's', "proretset": f.letters[4] == 'r', "proleakproof": f.letters[5] == 'l',
			"pronargs": len(types), "pronargdefaults": f.defaults, "prorettype": f.result, "proargtypes": f.arguments, "prosrc": f.name}
		if f.letters[4] == 'r' {
			row["prorows"] = float64(1000)
		}
		if f.variadic != 0 {
			row["proallargtypes"] = "{" + strings.ReplaceAll(f.arguments, " ", ",") + "}"
			row["proargmodes"] = "{" + strings.Repeat("i,", len(types)-1) + "v}"
		}
		row["proacl"] = v.aclCell(v.Access.Grants(f.object()).ACL)
		if f.made != nil {
			v.describeMade(row, f.made)
		}
		rows[i] = row
	}
	return rows
}

// routineRows are the rows of information_schema.routines: the functions that CREATE FUNCTION has made.
func routineRows(v *View) []Row {
	var rows []Row
	for _, p := range v.madeProcs() {
		row := Row{"specific_catalog": v.Database, "specific_schema": p.made.Schema, "specific_name": p.name + "_" + strconv.FormatInt(p.oid, 10),
			"routine_catalog": v.Database, "routine_schema": p.made.Schema, "routine_name": p.name, "data_type": p.made.Result}
		if strings.HasSuffix(p.made.Result, "[]") {
			row["data_type"] = "ARRAY"
		}
		rows = append(rows, row)
	}
	return rows
}
