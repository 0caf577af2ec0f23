// Package value holds the scalar values of Cubeloom and their semantics: exact
// numerics with PostgreSQL's result scales, dates, timestamps, intervals, and
// the text form of every type.
//
// It is vocabulary: every layer from the binder to the backends and the server
// may import it, and it imports nothing of ours. Whatever a scalar function
// does beyond plain machine arithmetic is defined here once; the binder folds
// constants with it and the CPU backend calls it a value at a time.
package value

// Kind says which field of a Value holds it.
type Kind uint8

// The kinds of scalar values.
const (
	Null Kind = iota
	Bool
	Int       // any integer type, and DATE (days since 1970-01-01) and TIMESTAMP (microseconds since 1970-01-01)
	Float     // float64
	Decimal   // exact numeric with its own display scale
	Text      // UTF-8
	Intervals // interval
)

// Value is one scalar, NULL included. The zero Value is NULL. A Value is
// immutable and may be copied; it knows its kind but not its SQL type, which
// its holder keeps beside it.
type Value struct {
	Kind     Kind
	B        bool
	I        int64
	F        float64
	Num      Num
	S        string
	Interval Interval
}

// Int128 is a signed 128-bit integer in two's complement: Hi·2^64 + Lo.
type Int128 struct {
	Lo uint64
	Hi int64
}

// Num is an exact numeric: Coef·10^-Scale. Scale is the display scale, as
// PostgreSQL keeps one with every numeric value. Coef has at most 38 digits;
// whatever needs more is an error of SQLSTATE 22003. Scale may exceed 38, for
// a small number like 1e-40.
type Num struct {
	Coef  Int128
	Scale uint8
}

// Interval is a PostgreSQL interval: its three fields are kept apart, since a
// month has no fixed number of days and a day no fixed number of hours.
type Interval struct {
	Months int32
	Days   int32
	Micros int64
}
