//go:build reference

package tests

import (
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/tpch"
	"github.com/cubeloom/cubeloom/server"
	"github.com/cubeloom/cubeloom/tests/reference"
)

var dumpScale = flag.Float64("dump-sf", 0.01, "scale factor of the TPC-H that pg_dump moves")

// dumpedKeys are the keys of TPC-H, by which its rows are ordered.
var dumpedKeys = map[string]string{
	"region": "r_regionkey", "nation": "n_nationkey", "part": "p_partkey", "supplier": "s_suppkey", "partsupp": "ps_partkey, ps_suppkey",
	"customer": "c_custkey", "orders": "o_orderkey", "lineitem": "l_orderkey, l_linenumber",
}

// dumpedObjects are views, roles, owners, privileges and comments on all of them. Defaults
// are in the words of PostgreSQL, which writes them its way.
const dumpedObjects = `
CREATE ROLE analysts NOLOGIN;
CREATE ROLE loaders NOLOGIN NOINHERIT CONNECTION LIMIT 3;
CREATE ROLE "Ana Lyst" LOGIN CREATEDB PASSWORD 'a long password' VALID UNTIL '2031-05-06 07:08:09+02' IN ROLE analysts;
CREATE ROLE chief LOGIN SUPERUSER CREATEROLE BYPASSRLS;
GRANT analysts, loaders TO chief WITH ADMIN OPTION;
GRANT pg_read_all_data TO analysts;
ALTER ROLE "Ana Lyst" SET statement_timeout = '70s';
ALTER ROLE loaders SET search_path = 'public';
ALTER TABLE nation ADD CONSTRAINT "Nation name" UNIQUE (n_name), ALTER n_comment SET DEFAULT 'it''s'::character varying, ALTER n_regionkey SET NOT NULL;
ALTER TABLE region ALTER r_name SET DEFAULT upper('none'::text);
CREATE TABLE empty (a integer, "B c" timestamptz DEFAULT '2024-01-01 00:00:00+00'::timestamp with time zone, PRIMARY KEY ("B c", a));
CREATE VIEW revenue AS SELECT l_suppkey AS supplier, sum(l_extendedprice * (1 - l_discount)) AS total FROM lineitem GROUP BY l_suppkey;
CREATE VIEW best ("Name", total) AS SELECT s_name, total FROM supplier, revenue WHERE s_suppkey = supplier AND total = (SELECT max(total) FROM revenue);
CREATE VIEW a_view AS SELECT n.n_name, count(*) AS customers FROM nation n JOIN customer ON c_nationkey = n_nationkey GROUP BY 1;
ALTER TABLE lineitem OWNER TO loaders;
ALTER TABLE region OWNER TO "Ana Lyst";
ALTER VIEW best OWNER TO analysts;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO analysts;
GRANT SELECT, INSERT, UPDATE ON orders TO "Ana Lyst" WITH GRANT OPTION;
GRANT SELECT (c_name, c_nationkey), UPDATE (c_comment) ON customer TO PUBLIC;
REVOKE DELETE ON part FROM postgres;
SET SESSION AUTHORIZATION "Ana Lyst";
GRANT SELECT ON orders TO loaders;
RESET SESSION AUTHORIZATION;
GRANT CREATE ON SCHEMA public TO loaders;
ALTER DEFAULT PRIVILEGES FOR ROLE loaders GRANT SELECT ON TABLES TO analysts WITH GRANT OPTION;
ALTER DEFAULT PRIVILEGES FOR ROLE loaders IN SCHEMA public GRANT INSERT ON TABLES TO PUBLIC;
ALTER DEFAULT PRIVILEGES FOR ROLE chief REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
COMMENT ON TABLE lineitem IS 'lines of orders';
COMMENT ON COLUMN lineitem.l_discount IS E'from 0\nto 0.1';
COMMENT ON VIEW best IS 'the "best" supplier';
COMMENT ON COLUMN best."Name" IS 'name';
COMMENT ON SCHEMA public IS 'TPC-H';
`

// TestDumpTPCH has pg_dump and pg_dumpall move TPC-H with keys, views, comments, roles
// and privileges from here to PostgreSQL, and from there back: rows, definitions, roles
// and privileges are the same everywhere.
func TestDumpTPCH(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Minute)
	defer cancel()
	pg, err := reference.StartPostgres(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer pg.Close()
	set := tpch.Data{SF: *dumpScale}
	first, theirs, last := serveSet(t, set), "host="+pg.Dir()+" user=postgres dbname=postgres", serve(t)
	for _, table := range set.Tables() {
		run(t, ctx, first, fmt.Sprintf("ALTER TABLE %s ADD PRIMARY KEY (%s)", table.Name, dumpedKeys[table.Name]))
	}
	run(t, ctx, first, dumpedObjects)

	began, roles := dump(t, ctx, first), globals(t, ctx, first)
	run(t, ctx, theirs, roles)
	restore(t, ctx, first, theirs)
	if got := globals(t, ctx, theirs); got != roles {
		t.Errorf("the roles are in PostgreSQL\n%s\nand were\n%s", got, roles)
	}
	run(t, ctx, last, globals(t, ctx, theirs))
	run(t, ctx, last, dump(t, ctx, theirs))
	if got := globals(t, ctx, last); got != roles {
		t.Errorf("the roles are at the end\n%s\nand were\n%s", got, roles)
	}
	for where, target := range map[string]string{"PostgreSQL": theirs, "the end": last} {
		sameDump(t, where, dump(t, ctx, target), began)
		sameRows(t, ctx, where, target, first, set)
	}
}

// serveSet serves a database with the tables of a set.
func serveSet(t *testing.T, set tpch.Data) (target string) {
	t.Helper()
	e := openEngine(t)
	e.load(t, set)
	nameSuperuser(t, e.db)
	return "host=127.0.0.1 port=" + listen(t, e.db, server.Config{DB: e.db}) + " user=postgres dbname=postgres password='" + clientPassword + "'"
}

// superuserLines make the superuser, whom every database has.
var superuserLines = regexp.MustCompile(`(?m)^(CREATE|ALTER) ROLE postgres\b.*\n`)

// globals are the roles, their settings and memberships as pg_dumpall writes them.
func globals(t *testing.T, ctx context.Context, from string) string {
	t.Helper()
	out, err := program(ctx, "pg_dumpall", "-d", from, "--globals-only").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return varying.ReplaceAllString(superuserLines.ReplaceAllString(string(out), ""), "")
}

// sameDump compares the statements of dumps, but for the texts of views and their order.
func sameDump(t *testing.T, where, got, want string) {
	t.Helper()
	lines := func(dump string) []string {
		list := strings.Split(withoutViews(dump), "\n")
		slices.Sort(list)
		return slices.Compact(list)
	}
	was, is := lines(want), lines(got)
	for _, line := range was {
		if _, ok := slices.BinarySearch(is, line); !ok {
			t.Errorf("%s: %q is missing", where, line)
		}
	}
	for _, line := range is {
		if _, ok := slices.BinarySearch(was, line); !ok {
			t.Errorf("%s: %q was not there", where, line)
		}
	}
}

// sameRows compares all rows of tables and views.
func sameRows(t *testing.T, ctx context.Context, where, target, first string, set workload.Set) {
	t.Helper()
	queries := []string{`SELECT * FROM revenue ORDER BY 1`, `SELECT * FROM best ORDER BY 1`, `SELECT * FROM a_view ORDER BY 1`, `SELECT * FROM empty`}
	for _, table := range set.Tables() {
		queries = append(queries, "SELECT * FROM "+table.Name+" ORDER BY "+dumpedKeys[table.Name])
	}
	for _, query := range queries {
		if got, want := digest(t, ctx, target, query), digest(t, ctx, first, query); got != want {
			t.Errorf("%s: %s gives %s, and not %s", where, query, got, want)
		}
	}
}

// digest is the number of lines that COPY writes of a query, and their hash.
func digest(t *testing.T, ctx context.Context, target, query string) string {
	t.Helper()
	cmd := psql(ctx, target, "COPY ("+query+") TO STDOUT")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return fmt.Sprintf("%d lines, %x", strings.Count(string(out), "\n"), sha256.Sum256(out))
}
