package value

import (
	"strings"
)

// IdentParts is the routine that takes a name apart: (text, strict).
const IdentParts = "parts of name"

var identRoutines = map[string][]Routine{IdentParts: {{Params: "sb", Result: 'a', Metered: identParts}}}

// identParts are the parts of a name that points separate. What follows the name, but for spaces,
// is an error where it is strict.
func identParts(m *Meter, a []Value) (Value, error) {
	text, strict := a[0].S, a[1].B
	w := newArrayMaker(m)
	at := pastSpaces(text, 0)
	for behindDot := false; ; behindDot = true {
		part, end, detail := identPart(text, at)
		if end == at && detail == "" && behindDot {
			detail = `No valid identifier after ".".`
		}
		if end == at {
			return Value{}, notIdent(text, detail)
		}
		w.add(Item{Text: part})
		at = pastSpaces(text, end)
		if at == len(text) || text[at] != '.' {
			break
		}
		at = pastSpaces(text, at+1)
	}
	if at < len(text) && strict {
		return Value{}, notIdent(text, "")
	}
	return textValue(w.finish()), nil
}

// identPart reads one part of a name, which ends where it begins if it is none; detail then says
// why, if that is known.
func identPart(text string, at int) (part string, end int, detail string) {
	switch {
	case at == len(text):
		return "", at, ""
	case text[at] == '.':
		return "", at, `No valid identifier before ".".`
	case text[at] != '"':
		for end = at; end < len(text) && isIdentByte(text[end], end > at); {
			end++
		}
		return strings.Map(lowerASCII, text[at:end]), end, ""
	}
	for end = at + 1; ; end += 2 {
		n := strings.IndexByte(text[end:], '"')
		if n < 0 {
			return "", at, "String has unclosed double quotes."
		}
		if end += n; !strings.HasPrefix(text[end+1:], `"`) {
			break
		}
	}
	if end == at+1 {
		return "", at, "Quoted identifier must not be empty."
	}
	return strings.ReplaceAll(text[at+1:end], `""`, `"`), end + 1, ""
}

func isIdentByte(c byte, inside bool) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80 || inside && (c == '$' || '0' <= c && c <= '9')
}

func lowerASCII(r rune) rune {
	if 'A' <= r && r <= 'Z' {
		return r + 'a' - 'A'
	}
	return r
}

func pastSpaces(text string, at int) int {
	return len(text) - len(strings.TrimLeft(text[at:], " \t\n\r\f"))
}

func notIdent(text, detail string) error {
	e := Errorf(CodeInvalidParameter, "string is not a valid identifier: \"%s\"", text)
	e.Detail = detail
	return e
}
