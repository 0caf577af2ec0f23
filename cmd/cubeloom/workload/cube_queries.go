package workload

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
)

// Queries returns the cube family over the table, as far as it has the dimensions:
// the smallest query wants three, the largest six. The rows of each answer come in
// any order.
func (c Cube) Queries() []Query {
	query := func(name, dims, aggregates, grouping string) Query {
		return Query{Name: name, SQL: fmt.Sprintf("SELECT %s, %s\nFROM %s\nGROUP BY %s", dims, aggregates, c.Name, grouping)}
	}
	const (
		three, four, six = "d1, d2, d3", "d1, d2, d3, d4", "d1, d2, d3, d4, d5, d6"
		basic            = "sum(m), count(*)"
		all              = "sum(m), count(*), min(m), max(x), sum(x), avg(x)"
	)
	return c.answerable([]Query{
		query("cube3", three, basic, "CUBE (d1, d2, d3)"),
		query("cube4", four, basic, "CUBE (d1, d2, d3, d4)"),
		query("cube6", six, basic, "CUBE (d1, d2, d3, d4, d5, d6)"),
		query("rollup6", six, basic, "ROLLUP (d1, d2, d3, d4, d5, d6)"),
		query("cube3-aggregates", three, all+", grouping(d1, d2, d3)", "CUBE (d1, d2, d3)"),
		query("sets", six, all+", grouping(d1, d2, d3, d4, d5, d6)",
			"GROUPING SETS ((d1, d2), (d1, d3), (d4, d5, d6), (d6), ())"),
		query("mixed", "d1, d2, d3, d4, d5", all+", grouping(d1, d2, d3, d4, d5)",
			"d1, CUBE (d2, (d3, d4)), ROLLUP (d5)"),
		query("nested", "d1, d2, d3, d4", all+", grouping(d1, d2, d3, d4)",
			"GROUPING SETS (CUBE (d1, d2), ROLLUP (d3, (d1, d4)), ())"),
		query("iceberg3", three, basic, "CUBE (d1, d2, d3)\nHAVING count(*) >= 10"),
		query("iceberg6", six, basic, "CUBE (d1, d2, d3, d4, d5, d6)\nHAVING count(*) >= 10"),
	})
}

// answerable are the queries that name no dimension which the table lacks.
func (c Cube) answerable(all []Query) []Query {
	return slices.DeleteFunc(all, func(q Query) bool {
		return slices.ContainsFunc(dimensionName.FindAllStringSubmatch(q.SQL, -1), func(m []string) bool {
			n, err := strconv.Atoi(m[1])
			return err == nil && n > c.Dims
		})
	})
}

// dimensionName is the name of a dimension.
var dimensionName = regexp.MustCompile(`\bd(\d+)\b`)

// FinestCuboids returns, for cubes of Queries, their finest cuboid alone: the
// grouping by all dimensions, from which a cube makes all others.
func (c Cube) FinestCuboids() []Query {
	query := func(cube, dims string) Query {
		return Query{Name: "finest of " + cube, SQL: fmt.Sprintf("SELECT %s, sum(m), count(*)\nFROM %s\nGROUP BY %[1]s", dims, c.Name)}
	}
	return c.answerable([]Query{
		query("cube4", "d1, d2, d3, d4"),
		query("cube6", "d1, d2, d3, d4, d5, d6"),
	})
}
