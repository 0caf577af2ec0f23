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
	e := c.entries[key]
	if e == nil {
		e = &cachedEntries{held: c.mem.newBuffers()}
		owner := c.mem.own(nil)
		err := compute(e)
		c.mem.own(owner)
		if err == nil {
			err = c.mem.settle()
		}
		if err != nil {
			e.held.release()
			return nil, err
		}
		r.borrowed = append(r.borrowed, e.held)
		if dict != nil || c.constants {
			c.keep(key, e)
		}
		return e, nil
	}
	r.borrowed = append(r.borrowed, e.held.share())
	return e, nil
}

// asked reports whether a key has been asked for before, and notes that it has.
func (c *dictionaryCache) asked(key dictionaryKey) bool {
	_, asked := c.entries[key]
	if !asked {
		c.makeRoom()
		c.entries[key] = nil
	}
	return asked
}

// makeRoom makes room for one more.
func (c *dictionaryCache) makeRoom() {
	if len(c.entries) >= maxCached {
		c.clear()
	}
}

// keep adds a result, making room for it.
func (c *dictionaryCache) keep(key dictionaryKey, e *cachedEntries) {
	c.makeRoom()
	if before := c.entries[key]; before != nil { // another run has computed it meanwhile
		before.held.release()
	}
	e.held.share()
	c.entries[key] = e
}

// clear forgets everything.
func (c *dictionaryCache) clear() {
	for _, e := range c.entries {
		if e != nil {
			e.held.release()
		}
	}
	clear(c.entries)
}

// upload adds bytes to the result.
func (e *cachedEntries) upload(r *run, b []byte) (Ptr, error) {
	p, err := e.held.alloc(max(int64(len(b)), 1))
	if err != nil || len(b) == 0 {
		return p, err
	}
	return p, r.backend.mem.upload(p, b)
}
