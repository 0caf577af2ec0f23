package dialect

import (
	"strings"
	"unicode/utf8"

	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// lexer cuts a text into tokens by the rules of PostgreSQL's scanner, with
// standard_conforming_strings on.
type lexer struct {
	text string
	at   int
	toks []Token
	cut  []CutName
	err  *sqlstate.Error // of the Invalid token
}

// checkTokens is how many tokens are read between two looks at whether to go on.
const checkTokens = 4096

// lookAhead binds words that with the next one make a keyword of the grammar:
// NULLS FIRST, WITHOUT TIME, FORMAT JSON.
func (l *lexer) lookAhead() {
	for i := range l.toks[:len(l.toks)-1] {
		t, next := &l.toks[i], l.toks[i+1]
		if t.Is("nulls") && next.IsOneOf("first", "last") || t.Is("without") && next.Is("time") ||
			t.Is("format") && next.Is("json") {
			t.Class = Paired
		}
	}
}

// checkEncoding refuses what PostgreSQL refuses before it looks at the text.
func checkEncoding(text string) error {
	for i := 0; i < len(text); {
		if c := text[i]; c != 0 && c < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == 0 || r == utf8.RuneError && n == 1 {
			return sqlstate.ErrorAt(i, sqlstate.Untranslatable,
				"invalid byte sequence for encoding \"UTF8\": 0x%02x", text[i])
		}
		i += n
	}
	return nil
}

func (l *lexer) emit(kind Kind, text string, pos int) {
	if kind == Word || kind == Quoted {
		text = l.cutName(text, pos)
	}
	l.toks = append(l.toks, Token{Kind: kind, Text: text, Pos: pos, End: l.at})
}

// maxName is how many bytes a name has at most.
const maxName = 63

// CutName is a name of a text that was too long.
type CutName struct {
	Pos       int // where it stands
	From, Cut string
}

// cutName shortens a name that is too long, between two characters.
func (l *lexer) cutName(name string, pos int) string {
	if len(name) <= maxName {
		return name
	}
	cut := CutTo(name, maxName)
	l.cut = append(l.cut, CutName{pos, name, cut})
	return cut
}

// CutTo is a name without the characters that are not whole in its first n bytes.
func CutTo(name string, n int) string {
	if len(name) <= n {
		return name
	}
	for n > 0 && !utf8.RuneStart(name[n]) {
		n--
	}
	return name[:n]
}

// fail records the error, which ends the tokens.
func (l *lexer) fail(pos int, code, format string, args ...any) {
	l.err = sqlstate.ErrorAt(pos, code, format, args...)
}

// failNear is a syntax error that shows the text from pos on.
func (l *lexer) failNear(pos int, what string) {
	l.fail(pos, sqlstate.Syntax, "%s at or near \"%s\"", what, clip(l.text[pos:l.at]))
}

// peek returns the byte n after the current one, 0 behind the end.
func (l *lexer) peek(n int) byte {
	if l.at+n < len(l.text) {
		return l.text[l.at+n]
	}
	return 0
}

// skipBlank skips white space and comments.
func (l *lexer) skipBlank() {
	for l.at < len(l.text) {
		switch c := l.text[l.at]; {
		case isSpace(c):
			l.at++
		case c == '-' && l.peek(1) == '-':
			l.skipLine()
		case c == '/' && l.peek(1) == '*':
			if !l.skipComment() {
				return
			}
		default:
			return
		}
	}
}

func (l *lexer) skipLine() {
	if n := strings.IndexAny(l.text[l.at:], "\r\n"); n >= 0 {
		l.at += n
	} else {
		l.at = len(l.text)
	}
}

// skipComment skips a comment that begins here; comments nest.
func (l *lexer) skipComment() bool {
	start, depth := l.at, 0
	for l.at < len(l.text) {
		switch {
		case l.text[l.at] == '/' && l.peek(1) == '*':
			depth++
			l.at += 2
		case l.text[l.at] == '*' && l.peek(1) == '/':
			depth--
			l.at += 2
			if depth == 0 {
				return true
			}
		default:
			l.at++
		}
	}
	l.failNear(start, "unterminated /* comment")
	return false
}

// word reads an identifier or keyword. Only ASCII letters fold, as with any
// multi-byte encoding in PostgreSQL.
func (l *lexer) word() {
	start, upper := l.at, false
	for l.at < len(l.text) && isIdentPart(l.text[l.at]) {
		c := l.text[l.at]
		upper = upper || 'A' <= c && c <= 'Z'
		l.at++
	}
	text := l.text[start:l.at]
	if upper {
		text = foldASCII(text)
	}
	l.emit(Word, text, start)
	l.toks[len(l.toks)-1].Class = keywords[text]
}

func foldASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// operator reads the longest run of operator characters that is one operator:
// it ends before a comment, and leaves out a trailing + or - unless it holds a
// character that the standard's operators do not have.
func (l *lexer) operator() {
	start, end := l.at, l.at
	for end < len(l.text) && isOperatorByte(l.text[end]) {
		end++
	}
	run := l.text[start:end]
	for _, comment := range []string{"--", "/*"} {
		if i := strings.Index(run, comment); i > 0 {
			run = run[:i]
		}
	}
	if !strings.ContainsAny(run, "~!@#^&|`?%") {
		for len(run) > 1 && (run[len(run)-1] == '+' || run[len(run)-1] == '-') {
			run = run[:len(run)-1]
		}
	}
	l.at = start + len(run)
	if len(run) > maxOperator {
		l.fail(start, sqlstate.Syntax, "operator too long at or near \"%s\"", clip(run))
		return
	}
	if run == "!=" {
		run = "<>"
	}
	l.emit(Symbol, run, start)
}

// maxOperator is the longest operator name that PostgreSQL takes.
const maxOperator = 63

func (l *lexer) punctuation() {
	start := l.at
	for _, s := range []string{"::", ":=", "..", "(", ")", "[", "]", ",", ".", ";", ":"} {
		if strings.HasPrefix(l.text[l.at:], s) {
			l.at += len(s)
			l.emit(Symbol, s, start)
			return
		}
	}
	_, n := utf8.DecodeRuneInString(l.text[l.at:])
	l.at += n
	l.failNear(start, "syntax error")
}

// clip shortens what an error message shows.
func clip(s string) string {
	const most = 200
	if len(s) <= most {
		return s
	}
	n := most
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "..."
}

func isSpace(c byte) bool {
	return c == ' ' || '\t' <= c && c <= '\r'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isIdentStart(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c >= utf8.RuneSelf
}

func isIdentPart(c byte) bool { return isIdentStart(c) || isDigit(c) || c == '$' }
