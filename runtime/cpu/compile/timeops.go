package compile

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// addTimes registers the operations on dates, timestamps and intervals.
func (t opTable) addTimes() {
	span := kernel.Interval
	t.add(kernel.OpAdd, span, zip(value.Interval.Add))
	t.add(kernel.OpSub, span, zip(value.Interval.Sub))
	t.add(kernel.OpNeg, span, unary(value.Interval.Neg))
	t.add(kernel.OpMulInterval, span, zip(value.Interval.Mul))
	t.add(kernel.OpDivInterval, span, zip(value.Interval.Div))
	t.add(kernel.OpAddInterval, kernel.I64, zip(value.AddInterval))
	t.add(kernel.OpSubInterval, kernel.I64, zip(value.SubInterval))
	t.add(kernel.OpSubTimes, kernel.I64, zip(value.SubTimes))
	t.add(kernel.OpAge, kernel.I64, zip(value.Age))
	t.add(kernel.OpToChar, kernel.I64, metered2(func(m *value.Meter, micros int64, pattern string) string {
		return sqlstate.Must(value.ToChar(m, micros, pattern))
	}))
	t[opKey{kernel.OpFinite, kernel.I32}] = operation{make: makeFinite(value.FiniteDate, value.IsFiniteDate)}
	t[opKey{kernel.OpFinite, kernel.I64}] = operation{make: makeFinite(value.FiniteTimestamp, value.IsFiniteTimestamp)}
	t.add(kernel.OpDateOf, kernel.I64, unary(value.DateOf))
	t.add(kernel.OpDateToTimestamp, kernel.I32, unary(value.DateToTimestamp))
	t.add(kernel.OpTimestampToDate, kernel.I64, infallible(value.TimestampToDate))
	t[opKey{kernel.OpExtractDate, kernel.I32}] = operation{make: makeExtractDate}
	t[opKey{kernel.OpExtractTimestamp, kernel.I64}] = operation{make: makeExtractTimestamp}
	t[opKey{kernel.OpExtractInterval, span}] = operation{make: makeExtractInterval}
	t[opKey{kernel.OpTruncTimestamp, kernel.I64}] = operation{make: func(_ *Compiler, in *kernel.Compute) apply {
		field := sqlstate.Must(value.ParseTruncField(in.Aux.Field, "timestamp"))
		return unary(func(micros int64) (int64, error) { return value.TruncTimestamp(field, micros) })
	}}
	t[opKey{kernel.OpTruncInterval, span}] = operation{make: func(_ *Compiler, in *kernel.Compute) apply {
		field := sqlstate.Must(value.ParseTruncField(in.Aux.Field, "interval"))
		return infallible(func(iv value.Interval) value.Interval { return value.TruncInterval(field, iv) })
	}}
}

// makeFinite compiles OpFinite.
func makeFinite[T int32 | int64](check func(T) (T, error), isFinite func(T) bool) func(*Compiler, *kernel.Compute) apply {
	return func(_ *Compiler, in *kernel.Compute) apply {
		switch {
		case len(in.Args) > 1:
			return zip(func(x, _ T) (T, error) { return check(x) })
		case in.Aux.Field == "":
			return unary(check)
		}
		field := sqlstate.Must(value.ParseExtractField(in.Aux.Field, value.TimestampType))
		return unary(func(x T) (T, error) {
			if isFinite(x) {
				return x, nil
			}
			return x, value.CheckExtracted(field)
		})
	}
}

func makeExtractDate(c *Compiler, in *kernel.Compute) apply {
	field := sqlstate.Must(value.ParseExtractField(in.Aux.Field, "date"))
	if c.Kernel.Values[in.Dst].Type == kernel.Num {
		return infallible(func(days int32) value.Num { return value.NumOf(value.ExtractDate(field, days)) })
	}
	return infallible(func(days int32) int32 { return int32(value.ExtractDate(field, days)) })
}

func makeExtractTimestamp(c *Compiler, in *kernel.Compute) apply {
	field := sqlstate.Must(value.ParseExtractField(in.Aux.Field, "timestamp"))
	if c.Kernel.Values[in.Dst].Type == kernel.Num {
		return infallible(func(micros int64) value.Num { return value.ExtractTimestampNum(field, micros) })
	}
	return infallible(func(micros int64) int64 { return value.ExtractTimestamp(field, micros) })
}

func makeExtractInterval(c *Compiler, in *kernel.Compute) apply {
	field := sqlstate.Must(value.ParseExtractField(in.Aux.Field, "interval"))
	if c.Kernel.Values[in.Dst].Type == kernel.Num {
		return infallible(func(iv value.Interval) value.Num { return value.ExtractInterval(field, iv) })
	}
	return unary(func(iv value.Interval) (int64, error) { return value.ExtractInterval(field, iv).Int(64) })
}
