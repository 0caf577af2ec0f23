package kernel

import (
	"fmt"
	"slices"
)

// Verify checks that a kernel is well formed: every value is defined once and
// used only where its definition is visible, every operation has arguments and
// a result of types that it is defined on, codes meet only codes of their own
// dictionary, inputs are of the kind that they are used as, and the sink fits
// its values. What it reports is a defect of whoever made the kernel.
func Verify(f *Func) error {
	v := &verifier{f: f, state: make([]state, len(f.Values))}
	v.values()
	for _, p := range f.Params {
		v.define(p.Dst)
	}
	v.source()
	v.block(f.Body)
	v.sink()
	for id, s := range v.state {
		if s == undefined {
			v.failf("%%%d is never defined", id)
		}
	}
	return v.err
}

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

// use gives the value, or a value without a type where it is not visible.
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

func (v *verifier) input(i int, kind InputKind) {
	if i < 0 || i >= len(v.f.Inputs) {
		v.failf("there is no input %d", i)
	} else if v.f.Inputs[i].Kind != kind {
		v.failf("input %d is not a %s", i, kind)
	}
}

func (v *verifier) source() {
	switch s := v.f.Source.(type) {
	case *Scan:
		v.at = place{NoValue, "scan"}
		v.input(s.Input, RelationInput)
		v.columns(s.Cols)
		for _, p := range s.Prune {
			v.bound(p.Lo)
			v.bound(p.Hi)
		}
	case *Unmatched:
		v.at = place{NoValue, "unmatched"}
		v.input(s.Input, HashTableInput)
		v.columns(s.Cols)
	default:
		v.failf("there is no source")
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

func (v *verifier) block(b Block) {
	for _, in := range b {
		if v.err != nil {
			return
		}
		v.instr(in)
	}
}

func (v *verifier) instr(in Instr) {
	switch in := in.(type) {
	case *Compute:
		v.at = place{in.Dst, string(in.Op)}
		v.compute(in)
	case *Filter:
		v.at = place{NoValue, "filter"}
		v.useAs(in.Cond, Bool)
	case *If:
		v.ifInstr(in)
	case *Map:
		v.mapInstr(in)
	case *Probe:
		v.at = place{NoValue, "probe"}
		v.probe(in)
	case *Repeat:
		v.at = place{NoValue, "repeat"}
		v.useAs(in.Count, I64)
		if in.Index == NoValue {
			return
		}
		v.define(in.Index)
		if v.err == nil && v.f.Values[in.Index].Type != I64 {
			v.failf("the index is %s", v.f.Values[in.Index].Type)
		}
	}
}

func (v *verifier) ifInstr(in *If) {
	v.at = place{in.Dst, "if"}
	v.useAs(in.Cond, Bool)
	arm := func(b Block, yield ValueID) (val Value) {
		v.scoped(func() {
			v.expressions(b)
			val = v.use(yield)
		})
		return val
	}
	then, els := arm(in.Then, in.ThenVal), arm(in.Else, in.ElseVal)
	v.at = place{in.Dst, "if"}
	v.define(in.Dst)
	if v.err != nil {
		return
	}
	dst := v.f.Values[in.Dst]
	for _, val := range []Value{then, els} {
		if val.Type != dst.Type || val.Type == Code && val.Dict != dst.Dict {
			v.failf("an arm gives %s", val.Type)
		}
		if val.Nullable && !dst.Nullable {
			v.failf("an arm can be NULL")
		}
	}
}

// expressions checks a block that may only compute values.
func (v *verifier) expressions(b Block) {
	for _, in := range b {
		switch in.(type) {
		case *Compute, *If, *Map:
		default:
			v.failf("%T inside an expression", in)
		}
	}
	v.block(b)
}

// mapInstr checks a Map, whose body sees its argument and parameters only.
func (v *verifier) mapInstr(in *Map) {
	v.at = place{in.Dst, "map"}
	v.useAs(in.Src, Code)
	if v.err != nil {
		return
	}
	outer := slices.Clone(v.state)
	for id := range v.state {
		if v.state[id] == visible {
			v.state[id] = hidden
		}
	}
	for _, p := range v.f.Params {
		v.state[p.Dst] = outer[p.Dst]
	}
	var result Value
	v.scoped(func() {
		v.define(in.Arg)
		v.useAs(in.Arg, Str)
		v.expressions(in.Body)
		result = v.use(in.Result)
	})
	for id, s := range outer {
		if s == visible {
			v.state[id] = visible
		}
	}
	v.define(in.Dst)
	if v.err != nil {
		return
	}
	dst := v.f.Values[in.Dst]
	want := result.Type
	if want == Str {
		want = Code
	}
	if dst.Type != want {
		v.failf("the result is %s, the value %s", result.Type, dst.Type)
	}
	if result.Nullable && !dst.Nullable {
		v.failf("the result can be NULL")
	}
}

func (v *verifier) probe(in *Probe) {
	if in.Sorted != nil {
		v.merge(in)
	} else {
		v.input(in.Input, HashTableInput)
	}
	for _, k := range in.Keys {
		v.key(k.Val)
	}
	filters := in.Kind == ProbeSemi || in.Kind == ProbeAnti
	switch {
	case in.Kind != ProbeInner && in.Kind != ProbeLeft && !filters:
		v.failf("no kind %q", in.Kind)
	case in.Cond == NoValue && len(in.Residual) > 0:
		v.failf("a residual without a condition")
	}
	payload := func() {
		v.columns(in.Payload)
		if in.Cond == NoValue {
			return
		}
		v.scoped(func() {
			v.expressions(in.Residual)
			v.at = place{NoValue, "probe"}
			v.useAs(in.Cond, Bool)
		})
	}
	if filters {
		v.scoped(payload)
		return
	}
	payload()
	for _, c := range in.Payload {
		if in.Kind == ProbeLeft && v.err == nil && !v.f.Values[c.Dst].Nullable {
			v.failf("%%%d of a left probe cannot be NULL", c.Dst)
		}
	}
}

// merge checks what a probe of a relation in order has beside others.
func (v *verifier) merge(in *Probe) {
	v.input(in.Input, RelationInput)
	if len(in.Keys) != 1 || in.Mark {
		v.failf("a merge by %d keys, marking: %t", len(in.Keys), in.Mark)
		return
	}
	if t := v.use(in.Keys[0].Val).Type; t != I32 && t != I64 {
		v.failf("a merge by a key of type %s", t)
	}
}

// key checks a key of a hash table: codes of different dictionaries do not
// compare, so that a table is keyed by text.
func (v *verifier) key(id ValueID) {
	if t := v.use(id).Type; t == Code {
		v.failf("key %%%d is a code", id)
	}
}

func (v *verifier) sink() {
	switch s := v.f.Sink.(type) {
	case *Materialize:
		v.at = place{NoValue, "materialize"}
		v.useAll(s.Cols)
	case *Build:
		v.at = place{NoValue, "build"}
		for _, k := range s.Keys {
			v.key(k.Val)
			v.dense(s.Dense, k.Val)
		}
		v.useAll(s.Payload)
	case *Aggregate:
		v.at = place{NoValue, "aggregate"}
		v.aggregate(s)
	case *Sort:
		v.at = place{NoValue, "sort"}
		v.useAll(s.Cols)
		v.sortKeys(s.Keys)
		if s.Top && s.Limit < 0 {
			v.failf("keeps the first rows without a limit")
		}
	case *Window:
		v.at = place{NoValue, "window"}
		v.window(s)
	default:
		v.failf("there is no sink")
	}
}

func (v *verifier) useAll(ids []ValueID) {
	for _, id := range ids {
		v.use(id)
	}
}

// dense checks that a key of a dense table has a known range.
func (v *verifier) dense(dense bool, id ValueID) {
	val := v.use(id)
	if dense && val.Type != Bool && val.Type != Code && (!val.Range.Known || !val.Type.IsInteger()) {
		v.failf("dense key %%%d has no known range", id)
	}
}

func (v *verifier) aggregate(s *Aggregate) {
	for _, id := range s.Keys {
		v.dense(s.Strategy == Dense, id)
	}
	switch s.Strategy {
	case Dense, Hash:
	case Single:
		if len(s.Keys) > 0 {
			v.failf("keys in a single group")
		}
	default:
		v.failf("no strategy %q", s.Strategy)
	}
	for i := range s.Accs {
		v.acc(&s.Accs[i])
	}
}
