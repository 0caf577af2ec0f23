package expression

import (
	"fmt"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
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
	row := rowOf(x, e)
	if row == nil {
		return nil
	}
	return row.made(rowObject(x, row.names, row.values, separator, e.Position()))
}

// rowValue is a row, ROW(…) or the name of a relation.
type rowValue struct {
	names    []string
	values   []algebra.Expr
	extended bool // an outer join may have NULL in its place
}

// rowOf binds a row; nil for what is none.
func rowOf(x *scope.Exprs, e sql.Expr) *rowValue {
	row := &rowValue{}
	switch e := e.(type) {
	case *sql.Row:
		for i, field := range e.Exprs {
			row.names, row.values = append(row.names, fmt.Sprintf("f%d", i+1)), append(row.values, x.Expr(field))
		}
		return row
	case *sql.ColumnRef:
		columns, extended := x.WholeRow(e.Name)
		for _, c := range columns {
			ref := c.Ref()
			x.RefPos[ref] = int(e.Position())
			row.names, row.values = append(row.names, c.Name), append(row.values, ref)
		}
		if row.extended = extended; columns != nil {
			return row
		}
	}
	return nil
}

// made is what is made of a row; NULL where an outer join has NULL in its place.
func (r *rowValue) made(of algebra.Expr) algebra.Expr {
	if !r.extended {
		return of
	}
	whens := lists.Map(r.values, func(v algebra.Expr) algebra.When { return algebra.When{Cond: term.NotNull(v), Then: of} })
	return &algebra.Case{Whens: whens, Typ: of.Type()}
}

// rowText binds a row as the text that PostgreSQL writes of it; nil for what is no row.
func rowText(x *scope.Exprs, e sql.Expr) algebra.Expr {
	row, pos := rowOf(x, e), e.Position()
	if row == nil {
		return nil
	}
	parts := []algebra.Expr{term.TextConst("(")}
	for i, v := range row.values {
		if i > 0 {
			parts = append(parts, term.TextConst(","))
		}
		if v.Type().Kind == algebra.Bool {
			v = term.BoolOutput(v)
		}
		text := convert.Coerce(x, convert.Shown(x.Binder, v), algebra.TText, sqltype.Assignment, pos)
		field := x.Folded(term.Call(value.RowField, algebra.TText, pos, text))
		parts = append(parts, x.Folded(term.Coalesce([]algebra.Expr{field, term.TextConst("")}, algebra.TText)))
	}
	return row.made(joinedTexts(append(parts, term.TextConst(")")), pos))
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
