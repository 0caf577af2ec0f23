package value

import "strings"

// Format is the routine of format: (pattern, arguments, words), of the texts of the arguments and
// of the words that are written in quotes as names, between spaces.
const Format = "format"

var formatRoutines = map[string][]Routine{Format: {{Params: "sas", Result: 's', Metered: formatted}}}

func formatted(m *Meter, a []Value) (Value, error) {
	args := SplitArray(m, a[1].S)
	w := maker{m: m}
	for part := range FormatParts(a[0].S, len(args)) {
		if w.write(part.Text); part.Kind == 0 {
			continue
		}
		if part.WidthArg > 0 && !args[part.WidthArg-1].Null {
			width, err := ParseInt(args[part.WidthArg-1].Text, 32)
			if err != nil {
				return Value{}, err
			}
			part.Width = width
		}
		text, err := formatArgument(m, part.Kind, args[part.Arg-1], a[2].S)
		if err != nil {
			return Value{}, err
		}
		left := part.Left || part.Width < 0
		if width := max(part.Width, -part.Width); width > int64(length(m, text)) {
			text = pad(m, text, width, " ", !left)
		}
		w.write(text)
	}
	return textValue(w.String()), nil
}

// formatArgument is an argument as it is, as a literal or as a name.
func formatArgument(m *Meter, kind byte, arg Item, words string) (string, error) {
	switch {
	case kind == 'I' && arg.Null:
		return "", Errorf(CodeNullNotAllowed, "null values cannot be formatted as an SQL identifier")
	case kind == 'I':
		return quotedName(m, arg.Text, words), nil
	case kind == 'L' && arg.Null:
		return "NULL", nil
	case kind == 'L':
		return quotedLiteral(m, arg.Text), nil
	}
	return arg.Text, nil
}

// quotedName is a name as SQL reads it: without quotes where that is of small letters, digits and
// underscores, does not start with a digit, and is none of the words.
func quotedName(m *Meter, name, words string) string {
	if name != "" && isIdentByte(name[0], false) && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == "" && !strings.Contains(words, " "+name+" ") {
		return name
	}
	return `"` + Replace(m, name, `"`, `""`) + `"`
}

// quotedLiteral is a text as a literal of SQL.
func quotedLiteral(m *Meter, text string) string {
	prefix := ""
	if strings.Contains(text, `\`) {
		prefix, text = "E", Replace(m, text, `\`, `\\`)
	}
	return prefix + "'" + Replace(m, text, "'", "''") + "'"
}
