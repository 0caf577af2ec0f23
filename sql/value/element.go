package value

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Element is the type of an array's elements. Letter is that of a Routine's
// parameter, or h for smallint and c for character(n) and bpchar.
type Element struct {
	Letter    byte
	Precision uint8 // of numeric(p,s), 0 for a numeric without them
	Scale     uint8
	Length    int32 // of varchar(n) and character(n), 0 for no limit
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
	case 'c':
		return e.Length > 0
	}
	return true
}

// isText reports whether the type is text, varchar(n), character(n) or bpchar.
func (e Element) isText() bool { return e.Letter == 's' || e.Letter == 'c' }

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

// Parse reads an element's text; text that is too long for varchar(n) or character(n) is cut
// in an explicit cast only. A character(n) has no blanks at its end, as everywhere but in Text.
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
	case 'd', 't', 'z', 'i':
		return Shown{Element: e}.Parse(s, explicit)
	case 'j', 'J':
		return ReadJSON(nil, s, e.Letter == 'J')
	case 'p':
		return ReadJSONPath(nil, s)
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

// clip cuts a text to the length of varchar(n) or character(n).
func (e Element) clip(s string, explicit bool) (Value, error) {
	if e.Length == 0 {
		return textValue(s), nil
	}
	limited := LimitedVarchar
	if e.Letter == 'c' {
		limited = LimitedChar
	}
	if explicit {
		limited = ""
	}
	s, err := Clip(nil, s, e.Length, limited)
	if e.Letter == 'c' {
		s = strings.TrimRight(s, " ")
	}
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
		if e.Letter == 'c' {
			return v.S + strings.Repeat(" ", max(0, int(e.Length)-utf8.RuneCountInString(v.S)))
		}
		return v.S
	}
	switch e.Letter {
	case 'd', 't', 'z', 'i':
		return Shown{Element: e}.Text(v)
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
	case from.Letter == 'c' && e.Letter == 's':
		return e.clip(strings.TrimRight(v.S, " "), explicit)
	case from.isText() && e.isText():
		return e.clip(from.Text(v), explicit)
	case from.Letter == 'b' && e.isText():
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

// Shown is how a session reads and writes the elements of an array, which is kept as the zero
// Style and UTC write it.
type Shown struct {
	Element
	Style Style
	Zone  *time.Location // of the session; nil: UTC
}

// Differs reports whether elements are shown in another form than that in which they are kept.
func (e Shown) Differs() bool {
	switch e.Letter {
	case 'd', 't':
		return e.Style.Format != ISODates || e.Style.Order != MDY
	case 'z':
		return e.Style.Format != ISODates || e.Style.Order != MDY || !IsUTC(e.zone())
	case 'i':
		return e.Style.Interval != PostgresIntervals
	case 'f', 'r':
		return e.Style.Floats != 0
	}
	return false
}

func (e Shown) zone() *time.Location {
	if e.Zone == nil {
		return time.UTC
	}
	return e.Zone
}

// Parse reads an element as the session writes it; explicit is as for Element.Parse.
func (e Shown) Parse(s string, explicit bool) (Value, error) {
	switch e.Letter {
	case 'd':
		days, err := e.Style.ParseDate(s)
		return intValue(int64(days)), err
	case 't':
		return micros(e.Style.ParseTimestamp(s))
	case 'z':
		return micros(e.Style.ParseTimestampTZ(s, e.zone()))
	case 'i':
		iv, err := e.Style.ParseInterval(s, "")
		return intervalValue(iv), err
	}
	return e.Element.Parse(s, explicit)
}

// Text is an element that is not NULL as the session writes it.
func (e Shown) Text(v Value) string {
	switch e.Letter {
	case 'd':
		return string(e.Style.AppendDate(nil, int32(v.I)))
	case 't':
		return string(e.Style.AppendTimestamp(nil, v.I))
	case 'z':
		return string(e.Style.AppendTimestampTZ(nil, v.I, e.zone()))
	case 'i':
		return string(e.Style.AppendInterval(nil, v.Interval))
	case 'f':
		return string(e.Style.AppendFloat64(nil, v.F))
	case 'r':
		return string(e.Style.AppendFloat32(nil, v.F))
	}
	return e.Element.Text(v)
}

// Convert is Element.Convert, with local times in the zone and texts in the style.
func (e Shown) Convert(v Value, from Shown, explicit bool) (Value, error) {
	switch {
	case e.isText() && v.Kind != Bool && v.Kind != Text:
		return e.clip(from.Text(v), explicit)
	case from.isText() && !e.isText():
		return e.Parse(v.S, explicit)
	case from.Letter == 'z' && e.Letter != 'z':
		local, err := LocalTime(v.I, from.zone())
		if err != nil {
			return Value{}, err
		}
		return e.Element.Convert(intValue(local), Element{Letter: 't'}, explicit)
	case e.Letter == 'z' && from.Letter != 'z':
		local, err := Element{Letter: 't'}.Convert(v, from.Element, explicit)
		if err != nil {
			return Value{}, err
		}
		return micros(MomentOf(local.I, e.zone()))
	}
	return e.Element.Convert(v, from.Element, explicit)
}
