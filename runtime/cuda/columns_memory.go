package cuda

import (
	"errors"
	"math/bits"
	"slices"

	"github.com/cubeloom/cubeloom/runtime"
)

// newMemory makes a pool that takes at most limit bytes of a device, 0 for all, with so many
// streams.
func newMemory(device Device, limit int64, streams int) *memory {
	m := &memory{
		of: device, device: device.Memory(), exact: device.Info().Checked, limit: limit, places: make(chan struct{}, streams),
		kept: map[*runtime.Account]*queue{}, sizes: map[Ptr]int64{}, owners: map[Ptr]*runtime.Account{}, idle: map[int64][]Ptr{}, evict: func() bool { return false },
	}
	for range streams {
		m.spare = append(m.spare, &queue{})
	}
	return m
}

// The least size of an allocation, and what sizes are multiples of where the
// device checks accesses: a thread may read or write the whole 16 bytes in which
// a buffer ends.
const (
	smallest  = 256
	wholeRead = 16
)

// sizeClass is the size that a request is rounded up to: an eighth of a power of
// two, so that sizes recur and at most an eighth is wasted.
func sizeClass(n int64) int64 {
	if n <= smallest {
		return smallest
	}
	step := max(int64(1)<<(bits.Len64(uint64(n-1))-4), smallest)
	return (n + step - 1) / step * step
}

// own has what is allocated from now on be a query's, until it is called again; nil
// for what is kept for later. It returns whose it was before.
func (m *memory) own(owner *runtime.Account) (before *runtime.Account) {
	before, m.at.owner = m.at.owner, owner
	return before
}

// alloc returns at least n bytes of the owner, which hold anything. To make room it
// frees idle memory on the device and evicts what is kept for later; where that
// is not enough the error is ErrOutOfMemory.
func (m *memory) alloc(n int64) (Ptr, error) {
	p, err := m.find(n)
	if q := m.at; err == nil && q.owner != nil {
		m.owners[p] = q.owner
		q.peak = max(q.peak, q.owner.HoldOnDevice(m.sizes[p]))
	}
	return p, err
}

// find returns at least n bytes.
func (m *memory) find(n int64) (Ptr, error) {
	m.collect()
	size := sizeClass(n)
	if m.exact {
		size = max(n+wholeRead-1, wholeRead) / wholeRead * wholeRead
	}
	if p := m.at.again(m.sizes, size); p != 0 {
		m.unused -= size
		return p, nil
	}
	if list := m.idle[size]; len(list) > 0 {
		p := list[len(list)-1]
		m.idle[size] = list[:len(list)-1]
		m.unused -= size
		return p, nil
	}
	for {
		if m.limit == 0 || m.allocated+size <= m.limit {
			p, err := m.device.Alloc(size)
			if err == nil {
				m.sizes[p] = size
				m.allocated += size
				return p, nil
			}
			if !errors.Is(err, ErrOutOfMemory) {
				return 0, err
			}
		}
		if m.trim() || m.evict() {
			continue
		}
		if len(m.at.freed) == 0 {
			return 0, ErrOutOfMemory
		}
		if err := m.sync(); err != nil {
			return 0, err
		}
	}
}

// again takes memory of a size that has been freed since the stream was last waited for: what
// is started behind may use it.
func (q *queue) again(sizes map[Ptr]int64, size int64) Ptr {
	for i, p := range q.freed {
		if sizes[p] == size {
			q.freed = slices.Delete(q.freed, i, i+1)
			return p
		}
	}
	return 0
}

// free takes back what alloc gave; 0 is nothing.
func (m *memory) free(p Ptr) {
	if p == 0 {
		return
	}
	size := m.sizes[p]
	if owner := m.owners[p]; owner != nil {
		owner.HoldOnDevice(-size)
		delete(m.owners, p)
		m.tellRoom()
	}
	switch {
	case m.exact:
		m.device.Free(p)
		delete(m.sizes, p)
		m.allocated -= size
	case m.at != nil && m.at.busy():
		m.at.freed = append(m.at.freed, p)
		m.unused += size
	default:
		m.idle[size] = append(m.idle[size], p)
		m.unused += size
	}
}

// ofOthers is what queries other than that of an account have, in bytes.
func (m *memory) ofOthers(account *runtime.Account) int64 {
	n := int64(0)
	for p, owner := range m.owners {
		if owner != account {
			n += m.sizes[p]
		}
	}
	return n
}

// tellRoom has those go on who wait for memory of queries.
func (m *memory) tellRoom() {
	if m.room != nil {
		close(m.room)
		m.room = nil
	}
}

// trim frees the idle memory on the device; false: there was none.
func (m *memory) trim() bool {
	before := m.allocated
	for size, list := range m.idle {
		for _, p := range list {
			m.device.Free(p)
			delete(m.sizes, p)
			m.allocated -= size
			m.unused -= size
		}
	}
	clear(m.idle)
	return m.allocated < before
}

// used is how many bytes are in use.
func (m *memory) used() int64 { return m.allocated - m.unused }

// drop releases a share of each. Any goroutine may call it at any time; the memory
// is taken back at the next allocation.
func (m *memory) drop(list []*buffers) {
	m.mu.Lock()
	m.dropped = append(m.dropped, list...)
	m.mu.Unlock()
}

// collect takes back what was dropped.
func (m *memory) collect() {
	m.mu.Lock()
	dropped := m.dropped
	m.dropped = nil
	m.mu.Unlock()
	for _, b := range dropped {
		b.release()
	}
}

// newBuffers makes an empty group of buffers with one share.
func (m *memory) newBuffers() *buffers { return &buffers{mem: m, shares: 1} }

// alloc adds a buffer of n bytes.
func (b *buffers) alloc(n int64) (Ptr, error) {
	p, err := b.mem.alloc(n)
	if err != nil {
		return 0, err
	}
	b.ptrs = append(b.ptrs, p)
	b.bytes += b.mem.sizes[p]
	return p, nil
}

// zeroed adds a buffer of n bytes of zeros.
func (b *buffers) zeroed(n int64) (Ptr, error) {
	p, err := b.alloc(n)
	if err != nil {
		return 0, err
	}
	return p, b.mem.fill(p, 0, n)
}

// allocAll adds a buffer for each of the sizes that stand in parts, puts where it is in
// the size's place, and fills all of them with a byte where that is asked for.
func (b *buffers) allocAll(parts []Ptr, fill bool, with byte) (err error) {
	if b.mem.exact {
		for i, size := range parts {
			if parts[i], err = b.alloc(int64(size)); err == nil && fill {
				err = b.mem.fill(parts[i], with, int64(size))
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	total := int64(0)
	for i, size := range parts {
		parts[i] = Ptr(total)
		total += wholeBuffer(int64(size))
	}
	first, err := b.alloc(total)
	for i := range parts {
		parts[i] += first
	}
	if err == nil && fill {
		err = b.mem.fill(first, with, total)
	}
	return err
}

// take has what another group holds be part of this one.
func (b *buffers) take(o *buffers) {
	b.ptrs, b.bytes = append(b.ptrs, o.ptrs...), b.bytes+o.bytes
	o.ptrs, o.bytes = o.ptrs[:0], 0
}

// share adds a share.
func (b *buffers) share() *buffers {
	b.shares++
	return b
}

// release releases a share.
func (b *buffers) release() {
	if b.shares--; b.shares > 0 {
		return
	}
	b.empty()
	for _, t := range b.texts {
		t.release()
	}
	b.texts = nil
}

// empty frees the buffers, no matter who has shares.
func (b *buffers) empty() {
	for _, p := range b.ptrs {
		b.mem.free(p)
	}
	b.ptrs, b.bytes = b.ptrs[:0], 0
}

// keep has texts stay as long as b does.
func (b *buffers) keep(texts []*buffers) {
	for _, t := range texts {
		if !slices.Contains(b.texts, t) {
			b.texts = append(b.texts, t.share())
		}
	}
}

// wholeBuffer rounds up so that what follows is aligned as an allocation is.
func wholeBuffer(n int64) int64 { return (n + smallest - 1) / smallest * smallest }
