package algebra

import (
	"math/bits"
	"slices"
)

// ColSet is a set of columns by ID. The zero ColSet is empty. Sets are
// values: Union and its kin make new ones; only Add changes its receiver.
type ColSet struct {
	words []uint64
}

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

// Add puts a column into the set.
func (s *ColSet) Add(id ColumnID) {
	word := int(id) / 64
	if short := word + 1 - len(s.words); short > 0 {
		s.words = append(s.words, make([]uint64, short)...)
	}
	s.words[word] |= 1 << (uint(id) % 64)
}

// AddSet puts all columns of t into the set.
func (s *ColSet) AddSet(t ColSet) {
	if short := len(t.words) - len(s.words); short > 0 {
		s.words = append(s.words, make([]uint64, short)...)
	}
	for i, w := range t.words {
		s.words[i] |= w
	}
}

// Has tells whether a column is in the set.
func (s ColSet) Has(id ColumnID) bool {
	word := int(id) / 64
	return word < len(s.words) && s.words[word]&(1<<(uint(id)%64)) != 0
}

// Empty tells whether nothing is in the set.
func (s ColSet) Empty() bool {
	for _, w := range s.words {
		if w != 0 {
			return false
		}
	}
	return true
}

// Len is the number of columns in the set.
func (s ColSet) Len() int {
	n := 0
	for _, w := range s.words {
		n += bits.OnesCount64(w)
	}
	return n
}

// SubsetOf tells whether every column of s is in t.
func (s ColSet) SubsetOf(t ColSet) bool {
	for i, w := range s.words {
		if i >= len(t.words) {
			if w != 0 {
				return false
			}
		} else if w&^t.words[i] != 0 {
			return false
		}
	}
	return true
}

// Intersects tells whether s and t have a column in common.
func (s ColSet) Intersects(t ColSet) bool {
	for i := range min(len(s.words), len(t.words)) {
		if s.words[i]&t.words[i] != 0 {
			return true
		}
	}
	return false
}

// Union is the set of the columns of s or t.
func (s ColSet) Union(t ColSet) ColSet {
	u := ColSet{words: slices.Clone(s.words)}
	u.AddSet(t)
	return u
}

// Intersect is the set of the columns of both s and t.
func (s ColSet) Intersect(t ColSet) ColSet {
	words := make([]uint64, min(len(s.words), len(t.words)))
	for i := range words {
		words[i] = s.words[i] & t.words[i]
	}
	return ColSet{words: words}
}

// Minus is the set of the columns of s that are not in t.
func (s ColSet) Minus(t ColSet) ColSet {
	words := slices.Clone(s.words)
	for i := range min(len(words), len(t.words)) {
		words[i] &^= t.words[i]
	}
	return ColSet{words: words}
}
