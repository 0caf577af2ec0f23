package function

var arrays = []Function{
	{Name: "cardinality", Text: "The number of elements.", Example: "cardinality(ARRAY[3, 4, 5])", Answer: "3", Form: "cardinality", Usage: []string{"cardinality(anyarray) → integer"}},
	{Name: "array_length", Text: "The number of elements of a dimension; NULL where there is none.", Example: "array_length(ARRAY[1, 2, 3], 1)", Answer: "3",
		Form: "array_length", Usage: []string{"array_length(anyarray, integer) → integer"}},
	{Name: "array_upper", Text: "The last subscript of a dimension.", Example: "array_upper(ARRAY[1, 8, 3, 7], 1)", Answer: "4", Form: "array_upper", Usage: []string{"array_upper(anyarray, integer) → integer"}},
	{Name: "array_lower", Text: "The first subscript of a dimension.", Example: "array_lower('[0:2]={1,2,3}'::integer[], 1)", Answer: "0", Form: "array_lower", Usage: []string{"array_lower(anyarray, integer) → integer"}},
	{Name: "array_ndims", Text: "The number of dimensions, 1; NULL for an empty array.", Example: "array_ndims(ARRAY[1, 2])", Answer: "1", Form: "array_ndims", Usage: []string{"array_ndims(anyarray) → integer"}},
	{Name: "array_dims", Text: "The dimensions as a text.", Example: "array_dims(ARRAY[1, 2, 3])", Answer: "[1:3]", Form: "array_dims", Usage: []string{"array_dims(anyarray) → text"}},
	{Name: "trim_array", Text: "The array without so many elements at its end.", Example: "trim_array(ARRAY[1, 2, 3, 4], 2)", Answer: "{1,2}", Form: "trim_array", Usage: []string{"trim_array(anyarray, integer) → anyarray"}},
	{Name: "array_append", Nulls: NullCounts, Text: "The array with an element behind it.", Example: "array_append(ARRAY[1, 2], 3)", Answer: "{1,2,3}", Form: "array_append", Usage: []string{"array_append(anyarray, anyelement) → anyarray"}},
	{Name: "array_prepend", Nulls: NullCounts, Text: "The array with an element before it.", Example: "array_prepend(1, ARRAY[2, 3])", Answer: "{1,2,3}", Form: "array_prepend", Usage: []string{"array_prepend(anyelement, anyarray) → anyarray"}},
	{Name: "array_cat", Nulls: NullCounts, Text: "Both arrays behind each other.", Example: "array_cat(ARRAY[1, 2], ARRAY[3, 4])", Answer: "{1,2,3,4}", Form: "array_cat", Usage: []string{"array_cat(anyarray, anyarray) → anyarray"}},
	{Name: "array_position", Nulls: NullCounts, Text: "The subscript of the first element with a value, from a subscript on; NULL for none.", Example: "array_position(ARRAY['sun', 'mon', 'tue'], 'mon')", Answer: "2",
		Form: "array_position", Usage: []string{"array_position(anyarray, anyelement) → integer", "array_position(anyarray, anyelement, integer) → integer"}},
	{Name: "array_positions", Nulls: NullCounts, Text: "The subscripts of all elements with a value.", Example: "array_positions(ARRAY['A', 'A', 'B', 'A'], 'A')", Answer: "{1,2,4}",
		Form: "array_positions", Usage: []string{"array_positions(anyarray, anyelement) → integer[]"}},
	{Name: "array_fill", Nulls: NullCounts, Text: "An array of one element, as often as the second argument says; the third has its first subscript.", Example: "array_fill(11, ARRAY[3], ARRAY[2])", Answer: "[2:4]={11,11,11}",
		Form: "array_fill", Usage: []string{"array_fill(anyelement, integer[]) → anyarray", "array_fill(anyelement, integer[], integer[]) → anyarray"}},
	{Name: "array_remove", Nulls: NullCounts, Text: "The array without the elements with a value.", Example: "array_remove(ARRAY[1, 2, 3, 2], 2)", Answer: "{1,3}", Form: "array_remove", Signatures: inSQL('s', "??", "$1::text"), Usage: []string{"array_remove(anyarray, anyelement) → anyarray"}},
	{Name: "array_replace", Nulls: NullCounts, Text: "The array with the elements with a value replaced by another.", Example: "array_replace(ARRAY[1, 2, 5, 4], 5, 3)", Answer: "{1,2,3,4}",
		Form: "array_replace", Usage: []string{"array_replace(anyarray, anyelement, anyelement) → anyarray"}},
	{Name: "array_to_string", Volatility: Stable, Nulls: NullCounts, Text: "The elements with a separator between them, without NULLs or with a text for them.", Example: "array_to_string(ARRAY[1, 2, 3, NULL, 5], ',', '*')", Answer: "1,2,3,*,5",
		Form: "array_to_string", Signatures: list(inSQL('s', "??", "$1::text"), inSQL('s', "???", "$1::text")), Usage: []string{"array_to_string(anyarray, text) → text", "array_to_string(anyarray, text, text) → text"}},
	{Name: "string_to_array", Nulls: NullCounts, Text: "The parts of a text between separators, with NULL for those that have a text.", Example: "string_to_array('xx~~yy~~zz', '~~', 'yy')", Answer: "{xx,NULL,zz}",
		Form: "string_to_array", Usage: []string{"string_to_array(text, text) → text[]", "string_to_array(text, text, text) → text[]"}},
	{Name: "enum_first", Volatility: Stable, Nulls: NullCounts, Text: "The first value of an enum, which the argument says.", Example: "enum_first(NULL::mood)", Answer: "sad", Form: "enum", Usage: []string{"enum_first(anyenum) → anyenum"}},
	{Name: "enum_last", Volatility: Stable, Nulls: NullCounts, Text: "The last value of an enum.", Example: "enum_last(NULL::mood)", Answer: "happy", Form: "enum", Usage: []string{"enum_last(anyenum) → anyenum"}},
	{Name: "enum_range", Volatility: Stable, Nulls: NullCounts, Text: "All values of an enum, or those between two.", Example: "enum_range(NULL, 'ok'::mood)", Answer: "{sad,ok}", Form: "enum",
		Usage: []string{"enum_range(anyenum) → anyarray", "enum_range(anyenum, anyenum) → anyarray"}},
}

var sets = []Function{
	{Name: "generate_series", Kind: Set, Volatility: Stable, Text: "The numbers or times from a start to an end, by a step.", Example: "generate_series(1, 10, 3)", Answer: "1, 4, 7, 10", Form: "generate_series",
		Usage: []string{"generate_series(integer, integer[, integer]) → setof integer", "generate_series(bigint, bigint[, bigint]) → setof bigint",
			"generate_series(numeric, numeric[, numeric]) → setof numeric", "generate_series(timestamp, timestamp, interval) → setof timestamp",
			"generate_series(timestamptz, timestamptz, interval) → setof timestamptz"}},
	{Name: "generate_subscripts", Kind: Set, Text: "The subscripts of a dimension of an array.", Example: "generate_subscripts(ARRAY['a', 'b'], 1)", Answer: "1, 2", Form: "generate_subscripts",
		Usage: []string{"generate_subscripts(anyarray, integer) → setof integer"}},
	{Name: "unnest", Kind: Set, Text: "The elements of an array; in FROM those of several, side by side.", Example: "unnest(ARRAY[1, 2])", Answer: "1, 2", Form: "unnest", Usage: []string{"unnest(anyarray) → setof anyelement"}},
	{Name: "regexp_split_to_table", Kind: Set, Text: "The parts of a text between the matches of a regular expression.", Example: "regexp_split_to_table('hello world', '\\s+')", Answer: "hello, world", Form: "regexp_split_to_array",
		Usage: []string{"regexp_split_to_table(text, text[, text]) → setof text"}},
	{Name: "string_to_table", Kind: Set, Nulls: NullCounts, Text: "The parts of a text between separators, with NULL for those that have a text.", Example: "string_to_table('xx~^~yy~^~zz', '~^~', 'yy')", Answer: "xx, NULL, zz", Form: "string_to_array",
		Usage: []string{"string_to_table(text, text[, text]) → setof text"}},
	{Name: "regexp_matches", Kind: Set, Text: "What the parentheses of a regular expression match, of each match with the flag g.", Example: "regexp_matches('foobarbequebaz', 'ba.', 'g')", Answer: "{bar}, {baz}", Form: "regexp_matches",
		Usage: []string{"regexp_matches(text, text[, text]) → setof text[]"}},
	{Name: "aclexplode", Kind: Set, Volatility: Stable, Text: "The entries of a list of privileges.", Example: "privilege_type FROM aclexplode(ARRAY['=r/postgres'])", Answer: "SELECT", Usage: []string{"aclexplode(aclitem[]) → setof record"},
		Query: `SELECT coalesce(g.oid, 0)::oid AS grantor, coalesce(r.oid, 0)::oid AS grantee, p.name AS privilege_type,
			strpos(i.part[2], p.letter || '*') > 0 AS is_grantable
		FROM (SELECT regexp_match(a, '^("(?:[^"]|"")*"|[^"=]*)=([^/]*)/(.*)$') AS part FROM unnest($1) AS u(a)) AS i
		JOIN (VALUES (1, 'a', 'INSERT'), (2, 'r', 'SELECT'), (3, 'w', 'UPDATE'), (4, 'd', 'DELETE'), (5, 'D', 'TRUNCATE'), (6, 'x', 'REFERENCES'),
			(7, 't', 'TRIGGER'), (8, 'X', 'EXECUTE'), (9, 'U', 'USAGE'), (10, 'C', 'CREATE'), (11, 'T', 'TEMPORARY'), (12, 'c', 'CONNECT'))
			AS p(n, letter, name) ON strpos(i.part[2], p.letter) > 0
		LEFT JOIN pg_catalog.pg_roles AS r ON i.part[1] IN (r.rolname::text, '"' || replace(r.rolname, '"', '""') || '"')
		LEFT JOIN pg_catalog.pg_roles AS g ON i.part[3] IN (g.rolname::text, '"' || replace(g.rolname, '"', '""') || '"')`},
	{Name: "_pg_expandarray", Kind: Set, Text: "The elements of an array, x, with their numbers, n.", Example: "n FROM _pg_expandarray(ARRAY['a', 'b'])", Answer: "1, 2", Usage: []string{"_pg_expandarray(anyarray) → setof record"},
		Query: "SELECT x, n::int AS n FROM unnest($1) WITH ORDINALITY AS u(x, n)"},
	{Name: "pg_partition_ancestors", Kind: Set, Volatility: Stable, Text: "A partitioned table or a partition, or an index of one, and those of which it is a part.", Example: "count(*) FROM pg_partition_ancestors('pg_class')", Answer: "0", Form: "pg_partition_ancestors",
		Usage: []string{"pg_partition_ancestors(regclass) → setof regclass"},
		Query: `WITH RECURSIVE a (relid) AS (SELECT oid FROM pg_catalog.pg_class WHERE oid = $1::regclass AND (relispartition OR relkind IN ('p', 'I'))
			UNION ALL SELECT i.inhparent FROM pg_catalog.pg_inherits AS i JOIN a ON i.inhrelid = a.relid) SELECT relid::regclass FROM a`},
	{Name: "pg_partition_tree", Kind: Set, Volatility: Stable, Text: "A partitioned table or a partition, or an index of one, and all its parts, with their levels.", Example: "count(*) FROM pg_partition_tree('pg_class')", Answer: "0",
		Usage: []string{"pg_partition_tree(regclass) → setof record"},
		Query: `WITH RECURSIVE t (relid, parentrelid, level) AS (
				SELECT c.oid, i.inhparent, 0 FROM pg_catalog.pg_class AS c LEFT JOIN pg_catalog.pg_inherits AS i ON i.inhrelid = c.oid
				WHERE c.oid = $1::regclass AND (c.relispartition OR c.relkind IN ('p', 'I'))
			UNION ALL SELECT i.inhrelid, i.inhparent, t.level + 1 FROM pg_catalog.pg_inherits AS i JOIN t ON i.inhparent = t.relid)
			SELECT t.relid::regclass, t.parentrelid::regclass, c.relkind NOT IN ('p', 'I') AS isleaf, t.level
			FROM t JOIN pg_catalog.pg_class AS c ON c.oid = t.relid ORDER BY t.level`},
	{Name: "pg_options_to_table", Kind: Set, Volatility: Stable, Text: "The names and values of options, name=value.", Example: "option_value FROM pg_options_to_table(ARRAY['a=1'])", Answer: "1", Usage: []string{"pg_options_to_table(text[]) → setof record"},
		Query: `SELECT split_part(o, '=', 1) AS option_name, substr(o, strpos(o, '=') + 1) AS option_value FROM unnest($1) AS o`},
}
