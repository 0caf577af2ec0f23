package kernel

import (
	"strings"

	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

var typeLetters = [...]byte{
	Bool: 'b', I32: 'w', I64: 'l', I128: 'h', F64: 'f', Num: 'n', Interval: 'i', Str: 's', Code: 'c',
}

// matchesSignature reports whether the argument and result types fit sig.
func matchesSignature(sig string, args []Type, result Type) bool {
	sig, class, _ := strings.Cut(sig, ":")
	params, want, _ := strings.Cut(sig, ">")
	params, repeats := strings.CutSuffix(params, "+")
	if len(args) != len(params) && !(repeats && len(args) > len(params)) {
		return false
	}
	var bound byte // what T stands for
	fits := func(param byte, t Type) bool {
		letter := typeLetters[t]
		switch param {
		case '*':
			return true
		case 'T':
			if bound == 0 && strings.IndexByte(class, letter) >= 0 {
				bound = letter
			}
			return bound == letter
		}
		return param == letter
	}
	for i, t := range args {
		if !fits(params[min(i, len(params)-1)], t) {
			return false
		}
	}
	return fits(want[0], result)
}

func (v *verifier) compute(in *Compute) {
	types := lists.Map(in.Args, func(id ValueID) Type { return v.use(id).Type })
	v.define(in.Dst)
	op, ok := operations[in.Op]
	sigs := op.Signatures
	switch in.Op {
	case OpRoutine:
		sigs, ok = routineSignature(in.Aux.Field)
	case OpStatistic:
		sigs, ok = statisticSignature(in.Aux.Field)
	}
	if !ok {
		v.failf("there is no such operation")
	}
	if v.err != nil {
		return
	}
	dst := v.f.Values[in.Dst]
	fits := false
	for _, sig := range sigs {
		fits = fits || matchesSignature(sig, types, dst.Type)
	}
	if !fits {
		v.failf("not defined on %v giving %s", types, dst.Type)
		return
	}
	v.dictionaries(in)
}

// routineSignature is the signature of the routine that a field names: dates and enums
// are I32, timestamps and times I64, reals F64, arrays, JSON, paths, uuids, bytea
// and rows Str.
func routineSignature(field string) ([]string, bool) {
	r, ok := FindRoutine(field)
	letters := strings.NewReplacer("d", "w", "e", "w", "t", "l", "z", "l", "k", "l", "a", "s", "j", "s", "J", "s", "u", "s", "y", "s", "R", "s", "p", "s", "r", "f")
	return []string{letters.Replace(r.Params + ">" + string(r.Result))}, ok
}

// statisticSignature is the signature of the statistic that a field names.
func statisticSignature(field string) ([]string, bool) {
	_, of, ok := FindStatistic(field)
	return accumulators[accumulators[of].Merge].Signatures, ok
}

// FindRoutine returns the routine that Aux.Field of an OpRoutine names.
func FindRoutine(field string) (value.Routine, bool) {
	name, params, _ := strings.Cut(field, "/")
	return value.FindRoutine(name, params)
}

// dictionaries checks that codes are compared within one dictionary.
func (v *verifier) dictionaries(in *Compute) {
	switch in.Op {
	case OpEq, OpNe, OpDistinct:
		a, b := v.f.Values[in.Args[0]], v.f.Values[in.Args[1]]
		if a.Type == Code && a.Dict != b.Dict {
			v.failf("codes of dictionaries %d and %d", a.Dict, b.Dict)
		}
	}
}

func (v *verifier) acc(a *Acc) {
	types := lists.Map(a.Args, func(id ValueID) Type { return v.use(id).Type })
	if a.Filter != NoValue {
		v.useAs(a.Filter, Bool)
	}
	row, _ := a.Op.Row()
	if n := row.Columns(); len(a.Dst) != n {
		v.failf("%s gives %d columns, not %d", a.Op, n, len(a.Dst))
	}
	for _, dst := range a.Dst {
		v.define(dst)
	}
	if v.err != nil {
		return
	}
	for _, dst := range a.Dst {
		fits := false
		for _, sig := range row.Signatures {
			fits = fits || matchesSignature(sig, types, v.f.Values[dst].Type)
		}
		if !fits {
			v.failf("%s is not defined on %v giving %s", a.Op, types, v.f.Values[dst].Type)
		}
	}
}
