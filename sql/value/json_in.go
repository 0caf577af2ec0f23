package value

// JSONB is the text of jsonb that a JSON text stands for.
func JSONB(m *Meter, text string) (string, error) {
	root, err := parseJSON(m, text)
	if err != nil {
		return "", err
	}
	return jsonbText(m, root), nil
}

// ReadJSON reads a text as a value of json or, with binary, of jsonb.
func ReadJSON(m *Meter, text string, binary bool) (Value, error) {
	if binary {
		used := m.Used()
		s, err := JSONB(m, text)
		m.Settle(used, len(s))
		return textValue(s), err
	}
	return textValue(text), CheckJSON(m, text)
}

// CheckJSON fails where a text is no JSON.
func CheckJSON(m *Meter, text string) (err error) {
	for range jsonTokens(m, text, false, &err) {
	}
	return err
}

// jsonbOf is a text of JSON as jsonb is kept.
func jsonbOf(m *Meter, a []Value) (Value, error) {
	s, err := JSONB(m, a[0].S)
	return textValue(s), err
}
