package cuda

import (
	"fmt"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// compute writes a Compute.
func (e *entry) compute(in *kernel.Compute) {
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
var operations = map[kernel.Op]func(e *entry, in *kernel.Compute){
	kernel.OpAdd: arithmetic("add"), kernel.OpSub: arithmetic("sub"), kernel.OpMul: (*entry).multiply,
	kernel.OpNeg: arithmetic("neg"), kernel.OpAbs: arithmetic("abs"),
	kernel.OpDiv: (*entry).divide, kernel.OpMod: (*entry).modulo, kernel.OpSign: (*entry).sign,
	kernel.OpRescale: (*entry).rescale, kernel.OpNarrow: (*entry).narrow, kernel.OpConvert: (*entry).convert,

	kernel.OpEq: (*entry).comparison, kernel.OpNe: (*entry).comparison, kernel.OpLt: (*entry).comparison,
	kernel.OpLe: (*entry).comparison, kernel.OpGt: (*entry).comparison, kernel.OpGe: (*entry).comparison,
	kernel.OpDistinct: (*entry).distinct, kernel.OpIn: (*entry).in,
	kernel.OpAnd: (*entry).and, kernel.OpOr: (*entry).or, kernel.OpNot: (*entry).not,
	kernel.OpIsNull: (*entry).isNull, kernel.OpIsTrue: (*entry).isTrue, kernel.OpIsFalse: (*entry).isFalse,

	kernel.OpRound: (*entry).round, kernel.OpTrunc: (*entry).round, kernel.OpFloor: (*entry).round, kernel.OpCeil: (*entry).round,

	kernel.OpExtractDate: (*entry).extractDate, kernel.OpExtractTimestamp: (*entry).extractTimestamp,
	kernel.OpTruncTimestamp: (*entry).truncTimestamp, kernel.OpDateToTimestamp: (*entry).dateToTimestamp,
	kernel.OpTimestampToDate: (*entry).timestampToDate,
	kernel.OpAddInterval:     (*entry).addInterval, kernel.OpSubInterval: (*entry).subInterval, kernel.OpSubTimes: (*entry).subTimes,

	kernel.OpAvgNum: (*entry).averageNum, kernel.OpVarNum: (*entry).momentNum, kernel.OpVarFloat: (*entry).momentFloat,

	kernel.OpLike: (*entry).like, kernel.OpILike: (*entry).like, kernel.OpUpper: (*entry).inCase, kernel.OpLower: (*entry).inCase,
	kernel.OpSubstring: (*entry).substring, kernel.OpLength: textFunction("length_of"),
	kernel.OpLeft: textFunction("left"), kernel.OpRight: textFunction("right"),

	kernel.OpRank: (*entry).rank, kernel.OpUnrank: (*entry).unrank, kernel.OpDecode: (*entry).decode,
}

// typeOf is the type of the first argument.
func (e *entry) typeOf(in *kernel.Compute) kernel.Type { return e.f.Values[in.Args[0]].Type }

// args are the arguments at a row.
func (e *entry) argsAt(in *kernel.Compute) string {
	at := make([]string, len(in.Args))
	for i, id := range in.Args {
		at[i] = e.at(id)
	}
	return strings.Join(at, ", ")
}

// each defines Dst row by row by an expression of the row's arguments; it is NULL
// where an argument is.
func (e *entry) each(in *kernel.Compute, format string, args ...any) {
	e.declare(in.Dst, e.anyNull(in.Args))
	if e.f.Values[in.Dst].Type == kernel.Bool {
		e.line("ROWS set(%s, r, %s);%s", e.name(in.Dst), fmt.Sprintf(format, args...), e.about(in.Dst, ""))
		return
	}
	e.line("ROWS %s[r] = %s;%s", e.name(in.Dst), fmt.Sprintf(format, args...), e.about(in.Dst, ""))
}

// check defines Dst row by row by a function that tells whether the result does
// not fit, in which case code is raised.
func (e *entry) check(in *kernel.Compute, code ErrorCode, call string) {
	e.declare(in.Dst, e.anyNull(in.Args))
	bad := e.temp("bad")
	e.line("u32 %s = 0;", bad)
	e.line("ROWS set(%s, r, %s);%s", bad, call, e.about(in.Dst, ""))
	e.raise(e.without(bad+" & active", in.Args), code, in)
}

// raiseWhere raises an error in rows for which a condition on the row holds.
func (e *entry) raiseWhere(in *kernel.Compute, code ErrorCode, condition string) {
	bad := e.temp("bad")
	e.line("u32 %s = 0;", bad)
	e.line("ROWS set(%s, r, %s);", bad, condition)
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
