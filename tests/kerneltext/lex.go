// Package kerneltext reads kernels back from the text that kernel.Print writes. Only tests
// import it.
package kerneltext

import (
	"fmt"
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

func (p *parser) failf(format string, args ...any) {
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
	p.failf("the text ends too early")
}

// split cuts a line at blanks outside quotes.
func (p *parser) split(line string) []string {
	var words []string
	for line = strings.TrimLeft(line, " "); line != ""; line = strings.TrimLeft(line, " ") {
		end := strings.IndexByte(line, ' ')
		if line[0] == '"' {
			quoted, err := strconv.QuotedPrefix(line)
			if err != nil {
				p.failf("bad quotes in %s", line)
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

// peek is the current word, empty at the end of the line.
func (p *parser) peek() string {
	if len(p.words) == 0 {
		return ""
	}
	return p.words[0]
}

func (p *parser) word() string {
	w := p.peek()
	if w == "" {
		p.failf("a word is missing")
		return ""
	}
	p.words = p.words[1:]
	return w
}

// accept consumes the word w if it comes next.
func (p *parser) accept(w string) bool {
	if p.peek() != w {
		return false
	}
	p.words = p.words[1:]
	return true
}

func (p *parser) expect(words ...string) {
	for _, w := range words {
		if !p.accept(w) {
			p.failf("want %q, have %q", w, p.peek())
			return
		}
	}
}

// endLine goes on to the next line; the current one must be used up.
func (p *parser) endLine() {
	if p.err == nil && len(p.words) > 0 {
		p.failf("unexpected %q", p.peek())
	}
	p.next()
}

func (p *parser) int(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		p.failf("bad number %q", s)
	}
	return n
}

func (p *parser) number() int { return int(p.int(p.word())) }

func (p *parser) quoted() string {
	s, err := strconv.Unquote(p.word())
	if err != nil {
		p.failf("want a quoted text")
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
		p.failf("want a value, have %q", w)
		return kernel.NoValue
	}
	return kernel.ValueID(n)
}

func (p *parser) ref() kernel.ValueID { return p.valueID(p.word()) }

// refs reads values up to the end of the line or to a word that is none.
func (p *parser) refs() []kernel.ValueID {
	var ids []kernel.ValueID
	for strings.HasPrefix(p.peek(), "%") {
		ids = append(ids, p.ref())
	}
	return ids
}

// def reads the declaration of a value.
func (p *parser) def() kernel.ValueID {
	id := p.ref()
	if id == kernel.NoValue {
		p.failf("want a declaration")
		return id
	}
	var v kernel.Value
	typ, nullable := strings.CutSuffix(p.word(), "?")
	v.Nullable = nullable
	v.Type = p.typ(typ)
	if lo, hi, ok := strings.Cut(p.peek(), ".."); ok && !strings.HasPrefix(lo, `"`) {
		v.Range = kernel.Range{Known: true, Lo: p.int(lo), Hi: p.int(hi)}
		p.word()
	}
	if dict, ok := strings.CutPrefix(p.peek(), "dict"); ok && v.Type == kernel.Code {
		v.Dict = kernel.DictID(p.int(dict))
		p.word()
	}
	if strings.HasPrefix(p.peek(), `"`) {
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
	p.failf("no type %q", name)
	return kernel.Invalid
}

// value reads a parameter's value.
func (p *parser) value(t kernel.Type) value.Value {
	if p.accept("null") {
		return value.Value{}
	}
	switch t {
	case kernel.Bool:
		return value.Value{Kind: value.Bool, B: p.word() == "true"}
	case kernel.I32, kernel.I64:
		return value.Value{Kind: value.Int, I: p.int(p.word())}
	case kernel.I128:
		return value.Value{Kind: value.Decimal, Num: value.Num{Coef: p.int128(p.word())}}
	case kernel.F64:
		f, err := strconv.ParseFloat(p.word(), 64)
		if err != nil {
			p.failf("bad number")
		}
		return value.Value{Kind: value.Float, F: f}
	case kernel.Num:
		coef, scale, _ := strings.Cut(p.word(), "/")
		return value.Value{Kind: value.Decimal, Num: value.Num{Coef: p.int128(coef), Scale: uint8(p.int(scale))}}
	case kernel.Interval:
		months, rest, _ := strings.Cut(p.word(), "/")
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
		p.failf("bad number %q", s)
	}
	return x
}

func (p *parser) end() {
	p.expect("end")
	p.endLine()
}

func (p *parser) acc() kernel.Acc {
	a := kernel.Acc{Op: kernel.AccOp(p.word()), Args: p.refs()}
	a.Distinct = p.accept("distinct")
	if p.accept("at") {
		fraction, err := strconv.ParseFloat(p.word(), 64)
		if err != nil {
			p.failf("%v", err)
		}
		a.Fraction = fraction
	}
	p.expect("filter")
	a.Filter = p.ref()
	p.endLine()
	a.Dst = p.gives()
	return a
}

func (p *parser) gives() []kernel.ValueID {
	var dst []kernel.ValueID
	for p.accept("gives") {
		dst = append(dst, p.def())
		p.endLine()
	}
	return dst
}

// sortKeys reads the lines that begin with word.
func (p *parser) sortKeys(word string) []kernel.SortKey {
	var keys []kernel.SortKey
	for p.accept(word) {
		k := kernel.SortKey{Val: p.ref()}
		if k.Desc = p.accept("desc"); !k.Desc {
			p.expect("asc")
		}
		p.expect("nulls")
		if k.NullsFirst = p.accept("first"); !k.NullsFirst {
			p.expect("last")
		}
		keys = append(keys, k)
		p.endLine()
	}
	return keys
}
