package sql

import (
	"fmt"
	"reflect"
	"strings"
)

// Tree returns a statement's syntax tree as text: a line for each node and each of its
// fields that is not empty, and the position of a node behind its name.
func Tree(s Statement) string {
	var out strings.Builder
	writeTree(&out, "", "", reflect.ValueOf(s))
	return out.String()
}

// writeTree writes a value below a field's name.
func writeTree(out *strings.Builder, indent, field string, v reflect.Value) {
	for v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return
		}
		v = v.Elem()
	}
	if v.IsZero() {
		return
	}
	label := indent
	if field != "" {
		label += field + ": "
	}
	switch v.Kind() {
	case reflect.Struct:
		if id, ok := v.Interface().(Ident); ok {
			fmt.Fprintf(out, "%s%s%s\n", label, id.Name, place(v))
			return
		}
		fmt.Fprintf(out, "%s%s%s\n", label, v.Type().Name(), place(v))
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.Type != reflect.TypeFor[Pos]() {
				writeTree(out, indent+"  ", f.Name, v.Field(i))
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			writeTree(out, indent, fmt.Sprintf("%s %d", field, i+1), v.Index(i))
		}
	case reflect.String:
		fmt.Fprintf(out, "%s%q\n", label, v)
	default:
		fmt.Fprintf(out, "%s%v\n", label, v)
	}
}

// place is where a node begins, as " @12", if it says so.
func place(v reflect.Value) string {
	if pos := v.FieldByName("Pos"); pos.IsValid() && pos.Type() == reflect.TypeFor[Pos]() {
		return fmt.Sprintf(" @%d", pos.Int())
	}
	return ""
}
