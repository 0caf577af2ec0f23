package several

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// share is consecutive rows of a relation of the host, those that one device has.
type share struct {
	runtime.Relation
	version shareVersion
}

// shareVersion is the version of a share: rows from up to to of a relation.
type shareVersion struct {
	of       any
	from, to int64
}

// Version implements runtime.Versioned.
func (s *share) Version() any { return s.version }

// cut finds which rows of a relation, of which a kernel reads some columns, lie, or are to lie, on which device:
// by device, nil for one that has none. It is nil where all of them are the host's, and too few to be shared.
func (b *Backend) cut(rel runtime.Relation, cols []int) ([]runtime.Relation, error) {
	if len(b.members) == 1 {
		return nil, nil
	}
	c := cutting{backend: b, parts: make([][]runtime.ViewPart, len(b.members)), pays: b.pays(rel, cols)}
	if err := c.add(rel, nil); err != nil || !c.lies {
		return nil, err
	}
	shares := make([]runtime.Relation, len(b.members))
	for i, parts := range c.parts {
		if len(parts) > 0 {
			shares[i] = runtime.NewView(parts)
		}
	}
	return shares, nil
}

// cutting is the state of one cut.
type cutting struct {
	backend *Backend
	parts   [][]runtime.ViewPart // by device
	pays    bool                 // rows of the host are shared
	lies    bool                 // some rows have a device
}

// add adds the rows of a relation, which are seen through columns of columns, the outermost
// last.
func (c *cutting) add(rel runtime.Relation, through [][]codegen.PartCol) (err error) {
	defer sqlstate.Catch(&err)
	if rel.Rows() == 0 {
		return nil
	}
	if at := c.backend.holder(rel); at >= 0 {
		c.lies = true
		c.put(int64(at), rel, through)
		return nil
	}
	if composed, ok := rel.(runtime.Composed); ok {
		for _, part := range composed.Parts() {
			sqlstate.Check(c.add(part.Rel, append([][]codegen.PartCol{part.Cols}, through...)))
		}
		return nil
	}
	if !c.pays {
		c.put(0, rel, through)
		return nil
	}
	c.lies = true
	starts := c.backend.cuts.starts(rel)
	n := int64(len(c.parts))
	for i := range n {
		if from, to := cutAt(starts, i, n), cutAt(starts, i+1, n); from < to {
			c.put(i, shareOf(rel, starts, from, to), through)
		}
	}
	return nil
}

// put has a device have the rows of a relation.
func (c *cutting) put(device int64, rel runtime.Relation, through [][]codegen.PartCol) {
	for _, cols := range through {
		rel = runtime.NewView([]runtime.ViewPart{{Rel: rel, Cols: cols}})
	}
	c.parts[device] = append(c.parts[device], runtime.ViewPart{Rel: rel})
}

// holder is which device has the rows of a relation, or groups, below 0 for none.
func (b *Backend) holder(made any) int {
	return slices.IndexFunc(b.members, func(m *member) bool { return m.Holds(made) })
}

// shareOf is rows from up to to of a relation of the host.
func shareOf(rel runtime.Relation, starts []int64, from, to int64) runtime.Relation {
	rows := runtime.RowRange(rel, starts, from, to)
	if v, ok := rel.(runtime.Versioned); ok {
		return &share{rows, shareVersion{v.Version(), from, to}}
	}
	return rows
}

// Cuts are between blocks, unless the next such place is further away than a part of a
// share, and then at multiples of rows that leave bitmaps whole.
const (
	cutPart = 16
	cutRows = 64
)

// cutAt is the first row of share i of n.
func cutAt(starts []int64, i, n int64) int64 {
	rows := starts[len(starts)-1]
	if i == n {
		return rows
	}
	at := rows / n * i
	k, _ := slices.BinarySearch(starts, at)
	if starts[k]-at <= rows/n/cutPart {
		return starts[k]
	}
	before := starts[max(k-1, 0)]
	if at-before <= rows/n/cutPart {
		return before
	}
	return before + (at-before)/cutRows*cutRows
}
