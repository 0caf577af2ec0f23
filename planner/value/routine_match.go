package value

import "strings"

// The routines of what the parentheses of a regular expression match that have
// names of their own: how often (text, pattern, flags) matches, once at most without
// the flag g, and the match that a number from 1 on counts as an array.
const (
	MatchCount  = "match count"
	MatchNumber = "match number"
	RegexpMatch = "regexp match" // (text, pattern[, flags]) is the first match
	RegexpSplit = "regexp split" // (text, pattern[, flags]) is what stands between matches
)

var matchRoutines = map[string][]Routine{
	MatchCount:  {{Params: "sss", Result: 'l', Call: matchCount}},
	MatchNumber: {{Params: "sssl", Result: 'a', Call: matchNumber, Nullable: true}},
	RegexpMatch: {
		{Params: "ss", Result: 'a', Call: firstMatch, Nullable: true}, {Params: "sss", Result: 'a', Call: firstMatch, Nullable: true},
	},
	RegexpSplit: {
		{Params: "ss", Result: 'a', Call: splitByRegexp}, {Params: "sss", Result: 'a', Call: splitByRegexp},
	},
}

// submatches are the matches of a[1] in a[0] with the flags a[2], at most n where
// that is positive.
func submatches(a []Value, n int) ([][]int, error) {
	re, err := NewRegexp(a[1].S, a[2].S, true)
	if err != nil {
		return nil, err
	}
	if !re.all {
		n = 1
	}
	return re.re.FindAllStringSubmatchIndex(a[0].S, n), nil
}

func matchCount(a []Value) (Value, error) {
	found, err := submatches(a, -1)
	return intValue(int64(len(found))), err
}

func matchNumber(a []Value) (Value, error) {
	n := a[3].I
	found, err := submatches(a, int(n))
	if err != nil || int64(len(found)) < n {
		return Value{}, err
	}
	return matchArray(a[0].S, found[n-1]), nil
}

// matchArray is what each parentheses matched, or all of the match where there are
// none.
func matchArray(s string, match []int) Value {
	if len(match) > 2 {
		match = match[2:]
	}
	items := make([]Item, len(match)/2)
	for i := range items {
		from, to := match[2*i], match[2*i+1]
		if items[i].Null = from < 0; !items[i].Null {
			items[i].Text = s[from:to]
		}
	}
	return textValue(JoinArray(items))
}

// withoutGlobal gives the flags of a function that does not take g.
func withoutGlobal(a []Value, name, hint string) (flags string, err error) {
	if len(a) < 3 {
		return "", nil
	}
	if strings.Contains(a[2].S, "g") {
		return "", &Error{
			Code: CodeInvalidParameter, Message: name + "() does not support the \"global\" option", Hint: hint, Pos: NoPos,
		}
	}
	return a[2].S, nil
}

func firstMatch(a []Value) (Value, error) {
	flags, err := withoutGlobal(a, "regexp_match", "Use the regexp_matches function instead.")
	if err != nil {
		return Value{}, err
	}
	found, err := submatches([]Value{a[0], a[1], textValue(flags)}, 1)
	if err != nil || len(found) == 0 {
		return Value{}, err
	}
	return matchArray(a[0].S, found[0]), nil
}

// splitByRegexp are the parts of a text between the matches of a pattern. As in
// PostgreSQL, empty matches at its start and end and right behind another match
// do not count.
func splitByRegexp(a []Value) (Value, error) {
	flags, err := withoutGlobal(a, "regexp_split_to_array", "")
	if err != nil {
		return Value{}, err
	}
	re, err := NewRegexp(a[1].S, flags, false)
	if err != nil {
		return Value{}, err
	}
	var items []Item
	at := 0
	for _, m := range re.re.FindAllStringIndex(a[0].S, -1) {
		if m[0] == m[1] && (m[0] == at || m[0] == len(a[0].S)) {
			continue
		}
		items = append(items, Item{Text: a[0].S[at:m[0]]})
		at = m[1]
	}
	items = append(items, Item{Text: a[0].S[at:]})
	return textValue(JoinArray(items)), nil
}
