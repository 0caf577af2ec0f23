package dialect

import (
	"math/big"
	"strings"
)

// number reads an integer of any base or a decimal.
func (l *lexer) number() {
	start := l.at
	if l.text[l.at] == '0' {
		switch l.peek(1) {
		case 'x', 'X':
			l.based(start, 16, "invalid hexadecimal integer")
			return
		case 'o', 'O':
			l.based(start, 8, "invalid octal integer")
			return
		case 'b', 'B':
			l.based(start, 2, "invalid binary integer")
			return
		}
	}
	kind := Integer
	l.digits(10)
	if l.peek(0) == '.' && l.peek(1) != '.' {
		kind = Decimal
		l.at++
		l.digits(10)
	}
	if c := l.peek(0); c == 'e' || c == 'E' {
		kind = Decimal
		if !l.exponent() {
			if !l.junk(start) {
				l.failNear(start, numberJunk)
			}
			return
		}
	}
	if l.junk(start) {
		return
	}
	l.emit(kind, strings.ReplaceAll(l.text[start:l.at], "_", ""), start)
}

// based reads 0x1F, 0o17 or 0b101 as decimal digits.
func (l *lexer) based(start, base int, what string) {
	l.at += 2
	digits := l.at
	l.digits(base)
	if l.junk(start) {
		return
	}
	if l.at == digits {
		l.failNear(start, what)
		return
	}
	text := strings.ReplaceAll(l.text[digits:l.at], "_", "")
	n, _ := new(big.Int).SetString(text, base)
	l.emit(Integer, n.String(), start)
}

// digits skips digits of a base, with single underscores between or, behind a
// base's prefix, before them.
func (l *lexer) digits(base int) {
	prefixed := base != 10
	for {
		switch {
		case isDigitOf(l.peek(0), base):
			l.at++
			prefixed = true
		case l.peek(0) == '_' && prefixed && isDigitOf(l.peek(1), base):
			l.at += 2
		default:
			return
		}
	}
}

func isDigitOf(c byte, base int) bool {
	if base == 16 {
		return isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
	}
	return '0' <= c && int(c-'0') < base
}

// exponent reads e, an optional sign, and digits; false when there are none.
func (l *lexer) exponent() bool {
	if c := l.peek(1); c == '+' || c == '-' {
		l.at++
	} else if !isDigit(c) {
		return false
	}
	l.at++
	digits := l.at
	l.digits(10)
	return l.at > digits
}

const numberJunk = "trailing junk after numeric literal"

// junk fails when a number runs on into an identifier.
func (l *lexer) junk(start int) bool {
	end := l.at
	for isIdentPart(l.peek(0)) {
		l.at++
	}
	if l.at == end {
		return false
	}
	l.failNear(start, numberJunk)
	return true
}

// dollar reads a parameter or a dollar-quoted string.
func (l *lexer) dollar() {
	start := l.at
	if isDigit(l.peek(1)) {
		l.at++
		for isDigit(l.peek(0)) {
			l.at++
		}
		end := l.at
		for isIdentPart(l.peek(0)) {
			l.at++
		}
		if l.at > end {
			l.failNear(start, "trailing junk after parameter")
			return
		}
		l.emit(Param, l.text[start+1:l.at], start)
		return
	}
	end := l.at + 1
	for end < len(l.text) && isIdentPart(l.text[end]) && l.text[end] != '$' {
		end++
	}
	if end == len(l.text) || l.text[end] != '$' {
		l.at++
		l.failNear(start, "syntax error")
		return
	}
	tag := l.text[start : end+1]
	n := strings.Index(l.text[end+1:], tag)
	if n < 0 {
		l.at = len(l.text)
		l.failNear(start, "unterminated dollar-quoted string")
		return
	}
	l.at = end + 1 + n + len(tag)
	l.emit(String, l.text[end+1:end+1+n], start)
}
