package query

import (
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// parseView parses the text of a view's query.
func parseView(text string) (*sql.Query, error) {
	stmt, err := sql.Parse(text)
	if err != nil {
		return nil, err
	}
	q, ok := stmt.(*sql.Query)
	if !ok {
		return nil, value.Errorf(value.CodeInternal, "the text of a view is not a query")
	}
	return q, nil
}
