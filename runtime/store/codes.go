package store

import "hash/maphash"

// codeTable finds the codes of texts, which lie elsewhere. Unlike a map of texts it has no pointers, each of which
// every garbage collection would follow.
type codeTable struct {
	slots []uint64 // the hash of a text above its code plus one; 0 is free
	count int
}

var codeSeed = maphash.MakeSeed()

// newCodeTable returns the table of the texts, whose codes are their places.
func newCodeTable(texts []string) *codeTable {
	size := 16
	for 3*size < 4*len(texts) {
		size *= 2
	}
	t := &codeTable{slots: make([]uint64, size)}
	for code, s := range texts {
		t.add(hashOf(s), uint32(code))
	}
	return t
}

func hashOf(s string) uint32 { return uint32(maphash.String(codeSeed, s)) }

// find returns the code of a text with its hash, if it is among the texts.
func (t *codeTable) find(texts []string, s string, hash uint32) (code uint32, ok bool) {
	mask := uint32(len(t.slots) - 1)
	for at := hash & mask; t.slots[at] != 0; at = (at + 1) & mask {
		if slot := t.slots[at]; uint32(slot>>32) == hash {
			if code := uint32(slot) - 1; texts[code] == s {
				return code, true
			}
		}
	}
	return 0, false
}

// add adds the code of a text that is not there.
func (t *codeTable) add(hash, code uint32) {
	if 4*(t.count+1) > 3*len(t.slots) {
		old := t.slots
		t.slots = make([]uint64, 2*len(old))
		for _, slot := range old {
			if slot != 0 {
				t.place(slot)
			}
		}
	}
	t.place(uint64(hash)<<32 | uint64(code+1))
	t.count++
}

func (t *codeTable) place(slot uint64) {
	mask := uint32(len(t.slots) - 1)
	at := uint32(slot>>32) & mask
	for t.slots[at] != 0 {
		at = (at + 1) & mask
	}
	t.slots[at] = slot
}
