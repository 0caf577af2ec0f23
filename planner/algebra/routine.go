package algebra

import (
	"strconv"
	"strings"
	"time"

	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// LimitedBy is the name of the type whose length bounds a text, as value.Clip takes it.
func LimitedBy(t Type) string {
	if t.Padded {
		return value.LimitedChar
	}
	return value.LimitedVarchar
}

// ShownElement is how a session with a style and a zone, of which nil is UTC, reads and writes the
// elements of an array.
func ShownElement(array Type, style value.Style, zone *time.Location) value.Shown {
	return value.Shown{Element: ElementOf(array), Style: style, Zone: zone}
}

// ElementOf is what package value knows of the type of an array's elements.
func ElementOf(array Type) value.Element {
	elem := array.Element()
	e := value.Element{Letter: kinds[elem.Kind].letter, Precision: elem.Precision, Scale: elem.Scale, Length: elem.Length}
	switch {
	case elem.Kind == Int16:
		e.Letter = 'h'
	case elem.Kind == Decimal:
		e.Letter = 'n'
	case elem.Kind == Enum:
		e.Labels = elem.Enum.labels()
	case elem.IsChar():
		e.Letter = 'c'
	}
	return e
}

// RoutineType is the type that a letter of a value.Routine stands for.
func RoutineType(letter byte) Type {
	for k, row := range kinds {
		if row.letter == letter && letter != 0 {
			return Type{Kind: Kind(k)}
		}
	}
	return TUnknown
}

// Routine finds the value.Routine that a call is one of, and the letters of its
// parameters.
func Routine(e *Call) (r value.Routine, ok bool) {
	if value.Routines(string(e.Func)) == nil {
		return r, false
	}
	params := lists.Map(e.Args, func(arg Expr) byte { return kinds[arg.Type().Kind].letter })
	return value.FindRoutine(string(e.Func), string(params))
}

// FieldTypes is what value.RowKey knows of the fields of a row type.
func FieldTypes(row Type) string {
	var types strings.Builder
	for _, f := range row.Fields() {
		t := fieldType(f.Type)
		types.WriteString(strconv.Itoa(len(t)) + " " + t)
	}
	return types.String()
}

func fieldType(t Type) string {
	switch {
	case t.Kind == Record:
		return "(" + FieldTypes(t) + ")"
	case t.Kind == Array:
		return "[" + ElementOf(t).String() + "]"
	case t.Alias.IsName():
		return "s"
	}
	return ElementOf(TArray(t)).String()
}
