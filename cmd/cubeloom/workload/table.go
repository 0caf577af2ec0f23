package workload

import (
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
)

// NewTable describes a table of so many rows. Columns are names with types, each behind a comma
// and a blank: "a integer, b numeric(12,2)". All are NOT NULL.
func NewTable(name string, rows int64, columns string) Table {
	list := strings.Split(columns, ", ")
	fields := make([]arrow.Field, len(list))
	for i, column := range list {
		of, typ, _ := strings.Cut(column, " ")
		fields[i] = arrow.Field{Name: of, Type: arrowType(typ)}
	}
	ddl := "CREATE TABLE " + name + " (\n  " + strings.Join(list, " NOT NULL,\n  ") + " NOT NULL\n)"
	return Table{Name: name, DDL: ddl, Schema: arrow.NewSchema(fields, nil), Rows: rows}
}

// arrowType is the Arrow type of a type of SQL; any but those named here is text.
func arrowType(sql string) arrow.DataType {
	var precision, scale int32
	switch sql {
	case "integer":
		return arrow.PrimitiveTypes.Int32
	case "bigint":
		return arrow.PrimitiveTypes.Int64
	case "double precision":
		return arrow.PrimitiveTypes.Float64
	case "date":
		return arrow.FixedWidthTypes.Date32
	}
	if _, err := fmt.Sscanf(sql, "numeric(%d,%d)", &precision, &scale); err == nil {
		return &arrow.Decimal128Type{Precision: precision, Scale: scale}
	}
	return arrow.BinaryTypes.String
}
