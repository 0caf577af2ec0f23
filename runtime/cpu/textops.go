package cpu

import (
	"strconv"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value"
)

// addTexts registers the operations on text.
func (t opTable) addTexts() {
	str := kernel.Str
	t.add(kernel.OpUpper, str, metered(texts, texts, value.Upper))
	t.add(kernel.OpLower, str, metered(texts, texts, value.Lower))
	t.add(kernel.OpReverse, str, metered(texts, texts, value.Reverse))
	t.add(kernel.OpLength, str, metered(texts, int32s, count(value.Length)))
	t.add(kernel.OpTrim, str, metered2(texts, texts, texts, value.Trim))
	t.add(kernel.OpLTrim, str, metered2(texts, texts, texts, value.LTrim))
	t.add(kernel.OpRTrim, str, metered2(texts, texts, texts, value.RTrim))
	t.add(kernel.OpConcat, str, metered2(texts, texts, texts, value.Concat))
	t.add(kernel.OpPosition, str, metered2(texts, texts, int32s, func(m *value.Meter, s, needle string) (int32, error) {
		n, err := value.Position(m, s, needle)
		return int32(n), err
	}))
	t.add(kernel.OpLeft, str, metered2(texts, int32s, texts, counted(value.Left)))
	t.add(kernel.OpRight, str, metered2(texts, int32s, texts, counted(value.Right)))
	t.add(kernel.OpRepeat, str, metered2(texts, int32s, texts, counted(value.Repeat)))
	t.add(kernel.OpReplace, str, metered3(texts, texts, texts, texts, value.Replace))
	t.add(kernel.OpLPad, str, metered3(texts, int32s, texts, texts, padded(value.LPad)))
	t.add(kernel.OpRPad, str, metered3(texts, int32s, texts, texts, padded(value.RPad)))
	t.add(kernel.OpSplitPart, str, metered3(texts, texts, int32s, texts, func(m *value.Meter, s, delimiter string, n int32) (string, error) {
		return value.SplitPart(m, s, delimiter, int64(n))
	}))
	t.add(kernel.OpMD5, str, metered(texts, texts, value.MD5))
	t.add(kernel.OpToDate, str, metered2(texts, texts, int32s, value.ToDate))
	t[opKey{kernel.OpRegexpLike, str}] = operation{make: makeRegexpLike}
	t[opKey{kernel.OpRegexpReplace, str}] = operation{make: makeRegexpReplace}
	t[opKey{kernel.OpSubstring, str}] = operation{make: makeSubstring}
	t[opKey{kernel.OpClip, str}] = operation{make: makeClip}
	t[opKey{kernel.OpLike, str}] = operation{make: makeLike(false)}
	t[opKey{kernel.OpILike, str}] = operation{make: makeLike(true)}
	t.addParsers()
	t.addFormats()
}

// count gives a number of 32 bits.
func count(f func(*value.Meter, string) (int, error)) func(*value.Meter, string) (int32, error) {
	return func(m *value.Meter, s string) (int32, error) {
		n, err := f(m, s)
		return int32(n), err
	}
}

// counted takes a number of 32 bits.
func counted(f func(*value.Meter, string, int64) (string, error)) func(*value.Meter, string, int32) (string, error) {
	return func(m *value.Meter, s string, n int32) (string, error) { return f(m, s, int64(n)) }
}

// padded takes a number of 32 bits.
func padded(f func(*value.Meter, string, int64, string) (string, error)) func(*value.Meter, string, int32, string) (string, error) {
	return func(m *value.Meter, s string, n int32, fill string) (string, error) { return f(m, s, int64(n), fill) }
}

func makeSubstring(_ *compiler, in *kernel.Compute) (apply, error) {
	if len(in.Args) == 2 {
		return metered2(texts, int32s, texts, counted(value.SubstringFrom)), nil
	}
	return metered3(texts, int32s, int32s, texts, func(m *value.Meter, s string, start, length int32) (string, error) {
		return value.Substring(m, s, int64(start), int64(length))
	}), nil
}

func makeClip(_ *compiler, in *kernel.Compute) (apply, error) {
	limited := in.Aux.Field
	if in.Checked && limited == "" {
		limited = value.LimitedVarchar
	}
	return metered(texts, texts, func(m *value.Meter, s string) (string, error) {
		return value.Clip(m, s, in.Aux.Length, limited)
	}), nil
}

// makeLike compiles LIKE: a pattern is compiled when it differs from that of the
// row before.
func makeLike(fold bool) func(*compiler, *kernel.Compute) (apply, error) {
	return func(*compiler, *kernel.Compute) (apply, error) {
		var like *value.Like
		var pattern, escape string
		return metered3(texts, texts, texts, bools, func(m *value.Meter, s, p, e string) (uint8, error) {
			used := m.Used()
			if like == nil || p != pattern || e != escape {
				compiled, err := value.NewLike(m, p, e, fold)
				if err != nil {
					return 0, err
				}
				like, pattern, escape = compiled, p, e
			}
			ok, err := like.Match(m, s)
			m.Settle(used, 0)
			return b2u(ok), err
		}), nil
	}
}

// addParsers registers OpParse by the type of its result.
func (t opTable) addParsers() {
	t[opKey{kernel.OpParse, kernel.Str}] = operation{make: func(c *compiler, in *kernel.Compute) (apply, error) {
		switch c.f.Values[in.Dst].Type {
		case kernel.Bool:
			return unary(texts, bools, func(s string) (uint8, error) {
				b, err := value.ParseBool(s)
				return b2u(b), err
			}), nil
		case kernel.I32:
			if in.Aux.Field == "date" {
				return unary(texts, int32s, value.ParseDate), nil
			}
			bits := 32
			if in.Aux.Bits != 0 {
				bits = int(in.Aux.Bits)
			}
			return unary(texts, int32s, func(s string) (int32, error) {
				x, err := value.ParseInt(s, bits)
				return int32(x), err
			}), nil
		case kernel.I64:
			if in.Aux.Field == "timestamp" {
				return unary(texts, int64s, value.ParseTimestamp), nil
			}
			return unary(texts, int64s, func(s string) (int64, error) { return value.ParseInt(s, 64) }), nil
		case kernel.I128:
			return unary(texts, int128s, parseUnscaled(in.Aux.Scale)), nil
		case kernel.F64:
			return unary(texts, floats, value.ParseFloat64), nil
		case kernel.Num:
			return unary(texts, nums, value.ParseNum), nil
		case kernel.Interval:
			return unary(texts, intervals, func(s string) (value.Interval, error) { return value.ParseInterval(s, "") }), nil
		}
		return nil, value.Errorf(value.CodeFeatureNotSupported, "text cannot be read as %s", c.f.Values[in.Dst].Type)
	}}
}

// parseUnscaled reads a decimal of a scale.
func parseUnscaled(scale int) func(s string) (value.Int128, error) {
	return func(s string) (value.Int128, error) {
		n, err := value.ParseNum(s)
		if err != nil {
			return value.Int128{}, err
		}
		return n.Unscaled(scale)
	}
}

// addFormats registers OpFormat.
func (t opTable) addFormats() {
	t.add(kernel.OpFormat, kernel.Bool, infallible(bools, texts, func(a uint8) string { return value.FormatBool(a != 0) }))
	t.add(kernel.OpFormat, kernel.F64, infallible(floats, texts, value.FormatFloat64))
	t.add(kernel.OpFormat, kernel.Num, infallible(nums, texts, value.Num.String))
	t.add(kernel.OpFormat, kernel.Interval, infallible(intervals, texts, value.Interval.String))
	t[opKey{kernel.OpFormat, kernel.I32}] = operation{make: func(_ *compiler, in *kernel.Compute) (apply, error) {
		if in.Aux.Field == "date" {
			return infallible(int32s, texts, value.FormatDate), nil
		}
		return infallible(int32s, texts, func(a int32) string { return strconv.Itoa(int(a)) }), nil
	}}
	t[opKey{kernel.OpFormat, kernel.I64}] = operation{make: func(_ *compiler, in *kernel.Compute) (apply, error) {
		if in.Aux.Field == "timestamp" {
			return infallible(int64s, texts, value.FormatTimestamp), nil
		}
		scale := in.Aux.Scale
		return infallible(int64s, texts, func(a int64) string {
			return string(value.AppendDecimal(nil, value.Int128Of(a), scale))
		}), nil
	}}
	t[opKey{kernel.OpFormat, kernel.I128}] = operation{make: func(_ *compiler, in *kernel.Compute) (apply, error) {
		scale := in.Aux.Scale
		return infallible(int128s, texts, func(a value.Int128) string {
			return string(value.AppendDecimal(nil, a, scale))
		}), nil
	}}
}
