package transfer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
)

// sequences are those that are exported.
func (e *exporting) sequences(do func(q *store.Sequence)) {
	for _, o := range e.state.Objects() {
		if q, ok := o.(*store.Sequence); ok && q.Schema() != store.TemporarySchema {
			do(q)
		}
	}
}

// sequenceDefinitions writes the statements that make sequences, but for those of identity
// columns, which their tables make.
func (e *exporting) sequenceDefinitions(out *strings.Builder) {
	e.sequences(func(q *store.Sequence) {
		if q.Identity != "" {
			return
		}
		fmt.Fprintf(out, "\nCREATE SEQUENCE %s AS %s%s;\n", exportedName(store.KeyOf(q)), algebra.Type{Kind: q.Type}, catalog.SequenceOptions(q))
		e.comments(out, q)
	})
}

// sequenceOwners writes to which columns sequences belong, and where they stand.
func (e *exporting) sequenceOwners(out *strings.Builder) {
	e.sequences(func(q *store.Sequence) {
		if q.OwnerTable != "" && q.Identity == "" {
			fmt.Fprintf(out, "\nALTER SEQUENCE %s OWNED BY %s.%s;\n", exportedName(store.KeyOf(q)), exportedName(q.OwnerTable), pgcatalog.QuoteName(q.OwnerColumn))
		}
		at := q.Position()
		fmt.Fprintf(out, "SELECT setval(%s, %d, %t);\n", pgcatalog.QuoteText(exportedName(store.KeyOf(q))), at.Last, at.Called)
	})
}

// defaultOf is what the definition of a column says of its default.
func (e *exporting) defaultOf(c *store.Column) string {
	q, ok := e.state.Lookup(c.SequenceOf()).(*store.Sequence)
	switch {
	case c.Generated() != "":
		return "GENERATED ALWAYS AS (" + c.Generated() + "\n) STORED" // a comment may end the text
	case !ok && c.Default == "":
		return ""
	case !ok:
		return "DEFAULT " + c.Default
	case q.Identity == "" || q.OwnerColumn != c.Name:
		return "DEFAULT nextval(" + pgcatalog.QuoteText(exportedName(store.KeyOf(q))) + ")"
	}
	when := "BY DEFAULT"
	if q.Identity == store.Always {
		when = "ALWAYS"
	}
	return fmt.Sprintf("GENERATED %s AS IDENTITY (SEQUENCE NAME %s%s)", when, exportedName(store.KeyOf(q)), catalog.SequenceOptions(q))
}

// setsSequence reports whether a query is one of those by which sequenceOwners says where a
// sequence stands.
func setsSequence(q *sql.Query) bool {
	body, ok := q.Body.(*sql.Select)
	if !ok || len(body.Items) != 1 || len(body.From) > 0 || body.Where != nil {
		return false
	}
	call, ok := body.Items[0].Expr.(*sql.FuncCall)
	return ok && call.Name[len(call.Name)-1].Name == "setval" && !slices.ContainsFunc(call.Args, func(e sql.Expr) bool {
		if unary, ok := e.(*sql.Unary); ok {
			e = unary.X
		}
		_, literal := e.(*sql.Literal)
		return !literal
	})
}
