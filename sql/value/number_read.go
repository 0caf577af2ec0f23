package value

import (
	"strings"
	"unicode/utf8"
)

// toNumber is to_number: NULL for an empty pattern.
func toNumber(m *Meter, a []Value) (Value, error) {
	p, err := parseNumberPattern(m, a[1].S)
	switch {
	case err != nil || a[1].S == "":
		return Value{}, err
	case p.has["RN"] || p.has["rn"]:
		return Value{}, Errorf(CodeFeatureNotSupported, "\"RN\" not supported for input")
	case p.has["EEEE"]:
		return Value{}, Errorf(CodeFeatureNotSupported, "\"EEEE\" not supported for input")
	}
	r := &numberReader{numberPattern: p, text: a[0].S, sign: ' '}
	if p.sign < 0 && p.signAt == p.pre {
		p.sign = 1
	}
	for _, part := range p.parts {
		if r.at >= len(r.text) {
			break
		}
		m.Must(fieldWork)
		r.part(part)
	}
	if whole := strings.TrimLeft(strings.Split(r.digits.String(), ".")[0], "0"); len(whole) > p.pre+p.multi {
		return Value{}, Errorf(CodeNumericOutOfRange, "numeric field overflow")
	}
	n, err := ParseNum(string(r.sign) + strings.TrimSuffix(r.digits.String(), "."))
	if err != nil || p.multi == 0 {
		return numValue(n), err
	}
	// What numeric's power of ten gives has at least 16 digits.
	tenth, err := NumOf(10).Power(NumOf(-int64(p.multi)))
	if err != nil {
		return Value{}, err
	}
	n, err = n.Mul(tenth)
	return numValue(n), err
}

// numberReader reads a number by a pattern: one character for each part of it but
// for separators, which may be missing.
type numberReader struct {
	*numberPattern
	text   string
	at     int
	digits strings.Builder
	sign   byte // ' ' while there is none
	point  bool
	before int // digits read before the point
	behind int
}

func (r *numberReader) part(part numberPart) {
	switch part.word {
	case "9", "0", ".", "D":
		r.digitPlace()
	case ",", "G":
		if r.has["FM"] || r.text[r.at] != ',' {
			return
		}
	case "L":
		r.skip(1)
		return
	case "MI":
		if r.text[r.at] != '-' {
			r.skip(1)
			return
		}
		r.sign = '-'
	case "PL":
		if r.text[r.at] != '+' {
			r.skip(1)
			return
		}
		r.sign = '+'
	case "SG":
		if c := r.text[r.at]; c != '-' && c != '+' {
			r.skip(1)
			return
		}
		r.sign = r.text[r.at]
	case "TH", "th":
		r.skip(2)
		return
	case "":
		_, n := utf8.DecodeRuneInString(r.text[r.at:])
		r.at += n
		return
	default:
		return
	}
	r.at++
}

// skip passes over up to n characters that are not part of a number.
func (r *numberReader) skip(n int) {
	for ; n > 0 && r.at < len(r.text) && !strings.ContainsRune("0123456789.,+-", rune(r.text[r.at])); n-- {
		_, size := utf8.DecodeRuneInString(r.text[r.at:])
		r.at += size
	}
}

// digitPlace reads a digit, the point or a sign.
func (r *numberReader) digitPlace() {
	if r.text[r.at] == ' ' {
		if r.at++; r.at == len(r.text) {
			return
		}
	}
	if r.sign == ' ' && r.before+r.behind == 0 {
		switch c := r.text[r.at]; {
		case c == '-' || c == '<' && r.has["PR"]:
			r.sign = '-'
			r.at++
		case c == '+':
			r.sign = '+'
			r.at++
		}
	}
	if r.at >= len(r.text) {
		return
	}
	read := false
	switch c := r.text[r.at]; {
	case c >= '0' && c <= '9':
		if r.point && r.behind == r.post {
			return
		}
		r.digits.WriteByte(c)
		read = true
		if r.point {
			r.behind++
		} else {
			r.before++
		}
	case c == '.' && r.decimal && !r.point:
		r.digits.WriteByte('.')
		r.point, read = true, true
	}
	if r.sign == ' ' && r.before+r.behind > 0 {
		r.signBehind(read)
	}
}

// signBehind reads a sign behind the last digit.
func (r *numberReader) signBehind(read bool) {
	switch {
	case r.has["S"]:
		if !read || r.at+1 >= len(r.text) {
			return
		}
		if c := r.text[r.at+1]; c == '-' || c == '+' {
			r.sign = c
			r.at++
		}
	case !read && r.plusMinus:
		if c := r.text[r.at]; c == '-' || c == '+' {
			r.sign = c
		}
	}
}
