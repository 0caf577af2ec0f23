package kernel

var typeNames = [...]string{
	Invalid: "invalid", Bool: "bool", I32: "i32", I64: "i64", I128: "i128", F64: "f64",
	Num: "num", Interval: "interval", Str: "str", Code: "code",
}

// String is the type's name in a printed kernel.
func (t Type) String() string {
	if int(t) < len(typeNames) {
		return typeNames[t]
	}
	return "invalid"
}

// IsInteger reports whether values of the type are machine integers.
func (t Type) IsInteger() bool { return t == I32 || t == I64 || t == I128 }

// IsNumber reports whether arithmetic is defined on the type.
func (t Type) IsNumber() bool { return t.IsInteger() || t == F64 || t == Num }

// Merge is the accumulator that aggregates the results of op over finer groups
// into those of coarser ones.
func (op AccOp) Merge() AccOp {
	switch op {
	case AccCountStar, AccCount, AccSumCount:
		return AccSumCount
	case AccSumSquare:
		return AccSum
	case AccMoments, AccMergeMom:
		return AccMergeMom
	case AccPairs, AccMergePairs:
		return AccMergePairs
	case AccSketch, AccMergeSketch:
		return AccMergeSketch
	}
	return op
}

// IgnoresDuplicates reports whether the accumulator gives the same with and without
// DISTINCT.
func (op AccOp) IgnoresDuplicates() bool {
	switch op {
	case AccMin, AccMax, AccAnd, AccOr, AccAny, AccBitAnd, AccBitOr, AccSketch:
		return true
	}
	return false
}
