package value

import (
	"cmp"
	"time"
)

// The routines of generate_series over arguments that are not known beforehand: how
// many values there are, of (start, stop, step), and the value that a number from 1
// on counts, of (start, step, number). Moments have the session's zone behind them.
const (
	SeriesLength = "series length"
	SeriesValue  = "series value"
)

var seriesRoutines = map[string][]Routine{
	SeriesLength: {
		{Params: "lll", Result: 'l', Call: integerSteps}, {Params: "nnn", Result: 'l', Call: numericSteps},
		{Params: "tti", Result: 'l', Metered: func(m *Meter, a []Value) (Value, error) { return timeSteps(m, a, AddInterval) }},
		{Params: "zzis", Result: 'l', Metered: inZoneMetered(func(m *Meter, a []Value, loc *time.Location) (Value, error) { return timeSteps(m, a, addIn(loc)) })},
	},
	SeriesValue: {
		{Params: "nnl", Result: 'n', Call: numericStep},
		{Params: "til", Result: 't', Remembering: func() func(*Meter, []Value) (Value, error) { return (&timeWalk{add: AddInterval}).step }},
		{Params: "zils", Result: 'z', Remembering: zonedSteps},
	},
}

// MaxSeries is how many values a series has at most.
const MaxSeries = 1 << 40

// ErrZeroStep is the error of a series that does not advance.
func ErrZeroStep() error { return Errorf(CodeInvalidParameter, "step size cannot equal zero") }

// SeriesOf is how many integers there are from start to stop.
func SeriesOf(start, stop, step int64) (int64, error) {
	switch {
	case step == 0:
		return 0, ErrZeroStep()
	case step > 0 && start > stop, step < 0 && start < stop:
		return 0, nil
	case step > 0:
		return seriesLength((uint64(stop) - uint64(start)) / uint64(step))
	}
	return seriesLength((uint64(start) - uint64(stop)) / -uint64(step))
}

func seriesLength(steps uint64) (int64, error) {
	if steps >= MaxSeries {
		return 0, Errorf(CodeProgramLimit, "generate_series of more than %d rows", int64(MaxSeries))
	}
	return int64(steps) + 1, nil
}

func integerSteps(a []Value) (Value, error) { return micros(SeriesOf(a[0].I, a[1].I, a[2].I)) }

// numericSteps divides exactly: all three as integers of one scale.
func numericSteps(a []Value) (Value, error) {
	start, stop, step := a[0].Num, a[1].Num, a[2].Num
	if step.Sign() == 0 {
		return Value{}, ErrZeroStep()
	}
	span, err := stop.Sub(start)
	if err != nil {
		return Value{}, err
	}
	if span.Sign()*step.Sign() < 0 {
		return intValue(0), nil
	}
	steps, err := wholeQuotient([]Value{numValue(span), numValue(step)})
	if err != nil {
		return Value{}, err
	}
	if steps.Num.Cmp(NumOf(MaxSeries)) > 0 {
		steps.Num = NumOf(MaxSeries)
	}
	n, err := steps.Num.Int(64)
	if err != nil {
		return Value{}, err
	}
	return micros(seriesLength(uint64(n)))
}

func numericStep(a []Value) (Value, error) {
	if a[2].I == 1 {
		return a[0], nil // with its own scale
	}
	way, err := a[1].Num.Mul(NumOf(a[2].I - 1))
	if err != nil {
		return Value{}, err
	}
	sum, err := a[0].Num.Add(way)
	return numValue(sum), err
}

// addIn adds intervals in a time zone.
func addIn(loc *time.Location) func(int64, Interval) (int64, error) {
	return func(micros int64, iv Interval) (int64, error) { return AddIntervalTZ(micros, iv, loc) }
}

// maxTimeSteps bounds the series whose steps are taken one by one, since days and
// months are not always of the same length.
const maxTimeSteps = 1 << 20

// CheckSeries fails for a series of timestamps with infinite bounds that does not end, or
// that goes on beyond all timestamps. The sign is that of its steps.
func CheckSeries(start, stop int64, sign int) error {
	ahead := cmp.Compare(stop, start) * sign
	switch {
	case ahead < 0:
		return nil
	case !IsFiniteTimestamp(start):
		return Errorf(CodeProgramLimit, "generate_series from an infinite timestamp does not end")
	case !IsFiniteTimestamp(stop):
		return errTimestampRange()
	}
	return nil
}

func timeSteps(m *Meter, a []Value, add func(int64, Interval) (int64, error)) (Value, error) {
	at, stop, step := a[0].I, a[1].I, a[2].Interval
	sign := step.Cmp(Interval{})
	if sign == 0 {
		return Value{}, ErrZeroStep()
	}
	if err := CheckSeries(at, stop, sign); err != nil {
		return Value{}, err
	}
	if step.Months == 0 && step.Days == 0 {
		return micros(SeriesOf(at, stop, step.Micros))
	}
	var err error
	for n := int64(0); ; n++ {
		if at < stop && sign < 0 || at > stop && sign > 0 {
			return intValue(n), nil
		}
		if n == maxTimeSteps {
			return Value{}, Errorf(CodeProgramLimit, "generate_series of more than %d days or months", maxTimeSteps)
		}
		if at, err = add(at, step); err == nil {
			err = m.Check(stepWork)
		}
		if err != nil {
			return Value{}, err
		}
	}
}

// stepWork is what adding an interval costs, in bytes looked at.
const stepWork = 64

// timeWalk takes the steps of a series. It goes on from the last value, for callers
// that take one after the other.
type timeWalk struct {
	add       func(int64, Interval) (int64, error)
	start, at int64
	by        Interval
	n         int64 // the number of the value at, 0 before the first
}

func (w *timeWalk) step(m *Meter, a []Value) (Value, error) {
	start, by, n := a[0].I, a[1].Interval, a[2].I
	if by.Months == 0 && by.Days == 0 {
		return intValue(start + by.Micros*(n-1)), nil
	}
	if w.n == 0 || w.n > n || w.start != start || w.by != by {
		w.start, w.at, w.by, w.n = start, start, by, 1
	}
	for ; w.n < n; w.n++ {
		at, err := w.add(w.at, by)
		if err == nil {
			err = m.Check(stepWork)
		}
		if err != nil {
			return Value{}, err
		}
		w.at = at
	}
	return intValue(w.at), nil
}

// zonedSteps is timeWalk in the time zone of the last argument.
func zonedSteps() func(*Meter, []Value) (Value, error) {
	walk := &timeWalk{}
	zone := ""
	return func(m *Meter, a []Value) (Value, error) {
		if name := a[3].S; walk.add == nil || name != zone {
			loc, ok := FindZone(name)
			if !ok {
				return Value{}, errZone(name)
			}
			zone, *walk = name, timeWalk{add: addIn(loc)}
		}
		return walk.step(m, a)
	}
}
