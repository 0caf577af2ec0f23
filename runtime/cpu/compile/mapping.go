package compile

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// get returns the table of a Map, made at the first call.
func (m *mapTables) get(in *kernel.Map, create func() *mapTable) *mapTable {
	m.mu.Lock()
	defer m.mu.Unlock()
	if t := m.tables[in]; t != nil {
		return t
	}
	m.tables[in] = create()
	return m.tables[in]
}

// The states of an entry of a Map.
const (
	entryUnknown uint8 = iota // not evaluated yet
	entryValue
	entryNull
	entryError
)

// newMapTable compiles the body of a Map for batches of one row.
func newMapTable(r *exec.Run, shared *Shared, in *kernel.Map) *mapTable {
	w := &exec.Worker{Run: r, Rows: 1} // without a time slice to share: it works under a lock
	w.Meter = value.NewMeter(exec.WorkerSource{Worker: w})
	c := New(w, shared)
	t := &mapTable{in: in, run: r, errs: make(map[int]error), codes: make(map[string]uint32)}
	t.body = c.InPlace(in.Body)
	t.results = vector.New(r.Kernel.Values[in.Dst].Type, 0)
	t.arg = vector.Vector{Type: kernel.Str, Vals: &vector.List[string]{At: make([]string, 1)}}
	t.batch = vector.Batch{Vals: w.Vals}
	return t
}

// learn evaluates the entries listed in keys (codes plus one, or 0 for NULL)
// that are still unknown and copies the state and the result of each to dst
// and state. It returns the new dictionary as it is afterwards.
func (t *mapTable) learn(dict *runtime.Dictionary, keys []int32, state []uint8, dst *vector.Vector) *runtime.Dictionary {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reserve(len(state))
	for n, k := range keys {
		if n%1024 == 1023 && t.run.Ctx.Err() != nil {
			panic(exec.Canceled(t.run.Ctx))
		}
		if t.state[k] == entryUnknown {
			t.evaluate(dict, k)
		}
		state[k] = t.state[k]
		vector.CopyRow(dst, int(k), t.results, int(k))
	}
	return &runtime.Dictionary{Texts: t.texts[:len(t.texts):len(t.texts)]}
}

// reserve makes room for n entries.
func (t *mapTable) reserve(n int) {
	more := n - len(t.state)
	if more <= 0 {
		return
	}
	sqlstate.Check(t.run.Mem.Grow(int64(more) * (1 + vector.ValueBytes(t.results.Type))))
	t.state = append(t.state, make([]uint8, more)...)
	t.results.Vals.Extend(more)
}

// evaluate runs the body for entry k. An error of the body belongs to the
// entry; others are those of the run.
func (t *mapTable) evaluate(dict *runtime.Dictionary, k int32) {
	t.batch.Rows, t.batch.Sel = 1, nil
	t.batch.Vals[t.in.Arg] = &t.arg
	t.arg.Null = nil
	if k == 0 {
		vector.Of[string](&t.arg)[0], t.arg.Null = "", []uint8{1}
	} else {
		vector.Of[string](&t.arg)[0] = dict.Texts[k-1]
	}
	if err := sqlstate.Run(func() { t.body(&t.batch) }); err != nil {
		if _, user := err.(*value.Error); !user {
			panic(err)
		}
		t.state[k], t.errs[int(k)] = entryError, err
		return
	}
	v := t.batch.Value(t.in.Result)
	if v.IsNull(0) {
		t.state[k] = entryNull
		return
	}
	t.state[k] = entryValue
	if v.Type != kernel.Str {
		vector.CopyRow(t.results, int(k), v, 0)
		return
	}
	code, ok := t.codes[vector.Of[string](v)[0]]
	if !ok {
		sqlstate.Check(t.run.Mem.Grow(int64(len(vector.Of[string](v)[0])) + 64))
		code = uint32(len(t.texts))
		t.texts = append(t.texts, vector.Of[string](v)[0])
		t.codes[vector.Of[string](v)[0]] = code
	}
	vector.Of[uint32](t.results)[k] = code
}

// failure is the error that entry k raises.
func (t *mapTable) failure(k int32) {
	t.mu.Lock()
	defer t.mu.Unlock()
	panic(t.errs[int(k)])
}

// dictionary evaluates the Map for all entries of its argument's dictionary and
// returns the complete new one.
func (t *mapTable) dictionary() *runtime.Dictionary {
	src := t.run.Dicts.Get(t.run.Kernel.Values[t.in.Src].Dict)
	n := len(src.Dict.Texts) + 1
	dst := vector.New(t.results.Type, n)
	return t.learn(src.Dict, vector.Identity(n), make([]uint8, n), dst)
}

// eagerEntries is up to how many entries a dictionary is evaluated whole when a
// Map first meets it, so that the loops over rows need not ask whether an entry
// is known.
const eagerEntries = 4096

// mapper is one worker's copy of a mapTable.
type mapper struct {
	table  *mapTable
	state  []uint8        // by code+1
	local  *vector.Vector // results by code+1
	dict   *runtime.Dictionary
	plain  int  // entries below this are known
	odd    bool // some entry is NULL or an error
	fails  bool // some entry is an error
	wanted []int32
	dst    *vector.Vector
}

// newMapper makes a worker's copy of the table of a Map.
func (c *Compiler) newMapper(in *kernel.Map) *mapper {
	r := c.Worker.Run
	table := c.shared.maps.get(in, func() *mapTable { return newMapTable(r, c.shared, in) })
	def := &c.Kernel.Values[in.Dst]
	if def.Type == kernel.Code {
		r.Dicts.Provide(def.Dict, table.dictionary)
	}
	return &mapper{table: table, local: vector.New(def.Type, 0), dst: c.define(in.Dst)}
}

// mapping compiles a Map.
func (c *Compiler) mapping(in *kernel.Map) exec.Step {
	m := c.newMapper(in)
	return func(b *vector.Batch) {
		m.apply(b, b.Value(in.Src))
		b.Vals[in.Dst] = m.dst
	}
}

// apply maps the active rows of src.
func (m *mapper) apply(b *vector.Batch, src *vector.Vector) {
	m.dst.Null, m.dst.Const = nil, src.Const
	if src.Const {
		m.applyTo(src, vector.Identity(1), 1)
		return
	}
	m.applyTo(src, b.ActiveRows(), b.Rows)
}

// applyTo maps rows of src, which has n rows.
func (m *mapper) applyTo(src *vector.Vector, rows []int32, n int) {
	m.know(src, rows)
	m.dst.Dict = m.dict
	m.dst.Vals.LookUp(m.local.Vals, vector.Of[uint32](src), rows)
	if !m.odd && src.Null == nil {
		return
	}
	if len(m.dst.Buffer().Null) < n {
		m.dst.Buffer().Null = make([]uint8, n)
	}
	null := m.dst.Buffer().Null[:n]
	key := keysOf(src)
	for _, i := range rows {
		k := key(i)
		switch m.state[k] {
		case entryValue:
			null[i] = 0
			if k == 0 {
				vector.CopyRow(m.dst, int(i), m.local, 0)
			}
		case entryNull:
			null[i] = 1
		case entryError:
			m.table.failure(k)
			return
		}
	}
	m.dst.Null = null
}

// keysOf returns the entry of each row of a vector of codes.
func keysOf(v *vector.Vector) func(i int32) int32 {
	codes, null := vector.Of[uint32](v), v.Null
	return func(i int32) int32 {
		if null != nil && null[i] != 0 {
			return 0
		}
		return int32(codes[i]) + 1
	}
}

// know makes sure that the entries of the rows are in the local copy.
func (m *mapper) know(src *vector.Vector, rows []int32) {
	entries := 1
	if src.Dict != nil {
		entries += len(src.Dict.Texts)
	}
	if grown := entries - len(m.state); grown > 0 {
		m.state = append(m.state, make([]uint8, grown)...)
		m.local.Vals.Extend(grown)
	}
	m.wanted = m.wanted[:0]
	if m.plain < entries && entries <= eagerEntries {
		m.wanted = append(m.wanted, vector.Identity(entries)[m.plain:]...)
		m.plain = entries
	} else if m.plain < entries {
		key := keysOf(src)
		for _, i := range rows {
			if k := key(i); m.state[k] == entryUnknown {
				m.wanted = append(m.wanted, k)
			}
		}
	}
	if len(m.wanted) == 0 {
		return
	}
	dict := m.table.learn(src.Dict, m.wanted, m.state, m.local)
	m.dict = dict
	for _, k := range m.wanted {
		m.odd = m.odd || k > 0 && m.state[k] != entryValue
		m.fails = m.fails || m.state[k] == entryError
	}
}
