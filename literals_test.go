package cubeloom_test

import (
	"testing"

	"github.com/cubeloom/cubeloom"
)

func TestWithoutLiterals(t *testing.T) {
	for text, want := range map[string]string{
		"SELECT a1, 'x''y', E'a\\'b', $$d$$ FROM t2 WHERE b = 17 AND c < 1.5e3 -- c": "SELECT a1, ?, ?, ? FROM t2 WHERE b = ? AND c < ? -- c",
		"ALTER ROLE ana PASSWORD 'secret'":                                           "ALTER ROLE ana PASSWORD ?",
		"SELECT $1, B'01' || X'ff', \"A 1\"":                                         "SELECT $1, ? || ?, \"A 1\"",
		"SELECT 'not closed":                                                         "SELECT ?",
		"SELECT '\xff'":                                                              "?",
	} {
		if got := cubeloom.WithoutLiterals(text); got != want {
			t.Errorf("%s:\n got  %s\n want %s", text, got, want)
		}
	}
}

func TestCheckPassword(t *testing.T) {
	for _, c := range []struct {
		password string
		least    int
		ok       bool
	}{{"1234567", 0, false}, {"ééééééé", 0, false}, {"12345678", 0, true}, {"1", -1, true}, {"1", 1, true}, {"12345678", 9, false}} {
		if err := cubeloom.CheckPassword(c.password, c.least); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
