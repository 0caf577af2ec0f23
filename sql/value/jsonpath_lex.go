package value

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// pathToken is a token of a jsonpath: n a name, s a string, v a variable, 1 a number, the
// sign itself of others, and 0 the end.
type pathToken struct {
	kind byte
	text string // what it stands for
	raw  string // what an error shows of it
}

// pathLexer reads tokens.
type pathLexer struct {
	rest  string
	token pathToken
}

const (
	pathBlanks  = " \t\n\r\f"
	pathSpecial = `?%$.[]{}()|&!=<>@#,*:-+/`
)

// pathError is the error for a token.
func pathError(message, near string) error {
	if near == "" {
		return Errorf(CodeSyntax, "%s at end of jsonpath input", message)
	}
	return Errorf(CodeSyntax, "%s at or near \"%s\" of jsonpath input", message, near)
}

func (l *pathLexer) fail() { panic(pathError("syntax error", l.token.raw)) }

// pathPairs are the signs of two characters.
var pathPairs = []string{"&&", "||", "**", "<=", "==", "<>", "!=", ">="}

// next reads a token.
func (l *pathLexer) next() {
	l.blanks()
	from := l.rest
	c := byte(0)
	if from != "" {
		c = from[0]
	}
	t := pathToken{kind: c}
	switch {
	case c == 0:
	case c == '"':
		t.kind, t.text, t.raw = 's', l.quoted(), `"`
	case c == '$' && len(from) > 1 && from[1] == '"':
		l.rest = from[1:]
		t.kind, t.text, t.raw = 'v', l.quoted(), `"`
	case c == '$' && len(from) > 1 && isPathName(from[1]):
		l.rest = from[1:]
		t.kind, t.text = 'v', l.name()
		t.raw = "$" + t.text
	case isDigit(c), c == '.' && len(from) > 1 && isDigit(from[1]):
		t.text = l.number()
		t.kind, t.raw = '1', t.text
	case isPathName(c):
		t.kind, t.text = 'n', l.name()
		t.raw = l.behindName()
	default:
		l.rest = from[1:]
		for _, pair := range pathPairs {
			if strings.HasPrefix(from, pair) {
				l.rest, t.kind = from[2:], pathPairKinds[pair]
			}
		}
	}
	if t.text == "" && t.raw == "" {
		t.raw = from[:len(from)-len(l.rest)]
	}
	l.token = t
}

// behindName is what PostgreSQL's errors show in the place of a name without quotes: the blank or
// comment that ends it, and nothing otherwise.
func (l *pathLexer) behindName() string {
	switch {
	case strings.HasPrefix(l.rest, "/*"):
		return "/*"
	case l.rest != "" && strings.IndexByte(pathBlanks, l.rest[0]) >= 0:
		return l.rest[:1]
	}
	return ""
}

// pathPairKinds are the kinds of tokens of two characters.
var pathPairKinds = map[string]byte{"&&": 'A', "||": 'O', "**": 'L', "<=": 'l', "==": 'e', "<>": 'd', "!=": 'd', ">=": 'g'}

// isPathName reports whether a byte may stand in a name without quotes.
func isPathName(c byte) bool {
	return strings.IndexByte(pathBlanks, c) < 0 && strings.IndexByte(pathSpecial, c) < 0 && c != '"'
}

// blanks passes over blanks and comments.
func (l *pathLexer) blanks() {
	for {
		l.rest = strings.TrimLeft(l.rest, pathBlanks)
		if !strings.HasPrefix(l.rest, "/*") {
			return
		}
		_, after, ok := strings.Cut(l.rest[2:], "*/")
		if !ok {
			panic(pathError("unexpected end of comment", ""))
		}
		l.rest = after
	}
}

// name reads a name without quotes.
func (l *pathLexer) name() string {
	var out strings.Builder
	for l.rest != "" && isPathName(l.rest[0]) && !strings.HasPrefix(l.rest, "/*") {
		if l.rest[0] == '\\' {
			l.escape(&out)
			continue
		}
		out.WriteByte(l.rest[0])
		l.rest = l.rest[1:]
	}
	return out.String()
}

func (l *pathLexer) quoted() string {
	var out strings.Builder
	l.rest = l.rest[1:]
	for {
		switch {
		case l.rest == "":
			panic(pathError("unexpected end of quoted string", ""))
		case l.rest[0] == '"':
			l.rest = l.rest[1:]
			return out.String()
		case l.rest[0] == '\\':
			l.escape(&out)
		default:
			n := strings.IndexAny(l.rest, `"\`)
			if n < 0 {
				n = len(l.rest)
			}
			out.WriteString(l.rest[:n])
			l.rest = l.rest[n:]
		}
	}
}

// pathEscapes are the escapes of one letter.
var pathEscapes = map[byte]byte{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v'}

// escape reads a backslash and what follows it.
func (l *pathLexer) escape(out *strings.Builder) {
	if len(l.rest) < 2 {
		panic(pathError("unexpected end after backslash", l.rest))
	}
	c := l.rest[1]
	if char, ok := pathEscapes[c]; ok {
		out.WriteByte(char)
		l.rest = l.rest[2:]
		return
	}
	if c != 'x' && c != 'u' {
		_, n := utf8.DecodeRuneInString(l.rest[1:])
		out.WriteString(l.rest[1 : 1+n])
		l.rest = l.rest[1+n:]
		return
	}
	char := l.codePoint()
	if utf16.IsSurrogate(char) {
		if !strings.HasPrefix(l.rest, `\u`) {
			panic(errPathSurrogate())
		}
		if char = utf16.DecodeRune(char, l.codePoint()); char == utf8.RuneError {
			panic(errPathSurrogate())
		}
	}
	if char == 0 {
		e := Errorf(CodeUnsupportedEscape, "unsupported Unicode escape sequence")
		e.Detail = "\\u0000 cannot be converted to text."
		panic(e)
	}
	out.WriteRune(char)
}

func errPathSurrogate() error {
	e := Errorf(CodeInvalidText, "invalid input syntax for type jsonpath")
	e.Detail = "Unicode low surrogate must follow a high surrogate."
	return e
}

// codePoint reads \xhh, \uhhhh or \u{h…}.
func (l *pathLexer) codePoint() rune {
	const hex = "0123456789abcdefABCDEF"
	least, most, bad := 4, 4, "invalid unicode sequence"
	if l.rest[1] == 'x' {
		least, most, bad = 2, 2, "invalid hex character sequence"
	}
	from, closing := 2, ""
	if strings.HasPrefix(l.rest[2:], "{") && l.rest[1] == 'u' {
		from, closing, least, most = 3, "}", 1, 6
	}
	n := from
	for n < len(l.rest) && n < from+most && strings.IndexByte(hex, l.rest[n]) >= 0 {
		n++
	}
	if n < from+least || !strings.HasPrefix(l.rest[n:], closing) {
		panic(pathError(bad, l.rest[:n]))
	}
	code, _ := strconv.ParseUint(l.rest[from:n], 16, 32) // at most six digits
	if code > utf8.MaxRune {
		panic(Errorf(CodeSyntax, "invalid Unicode code point"))
	}
	l.rest = l.rest[n+len(closing):]
	return rune(code)
}

// number reads a number.
func (l *pathLexer) number() string {
	from := l.rest
	digits := func(s string) string { return strings.TrimLeft(s, "0123456789") }
	rest := digits(from)
	if from[0] == '0' {
		rest = from[1:]
	}
	if strings.HasPrefix(rest, ".") {
		rest = digits(rest[1:])
	}
	if rest != "" && rest[0]|0x20 == 'e' {
		exponent := strings.TrimPrefix(rest[1:], "+")
		if len(exponent) == len(rest)-1 {
			exponent = strings.TrimPrefix(exponent, "-")
		}
		after := digits(exponent)
		switch {
		case len(after) < len(exponent):
			rest = after
		case len(exponent) < len(rest)-1:
			panic(pathError("invalid numeric literal", from[:len(from)-len(exponent)]))
		}
	}
	if rest != "" && isPathName(rest[0]) {
		_, n := utf8.DecodeRuneInString(rest)
		panic(pathError("trailing junk after numeric literal", from[:len(from)-len(rest)+n]))
	}
	l.rest = rest
	return from[:len(from)-len(rest)]
}
