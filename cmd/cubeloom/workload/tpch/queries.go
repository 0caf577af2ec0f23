package tpch

import (
	"embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
)

//go:embed queries/*.sql
var texts embed.FS

// Queries returns the 22 queries for the data at scale factor sf, which the
// threshold of Q11 depends on.
func Queries(sf float64) []workload.Query {
	asc := func(column int) workload.Key { return workload.Key{Column: column} }
	desc := func(column int) workload.Key { return workload.Key{Column: column, Desc: true} }
	orders := [22][]workload.Key{
		{asc(0), asc(1)},
		{desc(0), asc(2), asc(1), asc(3)},
		{desc(1), asc(2)},
		{asc(0)},
		{desc(1)},
		nil,
		{asc(0), asc(1), asc(2)},
		{asc(0)},
		{asc(0), desc(1)},
		{desc(2)},
		{desc(1)},
		{asc(0)},
		{desc(1), desc(0)},
		nil,
		{asc(0)},
		{desc(3), asc(0), asc(1), asc(2)},
		nil,
		{desc(4), asc(3)},
		nil,
		{asc(0)},
		{desc(1), asc(0)},
		{asc(0)},
	}
	fraction := strconv.FormatFloat(0.0001/sf, 'f', -1, 64)
	queries := make([]workload.Query, len(orders))
	for i, order := range orders {
		text := workload.EmbeddedSQL(texts, fmt.Sprintf("queries/%02d.sql", i+1))
		sql := strings.ReplaceAll(text, "$FRACTION", fraction)
		queries[i] = workload.Query{Name: fmt.Sprintf("Q%d", i+1), SQL: sql, OrderBy: order}
	}
	return queries
}
