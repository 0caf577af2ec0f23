package value

import "strings"

// tokenKind is the kind of a token of date, time and interval text.
type tokenKind uint8

const (
	numberToken tokenKind = iota // digits, perhaps with a point
	dateToken                    // digits and letters with -, / or . between
	timeToken                    // digits with colons, perhaps with a point
	zoneToken                    // a sign and a number, perhaps with colons
	wordToken                    // letters
)

// dateTimeToken is a token, in lower case.
type dateTimeToken struct {
	kind tokenKind
	text string
}

// maxTokens is the number of tokens that date, time or interval text may have.
const maxTokens = 25

// lexDateTime splits date, time or interval text as PostgreSQL does; ok is
// false when it has an illegal character or too many tokens.
func lexDateTime(s string) (tokens []dateTimeToken, ok bool) {
	s = strings.ToLower(s)
	for pos := 0; pos < len(s); {
		c := s[pos]
		var end int
		var kind tokenKind
		switch {
		case strings.IndexByte(cSpace, c) >= 0:
			pos++
			continue
		case isDigit(c):
			kind, end = lexDigits(s, pos)
		case c == '.':
			kind, end = numberToken, skip(s, pos+1, isDigit)
		case isLetter(c):
			kind, end = lexWord(s, pos)
		case c == '+' || c == '-':
			token, next, ok := lexSigned(s, pos)
			if !ok {
				return nil, false
			}
			tokens = append(tokens, token)
			pos = next
			continue
		case isPunct(c):
			pos++
			continue
		default:
			return nil, false
		}
		tokens = append(tokens, dateTimeToken{kind, s[pos:end]})
		pos = end
		if len(tokens) > maxTokens {
			return nil, false
		}
	}
	return tokens, len(tokens) <= maxTokens
}

// lexDigits finds the end of a token that starts with a digit.
func lexDigits(s string, pos int) (kind tokenKind, end int) {
	end = skip(s, pos, isDigit)
	if end == len(s) {
		return numberToken, end
	}
	switch c := s[end]; c {
	case ':':
		return timeToken, skip(s, end, func(c byte) bool { return isDigit(c) || c == ':' || c == '.' })
	case '-', '/', '.':
		kind = dateToken
		if end+1 == len(s) || !isDigit(s[end+1]) {
			return kind, skip(s, end+1, func(b byte) bool { return isDigit(b) || isLetter(b) || b == c })
		}
		if c == '.' {
			kind = numberToken
		}
		end = skip(s, end+1, isDigit)
		if end < len(s) && s[end] == c {
			return dateToken, skip(s, end, func(b byte) bool { return isDigit(b) || b == c })
		}
		return kind, end
	}
	return numberToken, end
}

// lexWord finds the end of a token that starts with a letter: a word, or a
// date with the name of a month first.
func lexWord(s string, pos int) (kind tokenKind, end int) {
	end = skip(s, pos, isLetter)
	if end == len(s) {
		return wordToken, end
	}
	c := s[end]
	isDate := c == '-' || c == '/' || c == '.'
	if c == '+' || isDigit(c) {
		word, known := dateTimeWords[s[pos:end]]
		known = known && word.kind != zoneWord
		unit := end == pos+1 && strings.IndexByte("dhmsy", s[pos]) >= 0
		isDate = !known && !unit
	}
	if !isDate {
		return wordToken, end
	}
	return dateToken, skip(s, end, func(b byte) bool {
		return b == '+' || b == '-' || b == '/' || b == '_' || b == '.' || b == ':' || isDigit(b) || isLetter(b)
	})
}

// lexSigned reads a token after a sign; blanks may stand between.
func lexSigned(s string, pos int) (token dateTimeToken, next int, ok bool) {
	start := skip(s, pos+1, func(c byte) bool { return strings.IndexByte(cSpace, c) >= 0 })
	switch {
	case start < len(s) && isDigit(s[start]):
		next = skip(s, start, func(c byte) bool { return isDigit(c) || c == ':' || c == '.' || c == '-' })
		return dateTimeToken{zoneToken, s[pos:pos+1] + s[start:next]}, next, true
	case start < len(s) && isLetter(s[start]):
		next = skip(s, start, isLetter)
		return dateTimeToken{wordToken, s[pos:pos+1] + s[start:next]}, next, true
	}
	return token, 0, false
}
