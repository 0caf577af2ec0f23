package value

import (
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// textOperations are those of text, of booleans and of reading numbers.
func textOperations() []operation {
	text, count := argument(randomText), argument(randomCount)
	pair := []argument{text, text}
	return []operation{
		{name: "like", sql: "a LIKE b", args: []argument{text, randomPattern}, eval: matches(`\`, false)},
		{name: "ilike", sql: "a ILIKE b", args: []argument{text, randomPattern}, eval: matches(`\`, true)},
		{name: "like_escape", sql: "a LIKE b ESCAPE '#'", args: []argument{text, randomPattern}, eval: matches("#", false)},
		{name: "like_plain", sql: "a LIKE b ESCAPE ''", args: []argument{text, randomPattern}, eval: matches("", false)},
		{name: "like_bad_escape", sql: "a LIKE a ESCAPE b", args: pair, eval: func(a []string) (string, error) {
			l, err := NewLike(nil, a[0], a[1], false)
			if err != nil {
				return "", err
			}
			matches, err := l.Match(nil, a[0])
			return FormatBool(matches), err
		}},
		{name: "substring_from", sql: "substring(a from b::int)", args: []argument{text, count}, eval: counted(SubstringFrom)},
		{name: "substring_for", sql: "substring(a from b::int for c::int)", args: []argument{text, count, count}, eval: func(a []string) (string, error) {
			start, err := strconv.ParseInt(a[1], 10, 64)
			if err != nil {
				return "", err
			}
			length, err := strconv.ParseInt(a[2], 10, 64)
			if err != nil {
				return "", err
			}
			return Substring(nil, a[0], start, length)
		}},
		{name: "left", sql: "left(a, b::int)", args: []argument{text, count}, eval: counted(Left)},
		{name: "right", sql: "right(a, b::int)", args: []argument{text, randomSmall}, eval: counted(Right)},
		{name: "repeat", sql: "repeat(a, b::int)", args: []argument{text, randomSmall}, eval: counted(Repeat)},
		{name: "lpad", sql: "lpad(a, b::int, c)", args: []argument{text, randomSmall, text}, eval: padded(LPad)},
		{name: "rpad", sql: "rpad(a, b::int, c)", args: []argument{text, randomSmall, text}, eval: padded(RPad)},
		{name: "btrim", sql: "btrim(a, b)", args: pair, eval: twoTexts(Trim)},
		{name: "ltrim", sql: "ltrim(a, b)", args: pair, eval: twoTexts(LTrim)},
		{name: "rtrim", sql: "rtrim(a, b)", args: pair, eval: twoTexts(RTrim)},
		{name: "position", sql: "position(b in a)", args: pair, eval: twoTexts(func(m *Meter, s, needle string) string { return strconv.Itoa(Position(m, s, needle)) })},
		{name: "replace", sql: "replace(a, b, c)", args: []argument{text, text, text}, eval: func(a []string) (string, error) { return Replace(nil, a[0], a[1], a[2]), nil }},
		{name: "split_part", sql: "split_part(a, b, c::int)", args: []argument{text, text, randomSmall}, eval: func(a []string) (string, error) {
			n, err := strconv.ParseInt(a[2], 10, 64)
			if err != nil {
				return "", err
			}
			return SplitPart(nil, a[0], a[1], n)
		}},
		{name: "upper", sql: "upper(a)", args: []argument{text}, eval: oneText(Upper)},
		{name: "lower", sql: "lower(a)", args: []argument{text}, eval: oneText(Lower)},
		{name: "reverse", sql: "reverse(a)", args: []argument{text}, eval: oneText(Reverse)},
		{name: "normalize", sql: "pg_catalog.normalize(a, b) || ' ' || is_normalized(a, b)", args: []argument{randomMarked, randomForm}, eval: func(a []string) (string, error) {
			args := []Value{textValue(a[0]), textValue(a[1])}
			s, err := normalizeText(nil, args)
			if err != nil {
				return "", err
			}
			is, err := isNormalized(nil, args)
			return s.S + " " + strconv.FormatBool(is.B), err
		}},
		{name: "length", sql: "length(a)", args: []argument{text}, eval: oneText(func(m *Meter, s string) string { return strconv.Itoa(Length(m, s)) })},
		{name: "varchar_cast", sql: "a::varchar(3)", args: []argument{text}, eval: func(a []string) (string, error) { return Clip(nil, a[0], 3, "") }},
		{name: "bool_parse", sql: "a::boolean", args: []argument{randomBool}, eval: func(a []string) (string, error) {
			b, err := ParseBool(a[0])
			return FormatBool(b), err
		}},
		{name: "int2_parse", sql: "a::int2", args: []argument{randomIntText}, eval: intText(16)},
		{name: "int4_parse", sql: "a::int4", args: []argument{randomIntText}, eval: intText(32)},
		{name: "int8_parse", sql: "a::int8", args: []argument{randomIntText}, eval: intText(64)},
	}
}

func matches(escape string, fold bool) func([]string) (string, error) {
	return func(a []string) (string, error) {
		l, err := NewLike(nil, a[1], escape, fold)
		if err != nil {
			return "", err
		}
		matches, err := l.Match(nil, a[0])
		return FormatBool(matches), err
	}
}

func oneText(f func(*Meter, string) string) func([]string) (string, error) {
	return func(a []string) (string, error) { return f(nil, a[0]), nil }
}

func twoTexts(f func(m *Meter, s, t string) string) func([]string) (string, error) {
	return func(a []string) (string, error) { return f(nil, a[0], a[1]), nil }
}

func counted(f func(*Meter, string, int64) string) func([]string) (string, error) {
	return func(a []string) (string, error) {
		n, err := strconv.ParseInt(a[1], 10, 64)
		if err != nil {
			return "", err
		}
		return sqlstate.Try(func() string { return f(nil, a[0], n) })
	}
}

func padded(f func(*Meter, string, int64, string) string) func([]string) (string, error) {
	return func(a []string) (string, error) {
		n, err := strconv.ParseInt(a[1], 10, 64)
		if err != nil {
			return "", err
		}
		return sqlstate.Try(func() string { return f(nil, a[0], n, a[2]) })
	}
}

func intText(bits int) func([]string) (string, error) {
	return func(a []string) (string, error) {
		x, err := ParseInt(a[0], bits)
		return strconv.FormatInt(x, 10), err
	}
}

// randomText draws short text of few characters, so that searches hit.
func randomText(r *rand.Rand) string {
	alphabet := []rune("aaabbbAB  ,xyzäÖ日ßσΣ😀İıéǅ%_")
	runes := make([]rune, r.IntN(1+r.IntN(10)))
	for i := range runes {
		runes[i] = alphabet[r.IntN(len(alphabet))]
		if r.IntN(200) == 0 {
			runes[i] = rune(0xa0 + r.IntN(0x2000))
		}
	}
	return string(runes)
}

// randomMarked is a text of characters that are composed of others, or that compose with those before.
func randomMarked(r *rand.Rand) string {
	ranges := [][2]rune{
		{'a', 'z'}, {0xC0, 0x24F}, {0x300, 0x36F}, {0x5B0, 0x5C7}, {0x9BE, 0x9DF}, {0xF40, 0xFBC}, {0x1100, 0x11FF}, {0x1E00, 0x1FFF}, {0x2100, 0x21FF},
		{0x3040, 0x30FE}, {0xAC00, 0xD7A3}, {0xF900, 0xFA6F}, {0xFB1D, 0xFB4F}, {0x11099, 0x110BA}, {0x1D15E, 0x1D164},
	}
	var out strings.Builder
	some := [][2]rune{ranges[r.IntN(len(ranges))], ranges[r.IntN(len(ranges))]}
	for range r.IntN(8) {
		between := some[r.IntN(len(some))]
		c := string(between[0] + r.Int32N(between[1]-between[0]+1))
		out.WriteString(c)
		if r.IntN(50) == 0 {
			out.WriteString(strings.Repeat(c, 40))
		}
	}
	return out.String()
}

func randomForm(r *rand.Rand) string {
	return []string{"NFC", "nfd", "Nfkc", "NFKD", "nfc", "nfx"}[r.IntN(6)]
}

func randomPattern(r *rand.Rand) string {
	alphabet := []rune(`aabbAB %%%%___\#ä日ß`)
	runes := make([]rune, r.IntN(8))
	for i := range runes {
		runes[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(runes)
}

func randomSmall(r *rand.Rand) string { return strconv.Itoa(r.IntN(16) - 5) }

func randomCount(r *rand.Rand) string {
	if r.IntN(10) == 0 {
		return []string{"2147483647", "-2147483648", "-2147483647", "2147483646"}[r.IntN(4)]
	}
	return randomSmall(r)
}

func randomBool(r *rand.Rand) string {
	words := []string{"true", "false", "yes", "no", "on", "off", "1", "0", "10", "o", "truex", "", "null"}
	word := words[r.IntN(len(words))]
	word = word[:len(word)-r.IntN(len(word)+1)]
	if r.IntN(3) == 0 {
		word = strings.ToUpper(word)
	}
	if r.IntN(4) == 0 {
		word = " " + word + "\t"
	}
	return word
}

func randomIntText(r *rand.Rand) string {
	text := strconv.FormatInt(int64(r.Uint64())>>r.IntN(64), 10)
	switch r.IntN(10) {
	case 0:
		text += strconv.Itoa(r.IntN(100))
	case 1:
		i := r.IntN(len(text))
		text = text[:i] + string("+-. xe_"[r.IntN(7)]) + text[i+r.IntN(2):]
	case 2:
		text = "  +" + text + " "
	}
	return text
}
