// Package kerneltext reads kernels back from the text that kernel.Print writes. Only tests
// import it.
package kerneltext

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value"
)

// parser reads line by line; words are the words of the current line. After
// the first error words stay empty and nothing more is read.
type parser struct {
	lines []string
	at    int // number of the current line, counted from 1
	words []string
	f     *kernel.Func
	err   error
}

func (p *parser) Failf(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("kernel text, line %d: %s", p.at, fmt.Sprintf(format, args...))
	}
	p.words = nil
}

// next goes on to the next line that is not empty.
func (p *parser) next() {
	for p.err == nil && p.at < len(p.lines) {
		line := strings.TrimSpace(p.lines[p.at])
		p.at++
		if line != "" {
			p.words = p.split(line)
			return
		}
	}
	p.Failf("the text ends too early")
}

// split cuts a line at blanks outside quotes.
func (p *parser) split(line string) []string {
	var words []string
	for line = strings.TrimLeft(line, " "); line != ""; line = strings.TrimLeft(line, " ") {
		end := strings.IndexByte(line, ' ')
		if line[0] == '"' {
			quoted, err := strconv.QuotedPrefix(line)
			if err != nil {
				p.Failf("bad quotes in %s", line)
				return nil
			}
			end = len(quoted)
		}
		if end < 0 {
			end = len(line)
		}
		words = append(words, line[:end])
		line = line[end:]
	}
	return words
}

// Peek is the current word, empty at the end of the line.
func (p *parser) Peek() string {
	if len(p.words) == 0 {
		return ""
	}
	return p.words[0]
}

// Behind is the word behind another one of the line.
func (p *parser) Behind(word string) string {
	i := slices.Index(p.words, word)
	if i < 0 || i+1 == len(p.words) {
		return ""
	}
	return p.words[i+1]
}

func (p *parser) Word() string {
	w := p.Peek()
	if w == "" {
		p.Failf("a word is missing")
		return ""
	}
	p.words = p.words[1:]
	return w
}

// accept consumes the word w if it comes next.
func (p *parser) accept(w string) bool {
	if p.Peek() != w {
		return false
	}
	p.words = p.words[1:]
	return true
}

func (p *parser) expect(words ...string) {
	for _, w := range words {
		if !p.accept(w) {
			p.Failf("want %q, have %q", w, p.Peek())
			return
		}
	}
}

// Line goes on to the next line; the current one must be used up.
func (p *parser) Line() {
	if p.err == nil && len(p.words) > 0 {
		p.Failf("unexpected %q", p.Peek())
	}
	p.next()
}

func (p *parser) int(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		p.Failf("bad number %q", s)
	}
	return n
}

// Int reads a whole number behind a prefix, which may be an unsigned one of 64 bits.
func (p *parser) Int(prefix string) int64 {
	w := strings.TrimPrefix(p.Word(), prefix)
	if n, err := strconv.ParseUint(w, 10, 64); err == nil {
		return int64(n)
	}
	return p.int(w)
}

func (p *parser) Float() float64 {
	n, err := strconv.ParseFloat(p.Word(), 64)
	if err != nil {
		p.Failf("%v", err)
	}
	return n
}

func (p *parser) quoted() string {
	s, err := strconv.Unquote(p.Word())
	if err != nil {
		p.Failf("want a quoted text")
	}
	return s
}

// valueID reads %n; maxValues keeps a damaged text from asking for all memory.
func (p *parser) valueID(w string) kernel.ValueID {
	const maxValues = 1 << 20
	if w == "none" {
		return kernel.NoValue
	}
	digits, ok := strings.CutPrefix(w, "%")
	n, err := strconv.ParseUint(digits, 10, 31)
	if !ok || err != nil || n >= maxValues {
		p.Failf("want a value, have %q", w)
		return kernel.NoValue
	}
	return kernel.ValueID(n)
}

// Ref reads a value, which may be a key that NULL equals.
func (p *parser) Ref() kernel.ValueID { return p.valueID(strings.TrimSuffix(p.Word(), "=")) }

// Def reads the declaration of a value.
func (p *parser) Def() kernel.ValueID {
	id := p.Ref()
	if id == kernel.NoValue {
		p.Failf("want a declaration")
		return id
	}
	var v kernel.Value
	typ, nullable := strings.CutSuffix(p.Word(), "?")
	v.Nullable = nullable
	v.Type = p.typ(typ)
	if lo, hi, ok := strings.Cut(p.Peek(), ".."); ok && !strings.HasPrefix(lo, `"`) {
		v.Range = kernel.Range{Known: true, Lo: p.int(lo), Hi: p.int(hi)}
		p.Word()
	}
	if dict, ok := strings.CutPrefix(p.Peek(), "dict"); ok && v.Type == kernel.Code {
		v.Dict = kernel.DictID(p.int(dict))
		p.Word()
	}
	if strings.HasPrefix(p.Peek(), `"`) {
		v.Name = p.quoted()
	}
	for int(id) >= len(p.f.Values) {
		p.f.Values = append(p.f.Values, kernel.Value{})
	}
	p.f.Values[id] = v
	return id
}

func (p *parser) typ(name string) kernel.Type {
	for t := kernel.Invalid; t <= kernel.Code; t++ {
		if t.String() == name {
			return t
		}
	}
	p.Failf("no type %q", name)
	return kernel.Invalid
}

// value reads a parameter's value.
func (p *parser) value(t kernel.Type) value.Value {
	if p.accept("null") {
		return value.Value{}
	}
	switch t {
	case kernel.Bool:
		return value.Value{Kind: value.Bool, B: p.Word() == "true"}
	case kernel.I32, kernel.I64:
		return value.Value{Kind: value.Int, I: p.int(p.Word())}
	case kernel.I128:
		return value.Value{Kind: value.Decimal, Num: value.Num{Coef: p.int128(p.Word())}}
	case kernel.F64:
		f, err := strconv.ParseFloat(p.Word(), 64)
		if err != nil {
			p.Failf("bad number")
		}
		return value.Value{Kind: value.Float, F: f}
	case kernel.Num:
		coef, scale, _ := strings.Cut(p.Word(), "/")
		return value.Value{Kind: value.Decimal, Num: value.Num{Coef: p.int128(coef), Scale: uint8(p.int(scale))}}
	case kernel.Interval:
		months, rest, _ := strings.Cut(p.Word(), "/")
		days, micros, _ := strings.Cut(rest, "/")
		return value.Value{Kind: value.Intervals, Interval: value.Interval{
			Months: int32(p.int(months)), Days: int32(p.int(days)), Micros: p.int(micros),
		}}
	}
	return value.Value{Kind: value.Text, S: p.quoted()}
}

// int128 reads a decimal integer of at most 128 bits.
func (p *parser) int128(s string) value.Int128 {
	digits, negative := strings.CutPrefix(s, "-")
	var x value.Int128
	ok := digits != ""
	for i := 0; ok && i < len(digits); i++ {
		d := value.Int128Of(int64(digits[i] - '0'))
		if digits[i] < '0' || digits[i] > '9' {
			ok = false
			break
		}
		if x, ok = x.Mul(value.Int128Of(10)); !ok {
			break
		}
		// Negative numbers are summed downward: the least one has no opposite.
		if negative {
			x, ok = x.Sub(d)
		} else {
			x, ok = x.Add(d)
		}
	}
	if !ok {
		p.Failf("bad number %q", s)
	}
	return x
}
