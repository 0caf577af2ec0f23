package value

import "iter"

// regexpMatches are the matches of the pattern a[1] in a[0], which is searched from the
// character that a[2] counts and the given place on. Flags stand at index flags.
func regexpMatches(m *Meter, a []Value, flags int) (iter.Seq[[]int], error) {
	options := ""
	if len(a) > flags {
		options = a[flags].S
	}
	re, err := NewRegexp(m, a[1].S, options, false)
	if err != nil {
		return nil, err
	}
	if len(a) <= 2 {
		return re.matches(m, a[0].S, 0, true), nil
	}
	return matchesFrom(m, re, a[0].S, a[2].I)
}

// matchesFrom are the matches in s from a character on, of which the first has number 1.
func matchesFrom(m *Meter, re *Regexp, s string, start int64) (iter.Seq[[]int], error) {
	if start <= 0 {
		return nil, errParameter("start", start)
	}
	if int64(length(m, s)) < start-1 {
		return func(func([]int) bool) {}, nil
	}
	return re.matches(m, s, offset(m, s, start-1), true), nil
}

func errParameter(name string, n int64) error {
	return Errorf(CodeInvalidParameter, "invalid value for parameter \"%s\": %d", name, n)
}

func regexpCount(m *Meter, a []Value) (Value, error) {
	found, err := regexpMatches(m, a, 3)
	if err != nil {
		return Value{}, err
	}
	n := int64(0)
	for range found {
		n++
	}
	return intValue(n), nil
}

// nthMatch is where the match that a[3] counts begins and ends, the first where it is left
// out, or its parentheses of the number that stands behind the flags; both are negative
// where nothing matches.
func nthMatch(m *Meter, a []Value, flags int) (from, to int, err error) {
	n, part := int64(1), int64(0)
	if len(a) > 3 {
		if n = a[3].I; n <= 0 {
			return 0, 0, errParameter("n", n)
		}
	}
	if len(a) > flags+1 {
		if part = a[flags+1].I; part < 0 {
			return 0, 0, errParameter("subexpr", part)
		}
	}
	found, err := regexpMatches(m, a, flags)
	if err != nil {
		return 0, 0, err
	}
	for match := range found {
		if n--; n == 0 && part < int64(len(match)/2) {
			return match[2*part], match[2*part+1], nil
		} else if n == 0 {
			break
		}
	}
	return -1, -1, nil
}

// substringRegexp is what the first parentheses of a pattern match, or the whole
// match where it has none.
func substringRegexp(m *Meter, a []Value) (Value, error) {
	re, err := NewRegexp(m, a[1].S, "", false)
	if err != nil {
		return Value{}, err
	}
	match := re.find(m, a[0].S, 0)
	if len(match) > 2 {
		match = match[2:]
	}
	if match == nil || match[0] < 0 {
		return Value{}, nil
	}
	return textValue(a[0].S[match[0]:match[1]]), nil
}

func regexpSubstr(m *Meter, a []Value) (Value, error) {
	from, to, err := nthMatch(m, a, 4)
	if from < 0 || err != nil {
		return Value{}, err
	}
	return textValue(a[0].S[from:to]), nil
}

// regexpInstr is where a match begins, or with 1 for a[4] the place behind it.
func regexpInstr(m *Meter, a []Value) (Value, error) {
	behind := false
	if len(a) > 4 {
		if behind = a[4].I == 1; !behind && a[4].I != 0 {
			return Value{}, errParameter("endoption", a[4].I)
		}
	}
	from, to, err := nthMatch(m, a, 5)
	if from < 0 || err != nil {
		return intValue(0), err
	}
	if behind {
		from = to
	}
	return intValue(int64(length(m, a[0].S[:from])) + 1), nil
}

// ReplaceFrom is regexp_replace of the match that a[4] counts in a[0] from the character
// a[3] on, of each with 0, and of the first where it is left out. The flag g says nothing
// beside it.
const ReplaceFrom = "replace from"

func replaceFrom(m *Meter, a []Value) (Value, error) {
	n, flags := int64(1), ""
	if len(a) > 4 {
		if n = a[4].I; n < 0 {
			return Value{}, errParameter("n", n)
		}
	}
	if len(a) > 5 {
		flags = a[5].S
	}
	re, err := NewRegexp(m, a[1].S, flags, true)
	if err != nil {
		return Value{}, err
	}
	found, err := matchesFrom(m, re, a[0].S, a[3].I)
	if err != nil {
		return Value{}, err
	}
	w := maker{m: m}
	at, number := 0, int64(0)
	for match := range found {
		if number++; number < n {
			continue
		}
		w.write(a[0].S[at:match[0]])
		expand(&w, a[0].S, a[2].S, match)
		if at = match[1]; n > 0 {
			break
		}
	}
	w.write(a[0].S[at:])
	return textValue(w.String()), nil
}
