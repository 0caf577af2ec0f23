package cuda

import (
	"weak"

	"github.com/cubeloom/cubeloom/runtime"
)

// maxCached is how many results are kept; when there are more all are forgotten.
const maxCached = 256

func newDictionaryCache(mem *memory) *dictionaryCache {
	return &dictionaryCache{mem: mem, entries: make(map[dictionaryKey]*cachedEntries)}
}

// get returns what has been computed for a dictionary, computing it at the first
// call. Without a dictionary only a cache of constants keeps anything. What it returns stays until the run
// ends that asks for it.
func (c *dictionaryCache) get(r *run, dict *runtime.Dictionary, what string, compute func(e *cachedEntries) error) (*cachedEntries, error) {
	key := dictionaryKey{dict: weak.Make(dict), what: what}
	if e := c.find(key); e != nil {
		r.borrowed = append(r.borrowed, e.held)
		return e, nil
	}
	e := &cachedEntries{held: c.mem.newBuffers()}
	owner := r.queue.own(nil)
	err := compute(e)
	r.queue.own(owner)
	if err == nil {
		err = r.queue.settle()
	}
	if err != nil {
		e.held.release(r.queue)
		return nil, err
	}
	r.borrowed = append(r.borrowed, e.held)
	if dict != nil || c.constants {
		c.keep(key, e)
	}
	return e, nil
}

// find returns what is kept, with a share of its memory; nil: it is not.
func (c *dictionaryCache) find(key dictionaryKey) *cachedEntries {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.entries[key]
	if e != nil {
		e.held.share()
	}
	return e
}

// asked reports whether a key has been asked for before, and notes that it has.
func (c *dictionaryCache) asked(key dictionaryKey) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, asked := c.entries[key]
	if !asked {
		c.makeRoom()
		c.entries[key] = nil
	}
	return asked
}

// makeRoom makes room for one more, forgetting everything where there is none. The caller holds the lock.
func (c *dictionaryCache) makeRoom() {
	if len(c.entries) < maxCached {
		return
	}
	for _, e := range c.entries {
		if e != nil {
			e.held.release(nil)
		}
	}
	clear(c.entries)
}

// keep adds a result, making room for it.
func (c *dictionaryCache) keep(key dictionaryKey, e *cachedEntries) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.makeRoom()
	if before := c.entries[key]; before != nil { // another run has computed it meanwhile
		before.held.release(nil)
	}
	e.held.share()
	c.entries[key] = e
}

// upload adds bytes to the result.
func (e *cachedEntries) upload(r *run, b []byte) (Ptr, error) {
	p, err := e.held.alloc(r.queue, max(int64(len(b)), 1))
	if err != nil || len(b) == 0 {
		return p, err
	}
	return p, r.queue.upload(p, b)
}
