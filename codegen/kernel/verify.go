package kernel

import (
	"fmt"
	"slices"
)

// state is where a value stands: not yet defined, visible, or defined in a
// block that has been left.
type state uint8

const (
	undefined state = iota
	visible
	hidden
)

type verifier struct {
	f     *Func
	state []state
	log   []ValueID // the values defined, in order
	at    place
	err   error // the first defect
}

// place is the part of the kernel at hand: what it is, and the value that it
// defines or NoValue.
type place struct {
	dst  ValueID
	what string
}

func (p place) String() string {
	switch {
	case p.what == "":
		return ""
	case p.dst == NoValue:
		return p.what + ": "
	}
	return fmt.Sprintf("%%%d = %s: ", p.dst, p.what)
}

func (v *verifier) failf(format string, args ...any) {
	if v.err == nil {
		v.err = fmt.Errorf("kernel %s is malformed: %s%s", v.f.Name, v.at, fmt.Sprintf(format, args...))
	}
}

func (v *verifier) values() {
	for id, val := range v.f.Values {
		switch {
		case val.Type == Invalid || val.Type > Code:
			v.failf("%%%d has no type", id)
		case val.Type == Code && (val.Dict < 0 || int(val.Dict) >= v.f.Dicts):
			v.failf("%%%d is a code of dictionary %d of %d", id, val.Dict, v.f.Dicts)
		case val.Range.Known && val.Range.Lo > val.Range.Hi:
			v.failf("%%%d has an empty range", id)
		}
	}
}

func (v *verifier) define(id ValueID) {
	switch {
	case id < 0 || int(id) >= len(v.state):
		v.failf("there is no value %d", id)
	case v.state[id] != undefined:
		v.failf("%%%d is defined twice", id)
	default:
		v.state[id] = visible
		v.log = append(v.log, id)
	}
}

// use returns the value, or a value without a type where it is not visible.
func (v *verifier) use(id ValueID) Value {
	if id < 0 || int(id) >= len(v.state) || v.state[id] != visible {
		v.failf("%%%d is used where it is not defined", id)
		return Value{}
	}
	return v.f.Values[id]
}

func (v *verifier) useAs(id ValueID, t Type) {
	if have := v.use(id).Type; have != t {
		v.failf("%%%d is %s, want %s", id, have, t)
	}
}

// scoped runs body and then hides what it defined.
func (v *verifier) scoped(body func()) {
	mark := len(v.log)
	body()
	for _, id := range v.log[mark:] {
		v.state[id] = hidden
	}
	v.log = v.log[:mark]
}

func (v *verifier) input(i int, kinds ...InputKind) {
	if i < 0 || i >= len(v.f.Inputs) {
		v.failf("there is no input %d", i)
	} else if !slices.Contains(kinds, v.f.Inputs[i].Kind) {
		v.failf("input %d is not a %s", i, kinds[0])
	}
}

// bound checks an end of a Prune, which must be an integer parameter.
func (v *verifier) bound(id ValueID) {
	if id == NoValue {
		return
	}
	if t := v.use(id).Type; t != I32 && t != I64 {
		v.failf("bound %%%d is %s", id, t)
	}
	if !slices.ContainsFunc(v.f.Params, func(p Param) bool { return p.Dst == id }) {
		v.failf("bound %%%d is not a parameter", id)
	}
}

func (v *verifier) columns(cols []SourceCol) {
	for _, c := range cols {
		if c.Ordinal < 0 {
			v.failf("column %d", c.Ordinal)
		}
		v.define(c.Dst)
	}
}

// key checks a key of a hash table: codes of different dictionaries do not
// compare, so that a table is keyed by text.
func (v *verifier) key(id ValueID) {
	if t := v.use(id).Type; t == Code {
		v.failf("key %%%d is a code", id)
	}
}

func (v *verifier) useAll(ids []ValueID) {
	for _, id := range ids {
		v.use(id)
	}
}
