package exec

import (
	"sync"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// dictionaries are the complete dictionaries of a run, for the operations that
// need to know all entries. They are found when first asked for. Safe for
// concurrent use once the kernel is compiled.
type dictionaries struct {
	mem     *Memory
	entries []dictionaryEntry // by kernel.DictID
}

// dictionaryEntry is one dictionary and the order of its texts.
type dictionaryEntry struct {
	provider func() *runtime.Dictionary
	find     sync.Once
	Dict     *runtime.Dictionary
	err      error

	sort  sync.Once
	Rank  []int32  // by code
	First []uint32 // by rank: the least code of that rank
}

// Provide says how the complete dictionary id is found. The first call counts:
// all values of one DictID share one dictionary. It is for use while kernels
// are compiled, before any worker starts.
func (d *dictionaries) Provide(id kernel.DictID, provider func() *runtime.Dictionary) {
	if e := &d.entries[id]; e.provider == nil {
		e.provider = provider
	}
}

// Get returns dictionary id with the order of its texts.
func (d *dictionaries) Get(id kernel.DictID) *dictionaryEntry {
	e := d.Unordered(id)
	e.sort.Do(func() { e.Rank, e.First = e.Dict.Order() })
	return e
}

// Unordered returns dictionary id without the order of its texts.
func (d *dictionaries) Unordered(id kernel.DictID) *dictionaryEntry {
	e := &d.entries[id]
	e.find.Do(func() {
		defer sqlstate.Catch(&e.err)
		if e.provider == nil {
			panic(Internalf("nothing provides dictionary %d", id))
		}
		e.Dict = e.provider()
		sqlstate.Check(d.mem.Grow(rankBytes * int64(len(e.Dict.Texts))))
	})
	sqlstate.Check(e.err)
	return e
}

// rankBytes is the memory that an entry's place in the order takes.
const rankBytes = 8
