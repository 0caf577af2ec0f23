package kernel

// Op names the operation of a Compute. Where the words are those of
// algebra.Func the meaning is the same, on physical types. Unless said
// otherwise arguments have one type, the result has it too, and a NULL
// argument gives NULL.
type Op string

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
	// scale to and from Num, F64 and Str (decimals).
	OpConvert Op = "convert"
	// OpParse reads text as Dst's type (22P02, 22007); OpFormat writes it. Aux.Field
	// names the SQL type where the physical one does not tell (date, timestamp).
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
	OpDateToTimestamp  Op = "date_to_timestamp"
	OpTimestampToDate  Op = "timestamp_to_date"
	OpAddInterval      Op = "add_interval" // (I64 micros, Interval)
	OpSubInterval      Op = "sub_interval"
	OpSubTimes         Op = "sub_times"    // (I64, I64) → Interval
	OpAge              Op = "age"          // (I64, I64) → Interval
	OpMulInterval      Op = "mul_interval" // (Interval, F64)
	OpDivInterval      Op = "div_interval" // (Interval, F64)

	// OpAvgNum is PostgreSQL's avg of exact numbers: (sum as I64, I128 or Num
	// with Aux.Scale, count as I64) → Num, NULL for a count of 0.
	OpAvgNum Op = "avg_num"
	// OpVarNum is PostgreSQL's variance of exact numbers: (count, sum, sum of
	// squares), Aux.Field one of var_samp, var_pop, stddev_samp, stddev_pop,
	// Aux.Scale the scale of the argument → Num.
	OpVarNum Op = "var_num"
	// OpVarFloat is the same from moments → F64.
	OpVarFloat Op = "var_float"
)
