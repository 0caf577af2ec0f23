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
		kept: map[*runtime.Account]*queue{}, all: map[Ptr]allocation{}, idle: map[int64][]Ptr{}, evict: func() bool { return false },
	}
	for range streams {
		m.spare = append(m.spare, &queue{mem: m})
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

// sizeOf is how many bytes a request for n gets.
func (m *memory) sizeOf(n int64) int64 {
	if m.exact {
		return max(n+wholeRead-1, wholeRead) / wholeRead * wholeRead
	}
	return sizeClass(n)
}

// alloc returns at least n bytes of the owner, which hold anything, and how many they are. To make
// room it frees idle memory on the device and evicts what is kept for later; where that
// is not enough the error is ErrOutOfMemory.
func (q *queue) alloc(n int64) (p Ptr, size int64, err error) {
	m := q.mem
	size = m.sizeOf(n)
	m.lock.Lock()
	p = q.again(size)
	m.lock.Unlock()
	if p == 0 {
		if p, err = q.grow(size); err != nil {
			return 0, 0, err
		}
	}
	if q.owner != nil {
		q.peak = max(q.peak, q.owner.HoldOnDevice(size))
	}
	return p, size, nil
}

// again takes memory of a size that was freed: since the stream was last waited for, since what is
// started behind may use it, or before; 0: there is none. The caller holds the lock.
func (q *queue) again(size int64) (p Ptr) {
	m := q.mem
	at := slices.IndexFunc(q.freed, func(p Ptr) bool { return m.all[p].size == size })
	list := m.idle[size]
	switch {
	case at >= 0:
		p = q.freed[at]
		q.freed = slices.Delete(q.freed, at, at+1)
	case len(list) > 0:
		p = list[len(list)-1]
		m.idle[size] = list[:len(list)-1]
	default:
		return 0
	}
	m.all[p] = allocation{size, q.owner}
	m.unused.Add(-size)
	return p
}

// grow takes memory of the device, making room there.
func (q *queue) grow(size int64) (Ptr, error) {
	m := q.mem
	for {
		p, err := m.extend(size, q.owner)
		if !errors.Is(err, ErrOutOfMemory) {
			return p, err
		}
		if m.trim() || m.evict() {
			continue
		}
		if len(q.freed) == 0 {
			return 0, ErrOutOfMemory
		}
		if err := q.sync(); err != nil {
			return 0, err
		}
	}
}

// extend takes memory of the device.
func (m *memory) extend(size int64, owner *runtime.Account) (Ptr, error) {
	m.growing.Lock()
	defer m.growing.Unlock()
	if m.limit > 0 && m.allocated.Load()+size > m.limit {
		return 0, ErrOutOfMemory
	}
	p, err := m.device.Alloc(size)
	if err != nil {
		return 0, err
	}
	m.allocated.Add(size)
	m.lock.Lock()
	defer m.lock.Unlock()
	m.all[p] = allocation{size, owner}
	return p, nil
}

// free takes back what alloc gave, with which q may still work; nil: no stream does.
func (m *memory) free(q *queue, list []Ptr) {
	if len(list) == 0 {
		return
	}
	if m.exact {
		m.growing.Lock()
		defer m.growing.Unlock()
	}
	m.lock.Lock()
	m.disown(list)
	switch {
	case m.exact:
	case q != nil && q.busy():
		q.freed = append(q.freed, list...)
	default:
		m.makeIdle(list)
	}
	m.lock.Unlock()
	if m.exact {
		m.giveUp(list)
	}
}

// disown notes that no query holds memory any more, and has those go on who wait for that. The caller
// holds the lock.
func (m *memory) disown(list []Ptr) {
	for _, p := range list {
		b := m.all[p]
		m.unused.Add(b.size)
		if b.owner != nil {
			b.owner.HoldOnDevice(-b.size)
			m.all[p] = allocation{size: b.size}
			m.tellRoom()
		}
	}
}

// giveUp gives memory back to the device. The caller guards the device's memory.
func (m *memory) giveUp(list []Ptr) {
	m.lock.Lock()
	for _, p := range list {
		m.allocated.Add(-m.all[p].size)
		m.unused.Add(-m.all[p].size)
		delete(m.all, p)
	}
	m.lock.Unlock()
	for _, p := range list {
		m.device.Free(p)
	}
}

// heldByOthers is ofOthers for who does not hold the lock.
func (m *memory) heldByOthers(account *runtime.Account) int64 {
	m.lock.Lock()
	defer m.lock.Unlock()
	return m.ofOthers(account)
}

// ofOthers is what queries other than that of an account have, in bytes. The caller holds the lock.
func (m *memory) ofOthers(account *runtime.Account) int64 {
	n := int64(0)
	for _, b := range m.all {
		if b.owner != nil && b.owner != account {
			n += b.size
		}
	}
	return n
}

// tellRoom has those go on who wait for memory of queries. The caller holds the lock.
func (m *memory) tellRoom() {
	if m.room != nil {
		close(m.room)
		m.room = nil
	}
}

// trim frees the idle memory on the device; false: there was none.
func (m *memory) trim() bool {
	m.growing.Lock()
	defer m.growing.Unlock()
	m.lock.Lock()
	var idle []Ptr
	for _, list := range m.idle {
		idle = append(idle, list...)
	}
	clear(m.idle)
	m.lock.Unlock()
	m.giveUp(idle)
	return len(idle) > 0
}

// used is how many bytes are in use.
func (m *memory) used() int64 { return m.allocated.Load() - m.unused.Load() }

// wholeBuffer rounds up so that what follows is aligned as an allocation is.
func wholeBuffer(n int64) int64 { return (n + smallest - 1) / smallest * smallest }
