package tests

import (
	"regexp"
	"strconv"
	"testing"
)

// TestDeterminedKeys finds the key on which all others depend: that of a table whose rows it tells apart, of its own
// or by way of joins that find one row. There is none where rows may differ that agree in it.
func TestDeterminedKeys(t *testing.T) {
	db := openEngine(t)
	for _, sql := range []string{
		"CREATE TABLE people AS SELECT i AS id, i * 7919 % 100 AS other, 'name ' || i % 70 AS name, i % 4 AS place, i % 9 / 4.0::float8 AS x FROM generate_series(1, 4000) AS g (i)",
		"CREATE TABLE places AS SELECT i AS place, 'town ' || i AS town FROM generate_series(0, 3) AS g (i)",
		"CREATE TABLE sales AS SELECT i * 7919 % 4100 AS person, i AS v FROM generate_series(1, 20000) AS g (i)",
	} {
		mustRun(t, db, sql)
	}
	const from = " FROM sales JOIN people ON person = id"
	check := func(sql string, want int) {
		t.Helper()
		found := regexp.MustCompile(`aggregate hash determinant (\d+)`).FindStringSubmatch(kernelText(t, db, sql))
		had := 0
		if found != nil {
			had, _ = strconv.Atoi(found[1])
		}
		if had != want {
			t.Errorf("%s: key %d determines the others, not %d", sql, had, want)
		}
	}
	joined := "SELECT name, id, sum(v)" + from + " GROUP BY name, id"
	check(joined, 2)
	check("SELECT person, name, town, sum(v)"+from+" JOIN places USING (place) GROUP BY person, name, town", 1)
	check("SELECT name, other, sum(v)"+from+" GROUP BY name, other", 0)
	check("SELECT name, id, v, sum(v)"+from+" GROUP BY name, id, v", 0)
	check("SELECT id, name, sum(v) FROM sales LEFT JOIN people ON person = id GROUP BY id, name", 0)
	check("SELECT x, 1 / x, count(*) FROM people WHERE x <> 1 GROUP BY 1, 2", 0) // 0 and -0 are equal
	mustRun(t, db, "INSERT INTO people VALUES (7, 0, 'another', 1, 0)")
	check(joined, 0)
}
