package value

import (
	"regexp"
	"strings"
	"unicode/utf8"
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

// regexpTranslator writes one of PostgreSQL's advanced regular expressions for package
// regexp.
type regexpTranslator struct {
	regexpOptions
	rest    string
	out     strings.Builder
	classes int // of Unicode, so far
}

// maxClasses bounds the classes of Unicode in a pattern: each has hundreds of ranges.
const maxClasses = 500

// translateRegexp returns the pattern with what its own beginning says of the options.
func translateRegexp(pattern string, o regexpOptions) (string, error) {
	t := &regexpTranslator{regexpOptions: o, rest: pattern}
	if err := t.director(); err != nil {
		return "", err
	}
	mode := ""
	if t.fold {
		mode += "i"
	}
	if t.lines {
		mode += "m"
	}
	if !t.inLine {
		mode += "s"
	}
	if mode != "" {
		mode = "(?" + mode + ")"
	}
	if t.literal {
		return mode + regexp.QuoteMeta(t.rest), nil
	}
	for t.rest != "" {
		if err := t.next(); err != nil {
			return "", err
		}
		if t.classes > maxClasses || t.out.Len() > maxPattern {
			return "", errRegexpTooLarge()
		}
	}
	return mode + t.out.String(), nil
}

func errRegexpSyntax(what string) error {
	return Errorf(CodeInvalidRegexp, "invalid regular expression: %s", what)
}

func errRegexpUnsupported(what string) error {
	return Errorf(CodeFeatureNotSupported, "%s in a regular expression is not supported", what)
}

// director reads ***= and ***: and the options in (?xyz) at the start.
func (t *regexpTranslator) director() error {
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
			return errRegexpSyntax("quantifier operand invalid")
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

// next translates what the pattern begins with.
func (t *regexpTranslator) next() error {
	c := t.rest[0]
	switch {
	case c == '\\':
		return t.escape(false)
	case c == '[':
		return t.bracket()
	case c == '^' || c == '$':
		t.copy(1)
		return t.noQuantifier()
	case t.expand && strings.IndexByte(cSpace, c) >= 0:
		t.rest = t.rest[1:]
		return nil
	case t.expand && c == '#':
		_, t.rest, _ = strings.Cut(t.rest, "\n")
		return nil
	case strings.HasPrefix(t.rest, "(?"):
		switch {
		case strings.HasPrefix(t.rest, "(?:"):
			t.copy(3)
			return nil
		case strings.HasPrefix(t.rest, "(?#"):
			_, t.rest, _ = strings.Cut(t.rest, ")")
			return nil
		case len(t.rest) > 2 && strings.IndexByte("=!<", t.rest[2]) >= 0:
			return errRegexpUnsupported("looking around")
		}
		return errRegexpSyntax("quantifier operand invalid")
	}
	_, n := utf8.DecodeRuneInString(t.rest)
	t.copy(n)
	return nil
}

// noQuantifier refuses a quantifier behind a place.
func (t *regexpTranslator) noQuantifier() error {
	if t.rest == "" || strings.IndexByte("*+?{", t.rest[0]) < 0 {
		return nil
	}
	if t.rest[0] == '{' && (len(t.rest) == 1 || !isDigit(t.rest[1])) {
		return nil
	}
	return errRegexpSyntax("quantifier operand invalid")
}

func (t *regexpTranslator) copy(n int) {
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

// regexpEscapes are the escapes of one letter: characters, and outside of brackets
// places.
var regexpEscapes = map[byte]string{
	'a': `\x07`, 'b': `\x08`, 'B': `\\`, 'e': `\x1b`, 'f': `\f`, 'n': `\n`, 'r': `\r`, 't': `\t`, 'v': `\v`,
}

var regexpShorthands = map[byte]string{'d': "digit", 's': "space", 'w': "word"}

// escape translates a backslash and what follows it.
func (t *regexpTranslator) escape(inBracket bool) error {
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
	case inBracket:
	case c == 'A' || c == 'Z':
		t.out.WriteString(map[byte]string{'A': `\A`, 'Z': `\z`}[c])
		t.rest = t.rest[2:]
		return t.noQuantifier()
	case strings.IndexByte("mMyY", c) >= 0:
		return errRegexpUnsupported(`the escape \` + string(c))
	case isDigit(c):
		return errRegexpUnsupported("a back reference")
	}
	return errRegexpSyntax("invalid escape \\ sequence")
}

func (t *regexpTranslator) shorthand(class string, negated, inBracket bool) error {
	t.classes++
	switch {
	case inBracket && negated:
		return errRegexpSyntax("invalid escape \\ sequence")
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
func (t *regexpTranslator) codePoint(c byte) error {
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
func (t *regexpTranslator) bracket() error {
	if strings.HasPrefix(t.rest, "[[:<:]]") || strings.HasPrefix(t.rest, "[[:>:]]") {
		return errRegexpUnsupported("the edge of a word")
	}
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
			name, after, ok := strings.Cut(t.rest[2:], ":]")
			class := regexpClasses[name]
			if !ok || class == "" {
				return errRegexpSyntax("invalid character class")
			}
			t.out.WriteString(class)
			t.rest = after
			t.classes++
		case strings.HasPrefix(t.rest, "[.") || strings.HasPrefix(t.rest, "[="):
			return errRegexpUnsupported("a collating element")
		case t.rest[0] == '[' || t.rest[0] == ']':
			t.out.WriteByte('\\')
			t.copy(1)
		default:
			_, n := utf8.DecodeRuneInString(t.rest)
			t.copy(n)
		}
	}
}
