package cpu

import (
	"sync"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// dictionaries are the complete dictionaries of a run, for the operations that
// need to know all entries. They are found when first asked for. Safe for
// concurrent use once the kernel is compiled.
type dictionaries struct {
	mem     *memory
	entries []dictionaryEntry // by kernel.DictID
}

// dictionaryEntry is one dictionary and the order of its texts.
type dictionaryEntry struct {
	provider func() (*runtime.Dictionary, error)
	find     sync.Once
	dict     *runtime.Dictionary
	err      error

	sort  sync.Once
	rank  []int32  // by code
	first []uint32 // by rank: the least code of that rank
}

// provide says how the complete dictionary id is found. The first call counts:
// all values of one DictID share one dictionary. It is for use while kernels
// are compiled, before any worker starts.
func (d *dictionaries) provide(id kernel.DictID, provider func() (*runtime.Dictionary, error)) {
	if e := &d.entries[id]; e.provider == nil {
		e.provider = provider
	}
}

// get returns dictionary id with the order of its texts.
func (d *dictionaries) get(id kernel.DictID) (*dictionaryEntry, error) {
	e, err := d.unordered(id)
	if err == nil {
		e.sort.Do(func() { e.rank, e.first = e.dict.Order() })
	}
	return e, err
}

// unordered returns dictionary id without the order of its texts.
func (d *dictionaries) unordered(id kernel.DictID) (*dictionaryEntry, error) {
	e := &d.entries[id]
	e.find.Do(func() {
		if e.provider == nil {
			e.err = internalf("nothing provides dictionary %d", id)
			return
		}
		if e.dict, e.err = e.provider(); e.err == nil {
			e.err = d.mem.grow(rankBytes * int64(len(e.dict.Texts)))
		}
	})
	return e, e.err
}

// rankBytes is the memory that an entry's place in the order takes.
const rankBytes = 8

// provideDictionary says where the dictionary of a column of a relation is.
func (r *run) provideDictionary(rel runtime.Relation, col kernel.SourceCol) {
	def := &r.f.Values[col.Dst]
	if def.Type != kernel.Code {
		return
	}
	r.dicts.provide(def.Dict, func() (*runtime.Dictionary, error) {
		longest := &runtime.Dictionary{}
		for i := range rel.Blocks() {
			block, err := rel.Load(i, []int{col.Ordinal})
			if err != nil {
				return nil, err
			}
			longest = longer(longest, block.Cols[col.Ordinal].Dict)
		}
		return longest, nil
	})
}
