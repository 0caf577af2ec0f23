package value

import (
	"strconv"
	"strings"
)

// jsonStep is a step into a JSON value: the member with a key, or the element with a
// number from 0, of a negative number from the end.
type jsonStep struct {
	key    string
	number int
	named  bool
	index  bool // whether number is one
}

// jsonAt is the part of a JSON text that steps lead to, as it is written there.
func jsonAt(m *Meter, text string, steps []jsonStep) (part string, found bool, err error) {
	for _, step := range steps {
		if text, found, err = jsonMember(m, text, step); !found || err != nil {
			return "", false, err
		}
	}
	return jsonTrimmed(text), true, nil
}

// jsonTrimmed is a JSON text without the white space around it.
func jsonTrimmed(text string) string {
	for text != "" && isJSONSpace(text[0]) {
		text = text[1:]
	}
	for text != "" && isJSONSpace(text[len(text)-1]) {
		text = text[:len(text)-1]
	}
	return text
}

func isJSONSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// jsonMember is one step. Of equal keys the last counts.
func jsonMember(m *Meter, text string, step jsonStep) (part string, found bool, err error) {
	if step.index && step.number < 0 {
		n, isArray, err := jsonLength(m, text)
		if err != nil || !isArray || step.number+n < 0 {
			return "", false, err
		}
		step.number += n
	}
	n, start, object, wanted := 0, 0, false, false
	for t := range jsonTokens(m, text, false, &err) {
		closing := t.kind == '}' || t.kind == ']'
		switch {
		case t.depth == 0:
			object = t.kind == '{'
			if object && !step.named || t.kind == '[' && !step.index {
				return "", false, nil
			}
			continue
		case t.depth > 1:
			continue
		case t.key:
			key, err := jsonText(m, t.text)
			if err != nil {
				return "", false, err
			}
			wanted = key == step.key
			continue
		case !closing:
			start = t.start
			wanted = wanted && object || !object && n == step.number
			n++
		}
		if wanted && t.kind != '{' && t.kind != '[' {
			part, found = text[start:t.end], true
		}
	}
	return part, found, err
}

// jsonLength is the number of elements of an array.
func jsonLength(m *Meter, text string) (n int, isArray bool, err error) {
	for t := range jsonTokens(m, text, false, &err) {
		switch {
		case t.depth == 0 && t.kind == '[':
			isArray = true
		case t.depth == 1 && t.kind != '}' && t.kind != ']' && !t.key:
			n++
		}
	}
	return n, isArray, err
}

// jsonKind is the type of a JSON value, as json_typeof names it.
func jsonKind(text string) string { return jsonKindName(jsonTrimmed(text)[0]) }

// jsonKindName is the name of the type of a value that begins with a character.
func jsonKindName(first byte) string {
	switch first {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

// jsonAsText is a JSON value as ->> gives it: a string as what it stands for, NULL for
// null, and everything else as it is written.
func jsonAsText(m *Meter, text string) (Value, error) {
	switch text[0] {
	case 'n':
		return Value{}, nil
	case '"':
		s, err := jsonText(m, text)
		return textValue(s), err
	}
	return textValue(text), nil
}

// jsonSteps are the steps of a path, whose elements are keys of objects, and numbers of
// elements of arrays. They are no steps where an element is NULL.
func jsonSteps(m *Meter, path string) (steps []jsonStep, ok bool, err error) {
	for item := range items(m, path) {
		if item.Null {
			return nil, false, err
		}
		steps = append(steps, stepOf(item.Text))
	}
	return steps, true, err
}

// stepOf is a step of a path.
func stepOf(text string) jsonStep {
	number, wrong := strconv.ParseInt(strings.TrimLeft(text, " \t\n\v\f\r"), 10, 32)
	return jsonStep{key: text, named: true, number: int(number), index: wrong == nil}
}
