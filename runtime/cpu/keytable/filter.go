package keytable

import (
	"math/bits"

	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// Filter is a set of bits that a table's keys are tested in before they are looked for:
// most keys that the table has not are dropped for one look into memory that a cache
// holds. Where the words of the keys lie in a small range there is a bit for each word, so
// that no other key passes, and rows in the order of their keys look at bits that lie
// side by side. Elsewhere it is a blocked Bloom filter: two bits of one word.
type Filter struct {
	words []uint64
	exact bool
}

// The sizes of filters, in bits for each key of the table.
const (
	// bloomBits lets a key pass of some forty that are not in the table.
	bloomBits = 16
	// exactBits is the most that a bit for each word may take.
	exactBits = 64
	// filteredKeys is how many keys a table has at least that has a filter: a smaller
	// one lies in the cache itself.
	filteredKeys = smallSlots / 4
)

// FilterOf makes the filter of a table, whose memory it charges; nil where it would save
// nothing.
func FilterOf(t Table, mem *exec.Memory) *Filter {
	of, ok := t.(*wordTable)
	if !ok || len(of.keys) < filteredKeys {
		return nil
	}
	greatest := uint64(0)
	for _, k := range of.keys {
		greatest = max(greatest, k)
	}
	n := uint64(len(of.keys))
	f, size := &Filter{exact: greatest/exactBits < n}, greatest/64+1
	if !f.exact {
		size = 1 << bits.Len64(n*bloomBits/64)
	}
	sqlstate.Check(mem.Grow(int64(8 * size)))
	f.words = spare.Zeros[uint64](mem.Arrays, int(size))
	f.add(of.keys)
	return f
}

// add sets the bits of keys.
func (f *Filter) add(keys []uint64) {
	if f.exact {
		for _, k := range keys {
			f.words[k/64] |= 1 << (k % 64)
		}
		return
	}
	mask := uint64(len(f.words) - 1)
	for _, k := range keys {
		h := HashWord(k)
		f.words[h>>bloomShift&mask] |= bloomOf(h)
	}
}

// bloomShift leaves the bits of a hash that choose a word to those that choose its bits.
const bloomShift = 24

// bloomOf is the bits of a key of hash h.
func bloomOf(h uint64) uint64 { return 1<<(h>>58) | 1<<(h>>52&63) }

// Bytes is the memory of the filter.
func (f *Filter) Bytes() int64 {
	if f == nil {
		return 0
	}
	return int64(8 * len(f.words))
}

// pass lists the rows whose words may be among the keys, in rows, which has room for all.
func (f *Filter) pass(words []uint64, rows []int32) []int32 {
	rows = rows[:len(words)]
	n := 0
	if f.exact {
		for i, w := range words {
			rows[n] = int32(i)
			if at := w / 64; at < uint64(len(f.words)) {
				n += int(f.words[at] >> (w & 63) & 1)
			}
		}
		return rows[:n]
	}
	set := f.words
	mask := uint64(len(set) - 1)
	for i, w := range words {
		h := HashWord(w)
		want := bloomOf(h)
		rows[n] = int32(i)
		n += int(vector.B2u(set[h>>bloomShift&mask]&want == want))
	}
	return rows[:n]
}

// FindFiltered is t.Find of the keys that pass f, and returns how many did. The table's
// keys are words.
func FindFiltered(t Table, f *Filter, k *Batch, out []uint32) int {
	rows := f.pass(k.Words[:k.N], spare.Room(k.Arrays, &k.passed, k.N))
	if len(rows) > k.N*3/4 {
		t.Find(k, out)
		return len(rows)
	}
	some := k.some()
	some.N = len(rows)
	some.Words = spare.Room(some.Arrays, &some.wordBuf, len(rows))
	for i, r := range rows {
		some.Words[i] = k.Words[r]
	}
	found := spare.Room(k.Arrays, &k.found, len(rows))
	t.Find(some, found)
	clear(out[:k.N])
	for i, r := range rows {
		out[r] = found[i]
	}
	k.dropMisses(out)
	return len(rows)
}

// some is the batch that holds those of the keys that passed a filter.
func (k *Batch) some() *Batch {
	if k.part == nil {
		k.part = &Batch{Mem: k.Mem, Arrays: k.Arrays}
	}
	return k.part
}
