package value

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// numberToChar is to_char of an exact number.
func numberToChar(m *Meter, a []Value) (Value, error) {
	p, err := parseNumberPattern(m, a[1].S)
	if err != nil || a[1].S == "" {
		return textValue(""), err
	}
	n := a[0].Num
	switch {
	case p.has["RN"] || p.has["rn"]:
		i, err := n.Int(32)
		return textValue(p.roman(i, true)), err
	case p.has["EEEE"]:
		return n.scientific(p.post)
	}
	scaled, err := n.shifted(p.multi)
	if err != nil {
		return Value{}, err
	}
	rounded, err := scaled.Round(p.post)
	if err != nil {
		return Value{}, err
	}
	text := rounded.String()
	whole, _, _ := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	return p.write(strings.TrimPrefix(text, "-"), len(whole), strings.HasPrefix(text, "-"))
}

// maxShift is more digits than any number has.
const maxShift = 100

// shifted is n times ten to the power of digits.
func (n Num) shifted(digits int) (Num, error) {
	if digits == 0 {
		return n, nil
	}
	if digits > maxShift {
		return n, errNumOverflow()
	}
	return bigNum(n.Coef.Big().Mul(n.Coef.Big(), bigPow10(digits)), int(n.Scale))
}

// floatToChar is to_char of a floating number, of which so many digits are reliable.
func floatToChar(reliable int) func(m *Meter, a []Value) (Value, error) {
	return func(m *Meter, a []Value) (Value, error) { return floatAsChar(m, a, reliable) }
}

func floatAsChar(m *Meter, a []Value, reliable int) (Value, error) {
	p, err := parseNumberPattern(m, a[1].S)
	if err != nil || a[1].S == "" {
		return textValue(""), err
	}
	f := a[0].F
	special := math.IsNaN(f) || math.IsInf(f, 0)
	switch {
	case p.has["RN"] || p.has["rn"]:
		i := math.RoundToEven(f)
		return textValue(p.roman(int64(i), !special && math.Abs(i) < 1<<31)), nil
	case p.has["EEEE"] && special:
		text := []byte(strings.Repeat("#", p.pre+p.post+6))
		text[0], text[p.pre+1] = ' ', '.'
		return textValue(string(text)), nil
	case p.has["EEEE"]:
		return textValue(scientific(f, p.post)), nil
	}
	f *= math.Pow(10, float64(p.multi))
	whole := fixedFloat(math.Abs(f), 0)
	if len(whole) >= reliable {
		p.post = 0
	} else {
		p.post = min(p.post, reliable-len(whole))
	}
	text := fixedFloat(f, p.post)
	negative := strings.HasPrefix(text, "-")
	text = strings.TrimPrefix(text, "-")
	before, _, _ := strings.Cut(text, ".")
	return p.write(text, len(before), negative)
}

// fixedFloat writes a number with so many digits behind the point, or the word for it.
func fixedFloat(f float64, post int) string {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return FormatFloat64(f)
	}
	return strconv.FormatFloat(f, 'f', post, 64)
}

// intToChar is to_char of an integer of so many bits: PostgreSQL writes the exponent of one
// of 32 as that of a double precision number, and shifts one of 64 within its range only.
func intToChar(bits int) func(m *Meter, a []Value) (Value, error) {
	return func(m *Meter, a []Value) (Value, error) {
		p, err := parseNumberPattern(m, a[1].S)
		n := NumOf(a[0].I)
		switch {
		case err != nil:
			return Value{}, err
		case p.has["EEEE"] && bits == 32:
			return textValue(scientific(float64(a[0].I), p.post)), nil
		case bits == 64 && p.multi > 0 && !p.has["RN"] && !p.has["rn"]:
			if shifted, err := n.shifted(p.multi); err != nil || !shifted.fits(bits) {
				return Value{}, ErrIntRange(bits)
			}
		}
		return numberToChar(m, []Value{numValue(n), a[1]})
	}
}

func (n Num) fits(bits int) bool {
	_, err := n.Int(bits)
	return err == nil
}

// scientific writes a number with an exponent: that of its first digit, even where
// rounding makes the digits before the point two, as PostgreSQL does.
func (n Num) scientific(post int) (Value, error) {
	digits := strings.TrimPrefix(n.Coef.String(), "-")
	exponent := 0
	if n.Sign() != 0 {
		exponent = len(digits) - 1 - int(n.Scale)
	}
	mantissa, err := Num{Coef: n.Coef, Scale: uint8(len(digits) - 1)}.Round(post)
	text := mantissa.String()
	if mantissa.Sign() >= 0 {
		text = " " + strings.TrimPrefix(text, "-")
	}
	return textValue(fmt.Sprintf("%se%+03d", text, exponent)), err
}

// scientific writes a number with an exponent of two digits or more.
func scientific(f float64, post int) string {
	text := strconv.FormatFloat(f, 'e', post, 64)
	if !strings.HasPrefix(text, "-") {
		return " " + text
	}
	return text
}

// roman writes a number from 1 to 3999 in Roman numerals.
func (p *numberPattern) roman(n int64, fits bool) string {
	const width = 15
	text := strings.Repeat("#", width)
	if fits && n >= 1 && n <= 3999 {
		text = ""
		for _, numeral := range []struct {
			value int64
			text  string
		}{
			{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"},
			{10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"},
		} {
			for ; n >= numeral.value; n -= numeral.value {
				text += numeral.text
			}
		}
	}
	if p.has["rn"] {
		text = strings.ToLower(text)
	}
	var out strings.Builder
	for _, part := range p.parts {
		switch {
		case part.word == "RN" || part.word == "rn":
			if !p.has["FM"] {
				out.WriteString(strings.Repeat(" ", max(width-len(text), 0)))
			}
			out.WriteString(text)
		case part.word == "":
			out.WriteString(part.text)
		}
	}
	return out.String()
}

// numberWriter writes the digits of a number into the places of a pattern.
type numberWriter struct {
	*numberPattern
	out      strings.Builder
	digits   string // with a point where there are digits behind it
	at       int    // of digits, the next
	place    int    // of the pattern, the next
	spaces   int    // places before the first digit
	places   int    // those whose last one ends the number
	last     int    // of digits, the last that FM keeps; −1 for all
	negative bool
	signed   bool // the sign is written, or never will be
	within   bool // a digit has been written at the place before
	bracket  bool
	fill     bool // not FM
	ended    bool // at a place behind the last digit: PostgreSQL ends the text there
}

// write writes a number that has so many digits before its point.
func (p *numberPattern) write(digits string, whole int, negative bool) (Value, error) {
	pre := p.pre + p.multi
	w := &numberWriter{numberPattern: p, digits: digits, last: -1, negative: negative, bracket: p.has["PR"], fill: !p.has["FM"]}
	switch {
	case whole > pre:
		w.digits = strings.Repeat("#", pre) + "." + strings.Repeat("#", p.post)
	default:
		w.spaces = pre - whole
	}
	w.begin(pre)
	for _, part := range p.parts {
		if w.ended {
			break
		}
		p.meter.Must(fieldWork)
		w.part(part)
	}
	return textValue(w.out.String()), nil
}

// begin decides on the sign and on the places.
func (w *numberWriter) begin(pre int) {
	if w.plusMinus {
		w.signed = w.has["MI"] || w.has["SG"] || !w.has["PL"]
	} else {
		w.bracket = w.bracket && (w.negative || w.fill)
		w.signed = !w.negative && !w.fill && !w.has["S"]
		if w.sign < 0 && w.signAt == w.pre {
			w.sign = 1
		}
	}
	w.places = pre + w.post - 1
	if !w.fill && w.decimal {
		w.last = lastRelevant(w.digits)
		if w.last >= 0 && w.zeroUpTo > w.spaces {
			w.last = max(w.last, min(len(w.digits)-1, w.zeroUpTo-w.spaces))
		}
	}
	if !w.signed && w.spaces == 0 {
		w.places++
	}
}

// lastRelevant is the place of the last digit behind the point that is not 0, or of
// the point; −1 without one.
func lastRelevant(digits string) int {
	point := strings.IndexByte(digits, '.')
	if point < 0 {
		return -1
	}
	return max(point, point+len(strings.TrimRight(digits[point:], "0"))-1)
}

// part writes a part of the pattern.
func (w *numberWriter) part(part numberPart) {
	blank := func(text string, write bool) {
		switch {
		case write:
			w.out.WriteString(text)
		case w.fill:
			w.out.WriteByte(' ')
		}
	}
	switch part.word {
	case "":
		w.out.WriteString(part.text)
	case "9", "0", ".", "D":
		w.digitPlace(part.word)
	case ",", "G":
		blank(",", w.within)
	case "L":
		w.out.WriteByte(' ')
	case "MI":
		blank("-", w.negative)
	case "PL":
		blank("+", !w.negative)
	case "SG":
		w.out.WriteByte(w.signByte())
	case "th", "TH":
		if !w.negative && !w.decimal && !strings.HasPrefix(w.digits, "#") {
			w.out.WriteString(ordinalSuffix(w.digits, part.word == "TH"))
		}
	}
}

func (w *numberWriter) signByte() byte {
	if w.negative {
		return '-'
	}
	return '+'
}

// hidesZero reports whether the digit at hand is a 0 before the point that is not
// written, as that of 0.5 is.
func (w *numberWriter) hidesZero() bool {
	return !w.zero && w.at == 0 && strings.HasPrefix(w.digits, "0") && w.post != 0
}

// endsInPoint reports whether FM keeps nothing behind the point.
func (w *numberWriter) endsInPoint() bool { return w.last >= 0 && w.digits[w.last] == '.' }

// digitPlace writes what stands at a place for a digit or the point.
func (w *numberWriter) digitPlace(word string) {
	w.within = false
	if !w.signed && (w.place >= w.spaces || w.zero && w.zeroFrom == w.place) && (!w.hidesZero() || w.endsInPoint()) {
		w.writeSign()
	}
	switch {
	case w.place < w.spaces && (!w.zero || w.zeroFrom > w.place):
		if w.fill {
			w.out.WriteByte(' ')
		}
	case w.place < w.spaces:
		w.out.WriteByte('0')
		w.within = true
	default:
		w.writeDigit(word)
		w.at = min(w.at+1, len(w.digits))
	}
	end := w.places
	if w.spaces > 0 {
		end++
	}
	if w.decimal {
		end++
	}
	if w.last >= 0 && w.last == w.at {
		end = w.place
	}
	w.place++
	if w.place == end && !w.ended {
		w.closeSign()
	}
}

// writeSign writes the sign before the digits.
func (w *numberWriter) writeSign() {
	switch {
	case w.has["S"]:
		if w.sign > 0 {
			return
		}
		w.out.WriteByte(w.signByte())
	case w.bracket && w.negative:
		w.out.WriteByte('<')
	case w.negative:
		w.out.WriteByte('-')
	case w.fill || w.bracket:
		w.out.WriteByte(' ')
	}
	w.signed = true
}

// closeSign writes what of the sign stands behind the digits.
func (w *numberWriter) closeSign() {
	switch {
	case w.signed && w.bracket && w.negative:
		w.out.WriteByte('>')
	case w.signed && w.bracket:
		w.out.WriteByte(' ')
	case w.sign > 0:
		w.out.WriteByte(w.signByte())
	}
}

// writeDigit writes the digit or the point at hand.
func (w *numberWriter) writeDigit(word string) {
	switch {
	case w.at < len(w.digits) && w.digits[w.at] == '.':
		w.out.WriteByte('.')
	case w.last >= 0 && w.at > w.last && word != "0":
	case w.at >= len(w.digits):
		w.ended = true
	case w.hidesZero():
		switch {
		case w.fill:
			w.out.WriteByte(' ')
		case w.endsInPoint():
			w.out.WriteByte('0')
		}
	default:
		w.out.WriteByte(w.digits[w.at])
		w.within = true
	}
}
