package value

import (
	"strconv"
	"strings"
	"time"
)

// Element is the type of an array's elements. Letter is that of a Routine's
// parameter, or h for smallint.
type Element struct {
	Letter    byte
	Precision uint8 // of numeric(p,s), 0 for a numeric without them
	Scale     uint8
	Length    int32 // of varchar(n), 0 for no limit
	// Labels are those of an enum, behind its name; LabelEnd stands behind each.
	Labels string
}

// String is the element as routines of arrays take it: its letter, the three numbers, and
// the labels.
func (e Element) String() string {
	s := string(rune(e.Letter))
	for _, n := range []int{int(e.Precision), int(e.Scale), int(e.Length)} {
		s += " " + strconv.Itoa(n)
	}
	return s + " " + e.Labels
}

// elementOf reads what String writes.
func elementOf(s string) Element {
	e := Element{Letter: s[0]}
	var n [3]int
	s = s[2:]
	for i := range n {
		field, rest, _ := strings.Cut(s, " ")
		n[i], _ = strconv.Atoi(field) // written by String
		s = rest
	}
	e.Labels = s
	e.Precision, e.Scale, e.Length = uint8(n[0]), uint8(n[1]), int32(n[2])
	return e
}

// Canonical reports whether equal values of the type have the same text: 1.0 and
// 1.00 are equal, and so are 0 and -0, and a month and 30 days.
func (e Element) Canonical() bool {
	switch e.Letter {
	case 'f', 'r', 'i', 'j', 'J':
		return false
	case 'n':
		return e.Precision > 0
	}
	return true
}

// bits is the width of an integer type, 0 for others.
func (e Element) bits() int {
	switch e.Letter {
	case 'h':
		return 16
	case 'w':
		return 32
	case 'l':
		return 64
	}
	return 0
}

// Parse reads an element's text; text that is too long for varchar(n) is cut in
// an explicit cast only.
func (e Element) Parse(s string, explicit bool) (Value, error) {
	switch e.Letter {
	case 'b':
		b, err := ParseBool(s)
		return boolValue(b), err
	case 'h', 'w', 'l':
		i, err := ParseInt(s, e.bits())
		return intValue(i), err
	case 'f':
		f, err := ParseFloat64(s)
		return floatValue(f), err
	case 'r':
		f, err := ParseFloat32(s)
		return floatValue(f), err
	case 'n':
		n, err := ParseNum(s)
		if err != nil {
			return Value{}, err
		}
		return e.fit(n)
	case 'd':
		days, err := ParseDate(s)
		return intValue(int64(days)), err
	case 't':
		micros, err := ParseTimestamp(s)
		return intValue(micros), err
	case 'z':
		micros, err := ParseTimestampTZ(s, time.UTC)
		return intValue(micros), err
	case 'i':
		i, err := ParseInterval(s, "")
		return intervalValue(i), err
	case 'j', 'J':
		return ReadJSON(nil, s, e.Letter == 'J')
	case 'u':
		return ReadUUID(s)
	case 'y':
		return ReadBytea(nil, s)
	case 'k':
		micros, err := ParseTime(s)
		return intValue(micros), err
	case 'e':
		return parseLabel(e.Labels, s)
	}
	return e.clip(s, explicit)
}

// fit returns a number rescaled to numeric(p,s).
func (e Element) fit(n Num) (Value, error) {
	if e.Precision == 0 {
		return numValue(n), nil
	}
	coef, err := n.Decimal(int(e.Precision), int(e.Scale))
	return numValue(Num{Coef: coef, Scale: e.Scale}), err
}

// clip cuts a text to the length of varchar(n).
func (e Element) clip(s string, explicit bool) (Value, error) {
	if e.Length == 0 {
		return textValue(s), nil
	}
	limited := LimitedVarchar
	if explicit {
		limited = ""
	}
	s, err := Clip(nil, s, e.Length, limited)
	return textValue(s), err
}

// Text is an element that is not NULL as PostgreSQL writes it.
func (e Element) Text(v Value) string {
	switch v.Kind {
	case Bool:
		return FormatBool(v.B)[:1]
	case Float:
		if e.Letter == 'r' {
			return FormatFloat32(v.F)
		}
		return FormatFloat64(v.F)
	case Decimal:
		return v.Num.String()
	case Text:
		return v.S
	case Intervals:
		return v.Interval.String()
	}
	switch e.Letter {
	case 'd':
		return FormatDate(int32(v.I))
	case 't':
		return FormatTimestamp(v.I)
	case 'z':
		return string(AppendTimestampTZ(nil, v.I, time.UTC))
	case 'k':
		return FormatTime(v.I)
	case 'e':
		return labelAt(e.Labels, v.I)
	}
	return strconv.FormatInt(v.I, 10)
}

// Convert casts a value of type from to e's. Kinds that have no cast of their own
// go through their text.
func (e Element) Convert(v Value, from Element, explicit bool) (Value, error) {
	switch {
	case from.Letter == 's' && e.Letter == 's':
		return e.clip(v.S, explicit)
	case from.Letter == 'b' && e.Letter == 's':
		return e.clip(FormatBool(v.B), explicit)
	case from.Letter == 'd' && e.Letter == 't':
		micros, err := DateToTimestamp(int32(v.I))
		return intValue(micros), err
	case from.Letter == 't' && e.Letter == 'd':
		return intValue(int64(TimestampToDate(v.I))), nil
	case from.Letter == 'i' && e.Letter == 'k':
		return intValue(clockOfInterval(v.Interval)), nil
	case from.Letter == 'b' && e.bits() > 0:
		if v.B {
			return intValue(1), nil
		}
		return intValue(0), nil
	case from.bits() > 0 && e.Letter == 'b':
		return boolValue(v.I != 0), nil
	case e.bits() > 0 && v.Kind != Text:
		return e.integer(v)
	case e.Letter == 'f' && v.Kind == Decimal:
		return floatValue(v.Num.Float64()), nil
	case e.Letter == 'f' && from.Letter == 'r':
		return v, nil
	case e.Letter == 'r' && v.Kind == Float:
		f, err := RoundToFloat32(v.F)
		return floatValue(f), err
	case e.Letter == 'n' && from.Letter == 'r':
		n, err := numFromFloat32(v.F)
		if err != nil {
			return Value{}, err
		}
		return e.fit(n)
	case e.Letter == 'n' && v.Kind == Float:
		n, err := NumFromFloat64(v.F)
		if err != nil {
			return Value{}, err
		}
		return e.fit(n)
	}
	return e.Parse(from.Text(v), explicit)
}

// integer rounds a number to an integer type.
func (e Element) integer(v Value) (Value, error) {
	var err error
	switch v.Kind {
	case Float:
		v.I, err = FloatToInt(v.F, e.bits())
	case Decimal:
		v.I, err = v.Num.Int(e.bits())
	default:
		err = CheckInt(v.I, e.bits())
	}
	return intValue(v.I), err
}
