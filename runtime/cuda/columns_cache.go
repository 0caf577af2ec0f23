package cuda

import (
	"container/list"
	"slices"
	"weak"

	"github.com/cubeloom/cubeloom/runtime"
)

// newColumnCache makes an empty cache.
func newColumnCache[T any](drop func(made T)) *columnCache[T] {
	return &columnCache[T]{
		cached: map[columnChunks]*list.Element{}, recent: list.New(),
		versions: map[columnVersion]*list.Element{}, drop: drop,
	}
}

// entry is what an element of a cache holds.
func entry[T any](at *list.Element) *cachedColumn[T] { return at.Value.(*cachedColumn[T]) }

// note has version find the column of these chunks, where it is cached.
func (c *columnCache[T]) note(v columnVersion, chunks []*runtime.Chunk) {
	at := c.find(chunks)
	if at == nil || c.versions[v] == at {
		return
	}
	k := entry[T](at)
	k.longest = weak.Make(longest(chunks))
	if len(k.versions) >= maxVersions {
		c.forget(k)
	}
	k.versions = append(k.versions, v)
	c.versions[v] = at
}

// maxVersions is how many relations may find a column: most of those whose last
// column has the same chunks are gone.
const maxVersions = 16

// forget has no relation find a column any more.
func (c *columnCache[T]) forget(k *cachedColumn[T]) {
	for _, v := range k.versions {
		delete(c.versions, v)
	}
	k.versions = nil
}

// keyOf is what finds a column of chunks.
func keyOf(chunks []*runtime.Chunk) columnChunks {
	if len(chunks) == 0 {
		return columnChunks{}
	}
	return columnChunks{weak.Make(chunks[0]), len(chunks)}
}

// find looks a column up.
func (c *columnCache[T]) find(chunks []*runtime.Chunk) *list.Element {
	if len(chunks) == 0 {
		return nil
	}
	at := c.cached[keyOf(chunks)]
	if at == nil {
		return nil
	}
	have := entry[T](at).chunks
	for i := range chunks {
		if have[i] != weak.Make(chunks[i]) {
			return nil
		}
	}
	return at
}

// keep adds what is kept of a column, in place of what was kept of it before.
func (c *columnCache[T]) keep(made T, chunks []*runtime.Chunk) {
	k := &cachedColumn[T]{made: made, chunks: make([]weak.Pointer[runtime.Chunk], len(chunks))}
	for i := range chunks {
		k.chunks[i] = weak.Make(chunks[i])
	}
	key := columnChunks{k.chunks[0], len(chunks)}
	if old := c.cached[key]; old != nil {
		c.remove(old)
	}
	c.cached[key] = c.recent.PushFront(k)
}

// remove takes a column out of the cache.
func (c *columnCache[T]) remove(at *list.Element) {
	k := entry[T](at)
	c.recent.Remove(at)
	delete(c.cached, columnChunks{k.chunks[0], len(k.chunks)})
	c.forget(k)
	c.drop(k.made)
}

// oldest returns a column that may go: one whose table is gone, or else the one that
// has not been used for the longest time; nil: there is none.
func (c *columnCache[T]) oldest(mayGo func(made T) bool) *list.Element {
	var last *list.Element
	for at := c.recent.Back(); at != nil; at = at.Prev() {
		k := entry[T](at)
		if !mayGo(k.made) {
			continue
		}
		if gone(k.chunks) {
			return at
		}
		if last == nil {
			last = at
		}
	}
	return last
}

// gone reports whether a chunk does not exist any more.
func gone(chunks []weak.Pointer[runtime.Chunk]) bool {
	return slices.ContainsFunc(chunks, func(p weak.Pointer[runtime.Chunk]) bool { return p.Value() == nil })
}
