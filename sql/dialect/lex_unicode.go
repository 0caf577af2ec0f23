package dialect

import (
	"strings"

	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// unicodeLiteral reads U&'…' or U&"…" with an optional UESCAPE 'c'.
func (l *lexer) unicodeLiteral(start int) {
	quote, what := l.text[l.at], "unterminated quoted string"
	if quote == '"' {
		what = "unterminated quoted identifier"
	}
	s, ok := l.body(start, quote, what)
	if !ok {
		return
	}
	if s == "" && quote == '"' {
		l.identifier(s, start)
		return
	}
	esc, ok := l.uescape()
	if !ok {
		return
	}
	text, ok := l.resolveUnicode(start, s, esc)
	if !ok {
		return
	}
	kind := String
	if quote == '"' {
		kind = Quoted
	}
	l.emit(kind, text, start)
}

// uescape reads UESCAPE 'c' if it stands here; the escape is \ otherwise.
func (l *lexer) uescape() (byte, bool) {
	back := l.at
	l.skipBlank()
	if l.err != nil {
		return 0, false
	}
	const word = "uescape"
	if end := l.at + len(word); end > len(l.text) || foldASCII(l.text[l.at:end]) != word ||
		end < len(l.text) && isIdentPart(l.text[end]) {
		l.at = back
		return '\\', true
	}
	l.at += len(word)
	l.skipBlank()
	if l.err != nil {
		return 0, false
	}
	start := l.at
	if l.peek(0) != '\'' {
		end := start
		for end < len(l.text) && !isSpace(l.text[end]) {
			end++
		}
		l.at = end
		l.failNear(start, "UESCAPE must be followed by a simple string literal")
		return 0, false
	}
	s, ok := l.body(start, '\'', "unterminated quoted string")
	if !ok {
		return 0, false
	}
	if len(s) != 1 || isDigitOf(s[0], 16) || isSpace(s[0]) || strings.Contains(`+'"`, s) {
		l.failNear(start, "invalid Unicode escape character")
		return 0, false
	}
	return s[0], true
}

// resolveUnicode resolves \0041, \+000041 and \\ in s, where \ is esc.
func (l *lexer) resolveUnicode(start int, s string, esc byte) (string, bool) {
	sub := &lexer{text: s}
	var b strings.Builder
	for sub.at < len(s) {
		switch {
		case s[sub.at] != esc:
			b.WriteByte(s[sub.at])
			sub.at++
		case sub.peek(1) == esc:
			b.WriteByte(esc)
			sub.at += 2
		default:
			r, ok := l.unicodeEscapeIn(sub, start+len(`U&'`), esc)
			if !ok {
				return "", false
			}
			b.WriteRune(r)
		}
	}
	return b.String(), true
}

// unicodeEscapeIn reads an escape of a literal whose body begins at pos, and a
// second one where the first is half of a pair.
func (l *lexer) unicodeEscapeIn(body *lexer, pos int, esc byte) (rune, bool) {
	at := pos + body.at
	r := body.unicodePoint()
	if isHighSurrogate(r) {
		at = pos + body.at
		if body.peek(0) == esc {
			r = joinSurrogates(r, body.unicodePoint())
		}
	}
	if r < 0 {
		l.err = sqlstate.ErrorAt(at, sqlstate.Syntax, "invalid Unicode escape")
		l.err.Hint = `Unicode escapes must be \XXXX or \+XXXXXX.`
		return 0, false
	}
	if what := badRune(r); what != "" {
		l.fail(at, sqlstate.Syntax, "%s", what)
		return 0, false
	}
	return r, true
}

// unicodePoint reads an escape and 4 hexadecimal digits, or + and 6.
func (l *lexer) unicodePoint() rune {
	l.at++
	n := 4
	if l.peek(0) == '+' {
		l.at++
		n = 6
	}
	return l.codepoint(16, n, n)
}
