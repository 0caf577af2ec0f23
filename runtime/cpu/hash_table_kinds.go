package cpu

// keyTable numbers distinct keys from 0 in the order in which they come. Slots
// are probed one after the other and hold numbers only; keys lie by number in
// arrays without pointers. It is used by one goroutine at a time, except that
// any number may find and read while none assigns.
type keyTable interface {
	// assign sets out to the number of each key, new keys getting new numbers. Misses
	// are numbered too.
	assign(k *keyBatch, out []uint32) error
	// find gives for each key its number plus one, or 0 where the table has it
	// not; misses are never found.
	find(k *keyBatch, out []uint32)
	// len is the number of keys.
	len() int
	// get fills k with the listed keys, valid until the table grows or k is
	// filled anew.
	get(numbers []uint32, k *keyBatch)
	// hash is the hash of a key. The partition of a key is taken from the top bits.
	hash(number uint32) uint64
	// expect says how many keys there will be, so that the table grows to that
	// size at once when next it has to.
	expect(keys int)
	// reset forgets all keys and keeps the memory.
	reset()
	// bytes is the memory of the table.
	bytes() int64
}

// newKeyTable makes the table for a kind of keys.
func newKeyTable(kind keyKind, mem *memory) keyTable {
	s := slots{mem: mem}
	switch kind {
	case keyWord:
		return &wordTable{slots: s, first: noSlot}
	case keyPair:
		return &pairTable{slots: s}
	}
	return &bytesTable{slots: s}
}
