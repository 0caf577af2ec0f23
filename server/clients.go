package server

import "strings"

// clientQuery is a query of a client that PostgreSQL's dialect allows and
// Cubeloom's does not, since it is about arrays, with another that gives the same
// answer. It is recognized by its beginning and by marks that follow in order.
type clientQuery struct {
	client string // who sends it, and for what
	begins string
	marks  []string
	// number stands before the number, in quotes or not, that $1 stands for in
	// the answer; "" where there is none.
	number string
	// keep is the mark from which on the client's own text follows the answer; ""
	// where nothing of it does.
	keep   string
	answer string
	// swaps are parts of the client's text with what stands for them, in order;
	// then there is no answer, and all the rest stays as it is.
	swaps [][2]string
}

// keyColumns are the columns of all keys: of the index, of column x of the table
// and n of the key.
const keyColumns = `(SELECT ia.attrelid AS indexrelid, ta.attnum AS x, ia.attnum AS n FROM pg_catalog.pg_index ix
	JOIN pg_catalog.pg_attribute ia ON ia.attrelid = ix.indexrelid
	JOIN pg_catalog.pg_attribute ta ON ta.attrelid = ix.indrelid AND ta.attname = ia.attname)`

// clientQueries are all queries that are answered by another one. Blanks in
// them are as recognize leaves them.
var clientQueries = []clientQuery{
	{
		client: `psql 15, \d NAME: policies`,
		begins: "SELECT pol.polname, pol.polpermissive,", marks: []string{"array(select rolname", "FROM pg_catalog.pg_policy pol"},
		answer: "SELECT polname, polpermissive, polroles, polqual, polwithcheck, polcmd FROM pg_catalog.pg_policy",
	},
	{
		client: `psql 15, \d NAME: extended statistics`,
		begins: "SELECT oid, stxrelid::pg_catalog.regclass,", marks: []string{"any(stxkind)", "FROM pg_catalog.pg_statistic_ext"},
		answer: `SELECT oid, NULL::text AS stxrelid, NULL::text AS nsp, stxname, NULL::text AS columns, false AS ndist_enabled,
			false AS deps_enabled, false AS mcv_enabled, stxstattarget FROM pg_catalog.pg_statistic_ext`,
	},
	{
		client: `psql 15, \d NAME: publications`,
		begins: "SELECT pubname , NULL , NULL FROM pg_catalog.pg_publication p", marks: []string{"prattrs[s]", "puballtables"},
		answer: "SELECT pubname, NULL, NULL FROM pg_catalog.pg_publication",
	},
	{
		client: `psql 15, \d+ NAME: the relation`,
		begins: "SELECT c.relchecks, c.relkind,", marks: []string{"array(select 'toast.'", "FROM pg_catalog.pg_class c"},
		number: "WHERE c.oid = ",
		answer: `SELECT c.relchecks, c.relkind, c.relhasindex, c.relhasrules, c.relhastriggers, c.relrowsecurity, c.relforcerowsecurity,
			false AS relhasoids, c.relispartition, c.reloptions, c.reltablespace, '', c.relpersistence, c.relreplident, am.amname
			FROM pg_catalog.pg_class c LEFT JOIN pg_catalog.pg_am am ON c.relam = am.oid WHERE c.oid = $1`,
	},
	{
		client: `psql 15, \dD: domains, of which there are none`,
		begins: `SELECT n.nspname as "Schema",`, marks: []string{"ARRAY( SELECT pg_catalog.pg_get_constraintdef", `"Check"`},
		answer: `SELECT '' AS "Schema", '' AS "Name", '' AS "Type", '' AS "Collation", '' AS "Nullable", '' AS "Default", '' AS "Check" WHERE false`,
	},
	{
		client: `psql 15, \dy: event triggers, of which there are none`,
		begins: `SELECT evtname as "Name",`, marks: []string{"array(select x", "FROM pg_catalog.pg_event_trigger"},
		answer: `SELECT '' AS "Name", '' AS "Event", '' AS "Owner", '' AS "Enabled", '' AS "Function", '' AS "Tags" WHERE false`,
	},
	{
		client: `psql 15, \sv and \ev NAME: a view`,
		begins: "SELECT nspname, relname, relkind, pg_catalog.pg_get_viewdef(c.oid, true),", marks: []string{"ANY (c.reloptions)"},
		number: "WHERE c.oid = ",
		answer: `SELECT n.nspname, c.relname, c.relkind, pg_catalog.pg_get_viewdef(c.oid, true), c.reloptions, NULL::text AS checkoption
			FROM pg_catalog.pg_class c LEFT JOIN pg_catalog.pg_namespace n ON c.relnamespace = n.oid WHERE c.oid = $1`,
	},
	{
		client: "pg_dump 15: types, the first character of whose name it takes by a subscript",
		begins: "SELECT tableoid, oid, typname,", swaps: [][2]string{{"typname[0] = '_'", "left(typname, 1) = '_'"}},
	},
	{
		client: "pgjdbc 42: a type by its OID or name, all types",
		begins: "SELECT ", swaps: [][2]string{{
			"( select s.r, (current_schemas(false))[s.r] as nspname from generate_series(1, array_upper(current_schemas(false), 1)) as s(r) )",
			"(SELECT 1 AS r, 'public' AS nspname)"}},
	},
	{
		client: "pgjdbc 42, Metabase: schemas",
		begins: "SELECT nspname AS ", swaps: [][2]string{
			{"(pg_catalog.current_schemas(true))[1]", "'pg_catalog'"}, {"(pg_catalog.current_schemas(true))[1]", "'pg_catalog'"}},
	},
	{
		client: "pgjdbc 42, getPrimaryKeys",
		begins: "SELECT result.TABLE_CAT, ", swaps: [][2]string{
			{"(information_schema._pg_expandarray(i.indkey)).n AS KEY_SEQ", "k.n AS KEY_SEQ"},
			{"information_schema._pg_expandarray(i.indkey) AS KEYS", "k.x AS KEYS"},
			{"JOIN pg_catalog.pg_class ci ON (ci.oid = i.indexrelid)", "JOIN pg_catalog.pg_class ci ON (ci.oid = i.indexrelid) JOIN " + keyColumns + " k ON (k.indexrelid = i.indexrelid)"},
			{"(result.KEYS).x", "result.KEYS"}},
	},
	{
		client: "pgjdbc 42, getBestRowIdentifier and updatable results",
		begins: "SELECT a.attname, a.atttypid, atttypmod ", swaps: [][2]string{
			{"information_schema._pg_expandarray(i.indkey) AS keys FROM pg_catalog.pg_index i)",
				"k.x FROM pg_catalog.pg_index i JOIN " + keyColumns + " k ON (k.indexrelid = i.indexrelid))"},
			{"(i.keys).x", "i.x"}},
	},
	{
		client: "pgjdbc 42, getIndexInfo",
		begins: "SELECT tmp.TABLE_CAT, ", swaps: [][2]string{
			{"CASE tmp.I_INDOPTION[tmp.ORDINAL_POSITION - 1] & 1::smallint WHEN 1 THEN 'D' ELSE 'A' END", "'A'"},
			{"(information_schema._pg_expandarray(i.indkey)).n AS ORDINAL_POSITION", "k.n AS ORDINAL_POSITION"},
			{"JOIN pg_catalog.pg_class ci ON (ci.oid = i.indexrelid)", "JOIN pg_catalog.pg_class ci ON (ci.oid = i.indexrelid) JOIN " + keyColumns + " k ON (k.indexrelid = i.indexrelid)"}},
	},
	{
		client: "pgjdbc 42, getImportedKeys, getExportedKeys, getCrossReference: foreign keys, of which there are none",
		begins: "SELECT NULL::text AS PKTABLE_CAT, ", swaps: [][2]string{
			{"pka.attnum = con.confkey[pos.n]", "false"}, {"fka.attnum = con.conkey[pos.n]", "false"}},
	},
	{
		client: "pgcli: the search path",
		begins: "SELECT * FROM unnest(current_schemas(true))",
		answer: "SELECT nspname AS unnest FROM pg_catalog.pg_namespace WHERE nspname = ANY(current_schemas(true))",
	},
	{
		client: "pgcli: foreign keys, of which there are none",
		begins: "SELECT s_p.nspname AS parentschema, t_p.relname AS parenttable, unnest((", marks: []string{"AS childcolumn", "WHERE fk.contype = 'f'"},
		answer: `SELECT NULL::text AS parentschema, NULL::text AS parenttable, NULL::text AS parentcolumn,
			NULL::text AS childschema, NULL::text AS childtable, NULL::text AS childcolumn WHERE false`,
	},
	{
		client: "pgcli: functions, of which none are listed",
		begins: "SELECT n.nspname schema_name, p.proname func_name, p.proargnames, COALESCE(proallargtypes::regtype[]", marks: []string{"AS arg_defaults"},
		answer: `SELECT NULL::text AS schema_name, NULL::text AS func_name, NULL::text AS proargnames, NULL::text AS "coalesce",
			NULL::text AS proargmodes, NULL::text AS return_type, NULL::boolean AS is_aggregate, NULL::boolean AS is_window,
			NULL::boolean AS is_set_returning, NULL::boolean AS is_extension, NULL::text AS arg_defaults WHERE false`,
	},
	{
		client: "SQLAlchemy 1.4, get_columns: columns of sequences, of which there are none",
		begins: "SELECT a.attname, ", swaps: [][2]string{{
			"json_build_object( 'always', a.attidentity = 'a', 'start', s.seqstart, 'increment', s.seqincrement, " +
				"'minvalue', s.seqmin, 'maxvalue', s.seqmax, 'cache', s.seqcache, 'cycle', s.seqcycle)",
			"NULL::text"}},
	},
	{
		client: "Npgsql: types, whose arrays it knows by the function that reads them",
		begins: "SELECT version(); SELECT ns.nspname, ", swaps: [][2]string{
			{"LEFT JOIN pg_proc AS proc ON proc.oid = typ.typreceive", "LEFT JOIN (SELECT 'array_recv' AS proname) AS proc ON typ.typcategory = 'A'"},
			{"LEFT JOIN pg_proc AS elemproc ON elemproc.oid = elemtyp.typreceive", "LEFT JOIN (SELECT 'array_recv' AS proname) AS elemproc ON elemtyp.typcategory = 'A'"}},
	},
	{
		client: "Grafana: tables and columns of the search path",
		begins: "SELECT ", swaps: [][2]string{{
			`CASE WHEN trim(s[i]) = '"$user"' THEN user ELSE trim(s[i]) END FROM generate_series( ` +
				`array_lower(string_to_array(current_setting('search_path'),','),1), ` +
				`array_upper(string_to_array(current_setting('search_path'),','),1) ) as i, ` +
				`string_to_array(current_setting('search_path'),',') s`,
			"current_schema()"}},
	},
}

// recognize gives the query that answers a client's, or the text as it is.
func recognize(text string) string {
	flat := strings.Join(strings.Fields(withoutComments(text)), " ")
	if !strings.HasPrefix(flat, "SELECT ") {
		return text
	}
	for i := range clientQueries {
		if answer, ok := clientQueries[i].match(flat); ok {
			return answer
		}
	}
	return text
}

// withoutComments leaves out the comments that end with their line.
func withoutComments(text string) string {
	if !strings.Contains(text, "--") {
		return text
	}
	var out strings.Builder
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote == 0 && strings.HasPrefix(text[i:], "--"):
			end := strings.IndexByte(text[i:], '\n')
			if end < 0 {
				return out.String()
			}
			i += end
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case c == quote:
			quote = 0
		}
		out.WriteByte(text[i])
	}
	return out.String()
}

// match gives the answer of a text that is this query.
func (q *clientQuery) match(flat string) (string, bool) {
	rest, ok := strings.CutPrefix(flat, q.begins)
	if ok && len(q.swaps) > 0 {
		return q.swap(rest)
	}
	for _, mark := range q.marks {
		if ok {
			_, rest, ok = strings.Cut(rest, mark)
		}
	}
	switch {
	case !ok:
		return "", false
	case q.keep != "":
		_, tail, ok := strings.Cut(rest, q.keep)
		return q.answer + " " + q.keep + tail, ok
	case q.number == "":
		return q.answer, true
	}
	_, number, ok := strings.Cut(rest, q.number)
	digits := strings.TrimRight(strings.TrimPrefix(number, "'"), "';")
	if !ok || digits == "" || strings.Trim(digits, "0123456789") != "" {
		return "", false
	}
	return strings.ReplaceAll(q.answer, "$1", digits), true
}

// swap gives the text with the swapped parts, where all of them are there.
func (q *clientQuery) swap(rest string) (string, bool) {
	out := strings.Builder{}
	out.WriteString(q.begins)
	for _, s := range q.swaps {
		before, after, ok := strings.Cut(rest, s[0])
		if !ok {
			return "", false
		}
		out.WriteString(before + s[1])
		rest = after
	}
	out.WriteString(rest)
	return out.String(), true
}
