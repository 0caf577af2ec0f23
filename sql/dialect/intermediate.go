package dialect

import "strings"

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
	row    *Row // a row constructor, of so many fields
	fields int
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
