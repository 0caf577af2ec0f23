//go:build reference

package tests

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom/tests/randquery"
	"github.com/cubeloom/cubeloom/tests/reference"
)

var (
	queries = flag.Int("queries", 300, "number of random queries")
	seed    = flag.Uint64("seed", 1, "seed of the random queries")
	shrink  = flag.Int("shrink", 300, "number of tries to make a query that differs smaller")
)

const (
	queriesPerTables = 50
	postgresTimeout  = 2 * time.Second
	queryTimeout     = 20 * time.Second
	shrinkTimeout    = 30 * time.Second
	// maxReports is the number of differences that are made smaller and
	// reported in full.
	maxReports = 25
)

// TestRandomQueries compares Cubeloom's answers to random queries with
// PostgreSQL's, each query under one of the configurations. Every second set of tables has
// columns of all types, and half of those the least and greatest values of them. A failure
// names the seed that gives the query again with -queries 1.
func TestRandomQueries(t *testing.T) {
	c := &comparison{postgres: startPostgres(t), engine: openEngine(t)}
	if err := c.postgres.SetTimeout(context.Background(), postgresTimeout); err != nil {
		t.Fatal(err)
	}
	known, all := explanations(t), configurations()
	unexplained, explained := 0, map[string]int{}
	var g *randquery.Generator
	for n := range *queries {
		at := *seed + uint64(n)
		if tables := at / queriesPerTables; n == 0 || at%queriesPerTables == 0 {
			g = c.createTables(t, tables)
		}
		config := all[at%uint64(len(all))]
		c.engine.configure(t, config)
		q := g.Query(at)
		difference := c.difference(q)
		if difference == "" {
			continue
		}
		if e := explain(known, q.SQL()+"\n"+difference); e != "" {
			explained[e]++
			continue
		}
		if unexplained++; unexplained <= maxReports {
			t.Errorf("seed %d, %s\n%s", at, config, c.report(q, difference))
		}
	}
	t.Logf("%d queries from seed %d, %d differences unexplained", *queries, *seed, unexplained)
	for reason, n := range explained {
		t.Logf("%d explained: %s", n, reason)
	}
}

func explain(known []explanation, text string) string {
	for _, e := range known {
		if e.pattern.MatchString(text) {
			return e.reason
		}
	}
	return ""
}

// A comparison is the two databases with the same tables.
type comparison struct {
	postgres *reference.Postgres
	engine   *engine
	tables   []randquery.Table
	// extreme says that a query may fail by the order in which it is computed.
	extreme bool
}

// createTables replaces the tables in both databases.
func (c *comparison) createTables(t *testing.T, seed uint64) *randquery.Generator {
	t.Helper()
	ctx := context.Background()
	both := func(sql string) {
		if err := c.postgres.Exec(ctx, sql); err != nil {
			t.Fatalf("PostgreSQL: %s: %v", sql, err)
		}
		if _, err := c.engine.Query(ctx, sql); err != nil {
			t.Fatalf("Cubeloom: %s: %v", sql, err)
		}
	}
	for _, table := range c.tables {
		both("DROP TABLE " + table.Name)
	}
	makeGenerator := randquery.NewGenerator
	c.tables, c.extreme = randquery.Tables(seed, 3), seed%4 == 3
	if seed%2 == 1 {
		c.tables, makeGenerator = randquery.WideTables(seed, 3, c.extreme, false), randquery.NewWideGenerator
	}
	for _, table := range c.tables {
		for _, sql := range table.SQL() {
			both(sql)
		}
	}
	return makeGenerator(c.tables)
}

// queryCanceled is the SQLSTATE of a query that takes too long.
const queryCanceled = "57014"

// difference describes how the two answers to a query differ; it is empty when
// they agree, and when PostgreSQL takes too long. Failures agree when their
// SQLSTATEs are of one class; over extreme values one engine may fail alone.
func (c *comparison) difference(q *randquery.Query) string {
	want, failure := c.postgres.Query(context.Background(), q.SQL())
	if c.postgres.SQLState(failure) == queryCanceled {
		return ""
	}
	ctx, cancel := context.WithTimeout(context.Background(), queryTimeout)
	defer cancel()
	got, err := c.engine.Query(ctx, q.SQL())
	switch {
	case c.extreme && (failure != nil || err != nil && strings.HasPrefix(c.engine.SQLState(err), "22")):
		return ""
	case failure != nil && err != nil:
		state, wantState := c.engine.SQLState(err), c.postgres.SQLState(failure)
		if len(state) == 5 && len(wantState) == 5 && state[:2] == wantState[:2] {
			return ""
		}
		return fmt.Sprintf("different errors: %s %v, want %v", state, err, failure)
	case failure != nil:
		return fmt.Sprintf("missing error: %d rows, want %v", len(got.Rows), failure)
	case err != nil && c.engine.SQLState(err) == queryCanceled:
		return c.tooLong(q)
	case err != nil:
		return fmt.Sprintf("error: %s %v", c.engine.SQLState(err), err)
	}
	if err := reference.Compare(got, want, q.Ordered()); err != nil {
		return "answers differ: " + err.Error()
	}
	return ""
}

// tooLong describes a query that PostgreSQL answers in time and Cubeloom does not.
// How many pairs of rows its joins without equalities may look at is PostgreSQL's
// judgement, so that a plan of Cubeloom that is slow does not excuse itself.
func (c *comparison) tooLong(q *randquery.Query) string {
	pairs, err := c.postgres.JoinPairs(context.Background(), q.SQL())
	if err != nil {
		return fmt.Sprintf("error: %s, and PostgreSQL gives no plan: %v", queryCanceled, err)
	}
	return fmt.Sprintf("error: %s after %v; PostgreSQL expects up to %.0f pairs of rows in a join", queryCanceled, queryTimeout, pairs)
}

// report makes the query smaller as long as it differs in the same manner, and
// describes it with the tables.
func (c *comparison) report(q *randquery.Query, difference string) string {
	deadline := time.Now().Add(shrinkTimeout)
	small := randquery.Shrink(q, *shrink, func(candidate *randquery.Query) bool {
		return time.Now().Before(deadline) && manner(c.difference(candidate)) == manner(difference)
	})
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n", c.difference(small), small.SQL())
	for _, table := range c.tables {
		if strings.Contains(small.SQL(), table.Name+" AS ") {
			fmt.Fprintln(&b, strings.Join(table.SQL(), ";\n"))
		}
	}
	return b.String()
}

// manner is the first two words of a difference: what kind it is, with the
// SQLSTATE of an error that only Cubeloom gives.
func manner(difference string) string {
	words := strings.Fields(difference)
	return strings.Join(words[:min(2, len(words))], " ")
}
