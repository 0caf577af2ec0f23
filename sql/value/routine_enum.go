package value

// EnumIn reads the text of a value of an enum, and EnumOut writes it. Their first argument is
// the type, as Element.String writes it. A value is the position of its label.
const (
	EnumIn  = "enum in"
	EnumOut = "enum out"
)

var enumRoutines = map[string][]Routine{
	EnumIn: {{Params: "ss", Result: 'e', Call: func(a []Value) (Value, error) {
		return elementOf(a[0].S).Parse(a[1].S, true)
	}}},
	EnumOut: {{Params: "se", Result: 's', Call: func(a []Value) (Value, error) {
		return textValue(elementOf(a[0].S).Text(a[1])), nil
	}}},
}
