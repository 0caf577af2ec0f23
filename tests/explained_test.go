//go:build reference

package tests

import (
	"bufio"
	"os"
	"regexp"
	"strings"
	"testing"
)

// An explanation says why queries that match a pattern may differ.
type explanation struct {
	reason  string
	pattern *regexp.Regexp
}

// explanations reads testdata/explained.txt.
func explanations(t *testing.T) []explanation {
	t.Helper()
	file, err := os.Open("testdata/explained.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var list []explanation
	reason := ""
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := lines.Text()
		switch {
		case strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "":
		case strings.HasPrefix(line, "  "):
			pattern, err := regexp.Compile("(?is)" + strings.TrimSpace(line))
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, explanation{reason, pattern})
		default:
			reason = line
		}
	}
	return list
}
