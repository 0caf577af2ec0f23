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
// call. Without a dictionary nothing is kept. What it returns stays until the run
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
		if dict != nil {
			c.keep(key, e)
		}
		return e, nil
	}
	r.borrowed = append(r.borrowed, e.held.share())
	return e, nil
}

// keep adds a result, making room for it.
func (c *dictionaryCache) keep(key dictionaryKey, e *cachedEntries) {
	if len(c.entries) >= maxCached {
		c.clear()
	}
	if before := c.entries[key]; before != nil { // another run has computed it meanwhile
		before.held.release()
	}
	e.held.share()
	c.entries[key] = e
}

// clear forgets everything.
func (c *dictionaryCache) clear() {
	for _, e := range c.entries {
		e.held.release()
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
