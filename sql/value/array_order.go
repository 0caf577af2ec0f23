package value

import (
	"fmt"
	"math"
	"strings"
)

// ArrayKey is a text of an array whose order by bytes is the order of the arrays,
// and which equal arrays have in common: element by element, NULL behind all
// others, of two arrays the one that ends first, and of two with equal elements the one
// with the lower subscripts.
func ArrayKey(m *Meter, array string, e Element) (string, error) {
	key := maker{m: m}
	for item := range items(m, array) {
		if item.Null {
			key.writeByte('3')
			continue
		}
		k, err := e.key(item.Text)
		if err != nil {
			return "", err
		}
		key.writeByte('2')
		key.write(k)
		key.writeByte(1)
	}
	if key.out.Len() == 0 {
		return "", nil
	}
	switch lower := ArrayLowerBound(array); {
	case lower < 1:
		key.write("0" + orderedInt(lower))
	case lower == 1:
		key.writeByte('1')
	default:
		key.write("1" + orderedInt(lower))
	}
	return key.String(), nil
}

// key is a text of an element that orders as the elements do. It has no byte that
// is 1: that ends it.
func (e Element) key(text string) (string, error) {
	if e.Letter == 'c' {
		text = strings.TrimRight(text, " ")
	}
	if e.isText() || e.Letter == 'u' || e.Letter == 'y' {
		// Texts have no NUL, but they may have other control characters.
		return textKey.Replace(text), nil
	}
	if e.Letter == 'J' {
		key, err := jsonbKey(nil, []Value{textValue(text)})
		return textKey.Replace(key.S), err
	}
	v, err := e.Parse(text, false)
	if err != nil {
		return "", err
	}
	switch v.Kind {
	case Bool:
		return e.Text(v), nil
	case Float:
		return orderedFloat(v.F), nil
	case Decimal:
		return orderedNum(v.Num), nil
	case Intervals:
		span := v.Interval.span()
		return orderedInt(span.Hi) + fmt.Sprintf("%016x", span.Lo), nil
	}
	return orderedInt(v.I), nil
}

// orderedInt is a text of an integer that orders as integers do.
func orderedInt(i int64) string { return fmt.Sprintf("%016x", uint64(i)^(1<<63)) }

// orderedFloat is a text of a number that orders as PostgreSQL's: NaN last, and
// one zero.
func orderedFloat(f float64) string {
	switch {
	case math.IsNaN(f):
		return "g"
	case f == 0:
		f = 0
	}
	bits := math.Float64bits(f)
	if bits>>63 != 0 {
		return fmt.Sprintf("%016x", ^bits)
	}
	return fmt.Sprintf("%016x", bits|1<<63)
}

// orderedNum is a text of a number that orders as numbers do: its sign, how many
// digits stand before the point, and its digits; of a negative number all turned
// around, and an end behind every digit.
func orderedNum(n Num) string {
	digits := strings.TrimPrefix(n.Coef.String(), "-")
	return orderedDigits(digits, len(digits)-int(n.Scale), n.Sign() < 0)
}
