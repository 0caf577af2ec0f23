//go:build reference

package tests

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom/tests/reference"
)

// hierarchySchema has hierarchies of all kinds: over elements with a key and without, of
// all types of weights, under names with quotes, and read by a view.
const hierarchySchema = `
CREATE TABLE zparts (id integer PRIMARY KEY, name text);
CREATE TABLE edges (child integer NOT NULL, parent integer NOT NULL, n integer NOT NULL);
INSERT INTO zparts SELECT g, 'part ' || g FROM generate_series(1, 9) AS x(g);
INSERT INTO edges VALUES (1, 2, 4), (2, 3, 5), (1, 4, 7);
CREATE HIERARCHY machine FROM edges (child, parent, n) ON zparts (id);
CREATE TABLE "Edges of ""it""" ("the child" varchar(20), p varchar(20), w numeric(5,2), f double precision);
INSERT INTO "Edges of ""it""" VALUES ('a', 'b', 0.5, 0.25), ('b', 'c*/', -1.25, 3);
CREATE HIERARCHY "Named" FROM "Edges of ""it""" ("the child", p);
CREATE HIERARCHY decimals FROM "Edges of ""it""" ("the child", p, w);
CREATE HIERARCHY doubles FROM "Edges of ""it""" ("the child", p, f);
CREATE TABLE days (day date UNIQUE);
INSERT INTO days VALUES ('2024-01-01'), ('2024-02-01'), ('2024-03-01');
CREATE TABLE day_edges (child date, parent date);
INSERT INTO day_edges VALUES ('2024-01-01', '2024-02-01');
CREATE HIERARCHY dates FROM day_edges (child, parent) ON days (day);
CREATE VIEW over AS SELECT element, sum(weight) AS w FROM machine GROUP BY element;
COMMENT ON HIERARCHY machine IS 'parts lists';
`

// TestDumpHierarchies has pg_dump move hierarchies from here to PostgreSQL, where they are
// views with the same rows, and to another one here, where they are hierarchies.
func TestDumpHierarchies(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	pg, err := reference.StartPostgres(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer pg.Close()
	first, theirs, last := serve(t), "host="+pg.Dir()+" user=postgres dbname=postgres", serve(t)
	run(t, ctx, first, hierarchySchema)
	began := dump(t, ctx, first)
	restore(t, ctx, first, theirs)
	run(t, ctx, last, began)
	if got, want := varying.ReplaceAllString(dump(t, ctx, last), ""), varying.ReplaceAllString(began, ""); got != want {
		t.Errorf("dumped at the end\n%s\nat the beginning\n%s", got, want)
	}
	for _, name := range []string{"machine", `"Named"`, "decimals", "doubles", "dates", "over"} {
		query := "SELECT * FROM " + name + " ORDER BY 1, 2"
		want := output(t, psql(ctx, first, query))
		for _, target := range []string{theirs, last} {
			if got := output(t, psql(ctx, target, query)); !sameAnswer(got, want) {
				t.Errorf("%s\ngot\n%s\nwant\n%s", query, got, want)
			}
		}
		if name == "over" {
			continue
		}
		query = "SELECT count(*) FROM hierarchy_elements('" + name + "')"
		if got, want := output(t, psql(ctx, last, query)), output(t, psql(ctx, first, query)); got != want {
			t.Errorf("%s\ngot\n%s\nwant\n%s", query, got, want)
		}
	}
	for _, statement := range []string{"INSERT INTO edges VALUES (3, 1, 1)", "DELETE FROM zparts", `INSERT INTO "Edges of ""it""" VALUES ('c*/', 'a')`, "INSERT INTO day_edges VALUES ('2024-02-01', '2025-02-01')"} {
		out, err := psql(ctx, last, statement).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "hierarchy") {
			t.Errorf("%s: %s", statement, out)
		}
	}
}
