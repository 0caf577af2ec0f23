package sql

import "reflect"

// MoveTo sets all positions of a syntax tree to one: that of what the tree stands for in
// another text.
func MoveTo(tree Expr, pos Pos) { moveTo(reflect.ValueOf(tree), reflect.ValueOf(pos)) }

func moveTo(v, pos reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			moveTo(v.Elem(), pos)
		}
	case reflect.Slice:
		for i := range v.Len() {
			moveTo(v.Index(i), pos)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			moveTo(v.Field(i), pos)
		}
	default:
		if v.Type() == pos.Type() {
			v.Set(pos)
		}
	}
}
