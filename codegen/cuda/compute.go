package cuda

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// compute writes a Compute.
func (e *Entry) compute(in *kernel.Compute) {
	write, ok := operations[in.Op]
	if !ok && in.Op.Operation().CUDA != "" {
		write, ok = (*Entry).formula, true
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
func (e *Entry) formula(in *kernel.Compute) {
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
	kernel.OpSqrt: (*Entry).sqrt, kernel.OpLn: (*Entry).logarithm, kernel.OpLog10: (*Entry).logarithm, kernel.OpExp: (*Entry).exp, kernel.OpPower: (*Entry).power,

	kernel.OpExtractDate: (*Entry).extractDate, kernel.OpExtractTimestamp: (*Entry).extractTimestamp,
	kernel.OpTruncTimestamp: (*Entry).truncTimestamp, kernel.OpDateToTimestamp: (*Entry).dateToTimestamp,
	kernel.OpTimestampToDate: (*Entry).timestampToDate,
	kernel.OpAddInterval:     (*Entry).addInterval, kernel.OpSubInterval: (*Entry).subInterval, kernel.OpSubTimes: (*Entry).subTimes,

	kernel.OpAvgNum: (*Entry).averageNum, kernel.OpVarNum: (*Entry).momentNum, kernel.OpStatistic: (*Entry).statistic,

	kernel.OpLike: (*Entry).like, kernel.OpILike: (*Entry).like, kernel.OpUpper: (*Entry).inCase, kernel.OpLower: (*Entry).inCase,
	kernel.OpSubstring: (*Entry).substring,

	kernel.OpRank: (*Entry).rank, kernel.OpUnrank: (*Entry).unrank, kernel.OpDecode: (*Entry).decode,
}
