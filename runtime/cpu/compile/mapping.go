package compile

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// eagerEntries is up to how many entries a dictionary is evaluated whole when a
// Map first meets it, so that the loops over rows need not ask whether an entry
// is known.
const eagerEntries = 4096

// mapper is what one worker knows of a mapTable.
type mapper struct {
	table  *mapTable
	state  []uint8        // by code+1
	known  *vector.Vector // the table's results by code+1, of which those that state knows may be read
	dict   *runtime.Dictionary
	plain  int  // entries below this are known
	odd    bool // some entry is NULL or an error
	fails  bool // some entry is an error
	wanted []int32
	dst    *vector.Vector
	body   *mapBody // made when an entry is not known
}

// newMapper makes what a worker knows of the table of a Map.
func (c *Compiler) newMapper(in *kernel.Map) *mapper {
	r := c.Worker.Run
	table := c.shared.maps.get(r, c.shared, in)
	def := &c.Kernel.Values[in.Dst]
	if def.Type == kernel.Code {
		r.Dicts.Provide(def.Dict, table.dictionary)
	}
	return &mapper{table: table, known: vector.New(def.Type, 0), dst: c.define(in.Dst)}
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
	m.dst.Vals.LookUp(m.known.Vals, vector.Of[uint32](src), src.Null, rows)
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

// know makes sure that the entries of the rows are known.
func (m *mapper) know(src *vector.Vector, rows []int32) {
	entries := 1
	if src.Dict != nil {
		entries += len(src.Dict.Texts)
	}
	if grown := entries - len(m.state); grown > 0 {
		m.state = append(m.state, make([]uint8, grown)...)
	}
	m.wanted = m.wanted[:0]
	if m.plain < entries && entries <= eagerEntries {
		m.wanted = append(m.wanted, vector.Identity(entries)[m.plain:]...)
		m.plain = entries
	} else if m.plain < entries {
		m.wanted = m.unknown(m.wanted, src, rows)
	}
	if len(m.wanted) == 0 {
		return
	}
	if m.body == nil {
		m.body = m.table.newBody()
	}
	dict := m.table.learn(m.body, src.Dict, m.wanted, m.state, m.known)
	m.dict = dict
	for _, k := range m.wanted {
		m.odd = m.odd || k > 0 && m.state[k] != entryValue
		m.fails = m.fails || m.state[k] == entryError
	}
}

// unknown appends the entries of rows that are not known.
func (m *mapper) unknown(entries []int32, src *vector.Vector, rows []int32) []int32 {
	state, codes := m.state, vector.Of[uint32](src)
	if src.Null == nil {
		for _, i := range rows {
			if k := int32(codes[i]) + 1; state[k] == entryUnknown {
				entries = append(entries, k)
			}
		}
		return entries
	}
	key := keysOf(src)
	for _, i := range rows {
		if k := key(i); state[k] == entryUnknown {
			entries = append(entries, k)
		}
	}
	return entries
}
