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
}

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
		client: `psql 15, \du and \dg: roles`,
		begins: "SELECT r.rolname, r.rolsuper,", marks: []string{"ARRAY(SELECT b.rolname", "as memberof , r.rolreplication , r.rolbypassrls"},
		keep: "FROM pg_catalog.pg_roles r",
		answer: `SELECT r.rolname, r.rolsuper, r.rolinherit, r.rolcreaterole, r.rolcreatedb, r.rolcanlogin, r.rolconnlimit, r.rolvaliduntil,
			'{}' AS memberof, r.rolreplication, r.rolbypassrls`,
	},
	{
		client: `psql 15, \dp and \z: privileges`,
		begins: `SELECT n.nspname as "Schema",`, marks: []string{`"Column privileges"`, `"Policies"`},
		keep: "FROM pg_catalog.pg_class c",
		answer: `SELECT n.nspname AS "Schema", c.relname AS "Name", CASE c.relkind WHEN 'r' THEN 'table' WHEN 'v' THEN 'view' END AS "Type",
			c.relacl AS "Access privileges", '' AS "Column privileges", '' AS "Policies"`,
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
}

// recognize gives the query that answers a client's, or the text as it is.
func recognize(text string) string {
	if !strings.HasPrefix(text, "SELECT ") {
		return text
	}
	flat := strings.Join(strings.Fields(text), " ")
	for i := range clientQueries {
		if answer, ok := clientQueries[i].match(flat); ok {
			return answer
		}
	}
	return text
}

// match gives the answer of a text that is this query.
func (q *clientQuery) match(flat string) (string, bool) {
	rest, ok := strings.CutPrefix(flat, q.begins)
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
