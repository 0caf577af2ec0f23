package keytable

import (
	"bytes"

	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

// bytesTable is the table of keys of bytes.
type bytesTable struct {
	slots
	hashes []uint64
	ends   []uint64 // of each key in arena
	arena  []byte
}

func (t *bytesTable) Len() int { return len(t.hashes) }

// key is the key of number n.
func (t *bytesTable) key(n uint32) []byte {
	lo := uint64(0)
	if n > 0 {
		lo = t.ends[n-1]
	}
	return t.arena[lo:t.ends[n]]
}

func (t *bytesTable) makeRoom(n, size int) {
	had := len(t.hashes)
	t.hashes = exec.Grown(t.mem, t.hashes, max(had+n, t.expected))
	t.hashes = t.hashes[:had]
	t.ends = exec.Grown(t.mem, t.ends, max(had+n, t.expected))
	t.ends = t.ends[:had]
	used := len(t.arena)
	t.arena = exec.Grown(t.mem, t.arena, used+size)
	t.arena = t.arena[:used]
	if t.roomFor(had + n) {
		return
	}
	t.resize(had + n)
	for i, h := range t.hashes {
		t.place(h, uint32(i))
	}
}

// look looks only at the first slot of each key: out gets the number plus one that is found there, and the rows are
// listed whose key is another one, or not in the table. It returns the hashes of all. It goes over the rows
// for each thing that is read anywhere in memory, so that the loads of many rows overlap. The table has a key.
func (t *bytesTable) look(k *Batch, out []uint32) (hashes []uint64, others []int32) {
	out, hashes = out[:k.N], spare.Room(k.Arrays, &k.wordBuf, k.N)
	mask, shift := uint64(len(t.at)-1), t.shift&63
	for i := range hashes {
		hashes[i] = hashBytes(k.row(i))
	}
	for i, h := range hashes {
		out[i] = t.at[h>>shift&mask]
	}
	for i, h := range hashes {
		n := out[i]
		if t.hashes[max(n, 1)-1] != h {
			n = 0
		}
		out[i] = n
	}
	for _, n := range out {
		key := t.key(max(n, 1) - 1)
		k.touched += key[0] ^ key[len(key)-1]
	}
	others = k.others[:0]
	for i, n := range out {
		if n == 0 || !bytes.Equal(t.key(n-1), k.row(i)) {
			others = append(others, int32(i))
		}
	}
	k.others = others
	return hashes, others
}

func (t *bytesTable) Assign(k *Batch, out []uint32) {
	t.makeRoom(k.N, len(k.bytes))
	if len(t.hashes) == 0 && k.N > 0 {
		t.add(hashBytes(k.row(0)), k.row(0))
	}
	hashes, others := t.look(k, out)
	for _, i := range others {
		h, row := hashes[i], k.row(int(i))
		if out[i] = t.search(h, row); out[i] == 0 {
			out[i] = t.add(h, row)
		}
	}
	for i := range out[:k.N] {
		out[i]--
	}
}

// add adds a key, and returns its number plus one.
func (t *bytesTable) add(h uint64, row []byte) uint32 {
	n := uint32(len(t.hashes))
	t.place(h, n)
	t.hashes = append(t.hashes, h)
	t.arena = long.AppendBytes(t.arena, row)
	t.ends = append(t.ends, uint64(len(t.arena)))
	return n + 1
}

// search returns the number of a key plus one, or 0.
func (t *bytesTable) search(h uint64, row []byte) uint32 {
	mask := uint64(len(t.at) - 1)
	for s := t.slot(h); ; s++ {
		n := t.at[s&mask]
		if n == 0 || t.hashes[n-1] == h && bytes.Equal(t.key(n-1), row) {
			return n
		}
	}
}

func (t *bytesTable) Find(k *Batch, out []uint32) {
	if len(t.hashes) == 0 {
		clear(out[:k.N])
		return
	}
	hashes, others := t.look(k, out)
	for _, i := range others {
		out[i] = t.search(hashes[i], k.row(int(i)))
	}
	k.dropMisses(out)
}

func (t *bytesTable) Get(numbers []uint32, k *Batch) {
	k.N, k.Miss = len(numbers), nil
	k.ends = spare.Room(k.Arrays, &k.endBuf, len(numbers))
	size := uint32(0)
	consecutive := true
	for i, n := range numbers {
		size += uint32(len(t.key(n)))
		k.ends[i] = size
		consecutive = consecutive && n == numbers[0]+uint32(i)
	}
	if len(numbers) > 0 && consecutive { // they lie together
		end := t.ends[numbers[len(numbers)-1]]
		k.bytes = t.arena[end-uint64(size) : end]
		return
	}
	k.byteBuf = long.Grow(k.byteBuf[:0], int(size))
	for _, n := range numbers {
		k.byteBuf = long.AppendBytes(k.byteBuf, t.key(n))
	}
	k.bytes = k.byteBuf
}

func (t *bytesTable) hash(n uint32) uint64 { return t.hashes[n] }

func (t *bytesTable) Bytes() int64 {
	return int64(4*len(t.at) + 8*cap(t.hashes) + 8*cap(t.ends) + cap(t.arena))
}

func (t *bytesTable) Reset() {
	long.Clear(t.at)
	t.hashes, t.ends, t.arena = t.hashes[:0], t.ends[:0], t.arena[:0]
}
