package tests

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/tests/reference"
)

// How EXPLAIN (FUSION) begins to say that a hash table is shared, and EXPLAIN (RULES) that what stands several
// times may be computed once.
const (
	equalBuild = "equal build of"
	equalPart  = "a part of the plan that stands"
)

// lookupTables are what queries of lookupQuery read: facts, and three tables each of customers and
// regions with equal rows.
func lookupTables() []string {
	list := []string{"CREATE TABLE facts AS SELECT i AS a, CASE WHEN i % 11 > 0 THEN i * 7 % 61 END AS b, i % 53 AS c, i * 13 % 40 AS m FROM generate_series(1, 900) g(i)"}
	for i := range 3 {
		list = append(list,
			fmt.Sprintf(`CREATE TABLE customers%d AS SELECT i AS k, i %% 9 AS r, i * 31 %% 47 AS p, CASE WHEN i %% 5 > 0 THEN 'name ' || i %% 12 END AS s,
				CASE WHEN i %% 7 > 0 THEN i %% 30 END AS j FROM generate_series(1, 60) g(i)`, i),
			fmt.Sprintf("CREATE TABLE regions%d AS SELECT i AS k, 'region ' || i %% 4 AS n, i * 100 AS v FROM generate_series(0, 8) g(i)", i))
	}
	return list
}

// lookupQuery looks the rows of facts up in several tables of customers, which are often the same.
// Where % stands, the number of a table of customers or regions is to be put: of the same number
// each time, or of another.
func lookupQuery(rng *rand.Rand) string {
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	tables := []string{"customers%", "(SELECT * FROM customers% WHERE p < 30)", "(SELECT x.k, r, p, s, j, n, v FROM customers% x JOIN regions% y ON x.r = y.k WHERE n = 'region 1')",
		"(SELECT k, max(p) AS p, min(r) AS r, min(s) AS s FROM customers% GROUP BY k)", "(SELECT k + 0 AS k, p * 2 AS p, r, upper(s) AS s FROM customers% WHERE s IS NOT NULL)"}
	first, second := pick(tables...), pick(tables...)
	items := []string{"a"}
	from := pick("facts", "facts", "(SELECT k AS a, max(p) AS b, count(*) + min(r) AS c, min(r) AS m FROM customers% GROUP BY k) facts",
		"(SELECT x.k AS a, p AS b, v / 10 AS c, r AS m FROM customers% x JOIN regions% y ON x.r = y.k WHERE n = 'region 1') facts")
	where := []string{pick("true", "m < 30", "c > 3")}
	for i := range 2 + rng.IntN(3) {
		x, table := fmt.Sprintf("t%d", i), first
		if rng.IntN(4) == 0 {
			table = second
		}
		on := fmt.Sprintf("%s.k = facts.%s", x, pick("b", "c", "m"))
		if rng.IntN(3) == 0 {
			on += fmt.Sprintf(" AND %s.p < facts.m + %d", x, 10*rng.IntN(3))
		}
		if rng.IntN(3) == 0 {
			where = append(where, fmt.Sprintf("%sEXISTS (SELECT 1 FROM %s %s WHERE %s)", pick("", "NOT "), table, x, on))
			continue
		}
		from += fmt.Sprintf(" %s JOIN %s %s ON %s", pick("", "", "LEFT", "LEFT", "FULL"), table, x, strings.Replace(on, "facts.m + ", pick("facts.m + ", "25 + "), 1))
		for _, c := range []string{"k", "p", "r", "s"} {
			if rng.IntN(2) == 0 {
				items = append(items, x+"."+c)
			}
		}
	}
	if rng.IntN(4) == 0 {
		items = []string{"count(*), sum(a), " + pick("min(b)", "max(c)", "sum(m)")}
	}
	return fmt.Sprintf("SELECT %s FROM %s WHERE %s", strings.Join(items, ", "), from, strings.Join(where, " AND "))
}

// tablesOf puts numbers of tables into a query of lookupQuery: always the same one, or one after the other.
func tablesOf(query string, different bool) string {
	var b strings.Builder
	parts := strings.Split(query, "%")
	for i, part := range parts {
		b.WriteString(part)
		if i < len(parts)-1 {
			n := 0
			if different {
				n = i % 3
			}
			fmt.Fprint(&b, n)
		}
	}
	return b.String()
}

// TestEqualBuilds has joins look rows up in the same tables, and in tables with equal rows that are not
// the same: whatever hash tables are shared, the answers are equal.
func TestEqualBuilds(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(*cubeSeed, 47))
	db := openEngine(t)
	for _, sql := range lookupTables() {
		mustQuery(t, db, sql)
	}
	shared, once := 0, 0
	for range 200 {
		query := lookupQuery(rng)
		mustQuery(t, db, fmt.Sprintf("SET fusion = %t", rng.IntN(3) > 0))
		want, failure := db.Query(ctx, tablesOf(query, true))
		got, err := db.Query(ctx, tablesOf(query, false))
		if err != nil || failure != nil {
			t.Fatalf("%s: %v, %v", query, err, failure)
		}
		if err := reference.Compare(got, want, false); err != nil {
			t.Errorf("%s\n%v", tablesOf(query, false), err)
		}
		plan := mustQuery(t, db, "EXPLAIN (FUSION) "+tablesOf(query, false))
		if strings.Contains(fmt.Sprint(plan.Rows), equalBuild) {
			shared++
		}
		rules := mustQuery(t, db, "EXPLAIN (RULES) "+tablesOf(query, false))
		if strings.Contains(fmt.Sprint(rules.Rows), equalPart) {
			once++
		}
	}
	if shared < 40 || once < 20 {
		t.Errorf("of 200 queries %d share a hash table, %d may compute a part once", shared, once)
	}
}
