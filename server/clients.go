package server

import "strings"

// clientQuery is a query of a client that PostgreSQL's dialect allows and
// Cubeloom's does not, since it takes fields of rows or characters of names, with
// another that has the same answer. It is recognized by its beginning and by marks
// that follow in order.
type clientQuery struct {
	client string // who sends it, and for what
	begins string
	marks  []string
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
		client: "pg_dump 15: types, the first character of whose name it takes by a subscript",
		begins: "SELECT tableoid, oid, typname,", swaps: [][2]string{{"typname[0] = '_'", "left(typname, 1) = '_'"}},
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
		client: "pgcli: functions, of which none are listed",
		begins: "SELECT n.nspname schema_name, p.proname func_name, p.proargnames, COALESCE(proallargtypes::regtype[]", marks: []string{"AS arg_defaults"},
		answer: `SELECT NULL::text AS schema_name, NULL::text AS func_name, NULL::text AS proargnames, NULL::text AS "coalesce",
			NULL::text AS proargmodes, NULL::text AS return_type, NULL::boolean AS is_aggregate, NULL::boolean AS is_window,
			NULL::boolean AS is_set_returning, NULL::boolean AS is_extension, NULL::text AS arg_defaults WHERE false`,
	},
}

// recognize returns the query that answers a client's, or the text as it is.
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

// match returns the answer of a text that is this query.
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
	return q.answer, ok
}

// swap returns the text with the swapped parts, where all of them are there.
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
