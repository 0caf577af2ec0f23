package value

import (
	"time"

	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// The routines of jsonpath. Each takes a value, a path, the values of variables, whether errors are
// silent, and the time zone of the session, or "" where there is none to be used.
const (
	JSONPathIn = "jsonpath in" // reads a text
	JSONQuery  = "jsonb path query"

	JSONPathExists = "jsonb_path_exists_opr" // (value, path)
	JSONPathMatch  = "jsonb_path_match_opr"
)

var pathRoutines = map[string][]Routine{
	JSONPathIn: {{Params: "s", Result: 'p', Metered: func(m *Meter, a []Value) (Value, error) { return ReadJSONPath(m, a[0].S) }}},

	"jsonb_path_exists":      onPath('b', pathExistsIn),
	"jsonb_path_match":       onPath('b', pathMatches),
	JSONPathExists:           ofOperator(pathExistsIn),
	JSONPathMatch:            ofOperator(pathMatches),
	JSONQuery:                onPath('a', pathItems),
	"jsonb_path_query_array": onPath('J', pathArray),
	"jsonb_path_query_first": onPath('J', pathFirst),
}

// ReadJSONPath reads a path. It is held as the text that PostgreSQL writes of it.
func ReadJSONPath(m *Meter, text string) (Value, error) {
	path, err := parseJSONPath(m, text)
	if err != nil {
		return Value{}, err
	}
	return textValue(path.text(m)), nil
}

// A path is read once for all rows that have the same; a value is read for each.

// pathAnswer is what is made of a path.
type pathAnswer func(r *pathRun, path *jsonPath) Value

func onPath(result byte, answer pathAnswer) []Routine {
	return []Routine{{Params: "JpJbs", Result: result, Nullable: true, Remembering: func() func(*Meter, []Value) (Value, error) {
		k := &keptPath{}
		return overTree(func(m *Meter, a []Value) (Value, error) { return k.run(m, a, answer) })
	}}}
}

// ofOperator is the routine of an operator, which has no variables, and whose errors are silent.
func ofOperator(answer pathAnswer) []Routine {
	rest := []Value{textValue("{}"), boolValue(true), textValue("")}
	return []Routine{{Params: "Jp", Result: 'b', Nullable: true, Remembering: func() func(*Meter, []Value) (Value, error) {
		k := &keptPath{}
		return overTree(func(m *Meter, a []Value) (Value, error) {
			return k.run(m, []Value{a[0], a[1], rest[0], rest[1], rest[2]}, answer)
		})
	}}}
}

// keptPath is the path of the call before.
type keptPath struct {
	text string
	path *jsonPath
}

func (k *keptPath) run(m *Meter, a []Value, answer pathAnswer) (Value, error) {
	if k.path == nil || a[1].S != k.text {
		path, err := parseJSONPath(m, a[1].S)
		if err != nil {
			return Value{}, err
		}
		k.path, k.text = path, a[1].S
	}
	r := &pathRun{m: m, silent: a[3].B, bases: 2}
	var err error
	if r.root, err = parseJSON(m, a[0].S); err != nil {
		return Value{}, err
	}
	if r.vars, err = parseJSON(m, a[2].S); err != nil {
		return Value{}, err
	}
	if r.vars.kind != '{' {
		e := Errorf(CodeInvalidParameter, "\"vars\" argument is not an object")
		e.Detail = "Jsonpath parameters should be encoded as key-value pairs of \"vars\" object."
		return Value{}, e
	}
	if a[4].S != "" {
		var ok bool
		if r.zone, ok = FindZone(a[4].S); !ok {
			return Value{}, errZone(a[4].S)
		}
		r.now = time.Now()
	}
	return sqlstate.Try(func() Value { return answer(r, k.path) })
}

func pathExistsIn(r *pathRun, path *jsonPath) Value {
	state := r.all(path, nil)
	if state == pathFailed {
		return Value{}
	}
	return boolValue(state == pathSomething)
}

// found is all that a path finds, up to where it fails silently.
func (r *pathRun) found(path *jsonPath) []pathItem {
	var found pathFound
	r.all(path, &found)
	return found.items
}

func pathMatches(r *pathRun, path *jsonPath) Value {
	items := r.found(path)
	if len(items) == 1 {
		switch items[0].kind {
		case 't', 'f':
			return boolValue(items[0].kind == 't')
		case 'n':
			return Value{}
		}
	}
	r.fail(CodeSingletonJSON, "single boolean result is expected")
	return Value{}
}

func pathItems(r *pathRun, path *jsonPath) Value {
	w := newArrayMaker(r.m)
	for _, item := range r.found(path) {
		w.add(Item{Text: jsonbText(r.m, item.jsonNode)})
	}
	return textValue(w.finish())
}

func pathArray(r *pathRun, path *jsonPath) Value {
	array := &jsonNode{kind: '['}
	for _, item := range r.found(path) {
		array.members = append(array.members, item.jsonNode)
	}
	return textValue(jsonbText(r.m, array))
}

func pathFirst(r *pathRun, path *jsonPath) Value {
	items := r.found(path)
	if len(items) == 0 {
		return Value{}
	}
	return textValue(jsonbText(r.m, items[0].jsonNode))
}
