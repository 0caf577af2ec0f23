package kernel

import (
	"iter"
	"maps"
	"math/bits"

	"github.com/cubeloom/cubeloom/sql/value"
)

// The operations.
const (
	OpAdd Op = "add" // I32 I64 I128 F64 Num Interval
	OpSub Op = "sub"
	OpMul Op = "mul" // I32 I64 I128 F64 Num; (I64, I64) → I128 widens
	OpDiv Op = "div" // I32 I64: toward zero; F64; Num: PostgreSQL's scale. Raises 22012
	OpMod Op = "mod" // I32 I64 I128 (equal scales) Num. Raises 22012
	OpNeg Op = "neg"
	OpAbs Op = "abs"

	// OpRescale multiplies (Aux.Scale > 0) or divides (< 0, rounding half away
	// from zero) I64 and I128 by a power of ten.
	OpRescale Op = "rescale"
	// OpNarrow checks an integer against a narrower SQL type (22003): Aux.Bits 16
	// for smallint, Aux.Digits for numeric(p,s).
	OpNarrow Op = "narrow"

	OpRound Op = "round" // F64: half to even; Num with Aux.Scale
	OpTrunc Op = "trunc"
	OpFloor Op = "floor" // F64, Num
	OpCeil  Op = "ceil"
	OpPower Op = "power" // F64, Num
	OpSqrt  Op = "sqrt"
	OpLn    Op = "ln"
	OpLog10 Op = "log10"
	OpExp   Op = "exp"
	OpSign  Op = "sign"

	OpEq       Op = "eq" // any type → Bool; Codes only of one dictionary
	OpNe       Op = "ne"
	OpLt       Op = "lt" // not on Code: compare OpRank
	OpLe       Op = "le"
	OpGt       Op = "gt"
	OpGe       Op = "ge"
	OpDistinct Op = "distinct" // never NULL

	OpAnd     Op = "and" // two arguments
	OpOr      Op = "or"
	OpNot     Op = "not"
	OpIsNull  Op = "is_null"
	OpIsTrue  Op = "is_true"
	OpIsFalse Op = "is_false"
	OpIn      Op = "in" // (x, param, param, …)

	// OpAtMostOne is true for counts (I64) up to 1 and raises 21000 for others.
	OpAtMostOne Op = "at_most_one"

	// OpRank gives, for a Code, the place of its text in the dictionary's order
	// (I32, equal texts have equal ranks), and OpUnrank the code for a rank.
	OpRank   Op = "rank"
	OpUnrank Op = "unrank"
	// OpDecode gives the Str of a Code.
	OpDecode Op = "decode"

	// OpConvert changes between physical types without a change of value:
	// I32→I64→I128 and to F64; Bool→I32; and the reverse, Checked (22003), F64
	// to integers rounding half to even. With Aux.Scale: I64 or I128 of that
	// scale to and from Num and F64, and from Str (decimals).
	OpConvert Op = "convert"
	// OpParse reads text as Dst's type (22P02, 22007); OpFormat writes it. Aux.Field
	// names the SQL type where the physical one does not tell (date, timestamp, time).
	OpParse  Op = "parse"
	OpFormat Op = "format"

	OpLike      Op = "like"
	OpILike     Op = "ilike"
	OpSubstring Op = "substring"
	OpUpper     Op = "upper"
	OpLower     Op = "lower"
	OpTrim      Op = "trim"
	OpLTrim     Op = "ltrim"
	OpRTrim     Op = "rtrim"
	OpLength    Op = "length"
	OpConcat    Op = "concat"
	OpReplace   Op = "replace"
	OpPosition  Op = "position"
	OpLeft      Op = "left"
	OpRight     Op = "right"
	OpLPad      Op = "lpad"
	OpRPad      Op = "rpad"
	OpSplitPart Op = "split_part"
	OpReverse   Op = "reverse"
	OpRepeat    Op = "repeat"
	OpMD5       Op = "md5"

	// OpDraw draws for a position and a seed, (I64, I64) → I64: a number from 0 to
	// DrawLimit−1, the same for all positions of a run of 2^Aux.Bits.
	OpDraw Op = "draw"

	// OpBit gives, for an integer and a base, (I64, I64) → I64, word Aux.Bits of the set that has the
	// difference alone: numbers from 64 * Aux.Bits on are its bits. OpCountBits adds the number of bits of
	// a word to a count, (I64, I64) → I64.
	OpBit       Op = "bit"
	OpCountBits Op = "count_bits"

	OpRegexpLike    Op = "regexp_like"    // (Str, pattern, flags); raises 2201B
	OpRegexpReplace Op = "regexp_replace" // (Str, pattern, replacement, flags)
	OpToChar        Op = "to_char"        // (I64 micros, pattern)
	OpToDate        Op = "to_date"        // (Str, pattern) → I32 days; raises 22007, 22008
	// OpClip enforces varchar(n): cuts at Aux.Length characters; Checked raises
	// 22001 when anything but blanks would be lost, of character(n) where Aux.Field is
	// that name.
	OpClip Op = "clip"

	// OpRoutine computes the value.Routine that Aux.Field names, followed by a
	// slash and its parameters, from as many arguments of their types.
	OpRoutine Op = "routine"

	OpExtractDate      Op = "extract_date"      // Aux.Field, I32 days → I32 where the field is whole (year … dow), else Num
	OpExtractTimestamp Op = "extract_timestamp" // Aux.Field, I64 micros → I64 or Num (second, epoch: six digits)
	OpExtractInterval  Op = "extract_interval"
	OpTruncTimestamp   Op = "date_trunc"
	OpTruncInterval    Op = "trunc_interval"
	// OpFinite gives a date (I32) or timestamp (I64) that is finite. Of others it raises what
	// taking one away does (22008), or extracting Aux.Field (0A000), unless a second argument,
	// which it does not look at, is NULL.
	OpFinite          Op = "finite"
	OpDateOf          Op = "date_of" // I64 days → I32, 22008 out of the range of dates
	OpDateToTimestamp Op = "date_to_timestamp"
	OpTimestampToDate Op = "timestamp_to_date"
	OpAddInterval     Op = "add_interval" // (I64 micros, Interval)
	OpSubInterval     Op = "sub_interval"
	OpSubTimes        Op = "sub_times"    // (I64, I64) → Interval
	OpAge             Op = "age"          // (I64, I64) → Interval
	OpMulInterval     Op = "mul_interval" // (Interval, F64)
	OpDivInterval     Op = "div_interval" // (Interval, F64)

	// OpAvgNum is PostgreSQL's avg of exact numbers: (sum as I64, I128 or Num
	// with Aux.Scale, count as I64) → Num, NULL for a count of 0.
	OpAvgNum Op = "avg_num"
	// OpVarNum is PostgreSQL's variance of exact numbers: (count, sum, sum of
	// squares), Aux.Field one of var_samp, var_pop, stddev_samp, stddev_pop,
	// Aux.Scale the scale of the argument → Num.
	OpVarNum Op = "var_num"
	// OpStatistic computes the Statistic that Aux.Field names, of the parts of its
	// accumulator, all F64.
	OpStatistic Op = "statistic"
)

// Operation is what verifier, lowering and the backends know of an Op.
type Operation struct {
	// Signatures are the argument types and the result type. A type is one letter:
	// b Bool, w I32, l I64, h I128, f F64, n Num, i Interval, s Str, c Code; T is
	// any type of the class after the colon, the same at each T; * is any type, and
	// a trailing + repeats the last argument.
	Signatures []string
	Raises     Raises
	Nulls      Nulls
	// CUDA is the operator or function of C++ that computes it, where there is one, or
	// an expression in which $1, $2, … are the arguments and $bits is Aux.Bits.
	CUDA string
	// Integers is what it computes of two I64 as an I64, where that is all there is to know
	// of it; it is called once for a kernel.
	Integers func(aux Aux) func(a, b int64) int64
}

// Raises is when an operation can raise an error.
type Raises uint8

// The ways.
const (
	Always       Raises = iota // for some arguments
	Never                      // whatever the arguments are
	WhenChecked                // where Compute.Checked is set
	UnlessProven               // where Compute.Checked is set, and of types other than machine integers
	UnlessFloat                // but of double precision
)

// Nulls is what an operation does with NULL.
type Nulls uint8

// The ways. Where it is not Strict an operation sees its arguments' NULLs.
const (
	Strict  Nulls = iota // a NULL argument gives NULL, others do not
	Logical              // NULL is an unknown truth, and may come of it
	NotNull              // the result is never NULL
	Partial              // strict, but the result may be NULL without a NULL argument
)

// operations is the table of all operations but OpRoutine, whose signatures are
// those of the routines.
var operations = map[Op]Operation{
	OpAdd:     {Signatures: []string{"TT>T:wlhfni"}, Raises: UnlessProven, CUDA: "add"},
	OpSub:     {Signatures: []string{"TT>T:wlhfni"}, Raises: UnlessProven, CUDA: "sub"},
	OpMul:     {Signatures: []string{"TT>T:wlhfn", "ll>h"}, Raises: UnlessProven, CUDA: "mul"},
	OpDiv:     {Signatures: []string{"TT>T:wlfn"}},
	OpMod:     {Signatures: []string{"TT>T:wlhn"}},
	OpNeg:     {Signatures: []string{"T>T:wlhfni"}, Raises: UnlessProven, CUDA: "neg"},
	OpAbs:     {Signatures: []string{"T>T:wlhfn"}, Raises: UnlessProven, CUDA: "abs"},
	OpRescale: {Signatures: []string{"T>T:lh"}, Raises: UnlessProven},
	OpNarrow:  {Signatures: []string{"T>T:wlh"}},

	OpRound: {Signatures: []string{"T>T:fn"}, Raises: UnlessFloat, CUDA: "rint"},
	OpTrunc: {Signatures: []string{"T>T:fn"}, Raises: UnlessFloat, CUDA: "trunc"},
	OpFloor: {Signatures: []string{"T>T:fn"}, Raises: UnlessFloat, CUDA: "floor"},
	OpCeil:  {Signatures: []string{"T>T:fn"}, Raises: UnlessFloat, CUDA: "ceil"},
	OpPower: {Signatures: []string{"TT>T:fn"}},
	OpSqrt:  {Signatures: []string{"T>T:fn"}},
	OpLn:    {Signatures: []string{"T>T:fn"}},
	OpLog10: {Signatures: []string{"T>T:fn"}},
	OpExp:   {Signatures: []string{"T>T:fn"}},
	OpSign:  {Signatures: []string{"T>T:wlhfn"}, Raises: Never},

	OpEq:       {Signatures: []string{"TT>b:bwlhfnisc"}, Raises: Never, CUDA: "=="},
	OpNe:       {Signatures: []string{"TT>b:bwlhfnisc"}, Raises: Never, CUDA: "!="},
	OpLt:       {Signatures: []string{"TT>b:bwlhfnis"}, Raises: Never, CUDA: "<"},
	OpLe:       {Signatures: []string{"TT>b:bwlhfnis"}, Raises: Never, CUDA: "<="},
	OpGt:       {Signatures: []string{"TT>b:bwlhfnis"}, Raises: Never, CUDA: ">"},
	OpGe:       {Signatures: []string{"TT>b:bwlhfnis"}, Raises: Never, CUDA: ">="},
	OpDistinct: {Signatures: []string{"TT>b:bwlhfnisc"}, Raises: Never, Nulls: NotNull},

	OpAnd:       {Signatures: []string{"bb>b"}, Raises: Never, Nulls: Logical},
	OpOr:        {Signatures: []string{"bb>b"}, Raises: Never, Nulls: Logical},
	OpNot:       {Signatures: []string{"b>b"}, Raises: Never},
	OpIsNull:    {Signatures: []string{"*>b"}, Raises: Never, Nulls: NotNull},
	OpIsTrue:    {Signatures: []string{"b>b"}, Raises: Never, Nulls: NotNull},
	OpIsFalse:   {Signatures: []string{"b>b"}, Raises: Never, Nulls: NotNull},
	OpIn:        {Signatures: []string{"TT+>b:bwlhfnis"}, Raises: Never, Nulls: Logical},
	OpAtMostOne: {Signatures: []string{"l>b"}},

	OpRank:   {Signatures: []string{"c>w"}, Raises: Never},
	OpUnrank: {Signatures: []string{"w>c"}, Raises: Never},
	OpDecode: {Signatures: []string{"c>s"}, Raises: Never},
	OpConvert: {Signatures: []string{
		"w>T:lhfnb", "l>T:whfn", "h>T:wlfn", "f>T:wlhn", "n>T:wlhf", "s>T:lhn", "b>w",
	}, Raises: WhenChecked},
	OpParse:  {Signatures: []string{"s>T:bwlhfni"}},
	OpFormat: {Signatures: []string{"T>s:bwlhfni"}, Raises: Never},

	OpLike:      {Signatures: []string{"sss>b"}},
	OpILike:     {Signatures: []string{"sss>b"}},
	OpSubstring: {Signatures: []string{"sw>s", "sww>s"}},
	OpUpper:     {Signatures: []string{"s>s"}, Raises: Never},
	OpLower:     {Signatures: []string{"s>s"}, Raises: Never},
	OpTrim:      {Signatures: []string{"ss>s"}, Raises: Never},
	OpLTrim:     {Signatures: []string{"ss>s"}, Raises: Never},
	OpRTrim:     {Signatures: []string{"ss>s"}, Raises: Never},
	OpLength:    {Signatures: []string{"s>w"}, Raises: Never, CUDA: "length_of"},
	OpConcat:    {Signatures: []string{"ss>s"}},
	OpReplace:   {Signatures: []string{"sss>s"}},
	OpPosition:  {Signatures: []string{"ss>w"}, Raises: Never},
	OpLeft:      {Signatures: []string{"sw>s"}, Raises: Never, CUDA: "left"},
	OpRight:     {Signatures: []string{"sw>s"}, Raises: Never, CUDA: "right"},
	OpLPad:      {Signatures: []string{"sws>s"}},
	OpRPad:      {Signatures: []string{"sws>s"}},
	OpSplitPart: {Signatures: []string{"ssw>s"}},
	OpReverse:   {Signatures: []string{"s>s"}, Raises: Never},
	OpRepeat:    {Signatures: []string{"sw>s"}},
	OpMD5:       {Signatures: []string{"s>s"}, Raises: Never},
	OpClip:      {Signatures: []string{"s>s"}, Raises: WhenChecked},

	OpDraw: {
		Signatures: []string{"ll>l"}, Raises: Never, Integers: draw,
		CUDA: "(i64)(mix((u64)($1 >> $bits) + mix((u64)$2)) >> 2)",
	},

	OpBit: {
		Signatures: []string{"ll>l"}, Raises: Never, Integers: bitOf,
		CUDA: "((u64)$1 - (u64)$2 >> 6 == $bits ? (i64)(1ull << ((u64)$1 - (u64)$2 & 63)) : 0ll)",
	},
	OpCountBits: {Signatures: []string{"ll>l"}, Raises: Never, Integers: countBits, CUDA: "(__popcll((u64)$1) + $2)"},

	OpRegexpLike:    {Signatures: []string{"sss>b"}},
	OpRegexpReplace: {Signatures: []string{"ssss>s"}},
	OpToChar:        {Signatures: []string{"ls>s"}, Raises: Never},
	OpToDate:        {Signatures: []string{"ss>w"}},

	OpExtractDate:      {Signatures: []string{"w>T:wn"}, Raises: Never},
	OpExtractTimestamp: {Signatures: []string{"l>T:ln"}, Raises: Never},
	OpExtractInterval:  {Signatures: []string{"i>T:ln"}, Raises: Never},
	OpTruncTimestamp:   {Signatures: []string{"l>l"}},
	OpTruncInterval:    {Signatures: []string{"i>i"}},
	OpFinite:           {Signatures: []string{"T>T:wl", "TT>T:wl"}},
	OpDateOf:           {Signatures: []string{"l>w"}},
	OpDateToTimestamp:  {Signatures: []string{"w>l"}},
	OpTimestampToDate:  {Signatures: []string{"l>w"}},
	OpAddInterval:      {Signatures: []string{"li>l"}},
	OpSubInterval:      {Signatures: []string{"li>l"}},
	OpSubTimes:         {Signatures: []string{"ll>i"}},
	OpAge:              {Signatures: []string{"ll>i"}},
	OpMulInterval:      {Signatures: []string{"if>i"}},
	OpDivInterval:      {Signatures: []string{"if>i"}},

	OpAvgNum: {Signatures: []string{"Tl>n:lhn"}, Nulls: Partial},
	OpVarNum: {Signatures: []string{"lTT>n:lhn", "llh>n"}, Nulls: Partial},
	// The parts are those of the accumulator.
	OpStatistic: {Raises: Never, Nulls: Partial},
}

// Operation is what is known of the operation.
func (op Op) Operation() Operation { return operations[op] }

// DrawLimit is the number of what OpDraw can draw.
const DrawLimit = 1 << 62

// draw computes OpDraw: value.Hash64 is mix of hash.cuh. It remembers what it has drawn for a run.
func draw(aux Aux) func(position, seed int64) int64 {
	var last, lastSeed, drawn int64
	var mixed uint64
	known := false
	return func(position, seed int64) int64 {
		run := position >> aux.Bits
		if known && run == last && seed == lastSeed {
			return drawn
		}
		if !known || seed != lastSeed {
			mixed = value.Hash64(uint64(seed))
		}
		known, last, lastSeed = true, run, seed
		drawn = int64(value.Hash64(uint64(run)+mixed) >> 2)
		return drawn
	}
}

// bitOf computes OpBit.
func bitOf(aux Aux) func(x, base int64) int64 {
	return func(x, base int64) int64 {
		at := uint64(x) - uint64(base)
		if at>>6 != uint64(aux.Bits) {
			return 0
		}
		return 1 << (at & 63)
	}
}

// countBits computes OpCountBits.
func countBits(Aux) func(word, count int64) int64 {
	return func(word, count int64) int64 { return count + int64(bits.OnesCount64(uint64(word))) }
}

// Operations are all but OpRoutine.
func Operations() iter.Seq2[Op, Operation] { return maps.All(operations) }

// SeesNulls reports whether the operation looks at NULL arguments; others are NULL
// where an argument is.
func (op Op) SeesNulls() bool {
	nulls := operations[op].Nulls
	return nulls == Logical || nulls == NotNull
}

// IsComparison reports whether the operation compares two values and is NULL where one
// of them is.
func (op Op) IsComparison() bool {
	switch op {
	case OpEq, OpNe, OpLt, OpLe, OpGt, OpGe:
		return true
	}
	return false
}
