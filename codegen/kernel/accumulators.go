package kernel

import (
	"strings"

	"github.com/cubeloom/cubeloom/sql/value"
)

// AccOp names an accumulator. All of them combine but those that need all rows of a
// group: aggregating the results of finer groups by AccOp.Merge has the result of the
// coarser group.
type AccOp string

// The accumulators.
const (
	AccCountStar AccOp = "count_star" // I64
	AccCount     AccOp = "count"      // I64: rows whose argument is not NULL
	AccSum       AccOp = "sum"        // I64, I128, F64, Num, Interval: the type of Dst; NULL without rows
	AccSumCount  AccOp = "sum_count"  // I64: the sum of counts, 0 without rows
	AccSumSquare AccOp = "sum_square" // exact: I128 or Num
	AccMin       AccOp = "min"
	AccMax       AccOp = "max"
	AccAnd       AccOp = "bool_and"
	AccOr        AccOp = "bool_or"
	AccAny       AccOp = "any_value"
	AccBitAnd    AccOp = "bit_and" // I32, I64
	AccBitOr     AccOp = "bit_or"
	AccBitXor    AccOp = "bit_xor"
	// AccSketch gives a value.Sketch as bytes in a Str, empty without rows;
	// AccMergeSketch the same from such.
	AccSketch      AccOp = "sketch"
	AccMergeSketch AccOp = "merge_sketch"
	// AccPercentile and AccPercentileDesc are the value at Acc.Fraction of the way from
	// the least to the greatest, or from the greatest to the least.
	AccPercentile     AccOp = "percentile_cont"
	AccPercentileDesc AccOp = "percentile_cont_desc"
	// AccPlaced and AccPlacedDesc are the first value at or behind Acc.Fraction of the way.
	AccPlaced     AccOp = "percentile_disc"
	AccPlacedDesc AccOp = "percentile_disc_desc"
	// AccMode and AccModeDesc are the most frequent value, of several the least, or the greatest.
	AccMode     AccOp = "mode"
	AccModeDesc AccOp = "mode_desc"
	// AccConcatenate is the texts in the order of the source, with the second argument, a constant, between them.
	AccConcatenate AccOp = "concatenate"
)

// Accumulator is what lowering, the verifier and both backends know of an AccOp. Rows of
// which an argument is NULL are not accumulated.
type Accumulator struct {
	// Signatures are as those of an Operation: the types of the arguments, and that of each
	// column of the result.
	Signatures []string
	// Merge aggregates the results over finer groups into those of coarser ones, unless
	// AllRows: then it needs all rows of a group.
	Merge   AccOp
	AllRows bool
	// Fraction marks those that pick values by Acc.Fraction.
	Fraction bool
	// NotNull marks the accumulators that give a value without rows, too.
	NotNull bool
	// Idempotent marks those that give the same with and without DISTINCT.
	Idempotent bool
	// Texts marks those that give texts of codes: they take texts.
	Texts bool
	// Bounds is what bounds the integers of the result.
	Bounds Bounds

	// State has the rows accumulated in numbers of double precision: Parts are the columns
	// of the result, and Merges marks the accumulator that takes such columns.
	State  *value.State
	Parts  []Part
	Merges bool
	// Differences declare what the parts with Whole are made of.
	Differences []Difference
	// Statistics are the aggregates that are made of the parts.
	Statistics []Statistic
}

// Bounds is what bounds the integers that an accumulator gives.
type Bounds uint8

// The bounds.
const (
	BoundedByType Bounds = iota
	BoundedByArgument
	BoundedByRows    // the number of rows
	BoundedBySum     // the argument's, as often as there are rows
	BoundedBySquares // at the scale of squares
)

// accumulators is the table of accumulators, but for those that merge states.
var accumulators = withMerges(map[AccOp]Accumulator{
	AccCountStar: {Signatures: []string{">l"}, Merge: AccSumCount, NotNull: true, Bounds: BoundedByRows},
	AccCount:     {Signatures: []string{"*>l"}, Merge: AccSumCount, NotNull: true, Bounds: BoundedByRows},
	AccSumCount:  {Signatures: []string{"l>l"}, Merge: AccSumCount, NotNull: true, Bounds: BoundedByRows},
	AccSum:       {Signatures: []string{"T>T:lhfni", "w>l", "w>h", "l>h"}, Bounds: BoundedBySum},
	AccSumSquare: {Signatures: []string{"w>h", "l>h", "h>h", "n>n"}, Merge: AccSum, Bounds: BoundedBySquares},
	AccMin:       {Signatures: []string{"T>T:bwlhfnis"}, Idempotent: true, Texts: true, Bounds: BoundedByArgument},
	AccMax:       {Signatures: []string{"T>T:bwlhfnis"}, Idempotent: true, Texts: true, Bounds: BoundedByArgument},
	AccAny:       {Signatures: []string{"T>T:bwlhfnisc"}, Idempotent: true, Texts: true, Bounds: BoundedByArgument},
	AccAnd:       {Signatures: []string{"b>b"}, Idempotent: true},
	AccOr:        {Signatures: []string{"b>b"}, Idempotent: true},
	AccBitAnd:    {Signatures: []string{"T>T:wl"}, Idempotent: true},
	AccBitOr:     {Signatures: []string{"T>T:wl"}, Idempotent: true},
	AccBitXor:    {Signatures: []string{"T>T:wl"}},

	AccPercentile:     {Signatures: []string{"f>f"}, AllRows: true, Fraction: true},
	AccPercentileDesc: {Signatures: []string{"f>f"}, AllRows: true, Fraction: true},
	AccPlaced:         {Signatures: []string{"T>T:wlf"}, AllRows: true, Fraction: true, Bounds: BoundedByArgument},
	AccPlacedDesc:     {Signatures: []string{"T>T:wlf"}, AllRows: true, Fraction: true, Bounds: BoundedByArgument},
	AccMode:           {Signatures: []string{"T>T:wlf"}, AllRows: true, Bounds: BoundedByArgument},
	AccModeDesc:       {Signatures: []string{"T>T:wlf"}, AllRows: true, Bounds: BoundedByArgument},

	AccConcatenate: {Signatures: []string{"ss>s"}, AllRows: true, Texts: true},
	AccSketch:      {Signatures: []string{"*>s"}, Merge: AccMergeSketch, NotNull: true, Idempotent: true, Texts: true},
	AccMergeSketch: {Signatures: []string{"s>s"}, NotNull: true},

	"moments": {
		Signatures: []string{"f>f"}, State: &value.MomentsState,
		Parts: []Part{
			{Name: "n", Column: "count", Row: "1.0"}, {Name: "s", Column: "sum", Row: "x"},
			{Name: "m2", Column: "deviations", Row: "x - x", Whole: "m2 + n * d * d"},
		},
		Differences: []Difference{{Name: "d", Sum: "s", Count: "n"}},
		Statistics: []Statistic{
			{Name: "var_pop", Defined: "n > 0", Value: "m2 / n"},
			{Name: "var_samp", Defined: "n > 1", Value: "m2 / (n - 1)"},
			{Name: "stddev_pop", Defined: "n > 0", Value: "sqrt(m2 / n)"},
			{Name: "stddev_samp", Defined: "n > 1", Value: "sqrt(m2 / (n - 1))"},
		},
	},
	"central_moments": {
		Signatures: []string{"f>f"}, State: &value.CentralMomentsState,
		Parts: []Part{
			{Name: "n", Column: "count", Row: "1.0"}, {Name: "s", Column: "sum", Row: "x"},
			{Name: "m2", Column: "squares", Row: "x - x", Whole: "m2 + n * d * d"},
			{Name: "m3", Column: "cubes", Row: "x - x", Whole: "m3 + 3 * d * m2 + n * d * d * d"},
			{Name: "m4", Column: "fourth powers", Row: "x - x", Whole: "m4 + 4 * d * m3 + 6 * d * d * m2 + n * d * d * d * d"},
		},
		Differences: []Difference{{Name: "d", Sum: "s", Count: "n"}},
		Statistics: []Statistic{
			{Name: "skewness", Defined: "n > 2", Value: "sqrt(n * (n - 1)) / (n - 2) * (m3 / n) / pow(m2 / n, 1.5)"},
			{Name: "kurtosis_pop", Defined: "n > 1 && m2 != 0", Value: "n * m4 / (m2 * m2) - 3"},
			{Name: "kurtosis", Defined: "n > 3 && m2 != 0", Value: "(n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * n * m4 / (m2 * m2) - 3 * (n - 1))"},
		},
	},
	"pairs": {
		Signatures: []string{"ff>f"}, State: &value.RegressionState,
		Parts: []Part{
			{Name: "n", Column: "count", Row: "1.0"},
			{Name: "sx", Column: "sum of x", Row: "x"}, {Name: "sxx", Column: "deviations of x", Row: "x - x", Whole: "sxx + n * dx * dx"},
			{Name: "sy", Column: "sum of y", Row: "y"}, {Name: "syy", Column: "deviations of y", Row: "y - y", Whole: "syy + n * dy * dy"},
			{Name: "sxy", Column: "codeviations", Row: "(x - x) + (y - y)", Whole: "sxy + n * dx * dy"},
		},
		Differences: []Difference{{Name: "dx", Sum: "sx", Count: "n"}, {Name: "dy", Sum: "sy", Count: "n"}},
		Statistics: []Statistic{
			{Name: "covar_pop", Defined: "n > 0", Value: "sxy / n"},
			{Name: "covar_samp", Defined: "n > 1", Value: "sxy / (n - 1)"},
			{Name: "corr", Defined: "n > 0 && sxx != 0 && syy != 0", Value: "sxy / sqrt(sxx * syy)"},
			{Name: "regr_avgx", Defined: "n > 0", Value: "sx / n"},
			{Name: "regr_avgy", Defined: "n > 0", Value: "sy / n"},
			{Name: "regr_sxx", Defined: "n > 0", Value: "sxx"},
			{Name: "regr_syy", Defined: "n > 0", Value: "syy"},
			{Name: "regr_sxy", Defined: "n > 0", Value: "sxy"},
			{Name: "regr_r2", Defined: "n > 0 && sxx != 0", Value: "choose(syy == 0, 1, sxy * sxy / (sxx * syy))"},
			{Name: "regr_slope", Defined: "n > 0 && sxx != 0", Value: "sxy / sxx"},
			{Name: "regr_intercept", Defined: "n > 0 && sxx != 0", Value: "(sy - sx * sxy / sxx) / n"},
		},
	},
})

// withMerges adds the accumulators that merge states, and completes the table.
func withMerges(all map[AccOp]Accumulator) map[AccOp]Accumulator {
	merging := make(map[AccOp]Accumulator)
	for op, a := range all {
		switch {
		case a.State != nil:
			a.NotNull, a.Merge = true, "merge_"+op
			m := a
			m.Signatures, m.Merges = []string{strings.Repeat("f", len(a.Parts)) + ">f"}, true
			merging[m.Merge] = m
		case a.Merge == "":
			a.Merge = op
		}
		merging[op] = a
	}
	return merging
}

// Row is the accumulator's row of the table; ok is false where there is none.
func (op AccOp) Row() (a Accumulator, ok bool) {
	a, ok = accumulators[op]
	return a, ok
}

// Merge is the accumulator that aggregates the results of op over finer groups
// into those of coarser ones.
func (op AccOp) Merge() AccOp { return accumulators[op].Merge }

// IgnoresDuplicates reports whether the accumulator gives the same with and without
// DISTINCT.
func (op AccOp) IgnoresDuplicates() bool { return accumulators[op].Idempotent }

// Columns is how many columns the accumulator gives.
func (a *Accumulator) Columns() int { return max(1, len(a.Parts)) }

// FindStatistic returns the aggregate of a name and the accumulator that it is made of.
func FindStatistic(name string) (s Statistic, of AccOp, ok bool) {
	found := statistics[name]
	return found.Statistic, found.of, found.of != ""
}

type statisticOf struct {
	Statistic
	of AccOp
}

var statistics = func() map[string]statisticOf {
	all := make(map[string]statisticOf)
	for op, a := range accumulators {
		for _, s := range a.Statistics {
			if !a.Merges {
				all[s.Name] = statisticOf{s, op}
			}
		}
	}
	return all
}()
