package tpch

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	pgparser "github.com/wasilibs/go-pgquery/parser"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
)

// keysOf generates the data and gathers the integer columns of all tables.
func keysOf(t *testing.T, d Data) map[string][]int64 {
	t.Helper()
	keys := map[string][]int64{}
	err := d.Generate(context.Background(), workload.Options{}, func(_ string, rec arrow.Record) error {
		for i, f := range rec.Schema().Fields() {
			switch col := rec.Column(i).(type) {
			case *array.Int32:
				for _, v := range col.Int32Values() {
					keys[f.Name] = append(keys[f.Name], int64(v))
				}
			case *array.Int64:
				keys[f.Name] = append(keys[f.Name], col.Int64Values()...)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

func TestFractionKeepsForeignKeys(t *testing.T) {
	keys := keysOf(t, Data{SF: 0.003})
	for column, want := range map[string]int{
		"n_nationkey": 25, "r_regionkey": 5, "s_suppkey": 30, "c_custkey": 450, "p_partkey": 600, "ps_partkey": 2400,
		"o_orderkey": 4500,
	} {
		if len(keys[column]) != want {
			t.Errorf("%d values of %s, want %d", len(keys[column]), column, want)
		}
	}
	for foreign, primary := range map[string]string{
		"l_orderkey": "o_orderkey", "l_partkey": "p_partkey", "l_suppkey": "s_suppkey", "o_custkey": "c_custkey",
		"ps_partkey": "p_partkey", "ps_suppkey": "s_suppkey", "s_nationkey": "n_nationkey", "n_regionkey": "r_regionkey",
	} {
		known := map[int64]bool{}
		for _, k := range keys[primary] {
			known[k] = true
		}
		for _, k := range keys[foreign] {
			if !known[k] {
				t.Fatalf("%s %d is no %s", foreign, k, primary)
			}
		}
	}
	pairs := map[[2]int64]bool{}
	for i, p := range keys["ps_partkey"] {
		pairs[[2]int64{p, keys["ps_suppkey"][i]}] = true
	}
	if len(pairs) != len(keys["ps_partkey"]) {
		t.Errorf("%d pairs of part and supplier, want %d", len(pairs), len(keys["ps_partkey"]))
	}
	for i, p := range keys["l_partkey"] {
		if !pairs[[2]int64{p, keys["l_suppkey"][i]}] {
			t.Fatalf("line %d: supplier %d does not supply part %d", i, keys["l_suppkey"][i], p)
		}
	}
}

// TestGenerateReturnsErrors has emit fail at each of the first records, on several threads.
func TestGenerateReturnsErrors(t *testing.T) {
	broken := errors.New("disk full")
	for _, at := range []int{0, 3, 7} {
		seen := 0
		err := Data{SF: 0.1}.Generate(context.Background(), workload.Options{Threads: 3}, func(string, arrow.Record) error {
			if seen++; seen > at {
				return broken
			}
			return nil
		})
		if !errors.Is(err, broken) || seen != at+1 {
			t.Errorf("error %v after %d records, want that of record %d", err, seen, at+1)
		}
	}
}

func TestValidate(t *testing.T) {
	for _, sf := range []float64{0, -1, 0.0001, 1.5, 2000} {
		if (Data{SF: sf}).Validate() == nil {
			t.Errorf("sf %v accepted", sf)
		}
	}
}

func TestQueriesArePostgreSQL(t *testing.T) {
	for _, q := range Queries(1) {
		if _, err := pgparser.ParseToJSON(q.SQL); err != nil {
			t.Errorf("%s: %v", q.Name, err)
		}
	}
	if sql := Queries(10)[10].SQL; !strings.Contains(sql, "* 0.00001\n") {
		t.Errorf("threshold of Q11 at scale 10: %s", sql)
	}
}
