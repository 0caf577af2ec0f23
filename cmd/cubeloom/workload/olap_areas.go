package workload

import (
	"fmt"
	"strings"
)

// Query asks for the sums of an area.
func (a Area) Query() Query {
	if len(a.Targets) == 0 {
		return Query{Name: a.Name, SQL: "SELECT sum(value) AS total\nFROM cells"}
	}
	var elements, joins, filters []string
	sum := "value"
	for _, t := range a.Targets {
		d := t.Dimension
		elements = append(elements, d+".element")
		sum += " * " + d + ".weight"
		joins = append(joins, fmt.Sprintf("\n  JOIN %s ON cells.%[1]s = %[1]s.base", d))
		filters = append(filters, fmt.Sprintf("%s.element BETWEEN %d AND %d", d, t.First, t.Last))
	}
	return Query{Name: a.Name, SQL: fmt.Sprintf("SELECT %s, sum(%s) AS total\nFROM cells%s\nWHERE %s\nGROUP BY %[1]s",
		strings.Join(elements, ", "), sum, strings.Join(joins, ""), strings.Join(filters, " AND "))}
}

// MachineSums are the queries about the machines alone.
func MachineSums() []Query {
	const from = "\nFROM cells JOIN component ON cells.component = component.base"
	const sum = "sum(value * weight) AS total" + from
	return []Query{
		{Name: "all parents", SQL: "SELECT element, " + sum + "\nGROUP BY element"},
		{Name: "second column", SQL: "SELECT element, region, " + sum + "\nGROUP BY element, region"},
		{Name: "top 10", SQL: "SELECT element, " + sum + "\nGROUP BY element\nORDER BY total DESC, element\nLIMIT 10", OrderBy: []Key{{Column: 1, Desc: true}, {Column: 0}}},
		{Name: "rollup", SQL: "SELECT element, region, " + sum + "\nGROUP BY ROLLUP (element, region)"},
		{Name: "one parent", SQL: "SELECT element, " + sum + "\nWHERE element = 1000\nGROUP BY element"},
		{Name: "slice", SQL: "SELECT element, " + sum + "\nWHERE period = 3\nGROUP BY element"},
	}
}
