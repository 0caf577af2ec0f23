package storetest

import (
	"encoding/json"
	"fmt"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"pgregory.net/rapid"

	"github.com/cubeloom/cubeloom/sql/value"
)

// Nested draws a record with a column of structures, lists and maps within each other, which is
// named n, and its values as jsonb; "" is NULL.
func Nested(t *rapid.T) (arrow.Record, []string) {
	typ := arrow.StructOf(
		arrow.Field{Name: "first", Type: nestedType(t, 3), Nullable: true},
		arrow.Field{Name: "b", Type: arrow.ListOf(nestedType(t, 2)), Nullable: true},
	)
	builder := array.NewBuilder(memory.DefaultAllocator, typ)
	want := make([]string, rapid.IntRange(1, 20).Draw(t, "rows"))
	for i := range want {
		v := nestedValue(t, typ)
		fill(builder, v)
		if v == nil {
			continue
		}
		text, err := json.Marshal(v)
		if err == nil {
			want[i], err = value.JSONB(nil, string(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	schema := arrow.NewSchema([]arrow.Field{{Name: "n", Type: typ, Nullable: true}}, nil)
	return array.NewRecord(schema, []arrow.Array{builder.NewArray()}, int64(len(want))), want
}

func nestedType(t *rapid.T, depth int) arrow.DataType {
	kinds := 2
	if depth > 0 {
		kinds = 5
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
	case 0:
		return arrow.PrimitiveTypes.Int64
	case 1:
		return arrow.BinaryTypes.String
	case 2:
		return arrow.ListOf(nestedType(t, depth-1))
	case 3:
		return arrow.MapOf(arrow.BinaryTypes.String, nestedType(t, depth-1))
	}
	fields := make([]arrow.Field, rapid.IntRange(1, 3).Draw(t, "fields"))
	for i := range fields {
		fields[i] = arrow.Field{Name: fmt.Sprint("f\"", i), Type: nestedType(t, depth-1), Nullable: true}
	}
	return arrow.StructOf(fields...)
}

// nestedValue draws a value of a type as package json has it.
func nestedValue(t *rapid.T, typ arrow.DataType) any {
	if rapid.IntRange(0, 3).Draw(t, "null") == 0 {
		return nil
	}
	switch typ := typ.(type) {
	case *arrow.Int64Type:
		return rapid.Int64().Draw(t, "int")
	case *arrow.ListType:
		list := make([]any, rapid.IntRange(0, 3).Draw(t, "length"))
		for i := range list {
			list[i] = nestedValue(t, typ.Elem())
		}
		return list
	case *arrow.MapType:
		entries := make(map[string]any)
		for range rapid.IntRange(0, 3).Draw(t, "entries") {
			entries[rapid.StringMatching(`[a-c"]*`).Draw(t, "key")] = nestedValue(t, typ.ItemType())
		}
		return entries
	case *arrow.StructType:
		fields := make(map[string]any)
		for _, f := range typ.Fields() {
			fields[f.Name] = nestedValue(t, f.Type)
		}
		return fields
	}
	return rapid.StringMatching(`[a-c"{\\]*`).Draw(t, "text")
}

// fill appends a value.
func fill(b array.Builder, v any) {
	if v == nil {
		b.AppendNull()
		return
	}
	switch b := b.(type) {
	case *array.Int64Builder:
		b.Append(v.(int64))
	case *array.StringBuilder:
		b.Append(v.(string))
	case *array.MapBuilder:
		b.Append(true)
		for key, item := range v.(map[string]any) {
			fill(b.KeyBuilder(), key)
			fill(b.ItemBuilder(), item)
		}
	case *array.ListBuilder:
		b.Append(true)
		for _, elem := range v.([]any) {
			fill(b.ValueBuilder(), elem)
		}
	case *array.StructBuilder:
		b.Append(true)
		for i, f := range b.Type().(*arrow.StructType).Fields() {
			fill(b.FieldBuilder(i), v.(map[string]any)[f.Name])
		}
	}
}

// CheckNested compares a column of jsonb, in rows as Rows returns them, with what Nested has drawn.
func CheckNested(t *rapid.T, rows [][]value.Value, want []string) {
	if len(rows) != len(want) {
		t.Fatalf("%d rows, want %d", len(rows), len(want))
	}
	for i, row := range rows {
		if row[0].S != want[i] {
			t.Fatalf("row %d: got %s, want %s", i, row[0].S, want[i])
		}
	}
}
