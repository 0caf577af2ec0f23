package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
)

// tableFunctions are functions in FROM that are queries of their arguments.
var tableFunctions = map[string]string{
	"aclexplode": `SELECT coalesce(g.oid, 0)::oid AS grantor, coalesce(r.oid, 0)::oid AS grantee, p.name AS privilege_type,
			strpos(i.part[2], p.letter || '*') > 0 AS is_grantable
		FROM (SELECT regexp_match(a, '^("(?:[^"]|"")*"|[^"=]*)=([^/]*)/(.*)$') AS part FROM unnest($1) AS u(a)) AS i
		JOIN (VALUES (1, 'a', 'INSERT'), (2, 'r', 'SELECT'), (3, 'w', 'UPDATE'), (4, 'd', 'DELETE'), (5, 'D', 'TRUNCATE'), (6, 'x', 'REFERENCES'),
			(7, 't', 'TRIGGER'), (8, 'X', 'EXECUTE'), (9, 'U', 'USAGE'), (10, 'C', 'CREATE'), (11, 'T', 'TEMPORARY'), (12, 'c', 'CONNECT'))
			AS p(n, letter, name) ON strpos(i.part[2], p.letter) > 0
		LEFT JOIN pg_catalog.pg_roles AS r ON i.part[1] IN (r.rolname::text, '"' || replace(r.rolname, '"', '""') || '"')
		LEFT JOIN pg_catalog.pg_roles AS g ON i.part[3] IN (g.rolname::text, '"' || replace(g.rolname, '"', '""') || '"')`,
	"_pg_expandarray":     "SELECT x, n::int AS n FROM unnest($1) WITH ORDINALITY AS u(x, n)",
	"pg_options_to_table": `SELECT split_part(o, '=', 1) AS option_name, substr(o, strpos(o, '=') + 1) AS option_value FROM unnest($1) AS o`,
}

// sqlTable binds a function in FROM as the query that it is, in which $1, $2, … stand for
// its arguments.
func (b *binder) sqlTable(t *sql.TableFunc, text string, env *environment, before *scope) (algebra.Node, *scope, error) {
	pos := int(t.Call.Pos)
	if err := b.countRelation(pos); err != nil {
		return nil, nil, err
	}
	name := t.Call.Name[len(t.Call.Name)-1].Name
	outer := &exprBinder{binder: b, scope: before, env: env, clause: "functions in FROM"}
	args, _, err := outer.args(t.Call)
	if err != nil {
		return nil, nil, err
	}
	stmt, err := sql.Parse(text)
	if err != nil {
		return nil, nil, inFunction(err, name, t.Call.Pos)
	}
	function := &exprBinder{binder: b, scope: &scope{}, clause: outer.clause, arguments: args}
	rel, err := b.query(stmt.(*sql.Query), &environment{parent: env, outer: function}, false)
	if err != nil {
		return nil, nil, inFunction(err, name, t.Call.Pos)
	}
	alias := name
	if t.Alias.Name != "" {
		alias = t.Alias.Name
	}
	return b.named(rel, alias, nil, t.Columns, pos)
}
