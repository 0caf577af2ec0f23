package value

import (
	"iter"
	"slices"
	"strconv"
	"strings"
)

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

// rowFields are the fields of a row's text. That of a row without any has one that is NULL.
func rowFields(m *Meter, row string) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		for rest := row; len(rest) > 1; {
			var item Item
			if item, rest = cutField(m, rest[1:]); !yield(item) {
				return
			}
		}
	}
}

// cutField takes the first field; the rest begins with the comma or the parenthesis behind it.
func cutField(m *Meter, s string) (field Item, rest string) {
	if s[0] != '"' {
		end := strings.IndexAny(s, ",)")
		m.Must(end + itemWork)
		return Item{Text: s[:end], Null: end == 0}, s[end:]
	}
	end := 1
	for ; s[end] != '"' || s[end+1] == '"'; end++ {
		if s[end] == '"' || s[end] == '\\' {
			end++
		}
	}
	m.Must(end + itemWork)
	return Item{Text: plainField(m, s[1:end])}, s[end+1:]
}

// plainField is the text of a field that stands in quotes.
func plainField(m *Meter, s string) string {
	if !strings.ContainsAny(s, "\"\\") {
		return s
	}
	m.MustGrow(len(s))
	return unescape(m, strings.ReplaceAll(s, `""`, `\"`))
}

// SplitRow returns the fields of a row's text.
func SplitRow(row string) []Item { return slices.Collect(rowFields(nil, row)) }

// rowPart is a field of a row, NULL where it is.
func rowPart(m *Meter, a []Value) (Value, error) {
	at := int64(0)
	for field := range rowFields(m, a[0].S) {
		if at == a[1].I && !field.Null {
			return textValue(field.Text), nil
		}
		at++
	}
	return Value{}, nil
}

func rowOrder(m *Meter, a []Value) (Value, error) {
	key, err := RowKey(m, a[1].S, a[0].S)
	return textValue(key), err
}

// RowKey is a text of a row whose order by bytes is the order of the rows, and which equal
// rows have in common: field by field, NULL behind all others. The types of the fields follow
// their lengths: an Element's text, that of an array's elements in brackets, the types of a row in
// parentheses, or c for character(n).
func RowKey(m *Meter, row, types string) (string, error) {
	key := maker{m: m}
	for field := range rowFields(m, row) {
		if types == "" {
			break
		}
		var typ string
		typ, types = cutType(types)
		if field.Null {
			key.writeByte('3')
			continue
		}
		k, err := fieldKey(m, field.Text, typ)
		if err != nil {
			return "", err
		}
		key.writeByte('2')
		key.write(k)
		key.writeByte(1)
	}
	return key.String(), nil
}

// cutType takes the first type of a list.
func cutType(types string) (first, rest string) {
	length, rest, _ := strings.Cut(types, " ")
	n, _ := strconv.Atoi(length) // written by algebra.FieldTypes
	return rest[:n], rest[n:]
}

// fieldKey is what a field adds to a RowKey.
func fieldKey(m *Meter, field, typ string) (key string, err error) {
	switch typ[0] {
	case '(':
		key, err = RowKey(m, field, typ[1:len(typ)-1])
	case '[':
		key, err = ArrayKey(m, field, elementOf(typ[1:len(typ)-1]))
	default:
		return elementOf(typ).key(field)
	}
	return textKey.Replace(key), err
}
