package workload

import (
	"fmt"
	"strings"
)

// Queries returns the cube family over the table, as far as it has the dimensions:
// the smallest query wants three, the largest six. The rows of each answer come in
// any order.
func (c Cube) Queries() []Query {
	var list []Query
	add := func(name string, dims int, aggregates, grouping string) {
		if dims <= c.Dims {
			list = append(list, Query{Name: name, SQL: fmt.Sprintf("SELECT %s, %s\nFROM %s\nGROUP BY %s", dimensions(dims), aggregates, c.Name, grouping)})
		}
	}
	const (
		basic = "sum(m), count(*)"
		all   = "sum(m), count(*), min(m), max(x), sum(x), avg(x)"
	)
	add("cube3", 3, basic, "CUBE (d1, d2, d3)")
	add("cube4", 4, basic, "CUBE (d1, d2, d3, d4)")
	add("cube6", 6, basic, "CUBE (d1, d2, d3, d4, d5, d6)")
	add("rollup6", 6, basic, "ROLLUP (d1, d2, d3, d4, d5, d6)")
	add("cube3-aggregates", 3, all+", grouping(d1, d2, d3)", "CUBE (d1, d2, d3)")
	add("sets", 6, all+", grouping(d1, d2, d3, d4, d5, d6)",
		"GROUPING SETS ((d1, d2), (d1, d3), (d4, d5, d6), (d6), ())")
	add("mixed", 5, all+", grouping(d1, d2, d3, d4, d5)",
		"d1, CUBE (d2, (d3, d4)), ROLLUP (d5)")
	add("nested", 4, all+", grouping(d1, d2, d3, d4)",
		"GROUPING SETS (CUBE (d1, d2), ROLLUP (d3, (d1, d4)), ())")
	add("iceberg3", 3, basic, "CUBE (d1, d2, d3)\nHAVING count(*) >= 10")
	add("iceberg6", 6, basic, "CUBE (d1, d2, d3, d4, d5, d6)\nHAVING count(*) >= 10")
	return list
}

// FinestCuboids returns, for cubes of Queries, their finest cuboid alone: the
// grouping by all dimensions, from which a cube makes all others.
func (c Cube) FinestCuboids() []Query {
	var list []Query
	for _, dims := range []int{4, 6} {
		if dims <= c.Dims {
			list = append(list, Query{
				Name: fmt.Sprintf("finest of cube%d", dims),
				SQL:  fmt.Sprintf("SELECT %s, sum(m), count(*)\nFROM %s\nGROUP BY %[1]s", dimensions(dims), c.Name),
			})
		}
	}
	return list
}

// dimensions are the names of the first n dimensions, in a list.
func dimensions(n int) string {
	names := make([]string, n)
	for i := range names {
		names[i] = dimension(i)
	}
	return strings.Join(names, ", ")
}
