package cuda

import (
	"fmt"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// At is value id at row r of the loop at hand; of a Bool it is a C++ bool.
func (r *renderer) At(id kernel.ValueID) string {
	switch {
	case r.f.Values[id].Type == kernel.Bool:
		return fmt.Sprintf("bit(%s, r)", r.name(id))
	case r.isParam(id):
		return r.name(id)
	case r.narrow[id]:
		return "(i64)" + r.name(id) + "[r]"
	}
	return r.name(id) + "[r]"
}

// isParam reports whether a value is a constant of the launch.
func (r *renderer) isParam(id kernel.ValueID) bool {
	for i := range r.f.Params {
		if r.f.Params[i].Dst == id {
			return true
		}
	}
	return false
}

// nulls is the mask of the rows for which a value is NULL, or "" where it never
// is.
func (r *renderer) nulls(id kernel.ValueID) string {
	if !r.f.Values[id].Nullable {
		return ""
	}
	return r.name(id) + "_null"
}

// truth is the mask of the rows for which a Bool is true.
func (r *renderer) truth(id kernel.ValueID) string {
	if n := r.nulls(id); n != "" {
		return fmt.Sprintf("%s & ~%s", r.name(id), n)
	}
	return r.name(id)
}

// anyNull is the mask of the rows for which one of some values is NULL, or "".
func (r *renderer) anyNull(ids []kernel.ValueID) string {
	var parts []string
	for _, id := range ids {
		if n := r.nulls(id); n != "" {
			parts = append(parts, n)
		}
	}
	return strings.Join(parts, " | ")
}

// without is a mask without the rows for which one of some values is NULL.
func (r *renderer) without(mask string, ids []kernel.ValueID) string {
	switch n := r.anyNull(ids); {
	case n == "":
		return mask
	case strings.Contains(n, " "):
		return fmt.Sprintf("%s & ~(%s)", mask, n)
	default:
		return fmt.Sprintf("%s & ~%s", mask, n)
	}
}

// declare writes the declaration of a value and, where it can be NULL, of its
// NULLs, which are the rows of nulls.
func (e *computing) declare(id kernel.ValueID, nulls string) {
	v := &e.f.Values[id]
	if v.Type == kernel.Bool {
		e.Line("u32 %s = 0;", e.name(id))
	} else {
		e.Line("%s %s[R];", e.kept(id), e.name(id))
	}
	e.declareNulls(id, nulls)
}

// declareNulls writes the declaration of a value's NULLs.
func (e *computing) declareNulls(id kernel.ValueID, nulls string) {
	if n := e.nulls(id); n != "" {
		if nulls == "" {
			nulls = "0"
		}
		e.Line("u32 %s = %s;", n, nulls)
	}
}

// params writes the constants of the launch.
func (e *computing) params() {
	for i := range e.f.Params {
		e.param(i, e.f.Params[i].Dst)
	}
}

func (e *computing) param(i int, id kernel.ValueID) {
	v := &e.f.Values[id]
	if v.Type == kernel.Str && e.onlyOnHost(id) {
		return
	}
	arg := func(kind ArgKind, ctype string) string {
		return e.Arg(Arg{Kind: kind, Index: i}, ctype, "constant "+e.name(id))
	}
	switch v.Type {
	case kernel.Bool:
		e.Line("const u32 %s = everywhere(%s);", e.name(id), arg(ArgParam, "u64"))
	case kernel.F64:
		e.Line("const f64 %s = %s;", e.name(id), arg(ArgParam, "f64"))
	case kernel.I128:
		e.Line("const i128 %s = wide(%s, %s);", e.name(id), arg(ArgParam, "u64"), arg(ArgParamHigh, "u64"))
	case kernel.Interval:
		parts := arg(ArgParamHigh, "u64")
		e.Line("const %s %s = {(i32)(%s >> 32), (i32)%s, %s};", e.ctype(v.Type), e.name(id), parts, parts, arg(ArgParam, "i64"))
	case kernel.Num:
		e.Line("const %s %s = {wide(%s, %s), (u32)%s};", e.ctype(v.Type), e.name(id),
			arg(ArgParam, "u64"), arg(ArgParamHigh, "u64"), arg(ArgParamScale, "u64"))
	case kernel.Str:
		e.Line("const %s %s = {%s};", e.ctype(v.Type), e.name(id), arg(ArgParam, "u64"))
	default:
		t := e.ctype(v.Type)
		e.Line("const %s %s = (%s)%s;", t, e.name(id), t, arg(ArgParam, "i64"))
		if e.divisors[id] {
			e.Line("const Divisor<%s> %s(%s);", t, divisorOf(e.name(id)), e.name(id))
		}
	}
	if n := e.nulls(id); n != "" {
		e.Line("const u32 %s = everywhere(%s);", n, arg(ArgParamNull, "u64"))
	}
}

// onlyOnHost reports whether a value is read by the bodies of Maps alone, which run
// on the host, or is a pattern, which is compiled there.
func (r *renderer) onlyOnHost(id kernel.ValueID) bool {
	used := false
	note := func(at *kernel.ValueID) { used = used || *at == id }
	for _, s := range sinkValues(r.f.Sink) {
		note(&s)
	}
	var walk func(b kernel.Block)
	walk = func(b kernel.Block) {
		for _, in := range b {
			switch in := in.(type) {
			case *kernel.Map:
				note(&in.Src)
			case *kernel.If:
				walk(in.Then)
				walk(in.Else)
				note(&in.Cond)
				note(&in.ThenVal)
				note(&in.ElseVal)
			case *kernel.Probe:
				outer := *in
				outer.Residual = nil
				kernel.VisitBlock(kernel.Block{&outer}, note)
				walk(in.Residual)
			case *kernel.Compute:
				args := in.Args
				if in.Op == kernel.OpLike || in.Op == kernel.OpILike {
					args = args[:1]
				}
				for i := range args {
					note(&args[i])
				}
			default:
				kernel.VisitBlock(kernel.Block{in}, note)
			}
		}
	}
	for _, b := range r.f.Blocks() {
		walk(b)
	}
	return !used
}

// Counted is the mask of the rows that an accumulator takes.
func (e *computing) Counted(a *kernel.Acc) string {
	mask := e.without("active", a.Args)
	if a.Filter != kernel.NoValue {
		mask += " & " + e.truth(a.Filter)
	}
	if a.Distinct {
		if number := e.markingOf(a); number >= 0 {
			mask += " & " + marked(number)
		}
	}
	return mask
}

// kept is the type of a value in registers.
func (r *renderer) kept(id kernel.ValueID) string {
	if r.narrow[id] {
		return "i32"
	}
	return r.ctype(r.f.Values[id].Type)
}
