package value

import "runtime"

// MaxLength is the number of bytes that PostgreSQL allows in one value.
const MaxLength = 1<<30 - 1

// MeterSource is what a Meter charges and asks: the memory account of a statement,
// and its context.
type MeterSource interface {
	// Grow charges n more bytes, or fails with 53200 and charges nothing.
	Grow(n int64) error
	// Shrink takes n charged bytes back.
	Shrink(n int64)
	// Err is the error of a statement that is to end, nil while it may go on.
	Err() error
}

// Meter bounds what computing values costs: bytes are charged before they are
// taken, and long work asks now and then whether the statement may go on.
// Both cost next to nothing for small values, since the source is asked once in
// many calls. A Meter is for one goroutine. A nil one bounds nothing.
type Meter struct {
	source  MeterSource
	room    int64 // bytes that are charged and not taken yet
	charged int64
	work    int // units until the source is asked again
}

const (
	meterBytes = 64 << 10  // charged at the least, and kept for what comes next
	meterWork  = 256 << 10 // units of work between two looks at the source
)

// NewMeter makes a meter.
func NewMeter(source MeterSource) *Meter { return &Meter{source: source, work: meterWork} }

// Grow charges n bytes that are about to be taken. It fails with 53200 where there
// is no room for them, and with the source's error where the statement is to end.
func (m *Meter) Grow(n int) error {
	if m == nil {
		return nil
	}
	if m.room -= int64(n); m.room >= 0 {
		return nil
	}
	return m.charge(int64(n))
}

// charge asks the source for what room lacks.
func (m *Meter) charge(n int64) error {
	more := max(-m.room, meterBytes)
	err := m.source.Err()
	if err == nil {
		err = m.source.Grow(more)
	}
	if err != nil {
		m.room += n
		return err
	}
	m.charged += more
	m.room += more
	return nil
}

// Shrink takes back n bytes that Grow has charged.
func (m *Meter) Shrink(n int) {
	if m == nil {
		return
	}
	m.room += int64(n)
	if m.room > 2*meterBytes {
		m.giveBack(m.room - meterBytes)
	}
}

func (m *Meter) giveBack(n int64) {
	m.source.Shrink(n)
	m.room -= n
	m.charged -= n
}

// Used is the number of bytes that are taken now.
func (m *Meter) Used() int {
	if m == nil {
		return 0
	}
	return int(m.charged - m.room)
}

// Check counts n units of work, each about as much as looking at one byte, and fails
// with the source's error where the statement is to end. Now and then it lets other
// goroutines run: the scheduler alone would have those who only answer a short question
// wait for 10 ms behind each that works long.
func (m *Meter) Check(n int) error {
	if m == nil {
		return nil
	}
	if m.work -= n; m.work > 0 {
		return nil
	}
	m.work = meterWork
	runtime.Gosched()
	return m.source.Err()
}

// Release takes back everything that was charged.
func (m *Meter) Release() {
	if m != nil {
		m.room = m.charged
		m.giveBack(m.charged)
	}
}

// MustGrow is Grow as Must is Check.
func (m *Meter) MustGrow(n int) {
	if err := m.Grow(n); err != nil {
		panic(err)
	}
}

// Must is Check for what has no errors of its own: it panics with the error, which
// sqlstate.Catch takes.
func (m *Meter) Must(n int) {
	if err := m.Check(n); err != nil {
		panic(err)
	}
}
