package transfer

import (
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/store/csvfile"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// copyOptions are the options of a COPY as the files take them.
func copyOptions(stmt *sql.Copy) []csvfile.Option {
	options := make([]csvfile.Option, len(stmt.Options))
	for i, o := range stmt.Options {
		options[i] = csvfile.Option{Name: o.Name, Value: o.Value, List: o.List, Bare: o.Bare, Pos: int(o.Pos)}
	}
	return options
}

// copyUse is what COPY opens a file or a stream for.
func copyUse(stmt *sql.Copy) csvfile.Use {
	if stmt.From {
		return csvfile.CopyFrom
	}
	return csvfile.CopyTo
}

// checkForced fails where an option of COPY names a column that is not among those that
// are copied, or, with another error, not among all of a table.
func checkForced(stmt *sql.Copy, copied, all []string) {
	for _, o := range stmt.Options {
		for _, name := range o.List {
			switch {
			case slices.Contains(copied, name):
			case slices.Contains(all, name):
				panic(value.Errorf(value.CodeInvalidColumnReference, "%s column \"%s\" not referenced by COPY", strings.ToUpper(o.Name), name))
			case len(stmt.Table) > 0:
				panic(value.Errorf(value.CodeUndefinedColumn, "column \"%s\" of relation \"%s\" does not exist", name, stmt.Table[len(stmt.Table)-1].Name))
			default:
				panic(value.Errorf(value.CodeUndefinedColumn, "column \"%s\" does not exist", name))
			}
		}
	}
}

// copiedQuery is the query whose rows COPY TO writes, where they are not those of an sql.Change.
func copiedQuery(stmt *sql.Copy) *sql.Query {
	if q, ok := stmt.Query.(*sql.Query); ok {
		return q
	}
	items := []sql.SelectItem{{Expr: &sql.Star{Pos: stmt.Pos}}}
	if len(stmt.Columns) > 0 {
		items = items[:0]
		for _, col := range stmt.Columns {
			items = append(items, sql.SelectItem{Expr: &sql.ColumnRef{Name: sql.Name{col}}})
		}
	}
	from := []sql.TableExpr{&sql.TableName{Name: stmt.Table}}
	return &sql.Query{Body: &sql.Select{Items: items, From: from, Pos: stmt.Pos}, Pos: stmt.Pos}
}

// withoutGenerated is a COPY TO that lists the columns of its table which are not generated, where
// there are others. It panics with 42P10 where it lists one of those.
func withoutGenerated(s *session.Session, stmt *sql.Copy) *sql.Copy {
	if len(stmt.Table) == 0 {
		return stmt
	}
	rel, err := catalog.Of(s).Relation(stmt.Table.Parts())
	if rel == nil || err != nil {
		return stmt // the query says what is wrong
	}
	for _, id := range stmt.Columns {
		if rel.View == "" && !slices.ContainsFunc(rel.Columns, func(c planner.CatalogColumn) bool { return c.Name == id.Name }) {
			panic(value.Errorf(value.CodeUndefinedColumn, "column %q of relation %q does not exist", id.Name, rel.Ref.Name))
		}
	}
	var plain []sql.Ident
	for _, c := range rel.Columns {
		id := sql.Ident{Name: c.Name, Pos: stmt.Pos}
		switch {
		case c.Generated == "":
			plain = append(plain, id)
		case slices.ContainsFunc(stmt.Columns, func(listed sql.Ident) bool { return listed.Name == c.Name }):
			panic(planner.ErrCopyGenerated(c.Name))
		}
	}
	if len(stmt.Columns) > 0 || len(plain) == len(rel.Columns) {
		return stmt
	}
	listed := *stmt
	listed.Columns = plain
	return &listed
}

// copyColumns counts the columns that COPY reads or writes.
func copyColumns(s *session.Session, stmt *sql.Copy) (_ int, err error) {
	defer sqlstate.Catch(&err)
	if !stmt.From {
		stmt = withoutGenerated(s, stmt)
		var rows sql.Statement = copiedQuery(stmt)
		switch change := stmt.Query.(type) {
		case *sql.Merge:
			panic(value.Errorf(value.CodeFeatureNotSupported, "MERGE not supported in COPY"))
		case sql.Change:
			rows = change
		}
		plan := sqlstate.Must(planner.BuildStatement(rows, catalog.Of(s), query.Explaining(s)))
		sqlstate.Check(catalog.Permit(s, plan.Source.Access))
		if !plan.Returns {
			panic(value.Errorf(value.CodeFeatureNotSupported, "COPY query must have a RETURNING clause"))
		}
		copied := lists.Map(plan.Source.Columns[plan.Own:], func(c algebra.Column) string { return c.Name })
		checkForced(stmt, copied, columnsOf(s, stmt.Table))
		return len(copied), nil
	}
	plan := sqlstate.Must(planCopy(s, stmt, nil))
	all := columnsOf(s, stmt.Table)
	copied := lists.Map(plan.Columns, func(c int) string { return all[c] })
	checkForced(stmt, copied, all)
	return len(copied), nil
}

// columnsOf are the names of the columns of a table; none of no name.
func columnsOf(s *session.Session, name sql.Name) []string {
	if len(name) == 0 {
		return nil
	}
	rel, err := catalog.Of(s).Relation(name.Parts())
	if err != nil || rel == nil {
		return nil
	}
	return lists.Map(rel.Columns, func(c scope.CatalogColumn) string { return c.Name })
}

// planCopy plans COPY FROM, and checks that the session may run it. Read is as for
// planner.BuildCopy.
func planCopy(s *session.Session, stmt *sql.Copy, read *planner.Relation) (*planner.CopyPlan, error) {
	plan, err := planner.BuildCopy(stmt, read, catalog.Of(s), query.Options(s))
	if err == nil {
		err = catalog.Permit(s, plan.Source.Access)
	}
	return plan, err
}
