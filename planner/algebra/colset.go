package algebra

import "math/bits"

// ColSet is a set of columns by ID. The zero ColSet is empty. Sets are
// values: Union and its kin make new ones; only Add and its kin change their
// receiver, of which there must be no copies.
type ColSet struct {
	low  [lowWords]uint64 // of most plans all
	high []uint64         // the IDs from 64·lowWords on
}

// lowWords is how many words of a set are in the set itself.
const lowWords = 2

// SetOf is the set of the columns.
func SetOf(cols []Column) ColSet {
	var s ColSet
	for i := range cols {
		s.Add(cols[i].ID)
	}
	return s
}

// Outputs is the set of the columns of n.
func Outputs(n Node) ColSet {
	var s ColSet
	s.addOutputs(n)
	return s
}

// addOutputs adds the columns of n, of which no list is made where they are those of
// its inputs.
func (s *ColSet) addOutputs(n Node) {
	switch n := n.(type) {
	case *Filter:
		s.addOutputs(n.Input)
	case *Sort:
		s.addOutputs(n.Input)
	case *Limit:
		s.addOutputs(n.Input)
	case *Join:
		s.addOutputs(n.Left)
		if n.Kind != JoinSemi && n.Kind != JoinAnti {
			s.addOutputs(n.Right)
		}
	case *Project:
		for i := range n.Items {
			s.Add(n.Items[i].Column.ID)
		}
	default:
		for _, c := range n.Columns() {
			s.Add(c.ID)
		}
	}
}

// words is the number of words, and word one of them.
func (s *ColSet) words() int { return lowWords + len(s.high) }

func (s *ColSet) word(i int) uint64 {
	switch {
	case i < lowWords:
		return s.low[i]
	case i < s.words():
		return s.high[i-lowWords]
	}
	return 0
}

// combine makes a set of n words.
func combine(n int, word func(i int) uint64) ColSet {
	var s ColSet
	for i := range s.low {
		s.low[i] = word(i)
	}
	if n > lowWords {
		s.high = make([]uint64, n-lowWords)
		for i := range s.high {
			s.high[i] = word(lowWords + i)
		}
	}
	return s
}

// Add puts a column into the set.
func (s *ColSet) Add(id ColumnID) {
	word, bit := int(id)/64, uint64(1)<<(uint(id)%64)
	if word < lowWords {
		s.low[word] |= bit
		return
	}
	s.grow(word + 1)
	s.high[word-lowWords] |= bit
}

// grow makes room for n words.
func (s *ColSet) grow(n int) {
	if short := n - s.words(); short > 0 {
		s.high = append(s.high, make([]uint64, short)...)
	}
}

// AddSet puts all columns of t into the set.
func (s *ColSet) AddSet(t ColSet) {
	for i, w := range t.low {
		s.low[i] |= w
	}
	s.grow(t.words())
	for i, w := range t.high {
		s.high[i] |= w
	}
}

// Has reports whether a column is in the set.
func (s ColSet) Has(id ColumnID) bool { return s.word(int(id)/64)&(1<<(uint(id)%64)) != 0 }

// Bytes is the size of the set in memory.
func (s ColSet) Bytes() int { return 8 * s.words() }

// Empty reports whether nothing is in the set.
func (s ColSet) Empty() bool { return s.Len() == 0 }

// Len is the number of columns in the set.
func (s ColSet) Len() int {
	n := 0
	for i := range s.words() {
		n += bits.OnesCount64(s.word(i))
	}
	return n
}

// SubsetOf reports whether every column of s is in t.
func (s ColSet) SubsetOf(t ColSet) bool {
	for i := range s.words() {
		if s.word(i)&^t.word(i) != 0 {
			return false
		}
	}
	return true
}

// Intersects reports whether s and t have a column in common.
func (s ColSet) Intersects(t ColSet) bool {
	for i := range s.words() {
		if s.word(i)&t.word(i) != 0 {
			return true
		}
	}
	return false
}

// Union is the set of the columns of s or t.
func (s ColSet) Union(t ColSet) ColSet {
	return combine(max(s.words(), t.words()), func(i int) uint64 { return s.word(i) | t.word(i) })
}

// Intersect is the set of the columns of both s and t.
func (s ColSet) Intersect(t ColSet) ColSet {
	return combine(min(s.words(), t.words()), func(i int) uint64 { return s.word(i) & t.word(i) })
}

// Minus is the set of the columns of s that are not in t.
func (s ColSet) Minus(t ColSet) ColSet {
	return combine(s.words(), func(i int) uint64 { return s.word(i) &^ t.word(i) })
}
