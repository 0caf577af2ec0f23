package server_test

import (
	"context"
	"os"
	"strings"
	"testing"
)

// TestStatementsOfClients runs what clients send: all of it is answered, in both
// protocols.
func TestStatementsOfClients(t *testing.T) {
	text, err := os.ReadFile("testdata/clients.txt")
	if err != nil {
		t.Fatal(err)
	}
	address, _ := start(t, nil)
	setup := connect(t, address, "")
	if _, err := simple(setup, "CREATE TABLE t (a int PRIMARY KEY, b varchar(10), e timestamp)"); err != nil {
		t.Fatal(err)
	}
	for _, section := range strings.Split(string(text), "\n## ")[1:] {
		client, body, _ := strings.Cut(section, "\n")
		t.Run(client, func(t *testing.T) {
			one, other := connect(t, address, ""), connect(t, address, "")
			for _, statement := range strings.SplitAfter(strings.TrimSpace(body), ";\n") {
				if _, err := simple(one, statement); err != nil {
					t.Errorf("%s: %v", statement, err)
				}
				if res := other.PgConn().ExecParams(context.Background(), statement, nil, nil, nil, []int16{1}).Read(); res.Err != nil {
					t.Errorf("extended: %s: %v", statement, res.Err)
				}
			}
		})
	}
}

// TestNpgsqlLoadsTypes sends the one message by which Npgsql gets to know the types:
// without their arrays it cannot read an array.
func TestNpgsqlLoadsTypes(t *testing.T) {
	address, _ := start(t, nil)
	got, err := simple(connect(t, address, ""), `SELECT version();

SELECT ns.nspname, t.oid, t.typname, t.typtype, t.typnotnull, t.elemtypoid
FROM (
    -- The kinds of the types, then those of their elements: an array's is 'a'
    SELECT typ.oid, typ.typnamespace, typ.typname, typ.typtype, typ.typnotnull, typ.relkind, elemtyp.oid AS elemtypoid,
        CASE WHEN elemproc.proname='array_recv' THEN 'a' ELSE elemtyp.typtype END AS elemtyptype
    FROM (
        SELECT typ.oid, typnamespace, typname, typrelid, typnotnull, relkind,
            CASE WHEN proc.proname='array_recv' THEN 'a' ELSE typ.typtype END AS typtype,
            CASE
                WHEN proc.proname='array_recv' THEN typ.typelem
                WHEN typ.typtype='r' THEN rngsubtype
                WHEN typ.typtype='m' THEN (SELECT rngtypid FROM pg_range WHERE rngmultitypid = typ.oid)
                WHEN typ.typtype='d' THEN typ.typbasetype
            END AS elemtypoid
        FROM pg_type AS typ
        LEFT JOIN pg_class AS cls ON (cls.oid = typ.typrelid)
        LEFT JOIN pg_proc AS proc ON proc.oid = typ.typreceive
        LEFT JOIN pg_range ON (pg_range.rngtypid = typ.oid)
    ) AS typ
    LEFT JOIN pg_type AS elemtyp ON elemtyp.oid = elemtypoid
    LEFT JOIN pg_class AS elemcls ON (elemcls.oid = elemtyp.typrelid)
    LEFT JOIN pg_proc AS elemproc ON elemproc.oid = elemtyp.typreceive
) AS t
JOIN pg_namespace AS ns ON (ns.oid = typnamespace)
WHERE typtype IN ('b', 'r', 'm', 'e', 'd') OR -- 'base', range, …
    (typtype = 'a' AND elemtyptype IN ('b', 'r', 'm', 'e', 'd'))
ORDER BY CASE WHEN typtype IN ('b', 'e', 'p') THEN 0 WHEN typtype = 'r' THEN 1 WHEN typtype = 'a' THEN 6 END;

-- The fields of composites, the labels of enums
SELECT typ.oid, att.attname, att.atttypid
FROM pg_type AS typ
JOIN pg_namespace AS ns ON (ns.oid = typ.typnamespace)
JOIN pg_class AS cls ON (cls.oid = typ.typrelid)
JOIN pg_attribute AS att ON (att.attrelid = typ.typrelid)
WHERE (typ.typtype = 'c' AND cls.relkind='c') AND attnum > 0 AND NOT attisdropped
ORDER BY typ.oid, att.attnum;

SELECT pg_type.oid, enumlabel FROM pg_enum JOIN pg_type ON pg_type.oid=enumtypid ORDER BY oid, enumsortorder;
`)
	if err != nil || strings.Count(got, "SELECT ") != 4 {
		t.Fatal(got, err)
	}
	for _, row := range []string{"\npg_catalog|23|int4|b|f|\n", "\npg_catalog|1007|_int4|a|f|23\n", "\npg_catalog|1231|_numeric|a|f|1700\n"} {
		if !strings.Contains(got, row) {
			t.Errorf("no %q in\n%s", row, got)
		}
	}
}

func TestCatalog(t *testing.T) {
	address, _ := start(t, nil)
	conn := connect(t, address, "")
	if _, err := simple(conn, `CREATE TABLE t (a int PRIMARY KEY, "B c" varchar(10), c numeric(10,2)); CREATE VIEW v AS SELECT a AS x FROM t`); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ query, want string }{
		{"SELECT relname, relkind FROM pg_class ORDER BY 1", "t|r\nt_pkey|i\nv|v\n"},
		{"SELECT attname, format_type(atttypid, atttypmod), attnotnull FROM pg_attribute WHERE attrelid = 't'::regclass ORDER BY attnum",
			"a|integer|t\nB c|character varying(10)|f\nc|numeric(10,2)|f\n"},
		{"SELECT 't'::regclass::oid = oid, oid::regclass::text FROM pg_class WHERE relname = 't'", "t|t\n"},
		{"SELECT 'int4'::regtype::oid, 23::regtype::text, 'integer[]'::regtype::oid, format_type(1231, NULL)", "23|integer|1007|numeric[]\n"},
		{"SELECT to_regclass('nope') IS NULL, to_regclass('public.v') IS NULL", "t|f\n"},
		{"SELECT pg_get_viewdef('v'), pg_get_constraintdef(oid), pg_get_indexdef(conindid) FROM pg_constraint",
			" SELECT a AS x FROM t;|PRIMARY KEY (a)|CREATE UNIQUE INDEX t_pkey ON public.t USING btree (a)\n"},
		{"SELECT column_name, data_type, numeric_precision, is_nullable FROM information_schema.columns WHERE table_name = 't' ORDER BY ordinal_position",
			"a|integer|32|NO\nB c|character varying||YES\nc|numeric|10|YES\n"},
		{"SELECT table_name, table_type FROM information_schema.tables ORDER BY 1", "t|BASE TABLE\nv|VIEW\n"},
		{"SELECT quote_ident('a'), quote_ident('A b'), quote_ident('1a'), quote_literal('it''s')", `a|"A b"|"1a"|'it''s'` + "\n"},
		{"SELECT current_user, current_database(), current_schema(), current_setting('server_version_num')", "ana|db|public|150018\n"},
		{"SELECT pg_size_pretty(10239::bigint), pg_size_pretty(10240::bigint), pg_size_pretty(123456789::bigint)", "10239 bytes|10 kB|118 MB\n"},
		{"SELECT relname ~ '^(t)$', relname ~ '^pg_', relname !~ 'key', relname ~* 'T.*' FROM pg_class ORDER BY relname", "t|f|t|t\nf|f|f|t\nf|f|t|f\n"},
		{"SELECT name, utc_offset, is_dst FROM pg_timezone_names WHERE name IN ('Asia/Kolkata', 'UTC') ORDER BY 1", "Asia/Kolkata|05:30:00|f\nUTC|00:00:00|f\n"},
		{"SELECT count(*) FROM pg_timezone_names WHERE now() AT TIME ZONE name IS NULL", "0\n"},
		{`SELECT parse_ident('"A b".c'), parse_ident(' X '), (parse_ident('a.b'))[2]`, `{"A b",c}|{x}|b` + "\n"},
		{"SELECT set_config('application_name', 'q', false), set_config('search_path', '', true) FROM pg_class LIMIT 1", "q|\n"},
		{"SELECT current_setting('application_name')", "q\n"},
		{"SELECT count(*) FROM pg_settings WHERE name = current_setting('nope', true)", "0\n"},
	} {
		got, err := simple(conn, c.query)
		rows, _, _ := strings.Cut(got, "SELECT ")
		if strings.HasPrefix(c.want, " SELECT") {
			rows, _, _ = strings.Cut(got, "\nSELECT ")
			rows += "\n"
		}
		if err != nil || rows != c.want {
			t.Errorf("%s:\n got  %q, %v\n want %q", c.query, rows, err, c.want)
		}
	}
	for text, code := range map[string]string{
		"SELECT 'nope'::regclass": "42P01", "SELECT 'nope'::regtype": "42704", "SELECT current_setting('nope')": "42704",
		"SELECT 'x' ~ '[a-z'": "2201B", "SELECT * FROM pg_catalog.nope": "42P01", "INSERT INTO pg_class (oid) VALUES (1)": "42P01",
		"SELECT parse_ident('1a')": "22023", "SELECT parse_ident('a b')": "22023", "SELECT set_config('nope', 'x', false)": "42704",
		"SELECT set_config('TimeZone', 'nowhere', false)": "22023", "SELECT set_config(NULL, 'x', false)": "22004",
		"CREATE TABLE t (a int)": "42P07", "DROP TABLE t": "2BP01",
		"SELECT 'a' COLLATE \"de_DE\"": "0A000",
	} {
		_, err := simple(conn, text)
		wantCode(t, err, code)
	}
}
