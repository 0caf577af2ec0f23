package merge

import (
	"math"
	"sort"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// orderedKeys finds keys in a column of a relation in ascending order. It remembers
// where it was: keys that are asked for in order are found by going on from there.
type orderedKeys struct {
	rel      runtime.Relation
	ordinal  int
	ordinals []int // of the columns that are loaded with it

	block  int // that is loaded
	cols   []*runtime.Chunk
	before int64   // the last key of the block before it
	last   int64   // the last key of the block
	window []int64 // keys of the block from row first on
	first  int
	at     int // place in the window

	opened int64 // bytes of keys of blocks that were loaded
}

// keyWindow is how many keys are decoded together.
const keyWindow = 1024

// newOrderedKeys makes one for a relation with rows in the order of column ordinal.
func newOrderedKeys(rel runtime.Relation, ordinal int, ordinals []int) *orderedKeys {
	k := &orderedKeys{rel: rel, ordinal: ordinal, ordinals: ordinals, block: -1, window: make([]int64, 0, keyWindow)}
	if rel.Blocks() == 0 {
		panic(exec.Internalf("a merge with a relation that has no order"))
	}
	k.open(0)
	return k
}

// seek returns the block and the row in it of the first key that is not less than key;
// behind the last one, the number of blocks and 0.
func (k *orderedKeys) seek(key int64) (block, row int) {
	if key <= k.before || key > k.last {
		block = sort.Search(k.rel.Blocks(), func(i int) bool {
			_, hi, _, _ := k.rel.Range(i, k.ordinal)
			return hi >= key
		})
		if block == k.rel.Blocks() {
			return block, 0
		}
		k.open(block)
	}
	if len(k.window) == 0 || key > k.window[len(k.window)-1] || key <= k.window[0] && k.first > 0 {
		k.decode(k.windowOf(key))
	}
	return k.block, k.first + k.within(key)
}

// after returns the block and the row of the key after the one that seek or after has
// given in row.
func (k *orderedKeys) after(row int) (block, next int) {
	next = row + 1
	if next == k.cols[k.ordinal].Rows {
		if block, next = k.block+1, 0; block == k.rel.Blocks() {
			return block, 0
		}
		k.open(block)
	}
	if len(k.window) == 0 || next >= k.first+len(k.window) {
		k.decode(next / keyWindow)
	}
	return k.block, next
}

// open loads block i.
func (k *orderedKeys) open(i int) {
	if i == k.block {
		return
	}
	b := sqlstate.Must(k.rel.Load(i, k.ordinals))
	k.before = math.MinInt64
	if i > 0 {
		_, k.before, _, _ = k.rel.Range(i-1, k.ordinal)
	}
	_, k.last, _, _ = k.rel.Range(i, k.ordinal)
	k.block, k.cols, k.window, k.at = i, b.Cols, k.window[:0], 0
	k.opened += vector.StoredBytes(b.Cols[k.ordinal], b.Rows)
}

// windowOf returns the window of the first key of the block that is not less than key.
func (k *orderedKeys) windowOf(key int64) int {
	c := k.cols[k.ordinal]
	windows := (c.Rows + keyWindow - 1) / keyWindow
	return sort.Search(windows-1, func(i int) bool { return c.Int((i+1)*keyWindow-1) >= key })
}

// decode decodes the keys of a window.
func (k *orderedKeys) decode(window int) {
	c := k.cols[k.ordinal]
	k.first, k.at = window*keyWindow, 0
	k.window = store.DecodeInts(k.window[:0], c, k.first, min(k.first+keyWindow, c.Rows))
}

// nearby is how many keys are looked at one after the other before the rest is halved.
const nearby = 8

// within returns the place in the window of the first key that is not less than key,
// which it has.
func (k *orderedKeys) within(key int64) int {
	if k.at > 0 && k.window[k.at-1] >= key { // keys have gone back
		k.at = 0
	}
	for range nearby {
		if k.window[k.at] >= key {
			return k.at
		}
		k.at++
	}
	rest := k.window[k.at:]
	k.at += sort.Search(len(rest), func(i int) bool { return rest[i] >= key })
	return k.at
}

// key is the key of the row that seek or after gave last.
func (k *orderedKeys) key(row int) int64 { return k.window[row-k.first] }
