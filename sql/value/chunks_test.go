package value

import (
	"math/rand/v2"
	"testing"
	"unicode/utf8"
)

// TestCharacters counts the characters of random texts, of one to four bytes each.
func TestCharacters(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	for range 2000 {
		var text []rune
		for range rng.IntN(40) {
			text = append(text, []rune("aé€\U0001F600~\u0080\u07ff\uffff")[rng.IntN(8)])
		}
		if s := string(text); characters(s) != utf8.RuneCountInString(s) {
			t.Errorf("%q has %d characters, not %d", s, utf8.RuneCountInString(s), characters(s))
		}
	}
}
