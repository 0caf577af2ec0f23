package keytable

import (
	"math/bits"

	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

// PartitionOf is the partition, of 1<<bits, that a key of hash h belongs to.
func PartitionOf(h uint64, bits uint) uint64 { return h >> (64 - bits) }

// The sizes of tables: a tiny one for a few rows, a small one for which there are
// loops of its own, and larger ones. Of those that fit a cache at most a quarter
// of the slots is used, so that few keys are displaced: looking further costs more
// than the slots' memory. The others are used by half.
const (
	tinySlots   = 1 << 10
	smallSlots  = 1 << 16
	smallShift  = 64 - PartitionBits - 16
	cachedSlots = 1 << 19
)

// slots is the part that all tables share: an array of numbers plus one, 0
// where free, whose length is a power of two.
type slots struct {
	mem      *exec.Memory
	at       []uint32
	shift    uint
	expected int // keys
}

func (s *slots) Expect(keys int) { s.expected = keys }

// roomFor reports whether n keys leave enough slots free.
func (s *slots) roomFor(n int) bool {
	return 4*n <= len(s.at) || len(s.at) > cachedSlots && 2*n <= len(s.at)
}

// resize makes an empty array of slots for n keys, or for those expected.
func (s *slots) resize(n int) {
	n = max(n, s.expected)
	size := tinySlots
	for 4*n > size && (size <= cachedSlots || 2*n > size) {
		size = max(2*size, smallSlots)
	}
	if size <= len(s.at) {
		long.Clear(s.at)
		return
	}
	sqlstate.Check(s.mem.Grow(int64(size-len(s.at)) * 4))
	spare.Release(s.mem.Arrays, s.at)
	s.at = spare.Zeros[uint32](s.mem.Arrays, size)
	s.shift = uint(64 - PartitionBits - bits.Len(uint(size-1)))
}

// slot is where the search for a key of hash h begins, after masking.
// Partitions take the hash's top bits, and the slots those below.
func (s *slots) slot(h uint64) uint64 { return h >> (s.shift & 63) }

// PartitionBits is how many of a hash's top bits are left to partitions.
const PartitionBits = 8

// place notes key number n, whose hash is h and which is new.
func (s *slots) place(h uint64, n uint32) {
	mask := uint64(len(s.at) - 1)
	i := s.slot(h)
	for s.at[i&mask] != 0 {
		i++
	}
	s.at[i&mask] = n + 1
}

// pairTable is the table of keys of two words.
type pairTable struct {
	slots
	keys []Pair
}

func (t *pairTable) Len() int { return len(t.keys) }

func (t *pairTable) makeRoom(n int) {
	had := len(t.keys)
	t.keys = exec.Grown(t.mem, t.keys, max(had+n, t.expected))
	t.keys = t.keys[:had]
	if t.roomFor(had + n) {
		return
	}
	t.resize(had + n)
	for i, k := range t.keys {
		t.place(HashPair(k), uint32(i))
	}
}

func (t *pairTable) Assign(k *Batch, out []uint32) {
	t.makeRoom(k.N)
	mask := uint64(len(t.at) - 1)
	for i, p := range k.Pairs {
		s := t.slot(HashPair(p))
		for {
			n := t.at[s&mask]
			if n == 0 {
				t.keys = append(t.keys, p)
				n = uint32(len(t.keys))
				t.at[s&mask] = n
			}
			if t.keys[n-1] == p {
				out[i] = n - 1
				break
			}
			s++
		}
	}
}

func (t *pairTable) Find(k *Batch, out []uint32) {
	if len(t.at) == 0 {
		clear(out[:k.N])
		return
	}
	mask := uint64(len(t.at) - 1)
	for i, p := range k.Pairs {
		s := t.slot(HashPair(p))
		n := t.at[s&mask]
		for n != 0 && t.keys[n-1] != p {
			s++
			n = t.at[s&mask]
		}
		out[i] = n
	}
	k.dropMisses(out)
}

func (t *pairTable) Get(numbers []uint32, k *Batch) {
	k.N, k.Miss = len(numbers), nil
	k.Pairs = spare.Room(k.Arrays, &k.pairBuf, len(numbers))
	for i, n := range numbers {
		k.Pairs[i] = t.keys[n]
	}
}

func (t *pairTable) hash(n uint32) uint64 { return HashPair(t.keys[n]) }

func (t *pairTable) Bytes() int64 { return int64(4*len(t.at) + 16*cap(t.keys)) }

func (t *pairTable) Reset() {
	long.Clear(t.at)
	t.keys = t.keys[:0]
}
