package expression

import (
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// A value of a row type is held as the text that PostgreSQL writes of it in the session's
// style. What it was made of the binder remembers (Binder.RowValues), so that the fields of a
// row that was made in the same query are read where they come from.

// row binds ROW(…).
func row(x *scope.Exprs, e *sql.Row) algebra.Expr {
	v := &scope.RowValue{}
	var fields []algebra.Field
	for _, entry := range e.Exprs {
		entries, ok := Spread(x, entry)
		if !ok {
			entries = []algebra.Item{{Expr: x.Expr(entry)}}
		}
		for _, f := range entries {
			fields = append(fields, algebra.Field{Name: fmt.Sprintf("f%d", len(fields)+1), Type: f.Expr.Type()})
			v.Fields = append(v.Fields, convert.ResolveUnknown(x, f.Expr, entry.Position()))
		}
	}
	return rowMade(x, v, algebra.TRow("record", fields), e.Pos)
}

// Spread are the items that t.* and (x).* stand for in a list, whose columns have names only;
// ok is false for other expressions.
func Spread(x *scope.Exprs, e sql.Expr) (items []algebra.Item, ok bool) {
	item := func(name string, e algebra.Expr) algebra.Item {
		return algebra.Item{Column: algebra.Column{Name: name}, Expr: e}
	}
	switch e := e.(type) {
	case *sql.Star:
		return lists.Map(x.Expand(e), func(c algebra.Column) algebra.Item { return item(c.Name, reference(x, c, e.Pos)) }), true
	case *sql.Field:
		if !e.Star {
			break
		}
		of := convert.Resolved(x, e.X)
		if of.Type().Kind != algebra.Record {
			panic(value.Errorf(value.CodeWrongObjectType, "type %s is not composite", sqltype.Name(of.Type())))
		}
		fields := rowFields(x, of, e.Position()).Fields
		for i, f := range of.Type().Fields() {
			items = append(items, item(f.Name, fields[i]))
		}
		return items, true
	}
	return nil, false
}

// reference refers to a column at a place of the text.
func reference(x *scope.Exprs, c algebra.Column, pos sql.Pos) algebra.Expr {
	ref := c.Ref()
	x.RefPos[ref] = int(pos)
	return ref
}

// rowNamed is the row that a name stands for; nil where it stands for none.
func rowNamed(x *scope.Exprs, e *sql.ColumnRef) *scope.WholeRow {
	row := x.RowNamed(e.Name)
	if row != nil && x.Alone != "" {
		panic(term.NotSupported(e.Position(), "a whole row in "+x.Alone+" is"))
	}
	return row
}

// wholeRow is the row of a relation.
func wholeRow(x *scope.Exprs, of *scope.WholeRow, pos sql.Pos) algebra.Expr {
	v := &scope.RowValue{Fields: lists.Map(of.Columns, func(c algebra.Column) algebra.Expr { return reference(x, c, pos) })}
	fields := lists.Map(of.Columns, func(c algebra.Column) algebra.Field { return algebra.Field{Name: c.Name, Type: c.Type} })
	if of.Extended {
		v.Present = term.Connect(algebra.Or, lists.Map(v.Fields, term.NotNull), pos)
	}
	return rowMade(x, v, algebra.TRow(of.Type, fields), pos)
}

// rowMade is a value of a row type, made of its fields.
func rowMade(x *scope.Exprs, v *scope.RowValue, typ algebra.Type, pos sql.Pos) algebra.Expr {
	parts := []algebra.Expr{term.TextConst("(")}
	for i, f := range v.Fields {
		if i > 0 {
			parts = append(parts, term.TextConst(","))
		}
		if f.Type().Kind == algebra.Bool {
			f = term.BoolOutput(f)
		}
		text := convert.Coerce(x, convert.Shown(x.Binder, f), algebra.TText, sqltype.Assignment, pos)
		field := x.Folded(term.Call(value.RowField, algebra.TText, pos, text))
		parts = append(parts, x.Folded(term.Coalesce([]algebra.Expr{field, term.TextConst("")}, algebra.TText)))
	}
	made := present(v, x.Folded(term.Call(value.RowMade, typ, pos, joinedTexts(append(parts, term.TextConst(")")), pos))))
	x.RowValues[made] = v
	return made
}

// present is what is made of a row, NULL where the row is as a whole.
func present(v *scope.RowValue, made algebra.Expr) algebra.Expr {
	if v.Present == nil {
		return made
	}
	return &algebra.Case{Whens: []algebra.When{{Cond: v.Present, Then: made}}, Typ: made.Type()}
}

// rowFields are the fields of a value of a row type.
func rowFields(x *scope.Exprs, row algebra.Expr, pos sql.Pos) *scope.RowValue {
	if v := x.RowValues[row]; v != nil {
		return v
	}
	v := &scope.RowValue{Present: term.NotNull(row)}
	for i, f := range row.Type().Fields() {
		part := algebra.Expr(term.Call(value.RowPart, algebra.TText, pos, row, term.Int32Const(int64(i))))
		switch {
		case f.Type == algebra.TUnknown:
		case f.Type.Kind == algebra.Record:
			part = term.Call(value.RowMade, f.Type, pos, part)
		case f.Type.Alias.IsName():
			part = convert.ObjectNamed(x, part, f.Type.Alias, pos)
		default:
			part = convert.Coerce(x, part, f.Type, sqltype.Explicit, pos)
		}
		v.Fields = append(v.Fields, x.Folded(part))
	}
	return v
}

// RowFields are the fields of a row that a function takes as its first argument.
func RowFields(x *scope.Exprs, function string, row algebra.Expr, pos sql.Pos) []algebra.Expr {
	switch row.Type().Kind {
	case algebra.Record:
		return rowFields(x, row, pos).Fields
	case algebra.Unknown:
		panic(value.Errorf(value.CodeDatatypeMismatch, "could not determine polymorphic type because input has type unknown"))
	}
	panic(value.Errorf(value.CodeDatatypeMismatch, "first argument of %s must be a row type", function))
}

// rowOfNulls is NULL as a row of the table that a type name stands for; nil where e is none.
func rowOfNulls(x *scope.Exprs, e *sql.Cast) algebra.Expr {
	literal, ok := e.X.(*sql.Literal)
	if !ok || literal.Kind != sql.NullLiteral || e.Type.Path == nil || e.Type.Array {
		return nil
	}
	table := x.LookUp(lists.Map(e.Type.Path, func(part string) sql.Ident { return sql.Ident{Name: part, Pos: e.Type.Pos} }))
	if table == nil || table.View != "" {
		return nil
	}
	v := &scope.RowValue{Present: &algebra.Const{Typ: algebra.TBool, Val: value.Value{Kind: value.Bool}}}
	var fields []algebra.Field
	for _, c := range table.Columns {
		fields = append(fields, algebra.Field{Name: c.Name, Type: c.Type})
		v.Fields = append(v.Fields, &algebra.Const{Typ: c.Type})
	}
	row := &algebra.Const{Typ: algebra.TRow(e.Type.Path[len(e.Type.Path)-1], fields)}
	x.RowValues[row] = v
	return row
}

// field binds (x).name.
func field(x *scope.Exprs, e *sql.Field) algebra.Expr {
	if e.Star {
		panic(value.ErrorAt(int(e.Position()), value.CodeFeatureNotSupported, "row expansion via \"*\" is not supported here"))
	}
	if ref, ok := e.X.(*sql.ColumnRef); ok && rowNamed(x, ref) != nil {
		return x.Expr(&sql.ColumnRef{Name: append(slices.Clip(ref.Name), e.Name)})
	}
	of := convert.Resolved(x, e.X)
	typ, pos := of.Type(), int(e.Position())
	if typ.Kind != algebra.Record {
		panic(value.ErrorAt(pos, value.CodeWrongObjectType,
			"column notation .%s applied to type %s, which is not a composite type", e.Name.Name, sqltype.Name(typ)))
	}
	at := slices.IndexFunc(typ.Fields(), func(f algebra.Field) bool { return f.Name == e.Name.Name })
	switch {
	case at >= 0:
		return rowFields(x, of, e.Position()).Fields[at]
	case typ.String() == "record":
		panic(value.ErrorAt(pos, value.CodeUndefinedColumn, "could not identify column %q in record data type", e.Name.Name))
	}
	panic(value.ErrorAt(pos, value.CodeUndefinedColumn, "column %q not found in data type %s", e.Name.Name, typ))
}

// joinedTexts are texts behind each other.
func joinedTexts(parts []algebra.Expr, pos sql.Pos) algebra.Expr {
	for len(parts) > 1 {
		pairs := parts[:0:0]
		for i := 0; i+1 < len(parts); i += 2 {
			pairs = append(pairs, term.Call(algebra.Concat, algebra.TText, pos, parts[i], parts[i+1]))
		}
		if len(parts)%2 == 1 {
			pairs = append(pairs, parts[len(parts)-1])
		}
		parts = pairs
	}
	return parts[0]
}
