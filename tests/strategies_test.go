package tests

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate"
	"github.com/cubeloom/cubeloom/fusion"
	opaggregate "github.com/cubeloom/cubeloom/operators/aggregate"
	"github.com/cubeloom/cubeloom/operators/cubing"
	"github.com/cubeloom/cubeloom/operators/distinct"
	"github.com/cubeloom/cubeloom/operators/sort"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/tests/reference"
	"github.com/cubeloom/cubeloom/tests/slt"
)

// A forcing is a setting that forces a strategy of one kind of operator.
type forcing struct{ setting, of, strategy string }

// forcings are all strategies that a setting forces.
func forcings() []forcing {
	var all []forcing
	for _, s := range fusion.JoinStrategies() {
		all = append(all, forcing{"join_strategy", "join", s})
	}
	for _, s := range opaggregate.Strategies() {
		all = append(all, forcing{"aggregate_strategy", "aggregate", s})
	}
	for _, s := range distinct.Strategies() {
		all = append(all, forcing{"distinct_strategy", "distinct", s})
	}
	for _, s := range sort.Strategies() {
		all = append(all, forcing{"sort_strategy", "sort", s})
	}
	for _, s := range cubing.Strategies() {
		all = append(all, forcing{"cube_strategy", "cube", s})
	}
	return all
}

// TestForcedStrategies forces each strategy for the queries of the benchmarks: a query
// that it applies to has the same answer, all its operators of the kind use it, and
// without force EXPLAIN offers it; where it does not apply the error names the reason
// that EXPLAIN shows. Each strategy applies to some of them.
func TestForcedStrategies(t *testing.T) {
	all := forcings()
	applied := map[forcing]int{}
	for _, b := range benchmarks()[:3] {
		db := openEngine(t)
		db.load(t, b.set)
		force(t, db, b.queries, all, applied)
	}
	checkApplied(t, all, applied)
}

// force forces each strategy for each query, and counts where it applied.
func force(t *testing.T, db *engine, queries []workload.Query, all []forcing, applied map[forcing]int) {
	t.Helper()
	for _, q := range queries {
		offered := explainedDecisions(t, db, q)
		want := runQuery(t, db, q)
		for _, f := range all {
			if f.check(t, db, q, offered, want) {
				applied[f]++
			}
		}
	}
}

// checkApplied holds that each strategy applied to some query.
func checkApplied(t *testing.T, all []forcing, applied map[forcing]int) {
	t.Helper()
	for _, f := range all {
		if applied[f] == 0 {
			t.Errorf("%s = %s applied to no query", f.setting, f.strategy)
		}
		t.Logf("%s = %s applied to %d queries", f.setting, f.strategy, applied[f])
	}
}

// TestForcedDeviceStrategiesNeedADevice forces the strategies of a device where queries
// run on the CPU.
func TestForcedDeviceStrategiesNeedADevice(t *testing.T) {
	db := openEngine(t)
	ctx := context.Background()
	for _, name := range aggregate.Names() {
		for _, sql := range []string{"SET device = cpu", "SET aggregate_strategy = " + name} {
			if _, err := db.Query(ctx, sql); err != nil {
				t.Fatal(err)
			}
		}
		_, err := db.Query(ctx, "SELECT x, count(*) FROM (VALUES (1), (2)) AS v(x) GROUP BY x")
		var e *cubeloom.Error
		if !errors.As(err, &e) || e.Code != "0A000" || !strings.Contains(e.Message, "aggregate_strategy is "+name) {
			t.Errorf("aggregate_strategy = %s: %v", name, err)
		}
		if _, err := db.Query(ctx, "SELECT sum(x) FROM (VALUES (1), (2)) AS v(x)"); err != nil {
			t.Errorf("without keys there is nothing to choose: %v", err)
		}
	}
}

// check runs a query with the strategy forced, and reports whether it applied to some
// operator.
func (f forcing) check(t *testing.T, db *engine, q workload.Query, offered []fusion.DecisionExplanation, want *reference.Result) bool {
	t.Helper()
	ctx := context.Background()
	if _, err := db.Query(ctx, fmt.Sprintf("SET %s = %s", f.setting, f.strategy)); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if _, err := db.Query(ctx, "RESET "+f.setting); err != nil {
			t.Fatal(err)
		}
	}()
	got, err := db.Query(ctx, q.SQL)
	if err != nil {
		f.checkRefusal(t, q, offered, err)
		return false
	}
	if describe(q, got) != describe(q, want) {
		t.Errorf("%s with %s = %s\n%s\nwant\n%s", q.Name, f.setting, f.strategy, describe(q, got), describe(q, want))
	}
	applied := false
	for _, c := range explainedDecisions(t, db, q) {
		if c.Of != f.of {
			continue
		}
		applied = true
		if !c.Takes(f.strategy) {
			t.Errorf("%s with %s = %s: a %s of group %d is %s", q.Name, f.setting, f.strategy, c.Of, c.Group, c.Taken().Strategy)
		}
	}
	return applied
}

// checkRefusal holds that an error says why a strategy does not apply, and that EXPLAIN
// says the same.
func (f forcing) checkRefusal(t *testing.T, q workload.Query, offered []fusion.DecisionExplanation, err error) {
	t.Helper()
	var e *cubeloom.Error
	if !errors.As(err, &e) || e.Code != "0A000" || !strings.Contains(e.Message, f.setting+" is "+f.strategy) {
		t.Errorf("%s with %s = %s: %v", q.Name, f.setting, f.strategy, err)
		return
	}
	if f.of == "aggregate on the device" && slices.ContainsFunc(offered, func(c fusion.DecisionExplanation) bool {
		return c.Of == "aggregate" && c.Takes(opaggregate.Ordered)
	}) {
		return // what is forced is a table's, and EXPLAIN shows a plan without one
	}
	isShown := slices.ContainsFunc(offered, func(c fusion.DecisionExplanation) bool {
		return slices.ContainsFunc(c.Offers, func(o strategy.Offer) bool {
			return o.Strategy == f.strategy && o.Refusal != "" && strings.Contains(e.Message, o.Refusal)
		})
	})
	if !isShown {
		t.Errorf("%s: EXPLAIN does not show why %s = %s is refused: %v", q.Name, f.setting, f.strategy, err)
	}
}

// explainedDecisions are the decisions that EXPLAIN shows of a query.
func explainedDecisions(t *testing.T, db *engine, q workload.Query) []fusion.DecisionExplanation {
	t.Helper()
	return explainedProgram(t, db, q).Decisions
}

// explainedProgram is what EXPLAIN shows of how a query is woven.
func explainedProgram(t *testing.T, db *engine, q workload.Query) fusion.Explanation {
	t.Helper()
	return explainJSON(t, db, "EXPLAIN (FORMAT JSON) "+q.SQL).Program
}

// An explainText is the part of EXPLAIN's JSON that tests look at.
type explainText struct {
	Program fusion.Explanation
	Launch  []string
}

// explainJSON runs an EXPLAIN whose format is JSON.
func explainJSON(t *testing.T, db slt.Database, sql string) (e explainText) {
	t.Helper()
	r, err := db.Query(context.Background(), sql)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	var text strings.Builder
	for _, row := range r.Rows {
		text.WriteString(row[0].Text)
	}
	if err := json.Unmarshal([]byte(text.String()), &e); err != nil {
		t.Fatal(err)
	}
	return e
}

func runQuery(t *testing.T, db *engine, q workload.Query) *reference.Result {
	t.Helper()
	r, err := db.Query(context.Background(), q.SQL)
	if err != nil {
		t.Fatalf("%s: %v", q.Name, err)
	}
	return r
}
