package algebra

import (
	"slices"

	"github.com/cubeloom/cubeloom/sql/value"
)

// AggFunc names an aggregate function.
type AggFunc string

// The aggregate functions that others are made of, or that rules look for.
const (
	CountStar  AggFunc = "count_star"
	Count      AggFunc = "count"
	Sum        AggFunc = "sum" // int16, int32 → int64; int64 → numeric(38,0); numeric(p,s) → numeric(38,s); numeric; float64; interval
	Avg        AggFunc = "avg" // exact → numeric with PostgreSQL's scale; float64; interval
	Min        AggFunc = "min"
	Max        AggFunc = "max"
	StddevSamp AggFunc = "stddev_samp" // exact → numeric, float64 → float64
	StddevPop  AggFunc = "stddev_pop"
	VarSamp    AggFunc = "var_samp"
	VarPop     AggFunc = "var_pop"
	BoolAnd    AggFunc = "bool_and"
	BoolOr     AggFunc = "bool_or"
	AnyValue   AggFunc = "any_value"
	BitAnd     AggFunc = "bit_and" // of integers
	BitOr      AggFunc = "bit_or"
	BitXor     AggFunc = "bit_xor"

	// PercentileCont is the value at a fraction, the second argument, a constant, of the way
	// from the least to the greatest, between two where it is none's; PercentileContDesc
	// goes from the greatest to the least.
	PercentileCont     AggFunc = "percentile_cont"
	PercentileContDesc AggFunc = "percentile_cont_desc"
	// PercentileDisc is the first value at or behind a fraction of the way.
	PercentileDisc     AggFunc = "percentile_disc"
	PercentileDiscDesc AggFunc = "percentile_disc_desc"
	// Mode is the most frequent value, of several the least; of ModeDesc the greatest.
	Mode     AggFunc = "mode"
	ModeDesc AggFunc = "mode_desc"

	// Concatenate is the texts in the order of the rows, with the second argument, a constant, between them.
	Concatenate AggFunc = "concatenate"

	// ApproxCountDistinct estimates how many different values there are, int64.
	ApproxCountDistinct AggFunc = "approx_count_distinct"
)

// Aggregation is what is known of an aggregate function.
type Aggregation struct {
	// Args is how many arguments it has. Rows in which one is NULL do not count.
	Args int
	// Result is its type for an argument of a type; ok is false where it is not defined.
	Result func(arg Type) (t Type, ok bool)
	// Statistic marks the aggregates of numbers, which are converted to float64.
	Statistic bool
	// Unknown is what an argument without a type becomes; the zero Type refuses it.
	Unknown Type
	// Counts marks those that are 0 without rows; others are NULL.
	Counts bool
	// Idempotent marks those that do not change with DISTINCT.
	Idempotent bool
	// KeepsType marks those whose result is one of the values or a number of them.
	KeepsType bool
	// Split is what it is put together of where parts of the rows have been aggregated,
	// for arguments for which SplitOf is true (nil: all). Whole says that its argument is
	// not taken apart as a product. Without Split an idempotent one is computed of equal
	// rows once.
	Split   []Accumulation
	SplitOf func(arg Type) bool
	Whole   bool
}

// Accumulation is an aggregate of the argument, or of a power of it.
type Accumulation struct {
	Func  AggFunc
	Power int
}

// aggregations is the table of aggregate functions.
var aggregations = map[AggFunc]Aggregation{
	CountStar: {Result: always(TInt64), Counts: true, KeepsType: true, Split: self(CountStar)},
	Count:     {Args: 1, Result: always(TInt64), Unknown: TText, Counts: true, KeepsType: true, Split: self(Count)},
	Sum:       {Args: 1, Result: sumResult, Split: self(Sum), SplitOf: addsUp},
	Avg:       {Args: 1, Result: averageResult, Split: []Accumulation{{Sum, 1}, {Count, 1}}, SplitOf: addsUp},
	Min:       {Args: 1, Result: extremeResult, Unknown: TText, Idempotent: true, KeepsType: true, Split: self(Min)},
	Max:       {Args: 1, Result: extremeResult, Unknown: TText, Idempotent: true, KeepsType: true, Split: self(Max)},
	AnyValue:  {Args: 1, Result: known, Unknown: TText, Idempotent: true, KeepsType: true, Split: self(AnyValue), Whole: true},
	BoolAnd:   {Args: 1, Result: sameOf(Bool), Unknown: TBool, Idempotent: true, Split: self(BoolAnd), Whole: true},
	BoolOr:    {Args: 1, Result: sameOf(Bool), Unknown: TBool, Idempotent: true, Split: self(BoolOr), Whole: true},
	BitAnd:    {Args: 1, Result: sameOf(Int16, Int32, Int64), Idempotent: true, Split: self(BitAnd), Whole: true},
	BitOr:     {Args: 1, Result: sameOf(Int16, Int32, Int64), Idempotent: true, Split: self(BitOr), Whole: true},
	BitXor:    {Args: 1, Result: sameOf(Int16, Int32, Int64)},

	ApproxCountDistinct: {Args: 1, Result: countResult, Unknown: TText, Counts: true, Idempotent: true, KeepsType: true},

	PercentileCont: percentile, PercentileContDesc: percentile,
	PercentileDisc: placed, PercentileDiscDesc: placed,
	Mode: frequent, ModeDesc: frequent,
	Concatenate: {Args: 2, Result: sameOf(Text)},

	VarSamp: variance, VarPop: variance, StddevSamp: variance, StddevPop: variance,

	"skewness": ofNumbers, "kurtosis": ofNumbers, "kurtosis_pop": ofNumbers,

	"corr": ofPairs, "covar_pop": ofPairs, "covar_samp": ofPairs, "regr_avgx": ofPairs, "regr_avgy": ofPairs,
	"regr_intercept": ofPairs, "regr_r2": ofPairs, "regr_slope": ofPairs,
	"regr_sxx": ofPairs, "regr_sxy": ofPairs, "regr_syy": ofPairs,
}

var (
	variance = Aggregation{
		Args: 1, Result: varianceResult,
		Split: []Accumulation{{Count, 1}, {Sum, 1}, {Sum, 2}}, SplitOf: squaresAreExact,
	}
	percentile = Aggregation{Args: 2, Result: sameOf(Float64)}
	placed     = Aggregation{Args: 2, Result: pickedResult, KeepsType: true}
	frequent   = Aggregation{Args: 1, Result: pickedResult, KeepsType: true}
	ofNumbers  = Aggregation{Args: 1, Result: sameOf(Float64), Statistic: true}
	ofPairs    = Aggregation{Args: 2, Result: sameOf(Float64), Statistic: true}
)

// addsUp reports whether sums of a type can be put together of sums of parts: exactly, or
// of double precision, where the order of addition is free.
func addsUp(t Type) bool { return t.IsExact() || t.Kind == Float64 }

// Row is what is known of the function; that of no function is empty.
func (f AggFunc) Row() Aggregation { return aggregations[f] }

// Result is the routine that makes the aggregate of what is accumulated for it,
// where that is one; see value.Sketch.
func (f AggFunc) Result() Func { return Func(f + value.ResultSuffix) }

// AggResult is the type that an aggregate function gives for an argument of
// type arg; ok is false where it is not defined on it. Sums of small integers
// are 64-bit and cannot overflow on any table that fits in memory; sums of
// decimals keep the scale.
func AggResult(f AggFunc, arg Type) (typ Type, ok bool) {
	if row, found := aggregations[f]; found {
		return row.Result(arg.Plain())
	}
	return Type{}, false
}

func self(f AggFunc) []Accumulation { return []Accumulation{{f, 1}} }

func always(t Type) func(Type) (Type, bool) { return func(Type) (Type, bool) { return t, true } }

func sameOf(kinds ...Kind) func(Type) (Type, bool) {
	return func(arg Type) (Type, bool) { return arg, slices.Contains(kinds, arg.Kind) }
}

func known(arg Type) (Type, bool) { return arg, arg.Kind != Unknown }

func countResult(arg Type) (Type, bool) { return TInt64, arg.Kind != Unknown }

func extremeResult(arg Type) (Type, bool) {
	return arg, arg.Kind != Bool && arg.Kind != Unknown && arg.Kind != Array && arg.Kind != UUID && arg.Kind != Bytea
}

// MaxDigits64 is the number of decimal digits that always fit 64 bits.
const MaxDigits64 = 18

// pickedResult is the type of a value that is picked from numbers of at most 64 bits, and from what is held as such.
func pickedResult(arg Type) (Type, bool) {
	switch arg.Kind {
	case Int16, Int32, Int64, Float32, Float64, Date, Timestamp, TimestampTZ, Time, Enum:
		return arg, true
	}
	return arg, arg.Kind == Decimal && arg.Precision <= MaxDigits64
}

func sumResult(arg Type) (Type, bool) {
	switch arg.Kind {
	case Int16, Int32:
		return TInt64, true
	case Int64:
		return TDecimal(38, 0), true
	case Decimal:
		return TDecimal(38, arg.Scale), true
	case Numeric, Float64, Interval:
		return arg, true
	}
	return Type{}, false
}

func averageResult(arg Type) (Type, bool) {
	if arg.IsExact() {
		return TNumeric, true
	}
	return arg, arg.Kind == Float64 || arg.Kind == Interval
}

func varianceResult(arg Type) (Type, bool) {
	if arg.IsExact() {
		return TNumeric, true
	}
	return arg, arg.Kind == Float64
}

// squaresAreExact reports whether sums of squares have a type.
func squaresAreExact(t Type) bool { return t.IsExact() && 2*t.Scale <= 38 }
