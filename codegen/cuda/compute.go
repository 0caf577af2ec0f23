package cuda

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// compute writes a Compute.
func (e *computing) compute(in *kernel.Compute) {
	write, ok := operations[in.Op]
	if !ok && in.Op.Operation().CUDA != "" {
		write, ok = (*computing).formula, true
	}
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

// formula writes an operation of which the table of operations has all that there is to
// know: an expression of the arguments, or the function of them.
func (e *computing) formula(in *kernel.Compute) {
	text := in.Op.Operation().CUDA
	for _, name := range names.FindAllString(text, -1) {
		if file, ok := definedIn()[name]; ok {
			e.include(file)
		}
	}
	if !strings.Contains(text, "$") {
		e.each(in, "%s(%s)", text, e.argsAt(in))
		return
	}
	pairs := []string{"$bits", strconv.Itoa(int(in.Aux.Bits))}
	for i, id := range in.Args {
		pairs = append(pairs, "$"+strconv.Itoa(i+1), e.At(id))
	}
	e.each(in, "%s", strings.NewReplacer(pairs...).Replace(text))
}

// names finds the names in an expression of C++.
var names = regexp.MustCompile(`\b[a-z_][a-z0-9_]*\b`)

// operations writes each operation that has more to it than a formula.
var operations = map[kernel.Op]func(e *computing, in *kernel.Compute){
	kernel.OpAdd: (*computing).arithmetic, kernel.OpSub: (*computing).arithmetic, kernel.OpMul: (*computing).multiply,
	kernel.OpNeg: (*computing).arithmetic, kernel.OpAbs: (*computing).arithmetic,
	kernel.OpDiv: (*computing).divide, kernel.OpMod: (*computing).modulo, kernel.OpSign: (*computing).sign,
	kernel.OpRescale: (*computing).rescale, kernel.OpNarrow: (*computing).narrow, kernel.OpConvert: (*computing).convert,

	kernel.OpEq: (*computing).comparison, kernel.OpNe: (*computing).comparison, kernel.OpLt: (*computing).comparison,
	kernel.OpLe: (*computing).comparison, kernel.OpGt: (*computing).comparison, kernel.OpGe: (*computing).comparison,
	kernel.OpDistinct: (*computing).distinct, kernel.OpIn: (*computing).in,
	kernel.OpAnd: (*computing).and, kernel.OpOr: (*computing).or, kernel.OpNot: (*computing).not,
	kernel.OpIsNull: (*computing).isNull, kernel.OpIsTrue: (*computing).isTrue, kernel.OpIsFalse: (*computing).isFalse,
	kernel.OpAtMostOne: (*computing).atMostOne,

	kernel.OpRound: (*computing).round, kernel.OpTrunc: (*computing).round, kernel.OpFloor: (*computing).round, kernel.OpCeil: (*computing).round,
	kernel.OpSqrt: (*computing).sqrt, kernel.OpLn: (*computing).logarithm, kernel.OpLog10: (*computing).logarithm, kernel.OpExp: (*computing).exp, kernel.OpPower: (*computing).power,

	kernel.OpExtractDate: (*computing).extractDate, kernel.OpExtractTimestamp: (*computing).extractTimestamp,
	kernel.OpTruncTimestamp: (*computing).truncTimestamp, kernel.OpDateOf: (*computing).dateOf, kernel.OpFinite: (*computing).notInfinite, kernel.OpDateToTimestamp: (*computing).dateToTimestamp,
	kernel.OpTimestampToDate: (*computing).timestampToDate,
	kernel.OpAddInterval:     (*computing).addInterval, kernel.OpSubInterval: (*computing).subInterval, kernel.OpSubTimes: (*computing).subTimes,
	kernel.OpMulInterval: (*computing).scaleInterval, kernel.OpDivInterval: (*computing).scaleInterval,

	kernel.OpAvgNum: (*computing).averageNum, kernel.OpVarNum: (*computing).momentNum, kernel.OpStatistic: (*computing).statistic,

	kernel.OpLike: (*computing).like, kernel.OpILike: (*computing).like, kernel.OpUpper: (*computing).inCase, kernel.OpLower: (*computing).inCase,
	kernel.OpSubstring: (*computing).substring,

	kernel.OpRank: (*computing).rank, kernel.OpUnrank: (*computing).unrank, kernel.OpDecode: (*computing).decode,
}
