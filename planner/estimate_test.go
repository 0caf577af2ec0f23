package planner

import (
	"fmt"
	"math"
	"testing"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/estimate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// TestEstimates holds that guesses of row counts are within a factor of two of
// what the Star Schema Benchmark's uniform data gives.
func TestEstimates(t *testing.T) {
	cat := loadCatalog(t, "testdata/ssb.catalog")
	for _, tc := range []struct {
		query string
		rows  float64
	}{
		{"SELECT * FROM lineorder", 6001215},
		{"SELECT * FROM customer WHERE c_region = 'ASIA'", 6000},
		{"SELECT * FROM customer WHERE c_city IN ('A', 'B')", 240},
		{"SELECT * FROM customer WHERE NOT c_region = 'ASIA' AND c_custkey <= 3000", 2400},
		{"SELECT * FROM date WHERE d_year BETWEEN 1993 AND 1994", 730},
		{"SELECT * FROM lineorder WHERE lo_quantity BETWEEN 26 AND 35 AND lo_discount BETWEEN 4 AND 6", 327000},
		{"SELECT * FROM lineorder JOIN date ON lo_orderdate = d_datekey WHERE d_year = 1993", 910000},
		{"SELECT * FROM lineorder, part, supplier WHERE lo_partkey = p_partkey AND lo_suppkey = s_suppkey" +
			" AND p_category = 'MFGR#12' AND s_region = 'ASIA'", 48000},
		{"SELECT * FROM customer LEFT JOIN supplier ON c_city = s_city", 240000},
		{"SELECT d_year, c_nation FROM lineorder, date, customer WHERE lo_orderdate = d_datekey" +
			" AND lo_custkey = c_custkey GROUP BY d_year, c_nation", 175},
		{"SELECT c_region, c_mktsegment FROM customer GROUP BY CUBE (c_region, c_mktsegment)", 36},
		{"SELECT DISTINCT c_name FROM customer", 30000},
		{"SELECT substring(c_phone, 1, 2), count(*) FROM customer, lineorder WHERE lo_custkey = c_custkey AND substring(c_phone, 1, 2) IN ('13', '31', '23') GROUP BY 1", 3},
		{"SELECT c_name FROM customer ORDER BY 1 LIMIT 7", 7},
		{"SELECT c_name FROM customer UNION ALL SELECT s_name FROM supplier", 32000},
		{"SELECT count(*) FROM lineorder", 1},
		{"SELECT * FROM lineorder WHERE lo_quantity > 50", 0},
	} {
		plan, err := Build(parseQuery(t, tc.query), cat, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := estimate.New(nil).Rows(plan.Root)
		if math.Abs(math.Log2((got+1)/(tc.rows+1))) > 1 {
			t.Errorf("%s: %.0f rows, want about %.0f\n%s", tc.query, got, tc.rows, algebra.Format(plan.Root))
		}
	}
}

// TestFactTableIsProbed holds that the fact table of a star is on the probe
// side of every join.
func TestFactTableIsProbed(t *testing.T) {
	cat := loadCatalog(t, "testdata/ssb.catalog")
	const from = " FROM date, customer, supplier, part, lineorder WHERE lo_custkey = c_custkey" +
		" AND lo_suppkey = s_suppkey AND lo_partkey = p_partkey AND lo_orderdate = d_datekey"
	for _, more := range []string{"", " AND d_year = 1993", " AND c_region = 'ASIA' AND s_nation = 'X'", " AND p_brand1 = 'B'"} {
		plan, err := Build(parseQuery(t, "SELECT count(*)"+from+more), cat, Options{})
		if err != nil {
			t.Fatal(err)
		}
		algebra.Walk(plan.Root, func(n algebra.Node) bool {
			if join, ok := n.(*algebra.Join); ok {
				algebra.Walk(join.Right, func(n algebra.Node) bool {
					if scan, ok := n.(*algebra.Scan); ok && scan.Table.Name == "lineorder" {
						t.Errorf("the fact table is built\n%s", algebra.Format(plan.Root))
					}
					return true
				})
			}
			return true
		})
	}
}

// sampledCatalog has a table of a million rows with a sample: a city decides
// its country, one country is frequent, and names end in one of two words.
func sampledCatalog() memCatalog {
	r := &Relation{Ref: algebra.TableRef{Name: "t", Rows: 1e6, Exact: true}}
	for _, name := range []string{"city", "country", "name"} {
		r.Columns = append(r.Columns, CatalogColumn{
			Name: name, Type: algebra.TText, NotNull: true, Stats: algebra.Stats{Distinct: 100},
		})
	}
	text := func(s string) value.Value { return value.Value{Kind: value.Text, S: s} }
	var sample [][]value.Value
	for i := range 500 {
		city := i % 10
		country := "large"
		if city >= 8 {
			country = fmt.Sprint("small ", city)
		}
		name := fmt.Sprint(i, map[bool]string{true: " green", false: " red"}[i%4 == 0])
		sample = append(sample, []value.Value{text(fmt.Sprint("city ", city)), text(country), text(name)})
	}
	r.Ref.Sample = algebra.NewSample(sample)
	return memCatalog{"t": r}
}

// TestSampledEstimates holds that guesses follow the sample of a table where
// values are skewed, columns depend on each other, or no formula knows.
func TestSampledEstimates(t *testing.T) {
	cat := sampledCatalog()
	for _, tc := range []struct {
		where string
		rows  float64
	}{
		{"country = 'large'", 800000},
		{"country = 'small 9'", 100000},
		{"city = 'city 3' AND country = 'large'", 100000},
		{"city = 'city 9' AND country = 'large'", 1000},
		{"name LIKE '%green'", 250000},
		{"name NOT LIKE '%green' OR country <> 'large'", 800000},
		{"substring(city FROM 6) IN ('1', '2', '3')", 300000},
		{"city = 'another'", 1000},
		{"CASE WHEN city < 'city 5' THEN name LIKE '%green' ELSE false END", 150000},
	} {
		plan, err := Build(parseQuery(t, "SELECT * FROM t WHERE "+tc.where), cat, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := estimate.New(nil).Rows(plan.Root); math.Abs(math.Log2((got+1)/(tc.rows+1))) > 1.4 {
			t.Errorf("%s: %.0f rows, want about %.0f", tc.where, got, tc.rows)
		}
	}
}
