package value

import (
	"iter"
	"math"
	"strings"
	"unicode/utf8"
)

// FormatPart is a part of a pattern of format: a text, and an argument behind it.
type FormatPart struct {
	Text     string
	Kind     byte  // how the argument is written: s, I or L; 0: there is none
	Arg      int   // which argument, from 1 on
	Width    int64 // how many characters it is filled up to
	WidthArg int   // the argument that is the width; 0: Width is
	Left     bool  // what it is filled up with stands behind it
}

// FormatParts returns the parts of a pattern of format with so many arguments. The sequence
// panics with the error of a pattern that is none, where it comes there.
func FormatParts(pattern string, args int) iter.Seq[FormatPart] {
	return func(yield func(FormatPart) bool) {
		p := formatPattern{rest: pattern, args: args}
		for p.rest != "" && yield(p.next()) {
		}
	}
}

// formatPattern is a pattern of format that is taken apart.
type formatPattern struct {
	rest      string
	args, arg int // how many arguments there are, and the last one that was used
}

// next reads a part: up to %%, or to % and [n$][-][width] and s, I or L, with * or *n$ for the
// width that an argument is.
func (p *formatPattern) next() FormatPart {
	text, rest, found := strings.Cut(p.rest, "%")
	p.rest = rest
	switch {
	case !found:
		return FormatPart{Text: text}
	case p.accept('%'):
		return FormatPart{Text: text + "%"}
	}
	part := FormatPart{Text: text}
	position, width := p.places(&part)
	if part.Kind = p.peek(); part.Kind != 's' && part.Kind != 'I' && part.Kind != 'L' {
		kind, _ := utf8.DecodeRuneInString(p.rest)
		panic(errFormat("unrecognized format() type specifier \"" + string(kind) + "\""))
	}
	p.rest = p.rest[1:]
	if width >= 0 {
		part.WidthArg = p.take(width)
	}
	part.Arg = p.take(position)
	return part
}

// places reads what stands before the kind of a part. It returns the numbers of the argument and
// of that which is the width: 0 for the next argument, and -1 for no such width.
func (p *formatPattern) places(part *FormatPart) (position, width int) {
	n, found := p.number()
	switch {
	case found && p.peek() != '$':
		part.Width = n
		return 0, -1
	case found:
		position = p.position(n)
	}
	for p.accept('-') {
		part.Left = true
	}
	if !p.accept('*') {
		part.Width, _ = p.number()
		return position, -1
	}
	if n, found = p.number(); !found {
		return position, 0
	}
	if p.peek() != '$' {
		panic(Errorf(CodeInvalidParameter, "width argument position must be ended by \"$\""))
	}
	return position, p.position(n)
}

// position is the number of an argument, whose dollar sign comes next.
func (p *formatPattern) position(n int64) int {
	if n == 0 {
		panic(Errorf(CodeInvalidParameter, "format specifies argument 0, but arguments are numbered from 1"))
	}
	p.accept('$')
	return int(n)
}

// take uses an argument: that of a number, or the next one for 0.
func (p *formatPattern) take(position int) int {
	if p.arg++; position > 0 {
		p.arg = position
	}
	if p.arg > p.args {
		panic(Errorf(CodeInvalidParameter, "too few arguments for format()"))
	}
	return p.arg
}

// number reads digits.
func (p *formatPattern) number() (n int64, found bool) {
	for c := p.peek(); c >= '0' && c <= '9'; c = p.peek() {
		if n, found = 10*n+int64(c-'0'), true; n > math.MaxInt32 {
			panic(Errorf(CodeNumericOutOfRange, "number is out of range"))
		}
		p.rest = p.rest[1:]
	}
	return n, found
}

// accept reads a character if it comes next.
func (p *formatPattern) accept(c byte) bool {
	if p.peek() != c {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

// peek is what comes next, and must.
func (p *formatPattern) peek() byte {
	if p.rest == "" {
		panic(errFormat("unterminated format() type specifier"))
	}
	return p.rest[0]
}

func errFormat(message string) error {
	return &Error{Code: CodeInvalidParameter, Message: message, Hint: "For a single \"%\" use \"%%\".", Pos: NoPos}
}
