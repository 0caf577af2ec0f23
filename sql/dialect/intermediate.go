package dialect

import (
	"strconv"
	"strings"
)

// Intermediate is text for Vitess and what its names stand for.
type Intermediate struct {
	Text         string
	Placeholders []Placeholder
	Check        func() error // whether to go on; nil: always
}

// fragment is a part of intermediate SQL that is not joined yet, so that wrapping it
// costs the same whatever its size.
type fragment struct {
	text  string
	parts []*fragment
	depth int

	joined bool // a join in FROM
}

// maxDepth bounds the depth of the tree that a chain of operators makes.
const maxDepth = 10000

func raw(text string) *fragment { return &fragment{text: text} }

func join(parts ...*fragment) *fragment {
	p := &fragment{parts: parts}
	for _, q := range parts {
		p.depth = max(p.depth, q.depth+1)
	}
	return p
}

// list puts commas between the parts.
func list(parts []*fragment) *fragment {
	all := make([]*fragment, 0, 2*len(parts))
	for i, p := range parts {
		if i > 0 {
			all = append(all, comma)
		}
		all = append(all, p)
	}
	return join(all...)
}

var (
	comma   = raw(", ")
	open    = raw("(")
	closing = raw(")")
)

func paren(p *fragment) *fragment { return join(open, p, closing) }

func (p *fragment) write(b *strings.Builder) {
	b.WriteString(p.text)
	for _, q := range p.parts {
		q.write(b)
	}
}

// intermediate SQL joins the text. The depth bounds the recursion here and that of
// walks over the parsed tree.
func (r *rewriter) intermediate(p *fragment) Intermediate {
	if p.depth > maxDepth {
		panic(tooComplex(r.toks[r.start].Pos))
	}
	var b strings.Builder
	p.write(&b)
	return Intermediate{Text: b.String(), Placeholders: r.placeholders, Check: r.check}
}

// number records a placeholder and returns its number.
func (r *rewriter) number(m Placeholder) string {
	r.placeholders = append(r.placeholders, m)
	return strconv.Itoa(len(r.placeholders) - 1)
}

// name is an intermediate SQL name: a letter that helps readers of intermediate SQL, and
// the number of the placeholder.
func (r *rewriter) name(letter string, m Placeholder) *fragment {
	return raw("`" + letter + r.number(m) + "`")
}

// value is a bind argument that stands for a constant.
func (r *rewriter) value(m Placeholder) *fragment { return raw(":l" + r.number(m)) }

// call is an intermediate SQL call.
func (r *rewriter) call(letter string, m Placeholder, args ...*fragment) *fragment {
	return join(r.name(letter, m), open, list(args), closing)
}

// native marks what MySQL's own syntax says: (…) collate `oN`.
func (r *rewriter) native(m Placeholder, parts ...*fragment) *fragment {
	return join(open, join(parts...), raw(") collate "), r.name("o", m))
}
