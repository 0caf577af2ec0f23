package ordered

import (
	"cmp"
	"slices"

	"github.com/cubeloom/cubeloom/runtime"
)

// piece is groups first … end−1 of a series that are a part of the result.
type piece struct {
	series     *series
	first, end int
}

// merging is the groups of one series that have begun in another: source[i] in from is
// target[i] in to.
type merging struct {
	to, from       *series
	source, target []uint32
}

// stitch brings the stretches of all series into order. A run that goes on in the
// stretches behind that in which it has begun belongs to its series; the groups of the
// others are to be merged into it.
func stitch(parts []*series) ([]piece, []*merging) {
	var all []stretch
	for _, s := range parts {
		all = append(all, s.stretches...)
	}
	slices.SortFunc(all, func(a, b stretch) int { return cmp.Compare(a.morsel, b.morsel) })
	t := &stitcher{merged: make(map[*series]int)}
	for i := range all {
		t.add(&all[i])
	}
	return t.pieces, t.mergings
}

// stitcher has stitched some stretches.
type stitcher struct {
	pieces   []piece
	mergings []*merging
	owner    *series         // of the last run
	last     int             // its number there
	merged   map[*series]int // the last group of each that belongs to another, plus one
}

// add stitches the next stretch to those before.
func (t *stitcher) add(s *stretch) {
	first := s.first
	if t.owner != nil && t.owner.keys[t.last] == s.series.keys[first] {
		if t.owner != s.series && t.merged[s.series] != first+1 {
			t.merged[s.series] = first + 1
			t.merge(s.series, first)
		}
		first++
	}
	if first == s.end {
		return
	}
	t.owner, t.last = s.series, s.end-1
	if n := len(t.pieces); n > 0 {
		p := &t.pieces[n-1]
		if p.series == s.series && p.end == first && s.end-p.first <= runtime.BlockRows {
			p.end = s.end
			return
		}
	}
	t.pieces = append(t.pieces, piece{s.series, first, s.end})
}

// merge notes that a group of another series is the last run.
func (t *stitcher) merge(from *series, group int) {
	i := slices.IndexFunc(t.mergings, func(m *merging) bool { return m.to == t.owner && m.from == from })
	if i < 0 {
		i = len(t.mergings)
		t.mergings = append(t.mergings, &merging{to: t.owner, from: from})
	}
	m := t.mergings[i]
	m.source, m.target = append(m.source, uint32(group)), append(m.target, uint32(t.last))
}
