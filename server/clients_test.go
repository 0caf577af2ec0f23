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
		"SELECT 'a' COLLATE \"de_DE\"": "0A000",
	} {
		_, err := simple(conn, text)
		wantCode(t, err, code)
	}
}
