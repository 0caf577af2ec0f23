package expression

import (
	"fmt"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// JSONArgs binds the arguments of a function that makes JSON. A row, ROW(…) or the name of
// a relation, is an object of its columns; isRow says of each whether it is one.
func JSONArgs(x *scope.Exprs, e *sql.FuncCall) (args []algebra.Expr, positions []sql.Pos, isRow []bool) {
	for _, arg := range e.Args {
		bound := wholeRow(x, arg, ",")
		row := bound != nil
		if !row {
			bound = x.Expr(arg)
		}
		args, positions, isRow = append(args, bound), append(positions, arg.Position()), append(isRow, row)
	}
	return args, positions, isRow
}

// wholeRow binds a row as an object of JSON, with a separator between its members; nil for
// what is no row.
func wholeRow(x *scope.Exprs, e sql.Expr, separator string) algebra.Expr {
	pos := e.Position()
	switch e := e.(type) {
	case *sql.Row:
		values, names := make([]algebra.Expr, len(e.Exprs)), make([]string, len(e.Exprs))
		for i, field := range e.Exprs {
			values[i] = x.Expr(field)
			names[i] = fmt.Sprintf("f%d", i+1)
		}
		return rowObject(x, names, values, separator, pos)
	case *sql.ColumnRef:
		columns, extended := x.WholeRow(e.Name)
		if columns == nil {
			return nil
		}
		values, names := make([]algebra.Expr, len(columns)), make([]string, len(columns))
		for i, c := range columns {
			ref := c.Ref()
			x.RefPos[ref] = int(pos)
			values[i], names[i] = ref, c.Name
		}
		object := rowObject(x, names, values, separator, pos)
		if !extended {
			return object
		}
		whens := lists.Map(values, func(v algebra.Expr) algebra.When { return algebra.When{Cond: term.NotNull(v), Then: object} })
		return &algebra.Case{Whens: whens, Typ: algebra.TJSON}
	}
	return nil
}

// rowObject is an object of JSON of names and values.
func rowObject(x *scope.Exprs, names []string, values []algebra.Expr, separator string, pos sql.Pos) algebra.Expr {
	parts, before := []algebra.Expr{term.TextConst("{")}, ""
	for i, v := range values {
		member := InJSONOrNull(x, v, pos)
		key := x.Folded(term.Call(value.JSONString, algebra.TText, pos, term.TextConst(names[i])))
		key = x.Folded(term.Call(algebra.Concat, algebra.TText, pos, term.TextConst(before), key))
		parts = append(parts, x.Folded(term.Call(algebra.Concat, algebra.TText, pos, key, term.TextConst(":"))), member)
		before = separator
	}
	return term.OfJSON("row_to_json", joinedTexts(append(parts, term.TextConst("}")), pos), pos)
}

// rowToJSON binds row_to_json(row[, pretty]).
func rowToJSON(x *scope.Exprs, name string, e *sql.FuncCall) algebra.Expr {
	separator := ","
	if len(e.Args) == 2 {
		if pretty, ok := e.Args[1].(*sql.Literal); !ok || pretty.Kind != sql.BoolLiteral {
			panic(term.NotSupported(e.Args[1].Position(), name+" with an argument that is not constant is"))
		} else if pretty.Text == "true" {
			separator = ",\n "
		}
	}
	if len(e.Args) == 1 || len(e.Args) == 2 {
		if row := wholeRow(x, e.Args[0], separator); row != nil {
			return row
		}
	}
	args, _, _ := JSONArgs(x, e)
	panic(term.NoFunction(name, args, e.Pos))
}
