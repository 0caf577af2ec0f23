//go:build reference

package reference

import (
	"context"
	"strings"
	"testing"
)

func TestPostgres(t *testing.T) {
	ctx := context.Background()
	p, err := StartPostgres(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if err := p.Exec(ctx, "create table t (a integer, b numeric(8,2), c text); insert into t values (1, 2.5, 'x'), (null, null, null)"); err != nil {
		t.Fatal(err)
	}
	if err := p.copyCSV(ctx, "t", strings.NewReader("7,1,\"a,b\"\n")); err != nil {
		t.Fatal(err)
	}
	got, err := p.Query(ctx, "select a, avg(b), c from t group by a, c order by a nulls first")
	if err != nil {
		t.Fatal(err)
	}
	want := &Result{
		Columns: []Column{{"a", "int4"}, {"avg", "numeric"}, {"c", "text"}},
		Rows: [][]Cell{
			{{Null: true}, {Null: true}, {Null: true}},
			{{Text: "1"}, {Text: "2.5000000000000000"}, {Text: "x"}},
			{{Text: "7"}, {Text: "1.00000000000000000000"}, {Text: "a,b"}},
		},
	}
	if err := Compare(got, want, true); err != nil {
		t.Error(err)
	}
	if _, err := p.Query(ctx, "select 1/0"); p.SQLState(err) != "22012" || !p.Alive() {
		t.Errorf("error %v", err)
	}
}

func TestJoinPairs(t *testing.T) {
	ctx := context.Background()
	p, err := StartPostgres(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	const numbers = "generate_series(1, 1000)"
	for join, least := range map[string]float64{
		numbers + " a, " + numbers + " b WHERE a < b":                               1e6,
		numbers + " a JOIN " + numbers + " b ON a = b":                              0,
		"(SELECT 1 FROM " + numbers + " a, " + numbers + " b) x, " + numbers + " c": 1e9,
	} {
		got, err := p.JoinPairs(ctx, "SELECT count(*) FROM "+join)
		if err != nil || got < least || least == 0 && got > 0 {
			t.Errorf("%s: %.0f pairs, %v; want %.0f", join, got, err, least)
		}
	}
}
