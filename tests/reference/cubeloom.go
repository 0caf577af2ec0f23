package reference

import (
	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// Read reads all rows of a result.
func Read(res *cubeloom.Result) (*Result, error) {
	got := &Result{}
	if !res.HasRows() {
		return got, nil
	}
	for _, c := range res.Columns {
		got.Columns = append(got.Columns, Column{Name: c.Name, Type: TypeName(c.Type.Type)})
	}
	cursor := res.Cursor()
	for cursor.Next() {
		row := make([]Cell, len(res.Columns))
		for i := range row {
			row[i] = Cell{Text: cursor.Text(i), Null: cursor.IsNull(i)}
		}
		got.Rows = append(got.Rows, row)
	}
	return got, cursor.Err()
}

// typeNames are PostgreSQL's short names of the types that are no arrays.
var typeNames = map[algebra.Kind]string{
	algebra.Unknown: "text", algebra.JSONText: "json", algebra.JSONBinary: "jsonb", algebra.JSONPath: "jsonpath", algebra.Bool: "bool", algebra.Int16: "int2", algebra.Int32: "int4", algebra.Int64: "int8",
	algebra.Float64: "float8", algebra.Float32: "float4", algebra.Decimal: "numeric", algebra.Numeric: "numeric", algebra.Text: "text",
	algebra.Date: "date", algebra.Timestamp: "timestamp", algebra.TimestampTZ: "timestamptz", algebra.Interval: "interval", algebra.UUID: "uuid", algebra.Bytea: "bytea", algebra.Time: "time",
}

// TypeName is PostgreSQL's short name of a type.
func TypeName(t algebra.Type) string {
	if t.Kind == algebra.Array {
		return "_" + typeNames[t.Elem]
	}
	return typeNames[t.Kind]
}
