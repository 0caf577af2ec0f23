package cuda

import (
	"fmt"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// compute writes a Compute.
func (e *Entry) compute(in *kernel.Compute) {
	write, ok := operations[in.Op]
	if !ok {
		e.refuse("there is no device code for operation %s", in.Op)
		return
	}
	for _, id := range in.Args {
		e.ctype(e.f.Values[id].Type)
	}
	e.ctype(e.f.Values[in.Dst].Type)
	if e.err == nil {
		write(e, in)
	}
}

// operations writes each operation.
var operations = map[kernel.Op]func(e *Entry, in *kernel.Compute){
	kernel.OpAdd: (*Entry).arithmetic, kernel.OpSub: (*Entry).arithmetic, kernel.OpMul: (*Entry).multiply,
	kernel.OpNeg: (*Entry).arithmetic, kernel.OpAbs: (*Entry).arithmetic,
	kernel.OpDiv: (*Entry).divide, kernel.OpMod: (*Entry).modulo, kernel.OpSign: (*Entry).sign,
	kernel.OpRescale: (*Entry).rescale, kernel.OpNarrow: (*Entry).narrow, kernel.OpConvert: (*Entry).convert,

	kernel.OpEq: (*Entry).comparison, kernel.OpNe: (*Entry).comparison, kernel.OpLt: (*Entry).comparison,
	kernel.OpLe: (*Entry).comparison, kernel.OpGt: (*Entry).comparison, kernel.OpGe: (*Entry).comparison,
	kernel.OpDistinct: (*Entry).distinct, kernel.OpIn: (*Entry).in,
	kernel.OpAnd: (*Entry).and, kernel.OpOr: (*Entry).or, kernel.OpNot: (*Entry).not,
	kernel.OpIsNull: (*Entry).isNull, kernel.OpIsTrue: (*Entry).isTrue, kernel.OpIsFalse: (*Entry).isFalse,

	kernel.OpRound: (*Entry).round, kernel.OpTrunc: (*Entry).round, kernel.OpFloor: (*Entry).round, kernel.OpCeil: (*Entry).round,

	kernel.OpExtractDate: (*Entry).extractDate, kernel.OpExtractTimestamp: (*Entry).extractTimestamp,
	kernel.OpTruncTimestamp: (*Entry).truncTimestamp, kernel.OpDateToTimestamp: (*Entry).dateToTimestamp,
	kernel.OpTimestampToDate: (*Entry).timestampToDate,
	kernel.OpAddInterval:     (*Entry).addInterval, kernel.OpSubInterval: (*Entry).subInterval, kernel.OpSubTimes: (*Entry).subTimes,

	kernel.OpAvgNum: (*Entry).averageNum, kernel.OpVarNum: (*Entry).momentNum, kernel.OpVarFloat: (*Entry).momentFloat,

	kernel.OpLike: (*Entry).like, kernel.OpILike: (*Entry).like, kernel.OpUpper: (*Entry).inCase, kernel.OpLower: (*Entry).inCase,
	kernel.OpSubstring: (*Entry).substring, kernel.OpLength: (*Entry).textFunction,
	kernel.OpLeft: (*Entry).textFunction, kernel.OpRight: (*Entry).textFunction,

	kernel.OpRank: (*Entry).rank, kernel.OpUnrank: (*Entry).unrank, kernel.OpDecode: (*Entry).decode,
}

// typeOf is the type of the first argument.
func (e *Entry) typeOf(in *kernel.Compute) kernel.Type { return e.f.Values[in.Args[0]].Type }

// args are the arguments at a row.
func (e *Entry) argsAt(in *kernel.Compute) string {
	at := make([]string, len(in.Args))
	for i, id := range in.Args {
		at[i] = e.At(id)
	}
	return strings.Join(at, ", ")
}

// each defines Dst row by row by an expression of the row's arguments; it is NULL
// where an argument is.
func (e *Entry) each(in *kernel.Compute, format string, args ...any) {
	e.declare(in.Dst, e.anyNull(in.Args))
	if e.f.Values[in.Dst].Type == kernel.Bool {
		e.Line("ROWS set(%s, r, %s);%s", e.name(in.Dst), fmt.Sprintf(format, args...), e.about(in.Dst, ""))
		return
	}
	e.Line("ROWS %s[r] = %s;%s", e.name(in.Dst), fmt.Sprintf(format, args...), e.about(in.Dst, ""))
}

// check defines Dst row by row by a function that tells whether the result does
// not fit, in which case code is raised.
func (e *Entry) check(in *kernel.Compute, code ErrorCode, call string) {
	e.declare(in.Dst, e.anyNull(in.Args))
	bad := e.Temp("bad")
	e.Line("u32 %s = 0;", bad)
	e.Line("ROWS set(%s, r, %s);%s", bad, call, e.about(in.Dst, ""))
	e.raise(e.without(bad+" & active", in.Args), code, in)
}

// raiseWhere raises an error in rows for which a condition on the row holds.
func (e *Entry) raiseWhere(in *kernel.Compute, code ErrorCode, condition string) {
	bad := e.Temp("bad")
	e.Line("u32 %s = 0;", bad)
	e.Line("ROWS set(%s, r, %s);", bad, condition)
	e.raise(e.without(bad+" & active", in.Args), code, in)
}

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
