package value

import (
	"errors"
	"testing"
)

// countedSource has a limit and an end.
type countedSource struct {
	used, limit int64
	asked       int
	end         error
}

func (s *countedSource) Grow(n int64) error {
	if s.used+n > s.limit {
		return Errorf(CodeOutOfMemory, "full")
	}
	s.used += n
	return nil
}

func (s *countedSource) Shrink(n int64) { s.used -= n }

func (s *countedSource) Err() error {
	s.asked++
	return s.end
}

func TestMeterChargesBeforeBytesAreTaken(t *testing.T) {
	s := &countedSource{limit: 1 << 20}
	m := NewMeter(s)
	for range 1000 {
		if err := m.Grow(100); err != nil {
			t.Fatal(err)
		}
		if s.used < int64(m.Used()) {
			t.Fatalf("%d bytes are taken and %d charged", m.Used(), s.used)
		}
	}
	if m.Used() != 100_000 || s.asked > 2 {
		t.Errorf("%d bytes are taken after %d questions", m.Used(), s.asked)
	}
	if err := m.Grow(1 << 20); err == nil || m.Used() != 100_000 {
		t.Errorf("more than the limit: error %v, %d bytes taken", err, m.Used())
	}
	m.Shrink(100_000)
	if err := m.Grow(900_000); err != nil {
		t.Errorf("what was given back cannot be taken: %v", err)
	}
	m.Shrink(900_000)
	if s.used > 2*meterBytes {
		t.Errorf("%d bytes stay charged for what comes next", s.used)
	}
	m.Release()
	if s.used != 0 || m.Used() != 0 {
		t.Errorf("%d bytes are charged and %d taken at the end", s.used, m.Used())
	}
}

func TestMeterAsksForTheEndNowAndThen(t *testing.T) {
	s := &countedSource{limit: 1 << 30}
	m := NewMeter(s)
	s.end = errors.New("the end")
	for i := range 300 {
		if err := m.Check(1 << 10); err != nil {
			if i < 100 || i > 260 || s.asked != 1 {
				t.Errorf("the end is seen after %d KB of work and %d questions", i, s.asked)
			}
			return
		}
	}
	t.Error("the end is not seen")
}

func TestMeterBeyondASmallRoomSeesTheEnd(t *testing.T) {
	s := &countedSource{limit: 1 << 30, end: errors.New("the end")}
	if err := NewMeter(s).Grow(1 << 20); !errors.Is(err, s.end) {
		t.Errorf("a large value of a statement that is to end: %v", err)
	}
}

func TestNoMeterBoundsNothing(t *testing.T) {
	var m *Meter
	if err := errors.Join(m.Grow(1<<40), m.Check(1<<40)); err != nil || m.Used() != 0 {
		t.Error(err)
	}
	m.Shrink(1)
	m.Release()
}
