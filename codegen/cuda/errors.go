package cuda

import "github.com/cubeloom/cubeloom/codegen/kernel"

// The errors.
const (
	NoError         ErrorCode = iota
	ErrIntRange               // an integer out of the range of the result's type
	ErrNumericRange           // a decimal out of range
	ErrPrecision              // a decimal out of the range of numeric(p,s)
	ErrDivisionByZero
	ErrMapEntry      // the error of an entry of a dictionary
	ErrSumRange      // a sum of integers or decimals
	ErrFloatOverflow // double precision
	ErrFloatUnderflow
	ErrDateRange      // a date out of the range of the result's type
	ErrTimestampRange // a timestamp out of range
	ErrNumRange       // a numeric of more than 38 digits
	ErrIntervalRange  // an interval out of range
	ErrSubstring      // a substring of a negative length
	ErrNtile          // an argument of ntile that is not above 0
	ErrNthValue       // of nth_value
	ErrNotASCII       // a text of other characters than ASCII's, which has to run on the CPU
	ErrNotFinite      // a sum of double precision that is not finite: see InOrder
	ErrUndefined      // 0, for which a function of double precision is not defined
	ErrNegative       // a negative number, likewise
	ErrManyRows       // a count above 1 of the rows of a scalar subquery
	ErrInfinite       // an infinite date or timestamp
)

// NotFinite is why what raises ErrNotFinite runs on the CPU.
const NotFinite = "a sum of double precision is not finite, and there is no device code that finds out whether it has overflowed"

// The states of an entry of a Map.
const (
	MapNull  uint8 = iota // it is NULL
	MapValue              // it has a value
	MapError              // it raises an error
)

// site returns the number of a place.
func (r *renderer) site(in kernel.Instr) int {
	for i, s := range r.sites {
		if s.Instr == in {
			return i
		}
	}
	r.sites = append(r.sites, Site{Instr: in})
	return len(r.sites) - 1
}

// raise raises an error where mask, of rows that count, has a bit.
func (e *computing) raise(mask string, code ErrorCode, in kernel.Instr) {
	e.Line("if (%s) raise(%s, %d, %d);", mask, e.known[Arg{Kind: ArgError}], code, e.site(in))
}
