package value

import (
	"fmt"
	"strings"
)

// The routines of JSON. Their letters are j for json and J for jsonb.
const (
	JSONIn       = "json in"       // (text) reads json
	JSONMade     = "json made"     // (text) is json that has been written as such
	JSONBMade    = "jsonb made"    // (text) is jsonb that has been written as such
	JSONBIn      = "jsonb in"      // (text or json) reads jsonb
	JSONBOrder   = "jsonb order"   // (jsonb) is a text that orders as the value does
	JSONString   = "json string"   // (text) is a string
	JSONNumber   = "json number"   // (text of a floating number) is a number or, where JSON has none, a string
	JSONKey      = "json key"      // (text, number of the argument, whether it is NULL) is a key
	JSONMoment   = "json moment"   // (text of a timestamp) is a string
	JSONOfArray  = "json of array" // (element, array) is the array in JSON
	JSONGet      = "json get"      // (value, text or integer or path) is ->, #>
	JSONGetText  = "json get text" // the same as a text
	JSONRecords  = "json records"  // (value, name of the function) is the value, which rows are made of: an object, or an array of objects
	JSONElements = "json elements" // (value, name of the function) is the array of the elements
	JSONTexts    = "json texts"    // (value, name of the function) is the array of the elements as texts
	JSONKeys     = "json keys"     // (value, name of the function) is the array of the keys
	JSONValues   = "json values"   // (value, name of the function) is the array of the values of an object
	ValueTexts   = "value texts"   // (value, name of the function) is the array of these as texts
	JSONBNumber  = "jsonb number"  // (jsonb, name of the type) is the number that it holds
	JSONBBool    = "jsonb bool"    // (jsonb, name of the type)
)

func jsonString(m *Meter, args []Value) (Value, error) {
	w := jsonWriter{maker: maker{m: m}}
	w.quoted(args[0].S)
	return textValue(w.String()), nil
}

func jsonNumber(m *Meter, args []Value) (Value, error) {
	if strings.ContainsAny(args[0].S, "NI") { // NaN and the infinities
		return jsonString(m, args)
	}
	return args[0], nil
}

func jsonKey(m *Meter, args []Value) (Value, error) {
	if args[2].B {
		if args[1].I == 0 {
			return Value{}, Errorf(CodeInvalidParameter, "field name must not be null")
		}
		return Value{}, &Error{
			Code: CodeInvalidParameter, Message: fmt.Sprintf("argument %d cannot be null", args[1].I),
			Hint: "Object keys should be text.", Pos: NoPos,
		}
	}
	return jsonString(m, args)
}

func jsonMoment(_ *Meter, args []Value) (Value, error) {
	return textValue(`"` + isoMoment(args[0].S) + `"`), nil
}

// isoMoment is a date or timestamp in the form of ISO 8601, whose time zone has minutes.
func isoMoment(text string) string {
	moment, era := strings.CutSuffix(text, " BC")
	date, time, timed := strings.Cut(moment, " ")
	if timed {
		if i := strings.LastIndexAny(time, "+-"); i >= 0 && len(time)-i == len("+00") {
			time += ":00"
		}
		date += "T" + time
	}
	if era {
		date += " BC"
	}
	return date
}

// jsonOfArray writes the elements of an array as values of JSON.
func jsonOfArray(m *Meter, args []Value) (Value, error) {
	elem := elementOf(args[0].S)
	w := jsonWriter{maker: maker{m: m}}
	w.writeByte('[')
	separator := ""
	for item := range items(m, args[1].S) {
		w.write(separator)
		separator = ","
		w.element(item, elem)
	}
	w.writeByte(']')
	return textValue(w.String()), nil
}

// JSON is an element as a value of JSON.
func (e Element) JSON(item Item) string {
	w := jsonWriter{}
	w.element(item, e)
	return w.String()
}

// element writes an element of an array of a type.
func (w *jsonWriter) element(item Item, elem Element) {
	text, quoted := item.Text, false
	switch elem.Letter {
	case 'h', 'w', 'l', 'n', 'j', 'J':
	case 'b':
		text = map[string]string{"t": "true", "f": "false"}[text]
	case 'f', 'r':
		quoted = strings.ContainsAny(text, "NI")
	case 't', 'z':
		text, quoted = isoMoment(text), true
	default:
		quoted = true
	}
	switch {
	case item.Null:
		w.write("null")
	case quoted:
		w.quoted(text)
	default:
		w.write(text)
	}
}
