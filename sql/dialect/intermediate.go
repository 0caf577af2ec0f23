package dialect

import (
	"strconv"
	"strings"
)

// Intermediate is text for Vitess and what its names stand for.
type Intermediate struct {
	Text  string
	Marks []Mark
	Check func() error // whether to go on; nil: always
}

// piece is a part of intermediate SQL that is not joined yet, so that wrapping it
// costs the same whatever its size.
type piece struct {
	text  string
	parts []*piece
	depth int

	joined bool // a join in FROM
}

// maxDepth bounds the depth of the tree that a chain of operators makes.
const maxDepth = 10000

func raw(text string) *piece { return &piece{text: text} }

func join(parts ...*piece) *piece {
	p := &piece{parts: parts}
	for _, q := range parts {
		p.depth = max(p.depth, q.depth+1)
	}
	return p
}

// list puts commas between the parts.
func list(parts []*piece) *piece {
	all := make([]*piece, 0, 2*len(parts))
	for i, p := range parts {
		if i > 0 {
			all = append(all, comma)
		}
		all = append(all, p)
	}
	return join(all...)
}

var (
	comma = raw(", ")
	open  = raw("(")
	shut  = raw(")")
)

func paren(p *piece) *piece { return join(open, p, shut) }

func (p *piece) write(b *strings.Builder) {
	b.WriteString(p.text)
	for _, q := range p.parts {
		q.write(b)
	}
}

// intermediate SQL joins the text. The depth bounds the recursion here and that of
// whoever walks over the parsed tree.
func (r *rewriter) intermediate(p *piece) (Intermediate, error) {
	if p.depth > maxDepth {
		return Intermediate{}, tooComplex(r.toks[r.start].Pos)
	}
	var b strings.Builder
	p.write(&b)
	return Intermediate{Text: b.String(), Marks: r.marks, Check: r.check}, nil
}

// number records a mark and gives its number.
func (r *rewriter) number(m Mark) string {
	r.marks = append(r.marks, m)
	return strconv.Itoa(len(r.marks) - 1)
}

// name is a intermediate SQL name: a letter that helps whoever reads intermediate SQL, and
// the number of the mark.
func (r *rewriter) name(letter string, m Mark) *piece {
	return raw("`" + letter + r.number(m) + "`")
}

// value is a bind argument that stands for a constant.
func (r *rewriter) value(m Mark) *piece { return raw(":l" + r.number(m)) }

// call is a intermediate SQL call.
func (r *rewriter) call(letter string, m Mark, args ...*piece) *piece {
	return join(r.name(letter, m), open, list(args), shut)
}

// native marks what MySQL's own syntax says: (…) collate `oN`.
func (r *rewriter) native(m Mark, parts ...*piece) *piece {
	return join(open, join(parts...), raw(") collate "), r.name("o", m))
}
