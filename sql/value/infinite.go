package value

import "math"

// What a date or a timestamp is held as that is later, or earlier, than all others. No
// arithmetic of finite ones gives it.
const (
	InfinityDate      = math.MaxInt32
	MinusInfinityDate = math.MinInt32
	Infinity          = math.MaxInt64
	MinusInfinity     = math.MinInt64
)

// IsFiniteDate reports whether a date is a day.
func IsFiniteDate(days int32) bool { return days != InfinityDate && days != MinusInfinityDate }

// IsFiniteTimestamp reports whether a timestamp is a moment.
func IsFiniteTimestamp(micros int64) bool { return micros != Infinity && micros != MinusInfinity }

// infiniteText is how an infinite date or timestamp is written.
func infiniteText(positive bool) string {
	if positive {
		return "infinity"
	}
	return "-infinity"
}

// FiniteDate is a date of which another is to be taken away: 22008 where it is infinite.
func FiniteDate(days int32) (int32, error) {
	if !IsFiniteDate(days) {
		return 0, Errorf(CodeDatetimeOverflow, "cannot subtract infinite dates")
	}
	return days, nil
}

// FiniteTimestamp is FiniteDate of timestamps.
func FiniteTimestamp(micros int64) (int64, error) {
	if !IsFiniteTimestamp(micros) {
		return 0, Errorf(CodeDatetimeOverflow, "cannot subtract infinite timestamps")
	}
	return micros, nil
}

// SubDates is date - date, in days.
func SubDates(a, b int32) (int64, error) {
	if _, err := FiniteDate(a); err != nil {
		return 0, err
	}
	_, err := FiniteDate(b)
	return int64(a) - int64(b), err
}

// Grows reports whether a field of ever later timestamps is ever greater: that of an
// infinite one is infinite then, and otherwise NULL.
func (f Field) Grows() bool {
	switch f {
	case Year, Decade, Century, Millennium, Isoyear, Julian, Epoch:
		return true
	}
	return false
}

// CheckExtracted fails with 0A000 for a field of an infinite date or timestamp that is infinite, which
// no numeric is. To double precision it can be cast.
func CheckExtracted(f Field) error {
	if !f.Grows() {
		return nil
	}
	err := Errorf(CodeFeatureNotSupported, "infinite numerics are not supported: extract of an infinite date or timestamp")
	err.Hint = "date_part gives double precision."
	return err
}

// infiniteAs is an infinite timestamp of a sign.
func infiniteAs(positive bool) int64 {
	if positive {
		return Infinity
	}
	return MinusInfinity
}
