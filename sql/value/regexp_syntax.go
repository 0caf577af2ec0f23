package value

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// regexpOptions are PostgreSQL's options of a regular expression.
type regexpOptions struct {
	fold    bool
	literal bool
	expand  bool // blanks and comments do not count
	lines   bool // ^ and $ match at every line
	inLine  bool // . and [^ ] do not match the end of a line
}

// set sets an option by its letter; false where there is none of it.
func (o *regexpOptions) set(letter byte) bool {
	switch letter {
	case 'i':
		o.fold = true
	case 'c':
		o.fold = false
	case 'n', 'm':
		o.lines, o.inLine = true, true
	case 's':
		o.lines, o.inLine = false, false
	case 'p':
		o.lines, o.inLine = false, true
	case 'w':
		o.lines, o.inLine = true, false
	case 'q':
		o.literal = true
	case 'x':
		o.expand = true
	case 't':
		o.expand = false
	default:
		return false
	}
	return true
}

// regexpParser reads one of PostgreSQL's advanced regular expressions. What it reads of
// characters it writes for package syntax.
type regexpParser struct {
	regexpOptions
	rest    string
	out     strings.Builder
	classes int           // of Unicode, so far
	groups  []*regexpNode // by number, the parentheses that a back reference may name
	nodes   int
	refers  bool // back
}

// maxClasses bounds the classes of Unicode in a pattern: each has hundreds of ranges.
const maxClasses = 500

// mode is what package syntax calls the options.
func (o regexpOptions) mode() string {
	mode := ""
	if o.fold {
		mode += "i"
	}
	if o.lines {
		mode += "m"
	}
	if !o.inLine {
		mode += "s"
	}
	if mode != "" {
		mode = "(?" + mode + ")"
	}
	return mode
}

// maxPattern is the bytes that a pattern may have, which is compiled in one go.
const maxPattern = 64 << 10

func errRegexpTooLarge() error {
	return Errorf(CodeInvalidRegexp, "invalid regular expression: regular expression is too complex")
}

func errRegexpQuantifier() error { return errRegexpSyntax("quantifier operand invalid") }

func errRegexpSyntax(what string) error {
	return Errorf(CodeInvalidRegexp, "invalid regular expression: %s", what)
}

func errRegexpUnsupported(what string) error {
	return Errorf(CodeFeatureNotSupported, "%s in a regular expression is not supported", what)
}

// director reads ***= and ***: and the options in (?xyz) at the start.
func (t *regexpParser) director() error {
	if t.literal {
		return nil
	}
	if after, ok := strings.CutPrefix(t.rest, "***"); ok {
		switch {
		case strings.HasPrefix(after, "="):
			t.literal, t.rest = true, after[1:]
			return nil
		case strings.HasPrefix(after, ":"):
			t.rest = after[1:]
		default:
			return errRegexpQuantifier()
		}
	}
	if len(t.rest) < 3 || !strings.HasPrefix(t.rest, "(?") || !isLetter(t.rest[2]) {
		return nil
	}
	end := strings.IndexByte(t.rest, ')')
	if end < 0 {
		return errRegexpSyntax("invalid embedded option")
	}
	for _, letter := range []byte(t.rest[2:end]) {
		switch {
		case letter == 'b' || letter == 'e':
			return errRegexpUnsupported("the embedded option " + string(letter))
		case !t.set(letter):
			return errRegexpSyntax("invalid embedded option")
		}
	}
	t.rest = t.rest[end+1:]
	return nil
}

func (t *regexpParser) copy(n int) {
	t.out.WriteString(t.rest[:n])
	t.rest = t.rest[n:]
}

// The classes of characters; those of letters are Unicode's.
var regexpClasses = map[string]string{
	"alpha": `\pL`, "alnum": `\pL\pN`, "digit": "0-9", "upper": `\p{Lu}`, "lower": `\p{Ll}`, "punct": `\pP\pS`,
	"space": regexpSpaces, "blank": ` \t`, "cntrl": `\p{Cc}`, "xdigit": "0-9A-Fa-f", "word": `\pL\pN_`,
	"graph": `\pL\pM\pN\pP\pS`, "print": `\pL\pM\pN\pP\pS\p{Zs}`, "ascii": `\x00-\x7f`,
}

const regexpSpaces = `\t-\r \x{1680}\x{2000}-\x{2006}\x{2008}-\x{200a}\x{2028}\x{2029}\x{205f}\x{3000}`

// regexpEscapes are the escapes of one letter.
var regexpEscapes = map[byte]string{
	'a': `\x07`, 'b': `\x08`, 'B': `\\`, 'e': `\x1b`, 'f': `\f`, 'n': `\n`, 'r': `\r`, 't': `\t`, 'v': `\v`,
}

var regexpShorthands = map[byte]string{'d': "digit", 's': "space", 'w': "word"}

// escape translates a backslash and what follows it.
func (t *regexpParser) escape(inBracket bool) error {
	if len(t.rest) < 2 {
		return errRegexpSyntax("invalid escape \\ sequence")
	}
	c := t.rest[1]
	if !isLetter(c) && !isDigit(c) {
		_, n := utf8.DecodeRuneInString(t.rest[1:])
		if n == 1 {
			t.out.WriteByte('\\') // QuoteMeta leaves what is special in brackets only
		}
		t.out.WriteString(t.rest[1 : 1+n])
		t.rest = t.rest[1+n:]
		return nil
	}
	if text, ok := regexpEscapes[c]; ok {
		t.out.WriteString(text)
		t.rest = t.rest[2:]
		return nil
	}
	if class, ok := regexpShorthands[c|0x20]; ok {
		return t.shorthand(regexpClasses[class], c < 'a', inBracket)
	}
	switch {
	case c == 'x' || c == 'u' || c == 'U':
		return t.codePoint(c)
	case c == 'c' && len(t.rest) > 2:
		char, n := utf8.DecodeRuneInString(t.rest[2:])
		fmt.Fprintf(&t.out, `\x{%x}`, char&0o37)
		t.rest = t.rest[2+n:]
		return nil
	case isDigit(c) && t.backReference() == nil:
		return t.octal()
	}
	return errRegexpSyntax("invalid escape \\ sequence")
}

// octal translates \0, \00 and \000.
func (t *regexpParser) octal() error {
	n := 1
	for n < len(t.rest) && n < 4 && t.rest[n] >= '0' && t.rest[n] <= '7' {
		n++
	}
	code, err := strconv.ParseUint(t.rest[1:n], 8, 16)
	if err != nil {
		return errRegexpSyntax("invalid escape \\ sequence")
	}
	fmt.Fprintf(&t.out, `\x{%x}`, code)
	t.rest = t.rest[n:]
	return nil
}

func (t *regexpParser) shorthand(class string, negated, inBracket bool) error {
	t.classes++
	switch {
	case inBracket && negated:
		re := sqlstate.Must(syntax.Parse("[^"+class+"]", syntax.Perl))
		for i := 0; i < len(re.Rune); i += 2 {
			fmt.Fprintf(&t.out, `\x{%x}-\x{%x}`, re.Rune[i], re.Rune[i+1])
		}
	case inBracket:
		t.out.WriteString(class)
	case negated:
		t.out.WriteString("[^" + class + "]")
	default:
		t.out.WriteString("[" + class + "]")
	}
	t.rest = t.rest[2:]
	return nil
}

// codePoint translates \xhh…, \uhhhh and \Uhhhhhhhh.
func (t *regexpParser) codePoint(c byte) error {
	most := map[byte]int{'x': 8, 'u': 4, 'U': 8}[c]
	n := 2
	for n < len(t.rest) && n < 2+most && strings.IndexByte("0123456789abcdefABCDEF", t.rest[n]) >= 0 {
		n++
	}
	if n == 2 || c != 'x' && n < 2+most {
		return errRegexpSyntax("invalid escape \\ sequence")
	}
	t.out.WriteString(`\x{` + t.rest[2:n] + "}")
	t.rest = t.rest[n:]
	return nil
}

// bracket translates a bracket expression.
func (t *regexpParser) bracket() error {
	negated := strings.HasPrefix(t.rest, "[^")
	t.rest = t.rest[1:]
	t.out.WriteByte('[')
	if negated {
		t.copy(1)
	}
	for first := true; ; first = false {
		switch {
		case t.rest == "":
			return errRegexpSyntax("brackets [] not balanced")
		case t.rest[0] == ']' && !first:
			if negated && t.inLine {
				t.out.WriteString(`\n`)
			}
			t.copy(1)
			return nil
		case t.rest[0] == '\\':
			if err := t.escape(true); err != nil {
				return err
			}
		case strings.HasPrefix(t.rest, "[:"):
			if err := t.class(); err != nil {
				return err
			}
		case strings.HasPrefix(t.rest, "[.") || strings.HasPrefix(t.rest, "[="):
			if err := t.element(t.rest[1:2] + "]"); err != nil {
				return err
			}
		case t.rest[0] == '[' || t.rest[0] == ']':
			t.out.WriteByte('\\')
			t.copy(1)
		default:
			_, n := utf8.DecodeRuneInString(t.rest)
			t.copy(n)
		}
	}
}

// element translates a collating element or a class of equal ones, which ends as it says.
func (t *regexpParser) element(ending string) error {
	name, after, ok := strings.Cut(t.rest[2:], ending)
	switch {
	case !ok:
		return errRegexpSyntax("brackets [] not balanced")
	case utf8.RuneCountInString(name) != 1:
		return errRegexpSyntax("invalid collating element")
	}
	t.out.WriteString(regexp.QuoteMeta(name))
	t.rest = after
	return nil
}

// backReference reads a back reference, nil where there is none: of several digits it is one
// where so many parentheses stand before it.
func (t *regexpParser) backReference() *regexpNode {
	n, number := 1, 0
	for n < len(t.rest) && isDigit(t.rest[n]) && number < maxPattern {
		number = 10*number + int(t.rest[n]-'0')
		n++
	}
	if n == 1 || t.rest[1] == '0' || n > 2 && number >= len(t.groups) {
		return nil
	}
	t.rest = t.rest[n:]
	t.refers = true
	return &regexpNode{op: regexpBack, number: number}
}

// class translates a class of characters by its name.
func (t *regexpParser) class() error {
	name, after, ok := strings.Cut(t.rest[2:], ":]")
	class := regexpClasses[name]
	switch {
	case !ok:
		return errRegexpSyntax("brackets [] not balanced")
	case class == "":
		return errRegexpSyntax("invalid character class")
	}
	t.out.WriteString(class)
	t.rest = after
	t.classes++
	return nil
}
