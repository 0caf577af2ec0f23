package eval

import (
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// NumType is the narrowest numeric(p,s) that holds a number, or Numeric for a
// scale that no such type has.
func NumType(n value.Num) algebra.Type {
	if n.Scale > value.MaxDigits {
		return algebra.TNumeric
	}
	digits := len(strings.TrimPrefix(n.Coef.String(), "-"))
	return algebra.TDecimal(uint8(max(digits, int(n.Scale), 1)), n.Scale)
}

// cast converts a value between types as CAST does.
func cast(m *value.Meter, e *algebra.Call, args []value.Value) (value.Value, error) {
	from, to, v := e.Args[0].Type(), e.Typ, args[0]
	switch {
	case from.Kind == algebra.Text && to.Kind == algebra.Text:
		s, err := clip(m, v.S, to.Length)
		return textual(s), err
	case from.Kind == algebra.Text:
		return Parse(m, v.S, to, false)
	case to.Kind == algebra.Text:
		s, err := clip(m, Format(v, from), to.Length)
		return textual(s), err
	}
	switch to.Kind {
	case algebra.Bool:
		return boolean(v.Kind == value.Bool && v.B || v.Kind == value.Int && v.I != 0), nil
	case algebra.Int16, algebra.Int32, algebra.Int64:
		return castInteger(v, to)
	case algebra.Float64:
		return castFloat(v), nil
	case algebra.Decimal, algebra.Numeric:
		return castNumber(v, to)
	case algebra.Timestamp:
		if from.Kind == algebra.Date {
			micros, err := value.DateToTimestamp(int32(v.I))
			return integer(micros), err
		}
	case algebra.Date:
		if from.Kind == algebra.Timestamp {
			return integer(int64(value.TimestampToDate(v.I))), nil
		}
	}
	return v, nil
}

func castInteger(v value.Value, to algebra.Type) (value.Value, error) {
	switch v.Kind {
	case value.Bool:
		return integer(int64(bit(v.B))), nil
	case value.Float:
		i, err := value.FloatToInt(v.F, bits(to))
		return integer(i), err
	case value.Decimal:
		i, err := v.Num.Int(bits(to))
		return integer(i), err
	}
	return checkedInt(v.I, to)
}

func castFloat(v value.Value) value.Value {
	switch v.Kind {
	case value.Int:
		return float(float64(v.I))
	case value.Decimal:
		return float(v.Num.Float64())
	}
	return v
}

func castNumber(v value.Value, to algebra.Type) (value.Value, error) {
	n := v.Num
	switch v.Kind {
	case value.Int:
		n = value.NumOf(v.I)
	case value.Float:
		var err error
		if n, err = value.NumFromFloat64(v.F); err != nil {
			return value.Value{}, err
		}
	}
	return fit(n, to)
}

// clip cuts text to n characters; 0 is no limit.
func clip(m *value.Meter, s string, n int32) (string, error) {
	if n == 0 {
		return s, nil
	}
	return value.Clip(m, s, n, "")
}

// assign converts text to varchar(n) as INSERT does: it fails where anything
// but blanks would be lost.
func assign(m *value.Meter, e *algebra.Call, args []value.Value) (value.Value, error) {
	return assignText(m, args[0].S, e.Typ)
}

func assignText(m *value.Meter, s string, typ algebra.Type) (value.Value, error) {
	if typ.Length == 0 {
		return textual(s), nil
	}
	s, err := value.Clip(m, s, typ.Length, algebra.LimitedBy(typ))
	return textual(s), err
}

// Parse reads text as a value of a type. With assigning, text that is too long
// for varchar(n) is an error; else it is cut.
func Parse(m *value.Meter, s string, typ algebra.Type, assigning bool) (value.Value, error) {
	switch {
	case typ == algebra.TOID:
		return value.ParseOID(s)
	case typ == algebra.TAlias(algebra.Name):
		return value.ParseName(s), nil
	case typ.Kind == algebra.Text && typ.Alias == algebra.Char:
		return value.ParseChar(s), nil
	case typ.Kind == algebra.Text && assigning:
		v, err := assignText(m, s, typ)
		return withoutBlanks(v, typ), err
	case typ.Kind == algebra.Array:
		return parseArray(m, s, typ, !assigning)
	case typ.IsJSON():
		return value.ReadJSON(m, s, typ.Kind == algebra.JSONBinary)
	case typ.Kind == algebra.UUID:
		return value.ReadUUID(s)
	case typ.Kind == algebra.JSONPath:
		return value.ReadJSONPath(m, s)
	case typ.Kind == algebra.Bytea:
		return value.ReadBytea(m, s)
	case typ.Kind == algebra.Enum:
		return typ.Enum.Parse(s)
	}
	return ParseField(m, s, typ, "")
}

// ParseField is Parse with the field of an interval literal, such as "day" or
// "year to month", or "". What depends on the session's time zone is not for it.
func ParseField(m *value.Meter, s string, typ algebra.Type, field string) (value.Value, error) {
	switch typ.Kind {
	case algebra.Bool:
		b, err := value.ParseBool(s)
		return boolean(b), err
	case algebra.Int16, algebra.Int32, algebra.Int64:
		i, err := value.ParseInt(s, bits(typ))
		return integer(i), err
	case algebra.Float64:
		f, err := value.ParseFloat64(s)
		return float(f), err
	case algebra.Float32:
		f, err := value.ParseFloat32(s)
		return float(f), err
	case algebra.Decimal, algebra.Numeric:
		n, err := value.ParseNum(s)
		if err != nil {
			return value.Value{}, err
		}
		return fit(n, typ)
	case algebra.Date:
		days, err := value.ParseDate(s)
		return integer(int64(days)), err
	case algebra.Timestamp:
		micros, err := value.ParseTimestamp(s)
		return integer(micros), err
	case algebra.Time:
		micros, err := value.ParseTime(s)
		return integer(micros), err
	case algebra.TimestampTZ:
		return value.Value{}, value.Errorf(value.CodeInternal, "a timestamp with time zone is read without a zone")
	case algebra.Interval:
		i, err := value.ParseInterval(s, field)
		return spans(i), err
	}
	if typ.Kind == algebra.Array {
		return parseArray(m, s, typ, true)
	}
	s, err := clip(m, s, typ.Length)
	return withoutBlanks(textual(s), typ), err
}

// withoutBlanks is a text as a value of its type, which may be character(n).
func withoutBlanks(v value.Value, typ algebra.Type) value.Value {
	if typ.Padded && typ.Length > 0 {
		v.S = strings.TrimRight(v.S, " ")
	}
	return v
}

func parseArray(m *value.Meter, s string, typ algebra.Type, explicit bool) (value.Value, error) {
	s, err := value.ParseArray(m, s, value.Shown{Element: algebra.ElementOf(typ)}, explicit)
	return textual(s), err
}

// Format is a value that is not NULL as PostgreSQL writes it.
func Format(v value.Value, typ algebra.Type) string {
	switch {
	case v.Kind == value.Bool && v.B:
		return "true"
	case v.Kind == value.Bool:
		return "false"
	case typ.Kind == algebra.Date:
		return value.FormatDate(int32(v.I))
	case typ.Kind == algebra.Timestamp:
		return value.FormatTimestamp(v.I)
	case typ.Kind == algebra.Time:
		return value.FormatTime(v.I)
	case typ.Kind == algebra.Enum:
		return typ.Enum.Label(v.I)
	case v.Kind == value.Int:
		return strconv.FormatInt(v.I, 10)
	case v.Kind == value.Float && typ.Kind == algebra.Float32:
		return value.FormatFloat32(v.F)
	case v.Kind == value.Float:
		return value.FormatFloat64(v.F)
	case v.Kind == value.Decimal:
		return v.Num.String()
	case v.Kind == value.Intervals:
		return v.Interval.String()
	}
	return v.S
}
