package value

import (
	"fmt"
	"strings"
)

// The routines that json_build_object is made of: a text as a string of JSON, the text
// of a floating number as a number or, where JSON has none, as a string, and a key with
// the number of its argument and whether that is NULL.
const (
	JSONString = "json string"
	JSONNumber = "json number"
	JSONKey    = "json key"
)

var jsonRoutines = map[string][]Routine{
	JSONString: {{Params: "s", Result: 's', Metered: jsonString}},
	JSONNumber: {{Params: "s", Result: 's', Metered: jsonNumber}},
	JSONKey:    {{Params: "swb", Result: 's', Metered: jsonKey}},
}

// jsonEscape is how a character stands in a string of JSON; "" for those that stand as
// they are.
func jsonEscape(r rune) string {
	switch r {
	case '"', '\\':
		return `\` + string(r)
	case '\b':
		return `\b`
	case '\f':
		return `\f`
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	}
	if r < ' ' {
		return fmt.Sprintf(`\u%04x`, r)
	}
	return ""
}

func jsonString(m *Meter, args []Value) (Value, error) {
	w := maker{m: m}
	err := w.write(`"`)
	for chunk := range chunks(m, args[0].S, &err) {
		from := 0
		for i, r := range chunk {
			escape := jsonEscape(r)
			if escape == "" {
				continue
			}
			if err := w.write(chunk[from:i]); err != nil {
				return Value{}, err
			}
			if err := w.write(escape); err != nil {
				return Value{}, err
			}
			from = i + 1
		}
		if err := w.write(chunk[from:]); err != nil {
			return Value{}, err
		}
	}
	if err == nil {
		err = w.write(`"`)
	}
	return textValue(w.out.String()), err
}

func jsonNumber(m *Meter, args []Value) (Value, error) {
	if strings.ContainsAny(args[0].S, "NI") { // NaN and the infinities
		return jsonString(m, args)
	}
	return args[0], nil
}

func jsonKey(m *Meter, args []Value) (Value, error) {
	if args[2].B {
		return Value{}, &Error{
			Code: CodeInvalidParameter, Message: fmt.Sprintf("argument %d cannot be null", args[1].I),
			Hint: "Object keys should be text.", Pos: NoPos,
		}
	}
	return jsonString(m, args)
}
