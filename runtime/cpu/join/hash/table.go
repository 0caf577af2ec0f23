// Package hash joins by a hash table: its build, its probe, and what no probe has matched.
package hash

import (
	"math"
	"sync/atomic"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/join/packed"
	"github.com/cubeloom/cubeloom/runtime/cpu/keytable"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

// Table is what a Build makes: its rows' payload, and where the rows of each
// key are. It is a runtime.Output. It does not change, but for the marks.
//
// Keys have numbers: in a dense table the cells of the product of their ranges,
// else those of the key table. Rows of one key lie together.
type Table struct {
	rows   int
	cols   []*runtime.Chunk // payload, by row; without its values where they are packed
	packed *packed.Rows     // payload, where rows lie side by side
	dense  *denseLookup     // where the keys are dense
	layout *keytable.Layout // else, where there are keys
	table  keytable.Table
	filter *keytable.Filter // of table, where there is one
	starts []uint32         // the rows of key n are starts[n] … starts[n+1]−1; nil where every key has one
	Ranges []keyRange       // by key
	marks  []uint32         // bitmap of rows that a probe with Mark has matched
	charge *exec.Charge
}

// Release implements runtime.Output.
func (t *Table) Release() { t.charge.Release() }

// unique reports whether no row can have several matches.
func (t *Table) unique() bool { return t.starts == nil && (t.keyed() || t.rows <= 1) }

// keyed reports whether there are keys: without, every row matches.
func (t *Table) keyed() bool { return t.dense != nil || t.table != nil }

// growth is the memory that has been charged as the table grew.
func (t *Table) growth() int64 {
	if t.table == nil {
		return 0
	}
	return t.table.Bytes() + t.filter.Bytes()
}

// bytes is the memory of the table.
func (t *Table) bytes() int64 {
	n := t.growth() + int64(len(t.starts)+len(t.marks))*4
	if t.packed != nil {
		n += t.packed.Bytes()
	} else {
		for _, c := range t.cols {
			n += vector.StoredBytes(c, c.Rows)
		}
	}
	if t.dense != nil {
		n += int64(len(t.dense.present) + len(t.dense.row8) + 2*len(t.dense.row16) + 4*len(t.dense.row32))
	}
	return n
}

// arrange decides where rows lie, from the number of each row's key: as they
// came (nil), or in the order that it gives.
func (t *Table) arrange(r *exec.Run, numbers []uint32) []int32 {
	t.marks = make([]uint32, (t.rows+31)/32)
	if !t.keyed() {
		return nil
	}
	if t.dense != nil && t.dense.place(r.Mem.Arrays, numbers, t.rows) {
		return nil
	}
	keys := 0
	if t.dense != nil {
		keys = t.dense.cells
	} else if keys = t.table.Len(); keys == t.rows {
		return nil // each row is its own key, numbered as it came
	}
	sqlstate.Check(r.Mem.Grow(int64(keys+1)*4 + int64(t.rows)*4))
	order := t.sort(r.Mem.Arrays, numbers, keys)
	r.Mem.Shrink(int64(keys+1)*4 + int64(t.rows)*4)
	return order
}

// sort brings rows of one key together, and sets starts. Rows without a key
// come last.
func (t *Table) sort(arrays *spare.Arrays, numbers []uint32, keys int) []int32 {
	t.starts = spare.Zeros[uint32](arrays, keys+2)
	ends := t.starts[1:]
	for _, n := range numbers {
		ends[min(n, uint32(keys))]++
	}
	sum := uint32(0)
	for i, n := range ends {
		ends[i] = sum
		sum += n
	}
	order := spare.New[int32](arrays, len(numbers))
	for row, n := range numbers {
		at := &ends[min(n, uint32(keys))]
		order[*at] = int32(row)
		*at++
	}
	t.starts = t.starts[:keys+1] // starts[keys] is where rows without a key begin
	if t.dense != nil && keys <= exec.Caches().FewCells {
		t.dense.present = make([]uint8, keys)
		for n := range t.dense.present {
			t.dense.present[n] = vector.B2u(t.starts[n] < t.starts[n+1])
		}
	}
	return order
}

// mark remembers that a row has been matched. Safe for concurrent use.
func (t *Table) mark(row int32) {
	word, bit := &t.marks[row>>5], uint32(1)<<(row&31)
	if atomic.LoadUint32(word)&bit == 0 {
		atomic.OrUint32(word, bit)
	}
}

// markKey remembers that all rows of key number n have been matched. Safe for
// concurrent use with itself: who marks the first row of a key marks the others.
func (t *Table) markKey(n uint32) {
	first := t.starts[n]
	if atomic.LoadUint32(&t.marks[first>>5])>>(first&31)&1 != 0 {
		return
	}
	for row := first; row < t.starts[n+1]; row++ {
		t.mark(int32(row))
	}
}

// marked reports whether a row has been matched.
func (t *Table) marked(row int) bool { return t.marks[row>>5]>>(row&31)&1 != 0 }

// denseLookup finds rows by keys that lie in known ranges: the key's cell
// indexes an array, as narrow as the number of rows allows.
type denseLookup struct {
	keys  []denseLookupKey
	cells int
	// The row of each cell plus one, 0 where there is none; one of them is set
	// where keys are unique.
	row8  []uint8
	row16 []uint16
	row32 []uint32
	// present is 1 for cells that have a row, where some have several and there are few
	// cells.
	present []uint8
}

// denseLookupKey is one key of a denseLookup.
type denseLookupKey struct {
	lo       int64
	values   uint64
	nullSafe bool // NULL is the value after the last
	stride   uint32
}

// newDenseLookup plans the cells; nil where a range is not known after all.
func newDenseLookup(values []kernel.Value, nullSafe []bool) *denseLookup {
	d := &denseLookup{cells: 1}
	for i := len(values) - 1; i >= 0; i-- {
		v, rng := values[i], values[i].Range
		if v.Type == kernel.Bool {
			rng = kernel.Range{Known: true, Hi: 1}
		}
		width := uint64(rng.Hi) - uint64(rng.Lo)
		if !rng.Known || rng.Lo > rng.Hi || width >= maxBuildRows {
			return nil
		}
		k := denseLookupKey{lo: rng.Lo, values: width + 1, nullSafe: nullSafe[i] && v.Nullable, stride: uint32(d.cells)}
		card := int(k.values)
		if k.nullSafe {
			card++
		}
		if d.cells > maxBuildRows/card {
			return nil
		}
		d.cells *= card
		d.keys = append([]denseLookupKey{k}, d.keys...)
	}
	return d
}

// cellsOf sets cells to the cell of each row, or to noKey where a key is NULL or out
// of its range.
func (d *denseLookup) cellsOf(cells []uint32, keys []*vector.View) {
	long.Clear(cells)
	for i, v := range keys {
		k := &d.keys[i]
		switch {
		case v.Null != nil:
			k.addAny(cells, v)
		case v.Form == vector.FormU8:
			addCells(k, cells, v.U8, v.Base)
		case v.Form == vector.FormU16:
			addCells(k, cells, v.U16, v.Base)
		case v.Form == vector.FormU32:
			addCells(k, cells, v.U32, v.Base)
		case v.Form == vector.FormI32:
			addCells(k, cells, v.I32, 0)
		case v.Form == vector.FormI64:
			addCells(k, cells, v.I64, 0)
		default:
			k.addAny(cells, v)
		}
	}
}

// addCells adds the key's share of the cells for integers of which none is NULL.
func addCells[V vector.Plain](k *denseLookupKey, cells []uint32, vals []V, base int64) {
	add, values, stride := uint64(base)-uint64(k.lo), k.values, k.stride
	vals = vals[:len(cells)]
	for j, x := range vals {
		c, part := cells[j], uint64(x)+add // beyond all values where x is below them
		none := vector.B2u(c == noKey) | vector.B2u(part >= values)
		cells[j] = (c + uint32(part)*stride) | -uint32(none)
	}
}

// addAny is addCells for any view.
func (k *denseLookupKey) addAny(cells []uint32, v *vector.View) {
	for j, c := range cells {
		part := k.values
		switch {
		case v.Null != nil && v.Null[j] != 0:
			if !k.nullSafe {
				part = math.MaxUint64
			}
		case v.Form == vector.FormI128:
			part = math.MaxUint64
			if x, ok := v.I128[j].Int64(); ok {
				part = k.part(x)
			}
		default:
			part = k.part(v.IntAt(j))
		}
		if c == noKey || part == math.MaxUint64 {
			cells[j] = noKey
			continue
		}
		cells[j] = c + uint32(part)*k.stride
	}
}

// part is x's place in the range, or the greatest number.
func (k *denseLookupKey) part(x int64) uint64 {
	if p := uint64(x) - uint64(k.lo); x >= k.lo && p < k.values {
		return p
	}
	return math.MaxUint64
}

// place makes the array of rows, or returns false where a cell has several.
func (d *denseLookup) place(arrays *spare.Arrays, cells []uint32, rows int) bool {
	switch {
	case rows < 1<<8:
		d.row8 = placeRows[uint8](arrays, cells, d.cells)
		return d.row8 != nil
	case rows < 1<<16:
		d.row16 = placeRows[uint16](arrays, cells, d.cells)
		return d.row16 != nil
	}
	d.row32 = placeRows[uint32](arrays, cells, d.cells)
	return d.row32 != nil
}

func placeRows[S vector.GroupInt](arrays *spare.Arrays, cells []uint32, n int) []S {
	at := spare.Zeros[S](arrays, n)
	for row, c := range cells {
		if c == noKey {
			continue
		}
		if at[c] != 0 {
			spare.Release(arrays, at)
			return nil
		}
		at[c] = S(row + 1)
	}
	return at
}

// maxBuildRows is how many rows a hash table can number.
const maxBuildRows = math.MaxInt32 - 1

// noKey is the number of rows that have no key, since a part of it is NULL.
const noKey = math.MaxUint32

// keyRange is what the integers of a key of a hash table lie between; a table
// without any has lo > hi.
type keyRange struct {
	Lo, Hi int64
	Known  bool
}
