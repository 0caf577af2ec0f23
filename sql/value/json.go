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
	JSONKey      = "json key"      // (string, number of the argument, whether it is NULL) is a key
	JSONMoment   = "json moment"   // (text of a timestamp) is a string
	JSONOfArray  = "json of array" // (element, array[, separator]) is the array in JSON
	JSONOfPairs  = "json of pairs" // (element, array, name of the function) is the object of keys and values in turn
	JSONGet      = "json get"      // (value, text or integer or path) is ->, #>
	JSONGetText  = "json get text" // the same as a text
	JSONBAssign  = "jsonb assign"  // (value, path, part) is the value with the part where the path leads, which is made
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

func jsonKey(_ *Meter, args []Value) (Value, error) {
	if args[2].B {
		if args[1].I == 0 {
			return Value{}, Errorf(CodeInvalidParameter, "field name must not be null")
		}
		return Value{}, errNullKey(args[1].I)
	}
	return args[0], nil
}

// errNullKey is the error of a key that is NULL, by the number of the argument.
func errNullKey(argument int64) error {
	return &Error{
		Code: CodeInvalidParameter, Message: fmt.Sprintf("argument %d cannot be null", argument),
		Hint: "Object keys should be text.", Pos: NoPos,
	}
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
	separator, behind := "", ","
	if len(args) > 2 {
		behind = args[2].S
	}
	for item := range items(m, args[1].S) {
		w.write(separator)
		separator = behind
		w.element(item, elem)
	}
	w.writeByte(']')
	return textValue(w.String()), nil
}

// jsonOfPairs writes the elements of an array as keys and values of an object.
func jsonOfPairs(m *Meter, args []Value) (Value, error) {
	elem, all := elementOf(args[0].S), SplitArray(m, args[1].S)
	if len(all)%2 != 0 {
		return Value{}, ErrOddPairs(args[2].S)
	}
	w := jsonWriter{maker: maker{m: m}}
	opening := "{"
	for i := 0; i < len(all); i += 2 {
		if all[i].Null {
			return Value{}, errNullKey(int64(i + 1))
		}
		w.write(opening)
		key, _ := elem.jsonText(all[i].Text)
		w.quoted(key)
		w.write(" : ")
		w.element(all[i+1], elem)
		opening = ", "
	}
	if len(all) == 0 {
		w.write(opening)
	}
	w.writeByte('}')
	return textValue(w.String()), nil
}

// ErrOddPairs is the error of a key without a value, for a function.
func ErrOddPairs(function string) error {
	return &Error{
		Code: CodeInvalidParameter, Message: "argument list must have even number of elements",
		Hint: "The arguments of " + function + "() must consist of alternating keys and values.", Pos: NoPos,
	}
}

// JSON is an element as a value of JSON.
func (e Element) JSON(item Item) string {
	w := jsonWriter{}
	w.element(item, e)
	return w.String()
}

// jsonText is the text of an element in JSON, and whether it stands in quotes there.
func (e Element) jsonText(text string) (shown string, quoted bool) {
	switch e.Letter {
	case 'h', 'w', 'l', 'n', 'j', 'J':
		return text, false
	case 'b':
		return map[string]string{"t": "true", "f": "false"}[text], false
	case 'f', 'r':
		return text, strings.ContainsAny(text, "NI")
	case 't', 'z':
		return isoMoment(text), true
	}
	return text, true
}

// element writes an element of an array of a type.
func (w *jsonWriter) element(item Item, elem Element) {
	text, quoted := elem.jsonText(item.Text)
	switch {
	case item.Null:
		w.write("null")
	case quoted:
		w.quoted(text)
	default:
		w.write(text)
	}
}
