package tpch

import (
	"slices"

	"github.com/pingcap/go-tpc/tpch/dbgen/dist"
)

// words are a list of the specification (clause 4.2.2.13), of which each is drawn as
// often as its weight says.
type words struct {
	texts []string
	sums  []int64 // of the weights up to each
}

func wordsOf(name string) words {
	var w words
	sum := int64(0)
	for _, item := range dist.Maps[name] {
		sum += int64(item.Weight)
		w.texts, w.sums = append(w.texts, item.Text), append(w.sums, sum)
	}
	return w
}

// index draws the place of a word.
func (w *words) index(s *stream) int {
	drawn := s.between(1, w.sums[len(w.sums)-1])
	return slices.IndexFunc(w.sums, func(sum int64) bool { return sum >= drawn })
}

func (w *words) draw(s *stream) string { return w.texts[w.index(s)] }

// The lists of the columns.
var (
	nationNames  = wordsOf("nations")
	regionNames  = wordsOf("regions")
	colors       = wordsOf("colors")
	partTypes    = wordsOf("p_types")
	containers   = wordsOf("p_cntr")
	segments     = wordsOf("msegmnt")
	priorities   = wordsOf("o_oprio")
	instructions = wordsOf("instruct")
	modes        = wordsOf("smode")
	returnFlags  = wordsOf("rflag")
)

// drawColors draws n different colors, with blanks between them: the first of a
// permutation of all.
func drawColors(to []byte, s *stream, n int) []byte {
	order := make([]int, len(colors.texts))
	for i := range order {
		order[i] = i
	}
	for i := range n {
		k := s.between(int64(i), int64(len(order)-1))
		order[i], order[k] = order[k], order[i]
		if i > 0 {
			to = append(to, ' ')
		}
		to = append(to, colors.texts[order[i]]...)
	}
	return to
}
