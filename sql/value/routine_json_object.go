package value

// objectOfTexts is the object of an array of keys and values in turn, or of one of keys and
// one of values.
func objectOfTexts(m *Meter, a []Value) (Value, error) {
	keys := SplitArray(m, a[0].S)
	var values []Item
	switch {
	case len(a) > 1:
		if values = SplitArray(m, a[1].S); len(values) != len(keys) {
			return Value{}, Errorf(CodeArraySubscript, "mismatched array dimensions")
		}
	case len(keys)%2 != 0:
		return Value{}, Errorf(CodeArraySubscript, "array must have even number of elements")
	default:
		all := keys
		keys = nil
		for i := 0; i < len(all); i += 2 {
			keys, values = append(keys, all[i]), append(values, all[i+1])
		}
	}
	w := jsonWriter{maker: maker{m: m}}
	w.writeByte('{')
	for i, key := range keys {
		if key.Null {
			return Value{}, Errorf(CodeNullNotAllowed, "null value not allowed for object key")
		}
		if i > 0 {
			w.write(", ")
		}
		w.quoted(key.Text)
		w.write(" : ")
		if values[i].Null {
			w.write("null")
		} else {
			w.quoted(values[i].Text)
		}
	}
	w.writeByte('}')
	return textValue(w.String()), nil
}

func jsonbOfTexts(m *Meter, a []Value) (Value, error) {
	object, err := objectOfTexts(m, a)
	if err != nil {
		return Value{}, err
	}
	return jsonbOf(m, []Value{object})
}

// stripTokens leaves the members out of the objects of a text that are null, and the blanks.
func stripTokens(m *Meter, a []Value) (v Value, err error) {
	w := jsonWriter{maker: maker{m: m}}
	key, behind := "", false // as it is written, and whether something stands before the next value
	quoted := func(written string) {
		var text string
		if err == nil {
			text, err = jsonText(m, written)
		}
		w.quoted(text)
	}
	for t := range jsonTokens(m, a[0].S, true, &err) {
		switch {
		case t.key:
			key = t.text
			continue
		case t.kind == '}' || t.kind == ']':
			w.write(t.text)
			behind = true
			continue
		case t.kind == 'n' && key != "":
			key = ""
			continue
		}
		if behind {
			w.writeByte(',')
		}
		if key != "" {
			quoted(key)
			w.writeByte(':')
			key = ""
		}
		if t.kind == '"' {
			quoted(t.text)
		} else {
			w.write(t.text)
		}
		behind = t.kind != '{' && t.kind != '['
	}
	return textValue(w.String()), err
}
