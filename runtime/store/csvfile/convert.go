package csvfile

import (
	"bytes"
	"math"
	"time"
	"unicode/utf8"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// convert appends a field that is not NULL. What a value usually looks like is
// read here; everything else, and every error, is left to package value, which
// knows all that PostgreSQL reads.
func (p *parser) convert(f *target, raw []byte) error {
	if p.unclean {
		if err := checkText(raw); err != nil {
			return p.failAt(f.column.Name, raw, err)
		}
	}
	var err error
	switch f.column.Type.Kind {
	case algebra.Int16, algebra.Int32, algebra.Int64:
		err = convertInt(f, raw)
	case algebra.Decimal:
		err = convertDecimal(f, raw)
	case algebra.Numeric:
		err = convertNumeric(f, raw)
	case algebra.Float64:
		err = convertFloat(f, raw)
	case algebra.Float32:
		err = convertReal(f, raw)
	case algebra.Date:
		err = p.convertDate(f, raw)
	case algebra.Timestamp:
		err = p.convertTimestamp(f, raw)
	case algebra.TimestampTZ:
		err = p.convertMoment(f, raw)
	case algebra.Time:
		err = convertTime(f, raw)
	case algebra.Bool:
		err = convertBool(f, raw)
	case algebra.Interval:
		err = p.convertInterval(f, raw)
	case algebra.Array:
		err = p.convertArray(f, raw)
	case algebra.JSONText, algebra.JSONBinary, algebra.JSONPath, algebra.UUID, algebra.Bytea:
		err = convertElement(f, raw)
	case algebra.Enum:
		err = convertEnum(f, raw)
	default:
		err = convertText(f, raw)
	}
	if err != nil {
		return p.failAt(f.column.Name, raw, err)
	}
	return nil
}

// digits reads raw as an optional minus and 1 to 18 digits, point of them after
// a decimal point, or returns ok false.
func digits(raw []byte) (v int64, point int, ok bool) {
	i, seen := 0, -1
	if len(raw) > 0 && raw[0] == '-' {
		i = 1
	}
	if n := len(raw) - i; n == 0 || n > 18 {
		return 0, 0, false
	}
	start := i
	for ; i < len(raw); i++ {
		c := raw[i] - '0'
		if c > 9 {
			if raw[i] != '.' || seen >= 0 || i == start || i == len(raw)-1 {
				return 0, 0, false
			}
			seen = i
			continue
		}
		v = v*10 + int64(c)
	}
	if seen >= 0 {
		point = len(raw) - 1 - seen
	}
	if raw[0] == '-' {
		v = -v
	}
	return v, point, true
}

// intBits is the width of an integer type.
func intBits(k algebra.Kind) int {
	switch k {
	case algebra.Int16:
		return 16
	case algebra.Int32:
		return 32
	}
	return 64
}

func convertInt(f *target, raw []byte) error {
	bits := intBits(f.column.Type.Kind)
	v, point, ok := digits(raw)
	if !ok || point != 0 || v<<(64-bits)>>(64-bits) != v {
		var err error
		if v, err = value.ParseInt(string(raw), bits); err != nil {
			return err
		}
	}
	f.buffer.Int(v)
	return nil
}

func convertDecimal(f *target, raw []byte) error {
	precision, scale := int(f.column.Type.Precision), int(f.column.Type.Scale)
	v, point, ok := digits(raw)
	if ok && point <= scale && scale-point <= 18 {
		limit := value.Pow10Int64(min(precision-scale+point, 18))
		if scaled, ok := value.MulOverflow64(v, value.Pow10Int64(scale-point)); ok && v > -limit && v < limit {
			f.buffer.Int(scaled)
			return nil
		}
	}
	n, err := value.ParseNum(string(raw))
	if err != nil {
		return err
	}
	d, err := n.Decimal(precision, scale)
	if err != nil {
		return err
	}
	f.buffer.Decimal(d)
	return nil
}

func convertNumeric(f *target, raw []byte) error {
	if v, point, ok := digits(raw); ok {
		f.buffer.Num(value.Num{Coef: value.Int128Of(v), Scale: uint8(point)})
		return nil
	}
	n, err := value.ParseNum(string(raw))
	if err != nil {
		return err
	}
	f.buffer.Num(n)
	return nil
}

func convertReal(f *target, raw []byte) error {
	v, err := value.ParseFloat32(string(raw))
	if err != nil {
		return err
	}
	f.buffer.Float(v)
	return nil
}

func convertFloat(f *target, raw []byte) error {
	const exact = 1 << 53 // integers below it, and powers of ten up to 10^22, are exact
	if v, point, ok := digits(raw); ok && v > -exact && v < exact && v != 0 {
		f.buffer.Float(float64(v) / float64(value.Pow10Int64(point)))
		return nil
	}
	v, err := value.ParseFloat64(string(raw))
	if err != nil {
		return err
	}
	f.buffer.Float(v)
	return nil
}

// date reads YYYY-MM-DD at the start of raw as days since 1970.
func date(raw []byte) (days int64, ok bool) {
	if len(raw) < 10 || raw[4] != '-' || raw[7] != '-' {
		return 0, false
	}
	y, okY := fixed(raw[0:4])
	m, okM := fixed(raw[5:7])
	d, okD := fixed(raw[8:10])
	if !okY || !okM || !okD || y < 1 || m < 1 || m > 12 || d < 1 || d > monthDays(y, m) {
		return 0, false
	}
	if m <= 2 { // years that start in March have the leap day at their end
		y, m = y-1, m+12
	}
	return int64(365*y + y/4 - y/100 + y/400 + (153*(m-3)+2)/5 + d - 1 - 719468), true
}

// monthDays is the length of a month.
func monthDays(y, m int) int {
	switch m {
	case 2:
		if y%4 == 0 && (y%100 != 0 || y%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// fixed reads digits and nothing else.
func fixed(raw []byte) (v int, ok bool) {
	for _, c := range raw {
		if c-'0' > 9 {
			return 0, false
		}
		v = v*10 + int(c-'0')
	}
	return v, true
}

func (p *parser) convertDate(f *target, raw []byte) error {
	if days, ok := date(raw); ok && len(raw) == 10 {
		f.buffer.Int(days)
		return nil
	}
	days, err := p.opt.Style.ParseDate(string(raw))
	if err != nil {
		return err
	}
	f.buffer.Int(int64(days))
	return nil
}

// clock reads HH:MM:SS with up to six more digits as microseconds.
func clock(raw []byte) (micros int64, ok bool) {
	if len(raw) < 8 || len(raw) == 9 || len(raw) > 15 || raw[2] != ':' || raw[5] != ':' {
		return 0, false
	}
	h, okH := fixed(raw[0:2])
	m, okM := fixed(raw[3:5])
	s, okS := fixed(raw[6:8])
	if !okH || !okM || !okS || h > 23 || m > 59 || s > 59 {
		return 0, false
	}
	micros = int64(h*3600+m*60+s) * 1e6
	if len(raw) == 8 {
		return micros, true
	}
	fraction, ok := fixed(raw[9:])
	if !ok || raw[8] != '.' {
		return 0, false
	}
	return micros + int64(fraction)*value.Pow10Int64(15-len(raw)), true
}

func (p *parser) convertTimestamp(f *target, raw []byte) error {
	if days, ok := date(raw); ok && len(raw) > 11 && (raw[10] == ' ' || raw[10] == 'T') {
		if micros, ok := clock(raw[11:]); ok {
			f.seconds(days*86400e6 + micros)
			return nil
		}
	}
	micros, err := p.opt.Style.ParseTimestamp(string(raw))
	if err != nil {
		return err
	}
	f.seconds(micros)
	return nil
}

func convertTime(f *target, raw []byte) error {
	micros, ok := clock(raw)
	if !ok {
		var err error
		if micros, err = value.ParseTime(string(raw)); err != nil {
			return err
		}
	}
	f.seconds(micros)
	return nil
}

// seconds appends a timestamp or a time with as many digits of a second as the column has.
func (f *target) seconds(micros int64) { f.buffer.Int(f.column.Type.Rounded(micros)) }

// convertMoment reads a timestamp with time zone: one without a zone is of the
// options' zone.
func (p *parser) convertMoment(f *target, raw []byte) error {
	zone := p.opt.Zone
	if zone == nil {
		zone = time.UTC
	}
	micros, err := p.opt.Style.ParseTimestampTZ(string(raw), zone)
	if err != nil {
		return err
	}
	f.seconds(micros)
	return nil
}

func convertBool(f *target, raw []byte) error {
	v, err := value.ParseBool(string(raw))
	if err != nil {
		return err
	}
	f.buffer.Bool(v)
	return nil
}

func (p *parser) convertInterval(f *target, raw []byte) error {
	_, fields := f.column.Type.TimeModifier()
	v, err := p.opt.Style.ParseInterval(string(raw), fields)
	if err != nil {
		return err
	}
	f.buffer.Interval(f.column.Type.Cut(v))
	return nil
}

func (p *parser) convertArray(f *target, raw []byte) error {
	s, err := value.ParseArray(nil, string(raw), algebra.ShownElement(f.column.Type, p.opt.Style, p.opt.Zone), false)
	if err != nil {
		return err
	}
	f.buffer.Text(s)
	return nil
}

// convertElement reads what package value knows how to read of an array's elements.
func convertElement(f *target, raw []byte) error {
	v, err := algebra.ElementOf(algebra.TArray(f.column.Type)).Parse(string(raw), false)
	if err == nil {
		f.buffer.Text(v.S)
	}
	return err
}

func convertEnum(f *target, raw []byte) error {
	v, err := f.column.Type.Enum.Parse(string(raw))
	if err == nil {
		f.buffer.Int(v.I)
	}
	return err
}

// convertText appends a text; varchar(n) takes longer texts whose rest is
// blanks, without these.
func convertText(f *target, raw []byte) error {
	if n := int(f.column.Type.Length); n > 0 && len(raw) > n && utf8.RuneCount(raw) > n {
		end := runeOffset(raw, n)
		if len(bytes.TrimRight(raw[end:], " ")) > 0 {
			return value.Errorf(value.CodeStringTooLong, "value too long for type %s(%d)", algebra.LimitedBy(f.column.Type), n)
		}
		raw = raw[:end]
	}
	if f.column.Type.Padded && f.column.Type.Length > 0 {
		raw = bytes.TrimRight(raw, " ")
	}
	if len(raw) > math.MaxInt32/2 {
		return value.Errorf(value.CodeProgramLimit, "a text of %d bytes is too long", len(raw))
	}
	f.buffer.TextBytes(raw)
	return nil
}

// runeOffset is where character n starts.
func runeOffset(raw []byte, n int) int {
	i := 0
	for range n {
		_, size := utf8.DecodeRune(raw[i:])
		i += size
	}
	return i
}
