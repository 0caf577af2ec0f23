package workload

import (
	"embed"
	"strings"
)

//go:embed ssb/*.sql
var ssbTexts embed.FS

// SSBQueries returns the thirteen queries of the Star Schema Benchmark.
func SSBQueries() []Query {
	byYearRevenue := []Key{{Column: 2}, {Column: 3, Desc: true}}
	orders := []struct {
		name string
		by   []Key
	}{
		{"Q1.1", nil},
		{"Q1.2", nil},
		{"Q1.3", nil},
		{"Q2.1", asc(1, 2)},
		{"Q2.2", asc(1, 2)},
		{"Q2.3", asc(1, 2)},
		{"Q3.1", byYearRevenue},
		{"Q3.2", byYearRevenue},
		{"Q3.3", byYearRevenue},
		{"Q3.4", byYearRevenue},
		{"Q4.1", asc(0, 1)},
		{"Q4.2", asc(0, 1, 2)},
		{"Q4.3", asc(0, 1, 2)},
	}
	queries := make([]Query, len(orders))
	for i, q := range orders {
		queries[i] = Query{Name: q.name, OrderBy: q.by, SQL: EmbeddedSQL(ssbTexts, "ssb/"+q.name[1:]+".sql")}
	}
	return queries
}

// EmbeddedSQL is the statement that an embedded file holds.
func EmbeddedSQL(files embed.FS, name string) string {
	text, err := files.ReadFile(name)
	if err != nil {
		panic(err) // the files are embedded
	}
	return strings.TrimSpace(string(text))
}
