package cuda

import "slices"

// newBuffers makes an empty group of buffers with one share.
func (m *memory) newBuffers() *buffers {
	b := &buffers{mem: m}
	b.shares.Store(1)
	return b
}

// alloc adds a buffer of n bytes, for the user of a queue.
func (b *buffers) alloc(q *queue, n int64) (Ptr, error) {
	b.mem.collect()
	p, size, err := q.alloc(n)
	if err != nil {
		return 0, err
	}
	b.ptrs = append(b.ptrs, p)
	b.bytes += size
	return p, nil
}

// zeroed adds a buffer of n bytes of zeros.
func (b *buffers) zeroed(q *queue, n int64) (Ptr, error) {
	p, err := b.alloc(q, n)
	if err != nil {
		return 0, err
	}
	return p, q.fill(p, 0, n)
}

// allocAll adds a buffer for each of the sizes that stand in parts, puts where it is in
// the size's place, and fills all of them with a byte where that is asked for.
func (b *buffers) allocAll(q *queue, parts []Ptr, fill bool, with byte) (err error) {
	if b.mem.exact {
		for i, size := range parts {
			if parts[i], err = b.alloc(q, int64(size)); err == nil && fill {
				err = q.fill(parts[i], with, int64(size))
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
	first, err := b.alloc(q, total)
	for i := range parts {
		parts[i] += first
	}
	if err == nil && fill {
		err = q.fill(first, with, total)
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
	b.shares.Add(1)
	return b
}

// release releases a share, with whose memory q may still work; nil: no stream does.
func (b *buffers) release(q *queue) {
	if b.shares.Add(-1) > 0 {
		return
	}
	b.empty(q)
	for _, t := range b.texts {
		t.release(q)
	}
	b.texts = nil
}

// empty frees the buffers, no matter who has shares, as release does.
func (b *buffers) empty(q *queue) {
	b.mem.free(q, b.ptrs)
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

// drop releases a share of each. Any goroutine may call it at any time; the memory
// is taken back at the next allocation.
func (m *memory) drop(list []*buffers) {
	m.lock.Lock()
	defer m.lock.Unlock()
	m.dropped = append(m.dropped, list...)
	m.hasDropped.Store(true)
}

// collect takes back what was dropped.
func (m *memory) collect() {
	if !m.hasDropped.Load() {
		return
	}
	m.lock.Lock()
	dropped := m.dropped
	m.dropped = nil
	m.hasDropped.Store(false)
	m.lock.Unlock()
	for _, b := range dropped {
		b.release(nil)
	}
}
