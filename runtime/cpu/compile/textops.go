package compile

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

// addTexts registers the operations on text.
func (t opTable) addTexts() {
	str := kernel.Str
	t.add(kernel.OpUpper, str, metered(value.Upper))
	t.add(kernel.OpLower, str, metered(value.Lower))
	t.add(kernel.OpReverse, str, metered(value.Reverse))
	t.add(kernel.OpLength, str, metered(func(m *value.Meter, s string) int32 { return int32(value.Length(m, s)) }))
	t.add(kernel.OpTrim, str, metered2(value.Trim))
	t.add(kernel.OpLTrim, str, metered2(value.LTrim))
	t.add(kernel.OpRTrim, str, metered2(value.RTrim))
	t[opKey{kernel.OpConcat, str}] = operation{make: makeConcat}
	t.add(kernel.OpPosition, str, metered2(func(m *value.Meter, s, needle string) int32 { return int32(value.Position(m, s, needle)) }))
	t.add(kernel.OpLeft, str, metered2(counted(value.Left)))
	t.add(kernel.OpRight, str, metered2(counted(value.Right)))
	t.add(kernel.OpRepeat, str, metered2(counted(value.Repeat)))
	t.add(kernel.OpReplace, str, metered3(value.Replace))
	t.add(kernel.OpLPad, str, metered3(padded(value.LPad)))
	t.add(kernel.OpRPad, str, metered3(padded(value.RPad)))
	t.add(kernel.OpSplitPart, str, metered3(func(m *value.Meter, s, delimiter string, n int32) string {
		return sqlstate.Must(value.SplitPart(m, s, delimiter, int64(n)))
	}))
	t.add(kernel.OpMD5, str, metered(value.MD5))
	t.add(kernel.OpToDate, str, metered2(func(m *value.Meter, s, pattern string) int32 { return sqlstate.Must(value.ToDate(m, s, pattern)) }))
	t[opKey{kernel.OpRegexpLike, str}] = operation{make: makeRegexpLike}
	t[opKey{kernel.OpRegexpReplace, str}] = operation{make: makeRegexpReplace}
	t[opKey{kernel.OpSubstring, str}] = operation{make: makeSubstring}
	t[opKey{kernel.OpClip, str}] = operation{make: makeClip}
	t[opKey{kernel.OpLike, str}] = operation{make: makeLike(false)}
	t[opKey{kernel.OpILike, str}] = operation{make: makeLike(true)}
	t.addParsers()
	t.addFormats()
}

// counted takes a number of 32 bits.
func counted(f func(*value.Meter, string, int64) string) func(*value.Meter, string, int32) string {
	return func(m *value.Meter, s string, n int32) string { return f(m, s, int64(n)) }
}

// padded takes a number of 32 bits.
func padded(f func(*value.Meter, string, int64, string) string) func(*value.Meter, string, int32, string) string {
	return func(m *value.Meter, s string, n int32, fill string) string { return f(m, s, int64(n), fill) }
}

func makeSubstring(_ *Compiler, in *kernel.Compute) apply {
	if len(in.Args) == 2 {
		return metered2(counted(value.SubstringFrom))
	}
	return metered3(func(m *value.Meter, s string, start, length int32) string {
		return sqlstate.Must(value.Substring(m, s, int64(start), int64(length)))
	})
}

func makeClip(_ *Compiler, in *kernel.Compute) apply {
	limited := in.Aux.Field
	if in.Checked && limited == "" {
		limited = value.LimitedVarchar
	}
	return metered(func(m *value.Meter, s string) string {
		return sqlstate.Must(value.Clip(m, s, in.Aux.Length, limited))
	})
}

// likes compiles the patterns of LIKE: one is compiled when it differs from that of the row before.
type likes struct {
	like            *value.Like
	pattern, escape string
	fold            bool
}

func (l *likes) get(m *value.Meter, pattern, escape string) *value.Like {
	if l.like == nil || pattern != l.pattern || escape != l.escape {
		l.pattern, l.escape = long.Clone(pattern), long.Clone(escape)
		l.like = sqlstate.Must(value.NewLike(m, l.pattern, l.escape, l.fold))
	}
	return l.like
}

func makeLike(fold bool) func(*Compiler, *kernel.Compute) apply {
	return func(*Compiler, *kernel.Compute) apply {
		l := &likes{fold: fold}
		return func(f *frame) {
			s, o, sm := vector.Of[string](f.args[0]), operandsOf[string](&frame{args: f.args[1:]}), f.args[0].Mask()
			dst, null := vector.Of[uint8](f.dst), f.dst.Null
			var like *value.Like
			varying, used := o.am|o.bm != 0, f.meter.Used()
			for _, i := range f.rows() {
				if null != nil && null[i] != 0 {
					continue
				}
				if like == nil || varying {
					like = l.get(f.meter, o.a[int(i)&o.am], o.b[int(i)&o.bm])
				}
				dst[i] = vector.B2u(sqlstate.Must(like.Match(f.meter, s[int(i)&sm])))
				if fold || varying { // something was made for the row
					f.meter.Settle(used, 0)
				}
			}
			f.meter.Settle(used, 0)
		}
	}
}

// addParsers registers OpParse by the type of its result.
func (t opTable) addParsers() {
	t[opKey{kernel.OpParse, kernel.Str}] = operation{make: func(c *Compiler, in *kernel.Compute) apply {
		switch c.Kernel.Values[in.Dst].Type {
		case kernel.Bool:
			return unary(func(s string) (uint8, error) {
				b, err := value.ParseBool(s)
				return vector.B2u(b), err
			})
		case kernel.I32:
			if in.Aux.Field == "date" {
				return unary(value.ParseDate)
			}
			bits := 32
			if in.Aux.Bits != 0 {
				bits = int(in.Aux.Bits)
			}
			return unary(func(s string) (int32, error) {
				x, err := value.ParseInt(s, bits)
				return int32(x), err
			})
		case kernel.I64:
			switch in.Aux.Field {
			case "timestamp":
				return unary(value.ParseTimestamp)
			case "time":
				return unary(value.ParseTime)
			}
			return unary(func(s string) (int64, error) { return value.ParseInt(s, 64) })
		case kernel.I128:
			return unary(parseUnscaled(in.Aux.Scale))
		case kernel.F64:
			return unary(value.ParseFloat64)
		case kernel.Num:
			return unary(value.ParseNum)
		case kernel.Interval:
			return unary(func(s string) (value.Interval, error) { return value.ParseInterval(s, "") })
		}
		panic(value.Errorf(value.CodeFeatureNotSupported, "text cannot be read as %s", c.Kernel.Values[in.Dst].Type))
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
	format := func(typ kernel.Type, make func(*Compiler, *kernel.Compute) apply) {
		t[opKey{kernel.OpFormat, typ}] = operation{make: make}
	}
	t.add(kernel.OpFormat, kernel.Bool, infallible(func(a uint8) string { return value.FormatBool(a != 0) }))
	format(kernel.F64, written(value.AppendFloat64))
	format(kernel.Num, written(func(dst []byte, a value.Num) []byte { return a.Append(dst) }))
	format(kernel.Interval, written(func(dst []byte, a value.Interval) []byte { return a.Append(dst) }))
	format(kernel.I32, func(c *Compiler, in *kernel.Compute) apply {
		if in.Aux.Field == "date" {
			return written(value.AppendDate)(c, in)
		}
		return written(func(dst []byte, a int32) []byte { return value.AppendInt(dst, int64(a)) })(c, in)
	})
	format(kernel.I64, func(c *Compiler, in *kernel.Compute) apply {
		switch in.Aux.Field {
		case "timestamp":
			return written(value.AppendTimestamp)(c, in)
		case "time":
			return written(value.AppendTime)(c, in)
		}
		scale := in.Aux.Scale
		return written(func(dst []byte, a int64) []byte { return value.AppendDecimal64(dst, a, scale) })(c, in)
	})
	format(kernel.I128, func(c *Compiler, in *kernel.Compute) apply {
		scale := in.Aux.Scale
		return written(func(dst []byte, a value.Int128) []byte { return value.AppendDecimal(dst, a, scale) })(c, in)
	})
}
