package keytable

import (
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
)

// Table numbers distinct keys from 0 in the order in which they come. Slots
// are probed one after the other and hold numbers only; keys lie by number in
// arrays without pointers. It is used by one goroutine at a time, except that
// any number may find and read while none assigns.
type Table interface {
	// Assign sets out to the number of each key, new keys getting new numbers. Misses
	// are numbered too.
	Assign(k *Batch, out []uint32)
	// Find gives for each key its number plus one, or 0 where the table has it
	// not; misses are never found.
	Find(k *Batch, out []uint32)
	// Len is the number of keys.
	Len() int
	// Get fills k with the listed keys, valid until the table grows or k is
	// filled anew.
	Get(numbers []uint32, k *Batch)
	// hash is the hash of a key. The partition of a key is taken from the top bits.
	hash(number uint32) uint64
	// Expect says how many keys there will be, so that the table grows to that
	// size at once when next it has to.
	Expect(keys int)
	// Reset forgets all keys and keeps the memory.
	Reset()
	// Bytes is the memory of the table.
	Bytes() int64
}

// New makes the table for a kind of keys.
func New(kind kind, mem *exec.Memory) Table {
	s := slots{mem: mem}
	switch kind {
	case Word:
		return &wordTable{slots: s, first: noSlot}
	case TwoWords:
		return &pairTable{slots: s}
	}
	return &bytesTable{slots: s}
}
