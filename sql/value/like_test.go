package value

import (
	"testing"

	"pgregory.net/rapid"
)

// matchSlowly matches a pattern without an escape character by trying
// everything.
func matchSlowly(text, pattern []rune) bool {
	switch {
	case len(pattern) == 0:
		return len(text) == 0
	case pattern[0] == '%':
		return matchSlowly(text, pattern[1:]) || len(text) > 0 && matchSlowly(text[1:], pattern)
	case len(text) == 0:
		return false
	}
	return (pattern[0] == '_' || pattern[0] == text[0]) && matchSlowly(text[1:], pattern[1:])
}

func TestLikeAgreesWithBacktracking(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom([]rune("aabé")), 0, 12, -1).Draw(t, "text")
		pattern := rapid.StringOfN(rapid.RuneFrom([]rune("aabé%%_")), 0, 8, -1).Draw(t, "pattern")
		l, err := NewLike(nil, pattern, "", false)
		if err != nil {
			t.Fatal(err)
		}
		got, err := l.Match(nil, text)
		if want := matchSlowly([]rune(text), []rune(pattern)); got != want || err != nil {
			t.Fatalf("%q LIKE %q: %v, %v, want %v", text, pattern, got, err, want)
		}
	})
}

func TestLikeFastPaths(t *testing.T) {
	for pattern, want := range map[string]likeKind{
		"abc": likeExact, "": likeExact, `a\%`: likeExact, "abc%": likePrefix, "%": likePrefix, "%abc": likeSuffix,
		"%abc%": likeContains, "%%abc%%": likeContains, "a%b": likeSegments, "a_c": likeSegments,
		"%a%b%": likeContains, "%a%b_%": likeSegments, "%a%b": likeSegments,
	} {
		l, err := NewLike(nil, pattern, `\`, false)
		if err != nil {
			t.Fatal(err)
		}
		if l.kind != want {
			t.Errorf("%q is of kind %d, want %d", pattern, l.kind, want)
		}
	}
}
