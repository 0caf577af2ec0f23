package value

import "strings"

// rowMarks are the characters that a field of a row has in quotes only.
const rowMarks = "\"\\(), \t\n\v\f\r"

// rowField is a field as the text of a row has it, in quotes where those are needed.
func rowField(m *Meter, a []Value) (Value, error) {
	needed := a[0].S == ""
	for chunk := range chunks(m, a[0].S) {
		needed = needed || strings.ContainsAny(chunk, rowMarks)
	}
	if !needed {
		return a[0], nil
	}
	w := maker{m: m}
	w.writeByte('"')
	for chunk := range chunks(m, a[0].S) {
		w.write(fieldQuotes.Replace(chunk))
	}
	w.writeByte('"')
	return textValue(w.String()), nil
}

var fieldQuotes = strings.NewReplacer(`"`, `""`, `\`, `\\`)
