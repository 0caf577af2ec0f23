package kernel

import "slices"

// Verify checks that a kernel is well formed: every value is defined once and
// used only where its definition is visible, every operation has arguments and
// a result of types that it is defined on, codes meet only codes of their own
// dictionary, inputs are of the kind that they are used as, and the sink fits
// its values. What it reports is a defect of what made the kernel.
func Verify(f *Func) error {
	v := &verifier{f: f, state: make([]state, len(f.Values))}
	v.values()
	for _, p := range f.Params {
		v.define(p.Dst)
	}
	v.source()
	v.block(f.Body)
	v.sinkOf(f.Sink)
	for id, s := range v.state {
		if s == undefined {
			v.failf("%%%d is never defined", id)
		}
	}
	return v.err
}

func (v *verifier) source() {
	switch s := v.f.Source.(type) {
	case *Scan:
		v.at = place{NoValue, "scan"}
		v.input(s.Input, RelationInput, GroupsInput)
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

func (v *verifier) sinkOf(sink Sink) {
	switch s := sink.(type) {
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
	case *Cubing:
		v.at = place{NoValue, "cubing"}
		v.cubing(s)
	case *Several:
		v.at = place{NoValue, "several"}
		v.several(s)
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

func (v *verifier) several(s *Several) {
	if len(s.Branches) < 2 {
		v.failf("%d branches", len(s.Branches))
	}
	for i := range s.Branches {
		b := &s.Branches[i]
		v.scoped(func() {
			v.branchBody(b.Body)
			switch s := b.Sink.(type) {
			case *Materialize:
				if s.Limit >= 0 || s.Offset > 0 || s.Ordered {
					v.failf("branch %d is to write some of its rows, or in an order", i)
				}
			case *Aggregate:
			default:
				v.failf("branch %d ends in a %T", i, s)
				return
			}
			v.sinkOf(b.Sink)
		})
	}
}

// branchBody checks the instructions of a branch, of which none makes rows or looks some up.
func (v *verifier) branchBody(b Block) {
	for _, in := range b {
		if !Branches(in) {
			v.failf("%T in a branch", in)
		}
	}
	v.block(b)
}

// dense checks that a key of a dense table has a known range.
func (v *verifier) dense(dense bool, id ValueID) {
	val := v.use(id)
	if dense && val.Type != Bool && val.Type != Code && (!val.Range.Known || !val.Type.IsInteger()) {
		v.failf("dense key %%%d has no known range", id)
	}
}

// inOrder reports whether rows can come in the order of a value.
func (v *verifier) inOrder(id ValueID) bool {
	val := v.use(id)
	return (val.Type == I32 || val.Type == I64) && !val.Nullable
}

func (v *verifier) aggregate(s *Aggregate) {
	for _, id := range s.Keys {
		v.dense(s.Strategy == Dense, id)
	}
	if s.Determinant < 0 || s.Determinant > len(s.Keys) || s.Determinant > 0 && s.Strategy != Hash {
		v.failf("key %d of %d determines no groups of strategy %s", s.Determinant, len(s.Keys), s.Strategy)
	}
	switch s.Strategy {
	case Dense, Hash:
	case Ordered:
		if s.By < 0 || s.By >= len(s.Keys) || !v.inOrder(s.Keys[s.By]) {
			v.failf("key %d of %d gives no order", s.By, len(s.Keys))
		}
	case Single:
		switch {
		case len(s.Keys) > 0:
			v.failf("keys in a single group")
		case s.Cells:
			v.failf("a single group in a cell")
		}
	default:
		v.failf("no strategy %q", s.Strategy)
	}
	for i := range s.Accs {
		v.acc(&s.Accs[i])
	}
}
