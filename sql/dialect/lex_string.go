package dialect

import (
	"strings"
	"unicode/utf8"

	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// body reads from an opening quote to the closing one, the quote doubled
// standing for itself. The fragments of a string literal that are continued after
// a line break count as one.
func (l *lexer) body(start int, quote byte, what string) (string, bool) {
	var b strings.Builder
	for {
		l.at++
		for {
			n := strings.IndexByte(l.text[l.at:], quote)
			if n < 0 {
				l.at = len(l.text)
				l.failNear(start, what)
				return "", false
			}
			b.WriteString(l.text[l.at : l.at+n])
			l.at += n + 1
			if l.peek(0) != quote {
				break
			}
			b.WriteByte(quote)
			l.at++
		}
		if quote != '\'' || !l.continued() {
			return b.String(), true
		}
	}
}

// continued moves to the quote that continues a string literal: only blanks
// and -- comments with at least one line break may stand between.
func (l *lexer) continued() bool {
	end, line := l.at, false
	for end < len(l.text) {
		switch c := l.text[end]; {
		case c == '\n' || c == '\r':
			line = true
			end++
		case isSpace(c):
			end++
		case line && strings.HasPrefix(l.text[end:], "--"):
			n := strings.IndexAny(l.text[end:], "\r\n")
			if n < 0 {
				return false
			}
			end += n
		case c == '\'' && line:
			l.at = end
			return true
		default:
			return false
		}
	}
	return false
}

func (l *lexer) quotedString(start int) {
	if s, ok := l.body(start, '\'', "unterminated quoted string"); ok {
		l.emit(String, s, start)
	}
}

func (l *lexer) bitString(start int) {
	kind := "bit"
	if c := l.text[start]; c == 'x' || c == 'X' {
		kind = "hexadecimal"
	}
	if s, ok := l.body(start, '\'', "unterminated "+kind+" string literal"); ok {
		l.emit(Bits, s, start)
	}
}

func (l *lexer) quotedIdentifier() {
	start := l.at
	s, ok := l.body(start, '"', "unterminated quoted identifier")
	if ok {
		l.identifier(s, start)
	}
}

func (l *lexer) identifier(s string, start int) {
	if s == "" {
		l.failNear(start, "zero-length delimited identifier")
		return
	}
	l.emit(Quoted, s, start)
}

// escapeString reads E'…'. The backslashes of each fragment are resolved before
// the next fragment continues it.
func (l *lexer) escapeString(start int) {
	var b strings.Builder
	for {
		l.at++
		if !l.escapedPiece(start, &b) {
			return
		}
		if !l.continued() {
			break
		}
	}
	if !utf8.ValidString(b.String()) || strings.IndexByte(b.String(), 0) >= 0 {
		l.fail(start, sqlstate.Untranslatable, "invalid byte sequence for encoding \"UTF8\"")
		return
	}
	l.emit(String, b.String(), start)
}

func (l *lexer) escapedPiece(start int, b *strings.Builder) bool {
	for l.at < len(l.text) {
		n := strings.IndexAny(l.text[l.at:], `'\`)
		if n < 0 {
			break
		}
		b.WriteString(l.text[l.at : l.at+n])
		l.at += n
		if l.text[l.at] == '\\' {
			if !l.escape(b) {
				return false
			}
			continue
		}
		l.at++
		if l.peek(0) != '\'' {
			return true
		}
		b.WriteByte('\'')
		l.at++
	}
	l.at = len(l.text)
	l.failNear(start, "unterminated quoted string")
	return false
}

// escape resolves one backslash escape of E'…'.
func (l *lexer) escape(b *strings.Builder) bool {
	pos := l.at
	l.at++
	if l.at == len(l.text) {
		return true // unterminated: the caller sees the end
	}
	r, n := utf8.DecodeRuneInString(l.text[l.at:])
	switch c := l.text[l.at]; {
	case strings.IndexByte("bfnrt", c) >= 0:
		b.WriteByte("\b\f\n\r\t"[strings.IndexByte("bfnrt", c)])
		l.at++
	case '0' <= c && c <= '7':
		b.WriteByte(byte(l.codepoint(8, 1, 3)))
	case c == 'x' && isDigitOf(l.peek(1), 16):
		l.at++
		b.WriteByte(byte(l.codepoint(16, 1, 2)))
	case c == 'u' || c == 'U':
		return l.unicodeEscape(pos, b)
	default:
		b.WriteRune(r)
		l.at += n
	}
	return true
}

// unicodeEscape resolves \u0041 and \U00000041, surrogate pairs included.
func (l *lexer) unicodeEscape(pos int, b *strings.Builder) bool {
	read := func() rune {
		n := 4
		if l.text[l.at] == 'U' {
			n = 8
		}
		l.at++
		return l.codepoint(16, n, n)
	}
	r := read()
	if r < 0 {
		l.err = sqlstate.ErrorAt(pos, sqlstate.InvalidEscape, "invalid Unicode escape")
		l.err.Hint = `Unicode escapes must be \uXXXX or \UXXXXXXXX.`
		return false
	}
	if isHighSurrogate(r) {
		if next := l.peek(1); l.peek(0) != '\\' || next != 'u' && next != 'U' {
			pos = l.at
			l.at = min(l.at+1, len(l.text))
		} else {
			l.at++
			r = joinSurrogates(r, read())
		}
	}
	if what := badRune(r); what != "" {
		l.failNear(pos, what)
		return false
	}
	b.WriteRune(r)
	return true
}

// codepoint reads between least and most digits of a base; -1 for fewer.
func (l *lexer) codepoint(base, least, most int) rune {
	start, n := l.at, 0
	for l.at-start < most && isDigitOf(l.peek(0), base) {
		n = n*base + strings.IndexByte("0123456789abcdef", lowerHex(l.peek(0)))
		l.at++
	}
	if l.at-start < least {
		return -1
	}
	if n > utf8.MaxRune {
		return utf8.MaxRune + 1
	}
	return rune(n)
}

func lowerHex(c byte) byte {
	if 'A' <= c && c <= 'F' {
		return c + 'a' - 'A'
	}
	return c
}

// badRune says what is wrong with a code point that an escape names; empty for
// nothing.
func badRune(r rune) string {
	switch {
	case isHighSurrogate(r) || 0xDC00 <= r && r <= 0xDFFF:
		return "invalid Unicode surrogate pair"
	case r <= 0 || r > utf8.MaxRune:
		return "invalid Unicode escape value"
	}
	return ""
}

func isHighSurrogate(r rune) bool { return 0xD800 <= r && r <= 0xDBFF }

// joinSurrogates returns the code point of a pair, or hi itself, which is none.
func joinSurrogates(hi, lo rune) rune {
	if lo < 0xDC00 || lo > 0xDFFF {
		return hi
	}
	return (hi-0xD800)<<10 + (lo - 0xDC00) + 0x10000
}
