package query

import (
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// writeAllowed refuses a statement that changes rows where it may not stand in WITH; top says that
// the WITH is that of the whole statement.
func writeAllowed(cte *sql.CTE, top bool) {
	if _, merge := cte.Write.(*sql.Merge); merge {
		panic(value.ErrorAt(int(cte.Name.Pos), value.CodeFeatureNotSupported, "MERGE not supported in WITH query"))
	}
	if !top {
		panic(value.ErrorAt(int(cte.Name.Pos), value.CodeFeatureNotSupported, "WITH clause containing a data-modifying statement must be at the top level"))
	}
}

// defineWrite binds a statement in WITH that changes rows, unless it is known what it returns.
func defineWrite(b *scope.Binder, entry *scope.Environment) {
	rel, known := b.Opts.Returned[entry.CTE]
	if !known {
		if entry.With != nil {
			defer open(b, entry)()
		}
		rel = b.Write(entry.CTE.Write, entry.Env)
		if rel != nil {
			rel.Ref.Name = entry.CTE.Name.Name
		}
		if b.Opts.Returned != nil {
			b.Opts.Returned[entry.CTE] = rel
		}
	}
	entry.Bound, entry.Returned = true, rel
	columns := 0
	if rel != nil {
		columns = len(rel.Columns)
	}
	checkNames(entry.CTE, columns)
}

// returned is one more reference to the rows that a statement in WITH returns.
func returned(b *scope.Binder, entry *scope.Environment, pos sql.Pos) *scope.Bound {
	if entry.Returned == nil {
		panic(value.ErrorAt(int(pos), value.CodeFeatureNotSupported, "WITH query %q does not have a RETURNING clause", entry.CTE.Name.Name))
	}
	node, _ := Scan(b, entry.Returned, entry.CTE.Name.Name, nil, int(pos))
	return &scope.Bound{Node: node}
}

// checkNames refuses more names of columns than an expression has columns.
func checkNames(cte *sql.CTE, columns int) {
	if len(cte.Columns) > columns {
		panic(value.ErrorAt(int(cte.Name.Pos), value.CodeInvalidColumnReference,
			"WITH query %q has %d columns available but %d columns specified", cte.Name.Name, columns, len(cte.Columns)))
	}
}

// open notes that an expression is being bound, which may name itself, until the function that it
// returns is called.
func open(b *scope.Binder, entry *scope.Environment) (done func()) {
	saved := entry.Recursion
	entry.Recursion = &scope.Recursion{}
	b.Open = append(b.Open, entry)
	return func() {
		b.Open = b.Open[:len(b.Open)-1]
		entry.Recursion = saved
	}
}
