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
	MatchCount:  {{Params: "sss", Result: 'l', Metered: matchCount}},
	MatchNumber: {{Params: "sssl", Result: 'a', Remembering: matchNumber, Nullable: true}},
	RegexpMatch: {
		{Params: "ss", Result: 'a', Metered: firstMatch, Nullable: true}, {Params: "sss", Result: 'a', Metered: firstMatch, Nullable: true},
	},
	RegexpSplit: {
		{Params: "ss", Result: 'a', Metered: splitByRegexp}, {Params: "sss", Result: 'a', Metered: splitByRegexp},
	},
}

func matchCount(m *Meter, a []Value) (Value, error) {
	re, err := NewRegexp(m, a[1].S, a[2].S, true)
	if err != nil {
		return Value{}, err
	}
	n := int64(0)
	for range re.matches(m, a[0].S, 0, re.all) {
		n++
	}
	return intValue(n), nil
}

// matchNumber is one match of several. It goes on behind the last one that was asked
// for, for callers that take one after the other.
func matchNumber() func(*Meter, []Value) (Value, error) {
	var text, pattern, flags string
	var search *matchSearch
	return func(m *Meter, a []Value) (Value, error) {
		if search == nil || !same(a[0].S, text) || a[1].S != pattern || a[2].S != flags || a[3].I <= search.found {
			re, err := NewRegexp(m, a[1].S, a[2].S, true)
			if err != nil {
				return Value{}, err
			}
			text, pattern, flags = a[0].S, a[1].S, a[2].S
			search = &matchSearch{re: re, s: text}
		}
		for {
			match := search.next(m)
			if match == nil {
				search = nil
				return Value{}, nil
			}
			if search.found == a[3].I {
				return matchArray(m, text, match), nil
			}
		}
	}
}

// matchArray is what each parentheses matched, or all of the match where there are
// none.
func matchArray(m *Meter, s string, match []int) Value {
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
	return textValue(JoinArray(m, items))
}

// withoutGlobal returns the flags of a function that does not take g.
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

func firstMatch(m *Meter, a []Value) (Value, error) {
	flags, err := withoutGlobal(a, "regexp_match", "Use the regexp_matches function instead.")
	if err != nil {
		return Value{}, err
	}
	re, err := NewRegexp(m, a[1].S, flags, false)
	if err != nil {
		return Value{}, err
	}
	match := re.find(m, a[0].S, 0)
	if match == nil {
		return Value{}, nil
	}
	return matchArray(m, a[0].S, match), nil
}

// splitByRegexp are the parts of a text between the matches of a pattern. As in
// PostgreSQL, empty matches at its start and end and right behind another match
// do not count.
func splitByRegexp(m *Meter, a []Value) (Value, error) {
	flags, err := withoutGlobal(a, "regexp_split_to_array", "")
	if err != nil {
		return Value{}, err
	}
	re, err := NewRegexp(m, a[1].S, flags, false)
	if err != nil {
		return Value{}, err
	}
	w := newArrayMaker(m)
	at := 0
	for match := range re.matches(m, a[0].S, 0, true) {
		if match[0] == match[1] && (match[0] == at || match[0] == len(a[0].S)) {
			continue
		}
		w.add(Item{Text: a[0].S[at:match[0]]})
		at = match[1]
	}
	w.add(Item{Text: a[0].S[at:]})
	return textValue(w.finish()), nil
}
