package cuda

import (
	"fmt"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// args are the arguments at a row.
func (e *computing) argsAt(in *kernel.Compute) string {
	at := lists.Map(in.Args, e.At)
	return strings.Join(at, ", ")
}

// check defines Dst row by row by a function that reports whether the result does
// not fit, in which case code is raised.
func (e *computing) check(in *kernel.Compute, code ErrorCode, call string) {
	e.declare(in.Dst, e.anyNull(in.Args))
	bad := e.Temp("bad")
	e.Line("u32 %s = 0;", bad)
	e.Line("ROWS set(%s, r, %s);", bad, call)
	e.raise(e.without(bad+" & active", in.Args), code, in)
}

// each defines Dst row by row by an expression of the row's arguments; it is NULL
// where an argument is.
func (e *computing) each(in *kernel.Compute, format string, args ...any) {
	e.declare(in.Dst, e.anyNull(in.Args))
	if e.f.Values[in.Dst].Type == kernel.Bool {
		e.Line("ROWS set(%s, r, %s);", e.name(in.Dst), fmt.Sprintf(format, args...))
		return
	}
	e.Line("ROWS %s[r] = %s;", e.name(in.Dst), fmt.Sprintf(format, args...))
}

// raiseWhere raises an error in rows for which a condition on the row holds.
func (e *computing) raiseWhere(in *kernel.Compute, code ErrorCode, condition string) {
	bad := e.Temp("bad")
	e.Line("u32 %s = 0;", bad)
	e.Line("ROWS set(%s, r, %s);", bad, condition)
	e.raise(e.without(bad+" & active", in.Args), code, in)
}

// typeOf is the type of the first argument.
func (e *computing) typeOf(in *kernel.Compute) kernel.Type { return e.f.Values[in.Args[0]].Type }

// calls are the names of the device functions of arithmetic without checks.
var calls = map[string]string{"add": "add", "sub": "sub", "mul": "mul", "neg": "neg", "abs": "abs_of"}

// overflow is the error of a result that does not fit in type t.
func overflow(t kernel.Type) ErrorCode {
	switch t {
	case kernel.I128:
		return ErrNumericRange
	case kernel.F64:
		return ErrFloatOverflow
	}
	return ErrIntRange
}
