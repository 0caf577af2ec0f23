package planner

import "testing"

func TestRegularExpressionsThatAreLikePatterns(t *testing.T) {
	for regex, want := range map[string]string{
		"^(t)$": "t", "^pg_": `pg\_%`, "": "%%", "a.b": "%a_b%", "^a.*b$": "a%b", `^50%$`: `50\%`,
		`^a\.b$`: "a.b", `x\$`: `%x$%`, "^(a.*)$": "a%", "key$": "%key",
	} {
		if got, ok := likePattern(regex); !ok || got != want {
			t.Errorf("%q: got %q, %t, want %q", regex, got, ok, want)
		}
	}
	for _, regex := range []string{"a|b", "[a-z]", "a+", "a?", "ab*", "(a)", "^(a)(b)$", "^(a$", `\d`, `a\`, "a{2}", "^^a", "^(a|b)$", ".+"} {
		if got, ok := likePattern(regex); ok {
			t.Errorf("%q: got %q, want a refusal", regex, got)
		}
	}
}
