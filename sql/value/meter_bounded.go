package value

import "errors"

// ErrTooLarge is the error of a bounded meter.
var ErrTooLarge = errors.New("the value is too large to be computed here")

// Bounded is a meter that m, which may be nil, is charged and asked by, and that fails
// with ErrTooLarge beyond so many bytes or, about, so many units of work.
func (m *Meter) Bounded(bytes, work int) *Meter {
	return NewMeter(&boundedSource{within: m, bytes: int64(bytes), work: work})
}

// boundedSource is a meter as the source of one with bounds of its own.
type boundedSource struct {
	within *Meter
	bytes  int64
	work   int
}

// Grow implements MeterSource.
func (s *boundedSource) Grow(n int64) error {
	if n > s.bytes {
		return ErrTooLarge
	}
	if err := s.within.Grow(int(n)); err != nil {
		return err
	}
	s.bytes -= n
	return nil
}

// Shrink implements MeterSource.
func (s *boundedSource) Shrink(n int64) {
	s.within.Shrink(int(n))
	s.bytes += n
}

// Err implements MeterSource.
func (s *boundedSource) Err() error {
	if s.work -= meterWork; s.work < 0 {
		return ErrTooLarge
	}
	return s.within.Check(meterWork)
}
