package fusion

import (
	"strings"
	"testing"
)

// TestWrap cuts texts whose words are longer than a line, behind lines of any length.
func TestWrap(t *testing.T) {
	const n = 8
	for before := range 2 * n {
		for long := range 4 * n {
			text := strings.Repeat("a", before) + " " + strings.Repeat("ü", long) + " b"
			lines := wrap(text, n)
			for _, line := range lines {
				if width(line) > n {
					t.Errorf("%q: the line %q is too long", text, line)
				}
			}
			if got, want := strings.Join(strings.Fields(strings.Join(lines, "")), ""), strings.ReplaceAll(text, " ", ""); got != want {
				t.Errorf("%q became %q", text, lines)
			}
		}
	}
}
