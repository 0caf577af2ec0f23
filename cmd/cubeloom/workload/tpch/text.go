package tpch

import (
	"strings"
	"sync"
)

// textBytes is the size of the text of which all comments are pieces.
const textBytes = 300 << 20

// text is the random text of clause 4.2.2.14: sentences by a grammar.
var text = sync.OnceValue(func() []byte {
	g := grammar{stream: column{seed: 933588178}.from(0), text: make([]byte, 0, textBytes+1<<12)}
	sentences := formsOf("grammar", map[byte]func(*grammar){
		'N': (*grammar).noun, 'V': (*grammar).verb, 'P': (*grammar).preposition, 'T': (*grammar).terminator,
	}, false)
	for len(g.text) < textBytes {
		g.write(&sentences)
		g.text = append(g.text, ' ')
	}
	return g.text[:textBytes]
})

// comment draws a piece of the text of about the given length.
func (s *stream) comment(length int) []byte {
	first := s.between(0, textBytes-longest(length))
	return text()[first : first+s.between(shortest(length), longest(length))]
}

// A grammar writes sentences.
type grammar struct {
	stream *stream
	text   []byte
}

// forms are a list of the ways in which a sentence or a phrase is made up.
type forms struct {
	words
	pieces [][]piece
}

// A piece of a form is followed by what after says.
type piece struct {
	write func(*grammar)
	after string
}

// formsOf reads a list. A form names its parts by letters, each of which may be followed
// by a sign; in a phrase each part is a word and ends with a blank.
func formsOf(name string, write map[byte]func(*grammar), phrase bool) forms {
	f := forms{words: wordsOf(name)}
	for _, form := range f.texts {
		var pieces []piece
		for _, item := range strings.Fields(form) {
			after := item[1:]
			if phrase {
				after += " "
			}
			pieces = append(pieces, piece{write[item[0]], after})
		}
		f.pieces = append(f.pieces, pieces)
	}
	return f
}

// word writes one of a list.
func word(name string) func(*grammar) {
	list := wordsOf(name)
	return func(g *grammar) { g.text = append(g.text, list.draw(g.stream)...) }
}

var (
	nouns = formsOf("np", map[byte]func(*grammar){
		'A': word("articles"), 'J': word("adjectives"), 'D': word("adverbs"), 'N': word("nouns"),
	}, true)
	verbs = formsOf("vp", map[byte]func(*grammar){
		'D': word("adverbs"), 'V': word("verbs"), 'X': word("auxillaries"),
	}, true)
	preposition = word("prepositions")
	terminator  = word("terminators")
)

func (g *grammar) write(f *forms) {
	for _, p := range f.pieces[f.index(g.stream)] {
		p.write(g)
		g.text = append(g.text, p.after...)
	}
}

func (g *grammar) noun() { g.write(&nouns) }

func (g *grammar) verb() { g.write(&verbs) }

func (g *grammar) preposition() {
	preposition(g)
	g.text = append(g.text, " the "...)
	g.noun()
}

// terminator takes the place of the last blank.
func (g *grammar) terminator() {
	g.text = g.text[:len(g.text)-1]
	terminator(g)
}
