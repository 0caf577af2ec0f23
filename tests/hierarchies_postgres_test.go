//go:build reference

package tests

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/tests/reference"
)

var (
	hierarchyCount = flag.Int("hierarchies.count", 150, "number of random hierarchies; 10000 take 10 minutes")
	hierarchySeed  = flag.Uint64("hierarchies.seed", 1, "seed of the random hierarchies")
)

// hierarchyForm is a way to declare a hierarchy: types of elements and weights.
type hierarchyForm struct {
	name, child, parent, weight string
	on                          bool
	element                     func(n int) string
	weights                     []string // of edges in graphs with few levels
	deep                        []string // of edges in graphs with many levels
	shown                       string   // the weight as it is compared
}

func plainElement(n int) string { return fmt.Sprint(n) }

func textElement(n int) string { return fmt.Sprintf("'element %d'", n*7919%1000) }

func dateElement(n int) string { return fmt.Sprintf("date '2024-01-01' + %d", n) }

var (
	wholeWeights = []string{"-3", "-1", "0", "1", "1", "2", "3"}
	fractions    = []string{"-1", "0", "0.5", "0.25", "1.5", "-0.05", "2", "1"}
	halves       = []string{"-1", "0", "0.5", "0.25", "1.5", "-0.125", "2", "1"}
	fewFractions = []string{"1", "1", "1", "1", "-1", "-1", "1", "2", "0", "0.5", "1", "1", "1", "1", "1"}
)

var hierarchyForms = []hierarchyForm{
	{name: "h_paths", child: "integer", parent: "integer", element: plainElement, shown: "weight"},
	{name: "h_whole", child: "integer", parent: "bigint", weight: "smallint", on: true, element: plainElement, weights: wholeWeights, deep: wholeWeights, shown: "weight"},
	{name: "h_units", child: "text", parent: "varchar(30)", weight: "numeric(4)", element: textElement, weights: wholeWeights, deep: wholeWeights, shown: "weight"},
	{name: "h_cents", child: "bigint", parent: "bigint", weight: "numeric(6,2)", element: plainElement, weights: fractions, deep: fewFractions, shown: "trim_scale(weight)"},
	{name: "h_exact", child: "text", parent: "text", weight: "numeric", on: true, element: textElement, weights: fractions, deep: fewFractions, shown: "weight"},
	{name: "h_float", child: "date", parent: "date", weight: "double precision", on: true, element: dateElement, weights: halves, deep: fewFractions, shown: "weight"},
	{name: "h_real", child: "character(12)", parent: "character(12)", weight: "real", element: textElement, weights: halves, deep: fewFractions, shown: "weight"},
}

func (f *hierarchyForm) edges() string { return f.name + "_edges" }

func (f *hierarchyForm) tables() []string {
	weight := ""
	if f.weight != "" {
		weight = ", weight " + f.weight
	}
	return []string{
		fmt.Sprintf("CREATE TABLE %s (child %s, parent %s%s)", f.edges(), f.child, f.parent, weight),
		fmt.Sprintf("CREATE TABLE %s_elements (id %s)", f.name, f.child),
		fmt.Sprintf("CREATE TABLE %s_facts (id %s, v integer)", f.name, f.child),
	}
}

// create is the CREATE HIERARCHY.
func (f *hierarchyForm) create() string {
	columns, on := "child, parent", ""
	if f.weight != "" {
		columns += ", weight"
	}
	if f.on {
		on = " ON " + f.name + "_elements (id)"
	}
	return fmt.Sprintf("CREATE HIERARCHY %s FROM %s (%s)%s", f.name, f.edges(), columns, on)
}

// maxPaths is how many paths a random hierarchy has at most.
const maxPaths = 100_000

// randomEdges are the edges of a graph whose nodes lie in levels, so many in each, as
// pairs of nodes. Paths are counted, so that PostgreSQL, which lists them all, comes to an
// end.
func randomEdges(rng *rand.Rand, levels, width int) (edges [][2]int, nodes int) {
	nodes = levels * width
	above := make([]int, nodes) // paths that begin at a node, that of no edge included
	total := nodes
	for n := range nodes {
		above[n] = 1
		level := n / width
		for range rng.IntN(4) {
			if level == 0 {
				break
			}
			from := max(0, level-1-rng.IntN(2)*rng.IntN(level)) * width
			parent := from + rng.IntN(width)
			if total+above[parent] > maxPaths*(n+1)/nodes {
				continue
			}
			above[n] += above[parent]
			total += above[parent]
			edges = append(edges, [2]int{n, parent})
		}
	}
	return edges, nodes
}

// statements replace the edges of a hierarchy by random ones, and say whether these form a
// cycle.
func (f *hierarchyForm) statements(rng *rand.Rand) (list []string, cyclic bool) {
	levels, width := 1+rng.IntN(7), 1+rng.IntN(6)
	weights := f.weights
	if rng.IntN(4) == 0 {
		levels, width, weights = 8+rng.IntN(43), 1+rng.IntN(4), f.deep
	}
	edges, nodes := randomEdges(rng, levels, width)
	if len(edges) > 0 && rng.IntN(8) == 0 {
		at := edges[rng.IntN(len(edges))]
		edges, cyclic = append(edges, [2]int{at[1], at[0]}), true
	}
	rng.Shuffle(len(edges), func(i, j int) { edges[i], edges[j] = edges[j], edges[i] })
	elements, facts, rows := make([]string, nodes), make([]string, nodes), make([]string, len(edges))
	for n := range nodes {
		elements[n] = "(" + f.element(n) + ")"
		facts[n] = fmt.Sprintf("(%s, %d)", f.element(rng.IntN(nodes)), rng.IntN(200)-50)
	}
	for i, e := range edges {
		weight := ""
		if f.weight != "" {
			weight = ", " + weights[rng.IntN(len(weights))]
		}
		rows[i] = fmt.Sprintf("(%s, %s%s)", f.element(e[0]), f.element(e[1]), weight)
	}
	list = append(list, "TRUNCATE "+f.edges()+", "+f.name+"_elements, "+f.name+"_facts",
		fmt.Sprintf("INSERT INTO %s_elements VALUES %s", f.name, strings.Join(elements, ", ")),
		fmt.Sprintf("INSERT INTO %s_facts VALUES %s", f.name, strings.Join(facts, ", ")))
	if len(rows) > 0 {
		list = append(list, fmt.Sprintf("INSERT INTO %s VALUES %s", f.edges(), strings.Join(rows, ", ")))
	}
	return list, cyclic
}

// questions are what both are asked.
func (f *hierarchyForm) questions(rng *rand.Rand) []string {
	one := f.element(rng.IntN(6))
	return []string{
		fmt.Sprintf("SELECT base, element, %s, distance FROM %s", f.shown, f.name),
		fmt.Sprintf("SELECT h.element, sum(v * %[1]s), count(*), min(distance) FROM %[2]s_facts JOIN %[2]s AS h ON h.base = id GROUP BY h.element",
			strings.Replace(f.shown, "weight", "h.weight", 1), f.name),
		fmt.Sprintf("SELECT id, sum(v), max(distance) FROM %[1]s_facts JOIN %[1]s ON base = id WHERE element = %[2]s GROUP BY id", f.name, one),
	}
}

// TestHierarchiesAsInPostgres holds that hierarchies are what PostgreSQL makes of their
// text, whatever becomes of their edges.
func TestHierarchiesAsInPostgres(t *testing.T) {
	ctx, engine, db := context.Background(), openEngine(t), startPostgres(t)
	rng := rand.New(rand.NewPCG(*hierarchySeed, 14))
	both := func(sql string) {
		t.Helper()
		if _, err := engine.Query(ctx, sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		if err := db.Exec(ctx, sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	for i := range hierarchyForms {
		f := &hierarchyForms[i]
		for _, sql := range f.tables() {
			both(sql)
		}
		if _, err := engine.Query(ctx, f.create()); err != nil {
			t.Fatalf("%s: %v", f.create(), err)
		}
		text, err := engine.Query(ctx, "SELECT pg_get_viewdef('"+f.name+"'::regclass)")
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Exec(ctx, "CREATE VIEW "+f.name+" AS "+text.Rows[0][0].Text); err != nil {
			t.Fatalf("%s: %v", text.Rows[0][0].Text, err)
		}
	}
	rows := 0
	for n := range *hierarchyCount {
		f := &hierarchyForms[n%len(hierarchyForms)]
		list, cyclic := f.statements(rng)
		for i, sql := range list {
			if cyclic && i == len(list)-1 {
				if _, err := engine.Query(ctx, sql); engine.SQLState(err) != "23514" {
					t.Errorf("%s\ngave %v instead of a cycle", sql, err)
				}
				continue
			}
			both(sql)
		}
		for _, sql := range f.questions(rng) {
			rows += sameAnswers(t, engine, db, sql, list)
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d hierarchies, %d rows compared", *hierarchyCount, rows)
}

// sameAnswers asks both, and reports how many rows there are.
func sameAnswers(t *testing.T, e *engine, p *reference.Postgres, sql string, after []string) int {
	t.Helper()
	ctx := context.Background()
	got, err := e.Query(ctx, sql)
	want, failure := p.Query(ctx, sql)
	if difference := differs(e, p, got, err, want, failure); difference != "" {
		t.Errorf("%s;\n%s\n%s", strings.Join(after, ";\n"), sql, difference)
		return 0
	}
	if failure != nil {
		return 0
	}
	return len(want.Rows)
}
