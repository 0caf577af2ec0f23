package dialect

import "testing"

func TestTokens(t *testing.T) {
	for text, want := range map[string][]Token{
		`SELECT "A"`: {
			{Word, Reserved, "select", 0, 6}, {Quoted, 0, "A", 7, 10}, {End, 0, "", 10, 10},
		},
		"a<>-1": {
			{Word, NotKeyword, "a", 0, 1}, {Symbol, 0, "<>", 1, 3}, {Symbol, 0, "-", 3, 4},
			{Integer, 0, "1", 4, 5}, {End, 0, "", 5, 5},
		},
		"0x1F::text": {
			{Integer, 0, "31", 0, 4}, {Symbol, 0, "::", 4, 6}, {Word, Unreserved, "text", 6, 10}, {End, 0, "", 10, 10},
		},
		"$12 $$a$$": {
			{Param, 0, "12", 0, 3}, {String, 0, "a", 4, 9}, {End, 0, "", 9, 9},
		},
		"1.5e3 .5": {
			{Decimal, 0, "1.5e3", 0, 5}, {Decimal, 0, ".5", 6, 8}, {End, 0, "", 8, 8},
		},
		"nulls last nulls": {
			{Word, Paired, "nulls", 0, 5}, {Word, Unreserved, "last", 6, 10}, {Word, Unreserved, "nulls", 11, 16},
			{End, 0, "", 16, 16},
		},
		"'a": {{Invalid, 0, "", 0, 2}},
	} {
		l, err := lex(text, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := l.toks
		if len(got) != len(want) {
			t.Errorf("%s: %v", text, got)
			continue
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%s: token %d is %v, want %v", text, i, got[i], want[i])
			}
		}
	}
}
