package cuda

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

func (e *computing) comparison(in *kernel.Compute) {
	op := in.Op.Operation().CUDA
	if e.typeOf(in) == kernel.Bool {
		e.declareNulls(in.Dst, e.anyNull(in.Args))
		e.Line("const u32 %s = %s;", e.name(in.Dst), compareMasks(op, e.name(in.Args[0]), e.name(in.Args[1])))
		return
	}
	e.each(in, "%s", e.compare(op, in.Args[0], in.Args[1]))
}

// compare is the comparison of two values at a row.
func (e *computing) compare(op string, a, b kernel.ValueID) string {
	x, y := e.At(a), e.At(b)
	if e.f.Values[a].Type == kernel.F64 {
		return fmt.Sprintf("compare_f64(%s, %s) %s 0", x, y, op)
	}
	switch e.f.Values[a].Type {
	case kernel.Num:
		return fmt.Sprintf("compare_num(%s, %s) %s 0", x, y, op)
	case kernel.Str:
		switch op {
		case "==":
			return fmt.Sprintf("same_text(%s, %s)", x, y)
		case "!=":
			return fmt.Sprintf("!same_text(%s, %s)", x, y)
		}
		return fmt.Sprintf("compare_text(%s, %s) %s 0", x, y, op)
	case kernel.Interval:
		return fmt.Sprintf("compare_interval(%s, %s) %s 0", x, y, op)
	}
	return fmt.Sprintf("%s %s %s", x, op, y)
}

// compareMasks compares booleans, false being less than true.
func compareMasks(op, a, b string) string {
	switch op {
	case "==":
		return fmt.Sprintf("~(%s ^ %s)", a, b)
	case "!=":
		return fmt.Sprintf("%s ^ %s", a, b)
	case "<":
		return fmt.Sprintf("~%s & %s", a, b)
	case "<=":
		return fmt.Sprintf("~%s | %s", a, b)
	case ">":
		return fmt.Sprintf("%s & ~%s", a, b)
	}
	return fmt.Sprintf("%s | ~%s", a, b)
}

// mask defines a Bool by an expression of masks.
func (e *computing) mask(in *kernel.Compute, nulls, format string, args ...any) {
	e.Line("const u32 %s = %s;", e.name(in.Dst), fmt.Sprintf(format, args...))
	e.declareNulls(in.Dst, nulls)
}

// differ is the mask of the rows in which two values that are not NULL differ.
func (e *computing) differ(a, b kernel.ValueID) string {
	if e.f.Values[a].Type == kernel.Bool {
		return compareMasks("!=", e.name(a), e.name(b))
	}
	ne := e.Temp("differ")
	e.Line("u32 %s = 0;", ne)
	e.Line("ROWS set(%s, r, %s);", ne, e.compare("!=", a, b))
	return ne
}

func (e *computing) distinct(in *kernel.Compute) {
	ne := e.differ(in.Args[0], in.Args[1])
	a, b := e.orNone(in.Args[0]), e.orNone(in.Args[1])
	e.mask(in, "", "(%s) & ~%s & ~%s | (%s ^ %s)", ne, a, b, a, b)
}

// orNone is the mask of a value's NULLs, or that of no row.
func (e *computing) orNone(id kernel.ValueID) string {
	if n := e.nulls(id); n != "" {
		return n
	}
	return "0u"
}

// longestIn is how many elements an IN may have: each is an argument.
const longestIn = 128

func (e *computing) in(in *kernel.Compute) {
	x, list := in.Args[0], in.Args[1:]
	if len(list) > longestIn {
		e.refuse("there is no device code for IN with more than %d elements", longestIn)
		return
	}
	hit, unknown := e.name(in.Dst), []string{}
	e.Line("u32 %s = 0;", hit)
	same := e.sameAs(x, list)
	for _, id := range list {
		if e.f.Values[id].Type == kernel.Bool {
			e.Line("%s |= (%s)%s;", hit, compareMasks("==", e.name(x), e.name(id)), e.notNull(id))
		} else {
			at := e.Temp("same")
			e.Line("u32 %s = 0;", at)
			e.Line("ROWS set(%s, r, %s);", at, same(id))
			e.Line("%s |= %s%s;", hit, at, e.notNull(id))
		}
		if n := e.nulls(id); n != "" {
			unknown = append(unknown, n)
		}
	}
	nulls := e.nulls(x)
	if len(unknown) > 0 {
		if nulls != "" {
			nulls += " | "
		}
		nulls += fmt.Sprintf("~%s & (%s)", hit, strings.Join(unknown, " | "))
	}
	e.declareNulls(in.Dst, nulls)
}

// sameAs returns what compares a value at a row with each of a list. The first bytes of a text are read once for all
// constants, whose own are arguments.
func (e *computing) sameAs(x kernel.ValueID, list []kernel.ValueID) func(kernel.ValueID) string {
	equal := func(id kernel.ValueID) string { return e.compare("==", x, id) }
	if e.f.Values[x].Type != kernel.Str || e.isParam(x) || len(list) == 1 || !slices.ContainsFunc(list, e.isParam) {
		return equal
	}
	first := e.Temp("first")
	e.Line("u64 %s[R];", first)
	e.Line("ROWS %s[r] = word_of_text(%s, 0);", first, e.At(x))
	return func(id kernel.ValueID) string {
		if !e.isParam(id) {
			return equal(id)
		}
		i := slices.IndexFunc(e.f.Params, func(p kernel.Param) bool { return p.Dst == id })
		word := e.Arg(Arg{Kind: ArgParamHigh, Index: i}, "u64", "first bytes of constant "+e.name(id))
		return fmt.Sprintf("same_text(%s, %s[r], %s, %s)", e.At(x), first, e.At(id), word)
	}
}

// notNull restricts a mask to the rows for which a value is not NULL.
func (e *computing) notNull(id kernel.ValueID) string {
	if n := e.nulls(id); n != "" {
		return " & ~" + n
	}
	return ""
}

// falsity is the mask of the rows for which a Bool is false.
func (e *computing) falsity(id kernel.ValueID) string { return "~" + e.name(id) + e.notNull(id) }

func (e *computing) and(in *kernel.Compute) {
	a, b := in.Args[0], in.Args[1]
	nulls := ""
	if n := e.anyNull(in.Args); n != "" {
		nulls = fmt.Sprintf("(%s) & ~(%s) & ~(%s)", n, e.falsity(a), e.falsity(b))
	}
	e.mask(in, nulls, "%s & %s", e.name(a), e.name(b))
}

func (e *computing) or(in *kernel.Compute) {
	a, b := in.Args[0], in.Args[1]
	nulls := ""
	if n := e.anyNull(in.Args); n != "" {
		nulls = fmt.Sprintf("(%s) & ~(%s) & ~(%s)", n, e.truth(a), e.truth(b))
	}
	e.mask(in, nulls, "%s | %s", e.name(a), e.name(b))
}

func (e *computing) not(in *kernel.Compute) {
	e.mask(in, e.anyNull(in.Args), "~%s", e.name(in.Args[0]))
}

func (e *computing) isNull(in *kernel.Compute) { e.mask(in, "", "%s", e.orNone(in.Args[0])) }

func (e *computing) isTrue(in *kernel.Compute) { e.mask(in, "", "%s", e.truth(in.Args[0])) }

func (e *computing) isFalse(in *kernel.Compute) { e.mask(in, "", "%s", e.falsity(in.Args[0])) }

func (e *computing) atMostOne(in *kernel.Compute) {
	e.raiseWhere(in, ErrManyRows, e.At(in.Args[0])+" > 1")
	e.each(in, "true")
}
