package value

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// pathRun runs a path over a value of jsonb.
type pathRun struct {
	m       *Meter
	root    *jsonNode
	current pathItem
	vars    *jsonNode
	strict  bool
	silent  bool // errors are none, but leave no answer
	lenient bool // what a path asks for and a value does not have is no error
	size    int  // of the array whose subscripts are computed, which last counts from
	base    pathBase
	bases   int64          // the number of the next object that keyvalue makes
	zone    *time.Location // of the session, nil where it does not count
	now     time.Time
}

// pathItem is a value that a path finds: of jsonb, or a moment.
type pathItem struct {
	*jsonNode
	moment *pathMoment
}

// pathFound takes what a path finds. A nil one asks only whether there is anything.
type pathFound struct{ items []pathItem }

// pathState is how far a path has come.
type pathState uint8

const (
	pathNothing pathState = iota
	pathSomething
	pathFailed // an error that is silent
)

// fail ends with an error, or where errors are silent, leaves it at that.
func (r *pathRun) fail(code, format string, args ...any) pathState {
	return r.failed(Errorf(code, format, args...))
}

func (r *pathRun) failed(err error) pathState {
	if !r.silent {
		panic(err)
	}
	return pathFailed
}

func (f *pathFound) add(m *Meter, item pathItem) {
	m.MustGrow(32)
	f.items = append(f.items, item)
}

// enough reports whether a state ends the search for more.
func enough(state pathState, found *pathFound) bool {
	return state == pathFailed || state == pathSomething && found == nil
}

// pathLevels are how deep a value lies below another, and the levels that count.
type pathLevels struct{ at, first, last int }

// pathTruth is what a condition of a path is.
type pathTruth uint8

const (
	pathFalse pathTruth = iota
	pathTrue
	pathUnknown
)

func truthOf(b bool) pathTruth {
	if b {
		return pathTrue
	}
	return pathFalse
}

// node is the truth in JSON.
func (t pathTruth) node(m *Meter) *jsonNode {
	m.MustGrow(jsonNodeSize)
	return &jsonNode{kind: [...]jsontext.Kind{'f', 't', 'n'}[t]}
}

// isText reports whether the value is a string.
func (i pathItem) isText() bool { return i.kind == '"' && i.moment == nil }

// typeName is what .type() gives.
func (i pathItem) typeName() string {
	if i.moment != nil {
		return i.moment.typeName()
	}
	return jsonKindName(byte(i.kind))
}

// pathBase is the object from which keyvalue counts where others lie, and its number.
type pathBase struct {
	object *jsonNode
	id     int64
	layout jsonbLayout // once it is needed
}

// offset is where an object lies in that from which is counted.
func (r *pathRun) offset(n *jsonNode) int64 {
	if r.base.layout == nil && r.base.object != nil {
		r.base.layout = layoutOf(r.m, r.base.object)
	}
	return r.base.layout[n]
}

// literal is a value that a path has itself.
func (r *pathRun) literal(n *pathNode) pathItem {
	node := &jsonNode{kind: 'n'}
	r.m.MustGrow(jsonNodeSize)
	switch n.op {
	case pathBool:
		return pathItem{jsonNode: truthOf(n.truth).node(r.m)}
	case pathNumber:
		node.kind, node.text = '0', n.number.String()
	case pathString:
		node.kind, node.text = '"', n.text
	case pathLast:
		node.kind, node.text = '0', NumOf(int64(r.size-1)).String()
	case pathVariable:
		value, ok := (*jsonNode)(nil), false
		if r.vars != nil {
			value, ok = r.vars.find(n.text)
		}
		if !ok {
			panic(Errorf(CodeUndefinedObject, "could not find jsonpath variable \"%s\"", n.text))
		}
		r.base = pathBase{object: r.vars, id: 1}
		node = value
	}
	return pathItem{jsonNode: node}
}

// numberOf is the number of a value that is one.
func numberOf(item pathItem) Num {
	n, err := ParseNum(item.text)
	if err != nil {
		panic(err)
	}
	return n
}
