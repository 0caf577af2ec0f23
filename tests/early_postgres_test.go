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

var earlyQueries = flag.Int("early.queries", 200, "number of random aggregates over joins of many to many")

// TestEarlyAggregates compares random aggregates over joins of many to many with
// PostgreSQL's, with early aggregation and without it, in every configuration.
func TestEarlyAggregates(t *testing.T) {
	ctx := context.Background()
	postgres, engine := startPostgres(t), openEngine(t)
	rng := rand.New(rand.NewPCG(*seed, 14))
	for _, sql := range earlyTables(rng, 1500) {
		if err := postgres.Exec(ctx, sql); err != nil {
			t.Fatalf("%.200s: %v", sql, err)
		}
		if _, err := engine.Query(ctx, sql); err != nil {
			t.Fatalf("%.200s: %v", sql, err)
		}
	}
	all, early := configurations(), 0
	for n := range *earlyQueries {
		sql := earlyQuery(rng)
		want, failure := postgres.Query(ctx, sql)
		engine.configure(t, all[n%len(all)])
		late, lateFailure := engine.withRulesOff(t, "push_aggregates", sql)
		if (failure == nil) != (lateFailure == nil) && (engine.SQLState(lateFailure) == outOfRange || postgres.SQLState(failure) == outOfRange) {
			continue // numbers of more than 38 digits; a product that is only counted
		}
		if difference := differs(engine, postgres, late, lateFailure, want, failure); difference != "" {
			t.Errorf("late: %s\n%s", sql, difference)
		}
		got, err := engine.withRulesOff(t, "", sql)
		if difference := differs(engine, postgres, got, err, want, failure); difference != "" {
			t.Errorf("early: %s\n%s", sql, difference)
		}
		if engine.aggregatesEarly(t, sql) {
			early++
		}
	}
	t.Logf("%d of %d queries aggregate early", early, *earlyQueries)
	if early*4 < *earlyQueries {
		t.Error("few queries aggregate early")
	}
}

// withRulesOff runs a query without some rules.
func (e *engine) withRulesOff(t *testing.T, rules, sql string) (*reference.Result, error) {
	t.Helper()
	if _, err := e.Query(context.Background(), "SET disabled_rules = '"+rules+"'"); err != nil {
		t.Fatal(err)
	}
	return e.Query(context.Background(), sql)
}

// differs describes how an answer or a failure differs from PostgreSQL's; it is empty
// where they agree.
func differs(e *engine, p *reference.Postgres, got *reference.Result, err error, want *reference.Result, failure error) string {
	if err != nil || failure != nil {
		if e.SQLState(err) != p.SQLState(failure) {
			return fmt.Sprintf("gave %v, want %v", err, failure)
		}
		return ""
	}
	if err := reference.Compare(got, want, false); err != nil {
		return err.Error()
	}
	return ""
}

// aggregatesEarly reports whether rule push_aggregates changes the plan of a query.
func (e *engine) aggregatesEarly(t *testing.T, sql string) bool {
	t.Helper()
	res, err := e.Query(context.Background(), "EXPLAIN (RULES) "+sql)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	for _, row := range res.Rows {
		if strings.HasPrefix(row[0].Text, "    taken  early (") {
			return true
		}
	}
	return false
}
