package value

import "strings"

// jsonRoutines are the routines of JSON by name.
var jsonRoutines = map[string][]Routine{
	JSONIn:    {{Params: "s", Result: 'j', Metered: func(m *Meter, a []Value) (Value, error) { return a[0], CheckJSON(m, a[0].S) }}},
	JSONMade:  {{Params: "s", Result: 'j', Call: itself}},
	JSONBMade: {{Params: "s", Result: 'J', Call: itself}},
	JSONBIn: {
		{Params: "s", Result: 'J', Metered: overTree(jsonbOf)}, {Params: "j", Result: 'J', Metered: overTree(jsonbOf)},
	},
	JSONBOrder:   {{Params: "J", Result: 's', Metered: overTree(jsonbKey)}},
	JSONString:   {{Params: "s", Result: 's', Metered: jsonString}},
	JSONNumber:   {{Params: "s", Result: 's', Metered: jsonNumber}},
	JSONKey:      {{Params: "swb", Result: 's', Metered: jsonKey}},
	JSONMoment:   {{Params: "s", Result: 's', Metered: jsonMoment}},
	JSONOfArray:  {{Params: "sa", Result: 's', Metered: jsonOfArray}, {Params: "sas", Result: 's', Metered: jsonOfArray}},
	JSONOfPairs:  {{Params: "sas", Result: 's', Metered: jsonOfPairs}},
	JSONGet:      gets(false),
	JSONGetText:  gets(true),
	JSONBAssign:  {{Params: "JaJ", Result: 'J', Metered: overTree(assignPath)}},
	JSONRecords:  {{Params: "js", Result: 'j', Metered: ofRecords}, {Params: "Js", Result: 'J', Metered: ofRecords}},
	JSONElements: parts(jsonParts{of: "array"}),
	JSONTexts:    parts(jsonParts{of: "array", text: true}),
	JSONKeys:     parts(jsonParts{of: "object", keys: true, text: true}),
	JSONValues:   parts(jsonParts{of: "object"}),
	ValueTexts:   parts(jsonParts{of: "object", text: true}),
	JSONBNumber:  {{Params: "Js", Result: 'n', Metered: jsonbNumber}},
	JSONBBool:    {{Params: "Js", Result: 'b', Metered: jsonbBool}},

	"json_typeof":       {{Params: "j", Result: 's', Call: kindOf}},
	"jsonb_typeof":      {{Params: "J", Result: 's', Call: kindOf}},
	"json_array_length": {{Params: "j", Result: 'w', Metered: lengthOf}}, "jsonb_array_length": {{Params: "J", Result: 'w', Metered: lengthOf}},
	"json_object":       {{Params: "a", Result: 'j', Metered: objectOfTexts}, {Params: "aa", Result: 'j', Metered: objectOfTexts}},
	"jsonb_object":      {{Params: "a", Result: 'J', Metered: jsonbOfTexts}, {Params: "aa", Result: 'J', Metered: jsonbOfTexts}},
	"json_strip_nulls":  {{Params: "j", Result: 'j', Metered: stripTokens}},
	"jsonb_strip_nulls": {{Params: "J", Result: 'J', Metered: overTree(stripNulls)}},
	"jsonb_pretty":      {{Params: "J", Result: 's', Metered: overTree(prettyJSON)}},
	"jsonb_contains":    {{Params: "JJ", Result: 'b', Metered: overTree(contains)}},
	"jsonb_contained": {{Params: "JJ", Result: 'b', Metered: overTree(func(m *Meter, a []Value) (Value, error) {
		return contains(m, []Value{a[1], a[0]})
	})}},
	"jsonb_exists":      {{Params: "Js", Result: 'b', Metered: overTree(hasKey)}},
	"jsonb_exists_any":  {{Params: "Ja", Result: 'b', Metered: overTree(hasKeys(false))}},
	"jsonb_exists_all":  {{Params: "Ja", Result: 'b', Metered: overTree(hasKeys(true))}},
	"jsonb_concat":      {{Params: "JJ", Result: 'J', Metered: overTree(concatJSON)}},
	"jsonb_delete":      {{Params: "Js", Result: 'J', Metered: overTree(deleteKey)}, {Params: "Jw", Result: 'J', Metered: overTree(deleteElement)}, {Params: "Ja", Result: 'J', Metered: overTree(deleteKeys)}},
	"jsonb_delete_path": {{Params: "Ja", Result: 'J', Metered: overTree(deletePath)}},
	"jsonb_set":         {{Params: "JaJ", Result: 'J', Metered: overTree(setPath)}, {Params: "JaJb", Result: 'J', Metered: overTree(setPath)}},
	"jsonb_insert":      {{Params: "JaJ", Result: 'J', Metered: overTree(insertPath)}, {Params: "JaJb", Result: 'J', Metered: overTree(insertPath)}},
}

// overTree is a routine that reads values into memory, and holds only its result when it
// is done.
func overTree(f func(m *Meter, a []Value) (Value, error)) func(m *Meter, a []Value) (Value, error) {
	return func(m *Meter, a []Value) (Value, error) {
		used := m.Used()
		v, err := f(m, a)
		m.Settle(used, len(v.S))
		return v, err
	}
}

// gets are the overloads of -> and #>.
func gets(text bool) []Routine {
	var all []Routine
	for _, of := range "jJ" {
		for _, step := range "swa" {
			r := Routine{Params: string(of) + string(step), Result: byte(of), Nullable: true, Metered: getter(of, step, text)}
			if text {
				r.Result = 's'
			}
			all = append(all, r)
		}
	}
	return all
}

func getter(of, by rune, text bool) func(m *Meter, a []Value) (Value, error) {
	return func(m *Meter, a []Value) (Value, error) {
		var steps []jsonStep
		switch by {
		case 's':
			steps = []jsonStep{{key: a[1].S, named: true}}
		case 'w':
			steps = []jsonStep{{number: int(a[1].I), index: true}}
		default:
			path, ok, err := jsonSteps(m, a[1].S)
			if !ok || err != nil {
				return Value{}, err
			}
			steps = path
		}
		part, found, err := jsonAt(m, a[0].S, steps)
		if by == 'w' && of == 'J' && !found && (a[1].I == 0 || a[1].I == -1) && a[0].S[0] != '[' && a[0].S[0] != '{' {
			part, found = a[0].S, true // a scalar is the element of an array, as in PostgreSQL
		}
		switch {
		case !found || err != nil:
			return Value{}, err
		case text:
			return jsonAsText(m, part)
		}
		return textValue(part), nil
	}
}

// jsonParts is what of a value makes an array: the elements of an array, or the keys or values of
// an object; as texts, or as they are written.
type jsonParts struct {
	of         string
	keys, text bool
}

func parts(p jsonParts) []Routine {
	return []Routine{{Params: "js", Result: 'a', Metered: p.array}, {Params: "Js", Result: 'a', Metered: p.array}}
}

// array is the array of the parts.
func (p jsonParts) array(m *Meter, a []Value) (Value, error) {
	if err := p.check(jsonKind(a[0].S), a[1].S); err != nil {
		return Value{}, err
	}
	w := newArrayMaker(m)
	start := 0
	var err error
	for t := range jsonTokens(m, a[0].S, false, &err) {
		closing := t.kind == '}' || t.kind == ']'
		if t.depth != 1 || t.key != p.keys {
			continue
		}
		if !closing {
			start = t.start
		}
		if t.kind == '{' || t.kind == '[' {
			continue
		}
		item := Item{Text: a[0].S[start:t.end]}
		if p.text {
			v, err := jsonAsText(m, item.Text)
			if err != nil {
				return Value{}, err
			}
			item = Item{Text: v.S, Null: v.Kind == Null}
		}
		w.add(item)
	}
	if err != nil {
		return Value{}, err
	}
	return textValue(w.finish()), nil
}

// ofRecords is a value that a function makes rows of, which its name says it makes of one object or
// of several.
func ofRecords(m *Meter, a []Value) (Value, error) {
	kind, function := jsonKind(a[0].S), a[1].S
	if !strings.HasSuffix(function, "set") {
		return a[0], jsonParts{of: "object"}.check(kind, "populate_composite")
	}
	if kind == "object" && strings.HasPrefix(function, "json_") {
		return a[0], Errorf(CodeInvalidParameter, "cannot call %s on an object", function)
	}
	if kind != "array" {
		return a[0], jsonParts{of: "array"}.check(kind, function)
	}
	var err error
	for t := range jsonTokens(m, a[0].S, false, &err) {
		if t.depth == 1 && t.kind != '{' && t.kind != '}' {
			return a[0], Errorf(CodeInvalidParameter, "argument of %s must be an array of objects", function)
		}
	}
	return a[0], err
}

// check fails where the argument of a function is of another kind.
func (p jsonParts) check(kind, function string) error {
	a, scalar := "a scalar", kind != "array" && kind != "object"
	if !scalar {
		a = "an " + kind
	}
	switch {
	case kind == p.of:
		return nil
	case strings.HasPrefix(function, "json_each") && !scalar:
		return Errorf(CodeInvalidParameter, "cannot deconstruct %s as an object", a)
	case strings.HasPrefix(function, "json_each"):
		return Errorf(CodeInvalidParameter, "cannot deconstruct a scalar")
	case strings.HasPrefix(function, "jsonb_each"):
		a = "a non-object"
	case p.of == "array" && strings.HasPrefix(function, "jsonb_") && !strings.HasSuffix(function, "set"):
		return Errorf(CodeInvalidParameter, "cannot extract elements from %s", a)
	case p.of == "array" && !scalar:
		a = "a non-array"
	}
	return Errorf(CodeInvalidParameter, "cannot call %s on %s", function, a)
}

func itself(a []Value) (Value, error) { return a[0], nil }

func kindOf(a []Value) (Value, error) { return textValue(jsonKind(a[0].S)), nil }

func lengthOf(m *Meter, a []Value) (Value, error) {
	n, isArray, err := jsonLength(m, a[0].S)
	if err == nil && !isArray {
		what := "a scalar"
		if jsonKind(a[0].S) == "object" {
			what = "a non-array"
		}
		err = Errorf(CodeInvalidParameter, "cannot get array length of %s", what)
	}
	return intValue(int64(n)), err
}

// jsonbScalar is the text of a jsonb that is of a kind, as a type has it.
func jsonbScalar(a []Value, kind string) (string, error) {
	if is := jsonKind(a[0].S); is != kind {
		if is == "number" {
			is = "numeric"
		}
		return "", Errorf(CodeInvalidParameter, "cannot cast jsonb %s to type %s", is, a[1].S)
	}
	return a[0].S, nil
}

func jsonbNumber(_ *Meter, a []Value) (Value, error) {
	s, err := jsonbScalar(a, "number")
	if err != nil {
		return Value{}, err
	}
	n, err := ParseNum(s)
	return numValue(n), err
}

func jsonbBool(_ *Meter, a []Value) (Value, error) {
	s, err := jsonbScalar(a, "boolean")
	return boolValue(s == "true"), err
}
