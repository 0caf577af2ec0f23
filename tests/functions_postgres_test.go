//go:build reference

package tests

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom/planner/function"
	"github.com/cubeloom/cubeloom/tests/reference"
)

// functionLines returns the lines of pgproc.txt: the functions of PostgreSQL whose types
// are all known here, but for those with results by arguments.
const functionLines = `WITH known (t) AS (SELECT unnest(array[16,17,18,19,20,21,22,23,24,25,26,30,700,701,705,1000,1001,1002,1003,1005,1006,1007,1009,1013,1014,
	1015,1016,1021,1022,1028,1033,1034,1042,1043,1082,1083,1114,1115,1182,1183,1184,1185,1186,1187,1231,1263,1700,2202,2205,2206,2249,2275,2276,2277,2278,
	2279,2281,2283,2287,2776,2950,2951,3500,4089,4096,5077,5078,5079,5080]))
SELECT concat_ws(' ', oid, proname, prokind::text || provolatile::text || proparallel::text || CASE WHEN proisstrict THEN 's' ELSE '-' END ||
	CASE WHEN proretset THEN 'r' ELSE '-' END || CASE WHEN proleakproof THEN 'l' ELSE '-' END, pronargdefaults, provariadic, prorettype, '') || proargtypes::text
FROM pg_proc WHERE pronamespace = 11 AND prorettype IN (SELECT t FROM known) AND NOT EXISTS (SELECT FROM unnest(proargtypes) a WHERE a NOT IN (SELECT t FROM known))
	AND (proallargtypes IS NULL OR provariadic <> 0 AND NOT 'o' = ANY (proargmodes)) ORDER BY oid`

// TestFunctionsArePostgres compares the list of functions that pg_proc is made of with
// PostgreSQL's own; with -update it is written anew.
func TestFunctionsArePostgres(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	pg, err := reference.StartPostgres(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer pg.Close()
	out, err := exec.CommandContext(ctx, "psql", "-X", "-h", pg.Dir(), "-U", "postgres", "-d", "postgres", "-Atc", functionLines).Output()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(functionsFile, out, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(functionsFile)
	if err != nil {
		t.Fatal(err)
	}
	want, got := strings.Split(string(out), "\n"), strings.Split(string(have), "\n")
	if len(want) != len(got) {
		t.Errorf("%d functions, PostgreSQL has %d", len(got), len(want))
	}
	for i := range min(len(want), len(got)) {
		if want[i] != got[i] {
			t.Fatalf("line %d is %q, not %q", i+1, got[i], want[i])
		}
	}
}

// TestFunctionExamplesArePostgres compares the examples of functions that PostgreSQL has
// with its answers.
func TestFunctionExamplesArePostgres(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	pg, err := reference.StartPostgres(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer pg.Close()
	makeExampleTypes(t, pg)
	for _, f := range function.All() {
		got, err := exampleAnswer(pg, f)
		if state := pg.SQLState(err); state == "42883" || state == "42P01" {
			t.Logf("PostgreSQL has no %s", f.Name)
			continue
		}
		switch {
		case err != nil:
			t.Errorf("SELECT %s: %v", f.Example, err)
		case got != f.Answer:
			t.Errorf("SELECT %s is %s in PostgreSQL, not %s", f.Example, got, f.Answer)
		}
	}
}
