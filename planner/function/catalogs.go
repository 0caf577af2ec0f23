package function

import (
	"strings"

	"github.com/cubeloom/cubeloom/sql/dialect"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// catalogs are the functions about the session and about what pg_catalog lists.
var catalogs = []Function{
	{Name: "version", Volatility: Stable, Text: "The version of the server.", Example: "version() LIKE 'PostgreSQL %'", Answer: "t", OfSession: true, Usage: []string{"version() → text"}},
	{Name: "current_database", Aliases: []string{"current_catalog"}, Volatility: Stable, Text: "The name of the database.", Example: "current_database() = current_catalog", Answer: "t", OfSession: true, Usage: []string{"current_database() → name"}},
	{Name: "current_schema", Volatility: Stable, Text: "The schema in which new tables are made.", Example: "current_schema()", Answer: "public", OfSession: true, Usage: []string{"current_schema() → name"}},
	{Name: "current_schemas", Volatility: Stable, Text: "The schemas that are searched, with those that always are or without.", Example: "current_schemas(true)", Answer: "{pg_catalog,public}", OfSession: true, Usage: []string{"current_schemas(boolean) → name[]"}},
	{Name: "current_user", Aliases: []string{"current_role", "user"}, Volatility: Stable, Text: "The role by whose privileges statements run.", Example: "current_user = user", Answer: "t", OfSession: true, Usage: []string{"current_user → name"}},
	{Name: "session_user", Volatility: Stable, Text: "The role that logged in, or that SET SESSION AUTHORIZATION names.", Example: "session_user = current_user", Answer: "t", OfSession: true, Usage: []string{"session_user → name"}},
	{Name: "current_setting", Volatility: Stable, Text: "The value of a setting; NULL for none there with true as second argument.", Example: "current_setting('client_encoding')", Answer: "UTF8", OfSession: true,
		Usage: []string{"current_setting(text[, boolean]) → text"}},
	{Name: "set_config", Volatility: Volatile, Nulls: NullCounts, Text: "Gives a setting a value, for the transaction with true as third argument.", Example: "set_config('application_name', 'x', false)", Answer: "x", OfSession: true,
		Usage: []string{"set_config(text, text, boolean) → text"}},
	{Name: "pg_postmaster_start_time", Volatility: Stable, Text: "When the server began.", Example: "pg_postmaster_start_time() < now()", Answer: "t", OfSession: true, Usage: []string{"pg_postmaster_start_time() → timestamp with time zone"}},
	{Name: "pg_backend_pid", Volatility: Stable, Text: "The number of the session.", Example: "pg_backend_pid() = pg_backend_pid()", Answer: "t", OfSession: true, Usage: []string{"pg_backend_pid() → integer"}},
	{Name: "txid_current", Aliases: []string{"pg_current_xact_id"}, Volatility: Stable, Text: "The number of the transaction, greater than those of transactions that got one before.",
		Example: "txid_current() = pg_current_xact_id()", Answer: "t", OfSession: true, Usage: []string{"txid_current() → bigint"}},
	{Name: "txid_current_if_assigned", Aliases: []string{"pg_current_xact_id_if_assigned"}, Volatility: Stable,
		Text: "The number of the transaction, NULL where it has changed nothing and nobody has asked for its number.", Example: "txid_current_if_assigned()", Answer: "NULL", OfSession: true,
		Usage: []string{"txid_current_if_assigned() → bigint"}},
	{Name: "pg_cancel_backend", Volatility: Volatile, Text: "Ends the statement of a session, and says whether there is one.", Example: "pg_cancel_backend(-1)", Answer: "f", OfSession: true, Usage: []string{"pg_cancel_backend(integer) → boolean"}},
	{Name: "pg_terminate_backend", Volatility: Volatile, Text: "Ends a session, and says whether there is one.", Example: "pg_terminate_backend(-1)", Answer: "f", OfSession: true, Usage: []string{"pg_terminate_backend(integer) → boolean"}},
	{Name: "pg_sleep", Volatility: Volatile, Text: "Waits for so many seconds.", Example: "pg_sleep(0.01)", Answer: "", OfSession: true, Usage: []string{"pg_sleep(double precision) → void"}},
	{Name: "nextval", Volatility: Volatile, Text: "The next value of a sequence, which is handed out once.", Example: "nextval(NULL)", Answer: "NULL", Form: "sequence", Usage: []string{"nextval(regclass) → bigint"}},
	{Name: "currval", Aliases: []string{"lastval"}, Volatility: Volatile, Text: "The value that the session took last of a sequence, or of any one.", Example: "currval(NULL)", Answer: "NULL", Form: "sequence", Usage: []string{"currval(regclass) → bigint", "lastval() → bigint"}},
	{Name: "setval", Volatility: Volatile, Text: "Makes a value the last one of a sequence that was handed out or, with false as third argument, the next one.", Example: "setval(NULL, 1)", Answer: "NULL", Form: "sequence",
		Usage: []string{"setval(regclass, bigint[, boolean]) → bigint"}},
	{Name: "pg_advisory_lock", Volatility: Volatile, Text: "Takes an advisory lock until the session ends or gives it back.", Example: "pg_advisory_lock(1)", Answer: "", OfSession: true, Usage: []string{"pg_advisory_lock(bigint) → void", "pg_advisory_lock(integer, integer) → void"}},
	{Name: "pg_try_advisory_lock", Volatility: Volatile, Text: "Takes an advisory lock until the session ends or gives it back where nobody else has it.", Example: "pg_try_advisory_lock(1)", Answer: "t", OfSession: true, Usage: []string{"pg_try_advisory_lock(bigint) → boolean", "pg_try_advisory_lock(integer, integer) → boolean"}},
	{Name: "pg_advisory_lock_shared", Volatility: Volatile, Text: "Takes an advisory lock, shared with others, until the session ends or gives it back.", Example: "pg_advisory_lock_shared(1)", Answer: "", OfSession: true, Usage: []string{"pg_advisory_lock_shared(bigint) → void", "pg_advisory_lock_shared(integer, integer) → void"}},
	{Name: "pg_try_advisory_lock_shared", Volatility: Volatile, Text: "Takes an advisory lock, shared with others, until the session ends or gives it back where nobody else has it.", Example: "pg_try_advisory_lock_shared(1)", Answer: "t", OfSession: true, Usage: []string{"pg_try_advisory_lock_shared(bigint) → boolean", "pg_try_advisory_lock_shared(integer, integer) → boolean"}},
	{Name: "pg_advisory_xact_lock", Volatility: Volatile, Text: "Takes an advisory lock until the transaction ends.", Example: "pg_advisory_xact_lock(1)", Answer: "", OfSession: true, Usage: []string{"pg_advisory_xact_lock(bigint) → void", "pg_advisory_xact_lock(integer, integer) → void"}},
	{Name: "pg_try_advisory_xact_lock", Volatility: Volatile, Text: "Takes an advisory lock until the transaction ends where nobody else has it.", Example: "pg_try_advisory_xact_lock(1)", Answer: "t", OfSession: true, Usage: []string{"pg_try_advisory_xact_lock(bigint) → boolean", "pg_try_advisory_xact_lock(integer, integer) → boolean"}},
	{Name: "pg_advisory_xact_lock_shared", Volatility: Volatile, Text: "Takes an advisory lock, shared with others, until the transaction ends.", Example: "pg_advisory_xact_lock_shared(1)", Answer: "", OfSession: true, Usage: []string{"pg_advisory_xact_lock_shared(bigint) → void", "pg_advisory_xact_lock_shared(integer, integer) → void"}},
	{Name: "pg_try_advisory_xact_lock_shared", Volatility: Volatile, Text: "Takes an advisory lock, shared with others, until the transaction ends where nobody else has it.", Example: "pg_try_advisory_xact_lock_shared(1)", Answer: "t", OfSession: true, Usage: []string{"pg_try_advisory_xact_lock_shared(bigint) → boolean", "pg_try_advisory_xact_lock_shared(integer, integer) → boolean"}},
	{Name: "pg_advisory_unlock", Volatility: Volatile, Text: "Gives an advisory lock back, and says whether the session had it.", Example: "pg_advisory_unlock(9)", Answer: "f", OfSession: true, Usage: []string{"pg_advisory_unlock(bigint) → boolean", "pg_advisory_unlock(integer, integer) → boolean"}},
	{Name: "pg_advisory_unlock_shared", Volatility: Volatile, Text: "Gives a shared advisory lock back, and says whether the session had it.", Example: "pg_advisory_unlock_shared(9)", Answer: "f", OfSession: true, Usage: []string{"pg_advisory_unlock_shared(bigint) → boolean", "pg_advisory_unlock_shared(integer, integer) → boolean"}},
	{Name: "pg_advisory_unlock_all", Volatility: Volatile, Text: "Gives back all advisory locks of the session.", Example: "pg_advisory_unlock_all()", Answer: "", OfSession: true, Usage: []string{"pg_advisory_unlock_all() → void"}},
	{Name: "pg_is_in_recovery", Volatility: Volatile, Text: "Whether the server recovers: never.", Example: "pg_is_in_recovery()", Answer: "f", Signatures: inSQL('b', "", "false")},
	{Name: "pg_is_other_temp_schema", Volatility: Stable, Text: "Whether a schema is that of another session's temporary tables: never.", Example: "pg_is_other_temp_schema(0)", Answer: "f", Signatures: inSQL('b', "?", "false")},
	{Name: "pg_my_temp_schema", Volatility: Stable, Text: "The schema of the session's temporary tables, 0.", Example: "pg_my_temp_schema()", Answer: "0", Signatures: inSQL('w', "", "0")},
	{Name: "getdatabaseencoding", Aliases: []string{"pg_client_encoding"}, Volatility: Stable, Text: "The encoding of texts.", Example: "getdatabaseencoding()", Answer: "UTF8", Signatures: inSQL('s', "", "'UTF8'")},
	{Name: "pg_encoding_to_char", Volatility: Stable, Text: "The name of an encoding.", Example: "pg_encoding_to_char(6)", Answer: "UTF8", Signatures: inSQL('s', "?", "CASE WHEN $1 IS NOT NULL THEN 'UTF8' END")},
	{Name: "pg_char_to_encoding", Volatility: Stable, Text: "The number of an encoding.", Example: "pg_char_to_encoding('UTF8')", Answer: "6", Signatures: inSQL('w', "?", "CASE WHEN $1 IS NOT NULL THEN 6 END")},

	{Name: "pg_table_is_visible", Volatility: Stable, Text: "Whether a relation is found without its schema.", Example: "pg_table_is_visible('pg_class'::regclass)", Answer: "t", OfSession: true, Usage: []string{"pg_table_is_visible(oid) → boolean"}},
	{Name: "pg_type_is_visible", Volatility: Stable, Text: "Whether a type is found without its schema.", Example: "pg_type_is_visible(23)", Answer: "t", OfSession: true, Usage: []string{"pg_type_is_visible(oid) → boolean"}},
	{Name: "pg_function_is_visible", Aliases: []string{"pg_ts_config_is_visible", "pg_conversion_is_visible", "pg_operator_is_visible",
		"pg_collation_is_visible", "pg_opclass_is_visible", "pg_opfamily_is_visible", "pg_ts_dict_is_visible", "pg_ts_parser_is_visible", "pg_ts_template_is_visible", "pg_statistics_obj_is_visible"},
		Volatility: Stable, Text: "Whether an object is found without its schema: each is.", Example: "pg_function_is_visible(1299)", Answer: "t", Signatures: inSQL('b', "?", "$1 IS NOT NULL")},
	{Name: "obj_description", Volatility: Stable, Text: "The comment on an object of a catalog.", Example: "obj_description(0, 'pg_class')", Answer: "NULL", OfSession: true, Usage: []string{"obj_description(oid, name) → text"},
		Signatures: inSQL('s', "?", description+"WHERE d.objoid = $1 AND d.objsubid = 0)")},
	{Name: "col_description", Volatility: Stable, Text: "The comment on a column.", Example: "col_description(0, 1)", Answer: "NULL", Signatures: inSQL('s', "??", description+"WHERE d.objoid = $1 AND d.objsubid = $2 AND d.classoid = 1259)")},
	{Name: "shobj_description", Volatility: Stable, Text: "The comment on a role or a database.", Example: "shobj_description(0, 'pg_authid')", Answer: "NULL",
		Signatures: inSQL('s', "??", "(SELECT max(d.description) FROM pg_catalog.pg_shdescription d WHERE d.objoid = $1)")},
	{Name: "format_type", Volatility: Stable, Nulls: NullCounts, Text: "A type with its modifier as SQL writes it.", Example: "format_type(1043, 14)", Answer: "character varying(10)", OfSession: true, Usage: []string{"format_type(oid, integer) → text"}},
	{Name: "pg_get_expr", Volatility: Stable, Text: "A default or a condition as SQL.", Example: "pg_get_expr(NULL, 0)", Answer: "NULL", Signatures: list(inSQL('s', "??", "$1::text"), inSQL('s', "???", "$1::text"))},
	{Name: "pg_get_viewdef", Volatility: Stable, Text: "The query of a view.", Example: "pg_get_viewdef(0)", Answer: "NULL", OfSession: true, Usage: []string{"pg_get_viewdef(oid[, boolean]) → text"}},
	{Name: "pg_get_indexdef", Volatility: Stable, Text: "The definition of an index, or of one of its columns.", Example: "pg_get_indexdef(0)", Answer: "NULL", OfSession: true, Usage: []string{"pg_get_indexdef(oid[, integer, boolean]) → text"}},
	{Name: "pg_get_constraintdef", Volatility: Stable, Text: "The definition of a constraint.", Example: "pg_get_constraintdef(0)", Answer: "NULL", OfSession: true, Usage: []string{"pg_get_constraintdef(oid[, boolean]) → text"}},
	{Name: "pg_get_partkeydef", Volatility: Stable, Text: "How a table is partitioned.", Example: "pg_get_partkeydef(0)", Answer: "NULL", OfSession: true, Usage: []string{"pg_get_partkeydef(oid) → text"}},
	{Name: "pg_get_partition_constraintdef", Volatility: Stable, Text: "The condition that rows of a partition fulfil.", Example: "pg_get_partition_constraintdef(0)", Answer: "NULL", OfSession: true, Usage: []string{"pg_get_partition_constraintdef(oid) → text"}},
	{Name: "pg_get_functiondef", Volatility: Stable, Text: "The statement that makes a function of CREATE FUNCTION.", Example: "pg_get_functiondef(0)", Answer: "NULL", OfSession: true, Usage: []string{"pg_get_functiondef(oid) → text"}},
	{Name: "pg_get_function_sqlbody", Volatility: Stable, Text: "The body of a function in SQL that is no string.", Example: "pg_get_function_sqlbody(0)", Answer: "NULL", OfSession: true, Usage: []string{"pg_get_function_sqlbody(oid) → text"}},
	{Name: "pg_get_function_result", Volatility: Stable, Text: "The type of a function's result.", Example: "pg_get_function_result(0)", Answer: "NULL", OfSession: true, Usage: []string{"pg_get_function_result(oid) → text"}},
	{Name: "pg_get_function_arguments", Volatility: Stable, Text: "The arguments of a function, with their defaults.", Example: "pg_get_function_arguments(0)", Answer: "NULL", OfSession: true, Usage: []string{"pg_get_function_arguments(oid) → text"}},
	{Name: "pg_get_function_identity_arguments", Volatility: Stable, Text: "The arguments of a function.", Example: "pg_get_function_identity_arguments(0)", Answer: "NULL", OfSession: true, Usage: []string{"pg_get_function_identity_arguments(oid) → text"}},
	{Name: "pg_get_statisticsobjdef_columns", Volatility: Stable, Text: "NULL, as there are no such objects.", Example: "pg_get_statisticsobjdef_columns(0)", Answer: "NULL", Signatures: inSQL('s', "?", nullText)},
	{Name: "pg_get_triggerdef", Aliases: []string{"pg_get_ruledef"}, Volatility: Stable, Text: "NULL, as there are no triggers and rules.", Example: "pg_get_triggerdef(0)", Answer: "NULL", Signatures: list(inSQL('s', "?", nullText), inSQL('s', "??", nullText))},
	{Name: "pg_get_serial_sequence", Volatility: Stable, Text: "The sequence whose values a column takes by default and which it owns.", Example: "pg_get_serial_sequence('pg_class', 'relname')", Answer: "NULL",
		Signatures: inSQL('s', "??", `(SELECT max(quote_ident(n.nspname) || '.' || quote_ident(s.relname)) FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_class s ON s.oid = d.objid AND s.relkind = 'S'
	JOIN pg_catalog.pg_namespace n ON n.oid = s.relnamespace JOIN pg_catalog.pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
	WHERE d.refobjid = $1::regclass AND a.attname = $2 AND d.deptype IN ('a', 'i'))`)},
	{Name: "pg_get_userbyid", Volatility: Stable, Text: "The name of a role.", Example: "pg_get_userbyid(0)", Answer: "unknown (OID=0)", OfSession: true, Usage: []string{"pg_get_userbyid(oid) → name"}},
	{Name: "pg_tablespace_location", Volatility: Stable, Text: "The folder of a tablespace: none.", Example: "pg_tablespace_location(0)", Answer: "", Signatures: inSQL('s', "?", "''")},
	{Name: "pg_relation_is_publishable", Volatility: Stable, Text: "Whether a relation can be published: all can but those of the system.", Example: "pg_relation_is_publishable('pg_class'::regclass)", Answer: "f",
		Signatures: inSQL('b', "?", "$1::bigint >= 16384")},
	{Name: "pg_table_size", Aliases: []string{"pg_relation_size", "pg_total_relation_size"}, Volatility: Volatile, Text: "The size of a relation in bytes.", Example: "pg_table_size(0)", Answer: "NULL", OfSession: true,
		Usage: []string{"pg_table_size(regclass) → bigint"}},
	{Name: "pg_relation_is_updatable", Volatility: Stable, Text: "Which changes a relation takes: 28 of a table, 0 of a view.", Example: "pg_relation_is_updatable(0, true)", Answer: "0", OfSession: true, Usage: []string{"pg_relation_is_updatable(regclass, boolean) → integer"}},
	{Name: "pg_indexes_size", Volatility: Volatile, Text: "The size of a relation's indexes, 0.", Example: "pg_indexes_size(0)", Answer: "NULL", OfSession: true, Usage: []string{"pg_indexes_size(regclass) → bigint"}},
	{Name: "pg_database_size", Volatility: Volatile, Text: "The size of the database's tables in bytes.", Example: "pg_database_size(current_database()) >= 0", Answer: "t",
		Signatures: inSQL('l', "?", "(SELECT coalesce(sum(pg_table_size(c.oid)), 0)::bigint FROM pg_catalog.pg_class c WHERE c.relkind = 'r' AND $1::text IS NOT NULL)")},
	{Name: "pg_size_bytes", Text: "The number of bytes of a size with a unit.", Example: "pg_size_bytes('1.5 GB')", Answer: "1610612736", Signatures: routine("pg_size_bytes")},
	{Name: "pg_size_pretty", Text: "A number of bytes with a unit.", Example: "pg_size_pretty(123456789::bigint)", Answer: "118 MB",
		Signatures: inSQL('s', "?", `CASE WHEN abs($1) < 10240 THEN $1::bigint::text || ' bytes'
		WHEN abs($1) < 20971000 THEN round($1::numeric / 1024)::bigint::text || ' kB'
		WHEN abs($1) < 21474310000 THEN round($1::numeric / 1048576)::bigint::text || ' MB'
		WHEN abs($1) < 21989690000000 THEN round($1::numeric / 1073741824)::bigint::text || ' GB'
		ELSE round($1::numeric / 1099511627776)::bigint::text || ' TB' END`)},

	{Name: "has_table_privilege", Volatility: Stable, Text: "Whether a role, or the current one, has one of the privileges on a table.", Example: "has_table_privilege('pg_class', 'SELECT')", Answer: "t", OfSession: true,
		Usage: []string{"has_table_privilege([name or oid,] text or oid, text) → boolean"}},
	{Name: "has_any_column_privilege", Volatility: Stable, Text: "The same on one of a table's columns.", Example: "has_any_column_privilege('pg_class', 'SELECT')", Answer: "t", OfSession: true,
		Usage: []string{"has_any_column_privilege([name or oid,] text or oid, text) → boolean"}},
	{Name: "has_column_privilege", Volatility: Stable, Text: "The same on a column.", Example: "has_column_privilege('pg_class', 'relname', 'SELECT')", Answer: "t", OfSession: true,
		Usage: []string{"has_column_privilege([name or oid,] text or oid, text or smallint, text) → boolean"}},
	{Name: "has_schema_privilege", Volatility: Stable, Text: "The same on a schema.", Example: "has_schema_privilege('public', 'USAGE')", Answer: "t", OfSession: true, Usage: []string{"has_schema_privilege([name or oid,] text or oid, text) → boolean"}},
	{Name: "has_database_privilege", Volatility: Stable, Text: "The same on a database.", Example: "has_database_privilege(current_database(), 'CONNECT')", Answer: "t", OfSession: true,
		Usage: []string{"has_database_privilege([name or oid,] text or oid, text) → boolean"}},
	{Name: "has_function_privilege", Volatility: Stable, Text: "The same on a function.", Example: "has_function_privilege('now()', 'EXECUTE')", Answer: "t", OfSession: true, Usage: []string{"has_function_privilege([name or oid,] text or oid, text) → boolean"}},
	{Name: "pg_has_role", Volatility: Stable, Text: "Whether a role, or the current one, has the privileges of another (USAGE) or can become it (MEMBER).", Example: "pg_has_role(current_user, 'USAGE')", Answer: "t", OfSession: true,
		Usage: []string{"pg_has_role([name or oid,] name or oid, text) → boolean"}},
	{Name: "acldefault", Text: "The privileges on an object of a kind where nothing was granted.", Example: "acldefault('r', 10) IS NULL", Answer: "f", OfSession: true, Usage: []string{`acldefault("char", oid) → aclitem[]`}},
	{Name: "makeaclitem", Text: "The entry of a list of privileges for a grantee, a grantor, a privilege and the right to grant it.", Example: "makeaclitem(0, 10, 'SELECT', false)::text LIKE '=r/%'", Answer: "t",
		Signatures: inSQL('s', "????", `(SELECT max(coalesce((SELECT e.rolname FROM pg_catalog.pg_roles e WHERE e.oid = $1), '') || '=' ||
		CASE upper($3) WHEN 'INSERT' THEN 'a' WHEN 'SELECT' THEN 'r' WHEN 'UPDATE' THEN 'w' WHEN 'DELETE' THEN 'd' WHEN 'TRUNCATE' THEN 'D'
		WHEN 'REFERENCES' THEN 'x' WHEN 'TRIGGER' THEN 't' WHEN 'EXECUTE' THEN 'X' WHEN 'USAGE' THEN 'U' WHEN 'CREATE' THEN 'C'
		WHEN 'TEMPORARY' THEN 'T' WHEN 'TEMP' THEN 'T' WHEN 'CONNECT' THEN 'c' END || CASE WHEN $4 THEN '*' ELSE '' END || '/' || g.rolname)
		FROM pg_catalog.pg_roles g WHERE g.oid = $2)`)},
	identifier("to_regclass", "a relation", "pg_class", "pg_class"),
	identifier("to_regtype", "a type", "int4", "integer"),
	identifier("to_regproc", "a function", "pi", "pi"),
	identifier("to_regprocedure", "a function with the types of its arguments", "pi()", "pi()"),
	identifier("to_regnamespace", "a schema", "public", "public"),
	identifier("to_regrole", "a role", "nobody", "NULL"),
}

// identifier is a function of the name of an object.
func identifier(name, object, example, answer string) Function {
	return Function{Name: name, Volatility: Stable, Text: "The identifier of " + object + " with a name, NULL for none.", Example: name + "('" + example + "')", Answer: answer,
		OfSession: true, Usage: []string{name + "(text) → " + strings.TrimPrefix(name, "to_")}}
}

const nullText = "NULL::text"

// description begins a subquery for the only comment on an object.
const description = "(SELECT max(d.description) FROM pg_catalog.pg_description d "

// quoted is quote_ident: a name that is a keyword, or not in small letters, gets quotes.
func quoted() string {
	words := lists.Map(dialect.QuotedWords(), func(word string) string { return "'" + word + "'" })
	return `CASE WHEN trim($1, 'abcdefghijklmnopqrstuvwxyz0123456789_') = '' AND trim(left($1, 1), '0123456789') <> ''
		AND $1 NOT IN (` + strings.Join(words, ", ") + `) THEN $1 ELSE '"' || replace($1, '"', '""') || '"' END`
}
