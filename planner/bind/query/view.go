package query

import (
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// parseView parses the text of a view's query.
func parseView(text string) *sql.Query {
	stmt, err := sql.Parse(text)
	if err != nil {
		panic(err)
	}
	q, ok := stmt.(*sql.Query)
	if !ok {
		panic(value.Errorf(value.CodeInternal, "the text of a view is not a query"))
	}
	return q
}
