package write

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// change binds a DELETE or UPDATE.
type change struct {
	*scope.Binder
	env    *scope.Environment
	target *scope.Relation
	// written is what becomes of the target; nil where it is open to all.
	written *scope.Access
	node    algebra.Node
	scope   *scope.Scope
	at      algebra.Column // the position of its row
	// generated are the generated columns that what is set changes.
	generated []int
	// next are the columns with values of sequences, by the column that is set to DEFAULT.
	next  map[int]algebra.Column
	guard algebra.Expr // what must be true of a row for them to be computed; nil: nothing
}

// targetTable finds the table that a statement changes.
func targetTable(b *scope.Binder, name sql.Name, verb string) *scope.Relation {
	pos := int(name[0].Pos)
	target := b.LookUp(name)
	switch {
	case target == nil:
		panic(value.ErrorAt(pos, value.CodeUndefinedTable, "relation %q does not exist", name.Dotted()))
	case target.View != "" && verb == mergeInto:
		e := value.Errorf(value.CodeFeatureNotSupported, "cannot execute MERGE on relation %q", name.Dotted())
		e.Detail = "This operation is not supported for views."
		panic(e)
	case target.View != "":
		panic(value.ErrorAt(pos, value.CodeWrongObjectType, "cannot %s view %q", verb, name.Dotted()))
	case target.Materialized && verb == "copy to":
		panic(value.Errorf(value.CodeWrongObjectType, "cannot copy to materialized view %q", target.Ref.Name))
	case target.Materialized && verb != "alter": // of which a type was altered
		panic(value.Errorf(value.CodeWrongObjectType, "cannot change materialized view %q", target.Ref.Name))
	}
	return target
}

// targetAlias is what the expressions of a statement call the table that it
// changes.
func targetAlias(name sql.Name, alias sql.Ident) string {
	if alias.Name != "" {
		return alias.Name
	}
	return name[len(name)-1].Name
}

// inSchema says of the scope of the table that a statement changes in which schema it is, unless
// it has an alias.
func inSchema(sc *scope.Scope, target *scope.Relation, name sql.Name, alias sql.Ident) *scope.Scope {
	schema := ""
	if alias.Name == "" {
		schema = target.SchemaAs(name)
	}
	sc.Is(schema, target.Ref.Name)
	return sc
}

// TargetColumns returns the positions in a table of the columns that INSERT or
// COPY lists; an empty list is all of them.
func TargetColumns(target *scope.Relation, names []sql.Ident, elements [][]sql.Bounds) []int {
	var columns []int
	if len(names) == 0 {
		for i := range target.Columns {
			columns = append(columns, i)
		}
		return columns
	}
	seen, whole := make(map[int]bool), make(map[int]bool)
	for n, id := range names {
		found := find(target, id.Name)
		if found < 0 {
			panic(value.ErrorAt(int(id.Pos), value.CodeUndefinedColumn,
				"column %q of relation %q does not exist", id.Name, target.Ref.Name))
		}
		part := elements != nil && elements[n] != nil
		if whole[found] || seen[found] && !part {
			panic(value.ErrorAt(int(id.Pos), value.CodeDuplicateColumn, "column %q specified more than once", id.Name))
		}
		seen[found], whole[found] = true, whole[found] || !part
		columns = append(columns, found)
	}
	return columns
}

// mergeInto is what messages call MERGE.
const mergeInto = "merge into"

// find returns the position of a column; -1 for none.
func find(r *scope.Relation, name string) int {
	for i := range r.Columns {
		if r.Columns[i].Name == name {
			return i
		}
	}
	return -1
}
