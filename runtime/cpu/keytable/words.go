package keytable

import (
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

// wordTable is the table of keys of one word. Its slots hold numbers as they
// are: 0 is both key 0 and a free slot, and the key says which.
type wordTable struct {
	slots
	keys  []uint64
	first uint64 // the slot of key 0
}

func (t *wordTable) Len() int { return len(t.keys) }

// makeRoom makes room for n more keys.
func (t *wordTable) makeRoom(n int) {
	had := len(t.keys)
	t.keys = exec.Grown(t.mem, t.keys, max(had+n, t.expected))
	t.keys = t.keys[:had]
	if t.roomFor(had + n) {
		return
	}
	t.resize(had + n)
	for i, k := range t.keys {
		t.put(t.free(k), uint32(i))
	}
}

// free finds the free slot for key k, which is not in the table.
func (t *wordTable) free(k uint64) uint64 {
	mask := uint64(len(t.at) - 1)
	s := t.slot(HashWord(k)) & mask
	for t.at[s] != 0 || s == t.first {
		s = (s + 1) & mask
	}
	return s
}

// put notes number n at slot s.
func (t *wordTable) put(s uint64, n uint32) {
	t.at[s] = n
	if n == 0 {
		t.first = s
	}
}

// resize makes the slots anew.
func (t *wordTable) resize(n int) {
	t.first = noSlot
	t.slots.resize(n)
}

// noSlot is the slot of key 0 before there is one.
const noSlot = ^uint64(0)

// look looks only at the first slot of each key: out gets the number found
// there, and the rows whose key is another one, or not in the table, are listed.
// The loads of many rows overlap, since no branch depends on a single row's
// data. The table has a key.
func (t *wordTable) look(k *Batch, out []uint32) (others []int32) {
	words := k.Words[:k.N]
	out = out[:k.N]
	if len(t.at) == smallSlots {
		lookSmall((*[smallSlots]uint32)(t.at), words, out)
	} else {
		lookSlots(t.at, t.shift, words, out)
	}
	keys, others := t.keys, k.others[:0]
	n := len(words) &^ 7
	for i := 0; i < n; i += 8 {
		o, w := out[i:i+8:i+8], words[i:i+8:i+8]
		diff := (keys[o[0]] ^ w[0]) | (keys[o[1]] ^ w[1]) | (keys[o[2]] ^ w[2]) | (keys[o[3]] ^ w[3]) |
			(keys[o[4]] ^ w[4]) | (keys[o[5]] ^ w[5]) | (keys[o[6]] ^ w[6]) | (keys[o[7]] ^ w[7])
		if diff != 0 {
			others = appendOthers(others, keys, i, o, w)
		}
	}
	others = appendOthers(others, keys, n, out[n:], words[n:])
	k.others = others
	return others
}

// appendOthers lists the rows of numbers, the first of which is row first, whose
// key is not the word.
func appendOthers(list []int32, keys []uint64, first int, numbers []uint32, words []uint64) []int32 {
	for i, n := range numbers {
		if keys[n] != words[i] {
			list = append(list, int32(first+i))
		}
	}
	return list
}

// lookSlots sets out to what is in the first slot of each key.
func lookSlots(at []uint32, shift uint, words []uint64, out []uint32) {
	mask := uint64(len(at) - 1)
	shift &= 63
	n := len(words) &^ 3
	for i := 0; i < n; i += 4 {
		o, w := out[i:i+4:i+4], words[i:i+4:i+4]
		o[0] = at[HashWord(w[0])>>shift&mask]
		o[1] = at[HashWord(w[1])>>shift&mask]
		o[2] = at[HashWord(w[2])>>shift&mask]
		o[3] = at[HashWord(w[3])>>shift&mask]
	}
	for i, w := range words[n:] {
		out[n+i] = at[HashWord(w)>>shift&mask]
	}
}

// lookSmall is lookSlots for the size of table that most aggregates have, for
// which no index needs a check.
func lookSmall(at *[smallSlots]uint32, words []uint64, out []uint32) {
	n := len(words) &^ 3
	for i := 0; i < n; i += 4 {
		o, w := out[i:i+4:i+4], words[i:i+4:i+4]
		o[0] = at[uint16(HashWord(w[0])>>smallShift)]
		o[1] = at[uint16(HashWord(w[1])>>smallShift)]
		o[2] = at[uint16(HashWord(w[2])>>smallShift)]
		o[3] = at[uint16(HashWord(w[3])>>smallShift)]
	}
	for i, w := range words[n:] {
		out[n+i] = at[uint16(HashWord(w)>>smallShift)]
	}
}

// search goes on from the first slot of w, and returns the slot of w or a free
// one.
func (t *wordTable) search(w uint64) (slot uint64, found bool) {
	mask := uint64(len(t.at) - 1)
	for s := t.slot(HashWord(w)) & mask; ; s = (s + 1) & mask {
		n := t.at[s]
		if n == 0 && s != t.first {
			return s, false
		}
		if t.keys[n] == w {
			return s, true
		}
	}
}

func (t *wordTable) Assign(k *Batch, out []uint32) {
	t.makeRoom(k.N)
	if len(t.keys) == 0 && k.N > 0 {
		t.put(t.free(k.Words[0]), 0)
		t.keys = append(t.keys, k.Words[0])
	}
	for _, i := range t.look(k, out) {
		w := k.Words[i]
		s, found := t.search(w)
		if !found {
			t.put(s, uint32(len(t.keys)))
			t.keys = append(t.keys, w)
		}
		out[i] = t.at[s]
	}
}

func (t *wordTable) Find(k *Batch, out []uint32) {
	if len(t.keys) == 0 {
		clear(out[:k.N])
		return
	}
	others := t.look(k, out)
	for i := range out[:k.N] {
		out[i]++
	}
	for _, i := range others {
		out[i] = 0
		if s, found := t.search(k.Words[i]); found {
			out[i] = t.at[s] + 1
		}
	}
	k.dropMisses(out)
}

func (t *wordTable) Get(numbers []uint32, k *Batch) {
	k.N, k.Miss = len(numbers), nil
	k.Words = spare.Room(k.Arrays, &k.wordBuf, len(numbers))
	for i, n := range numbers {
		k.Words[i] = t.keys[n]
	}
}

func (t *wordTable) hash(n uint32) uint64 { return HashWord(t.keys[n]) }

func (t *wordTable) Bytes() int64 { return int64(4*len(t.at) + 8*cap(t.keys)) }

func (t *wordTable) Reset() {
	long.Clear(t.at)
	t.keys = t.keys[:0]
	t.first = noSlot
}
