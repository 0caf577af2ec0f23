package cuda

import "testing"

// TestReadText reads what words refer to in the case that they say.
func TestReadText(t *testing.T) {
	word := TextWord(1<<46+5, MaxText)
	for letters, want := range map[uint64]string{0: "aZ@[`{Ä", lowerCase: "az@[`{", upperCase: "AZ@[`{"} {
		w := word | letters<<62
		if TextSize(w) != MaxText || TextAddress(w) != 1<<46+5 {
			t.Errorf("case %d: %d bytes at %#x", letters, TextSize(w), TextAddress(w))
		}
		text := []byte("aZ@[`{")
		if letters == 0 {
			text = []byte("aZ@[`{Ä")
		}
		ReadText(w, text)
		if string(text) != want {
			t.Errorf("case %d: %q, want %q", letters, text, want)
		}
	}
}
