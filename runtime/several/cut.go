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
// by device, nil for one that has none. Rows of the host are shared where that pays. It is nil where all of them are the
// host's, and not shared.
func (b *Backend) cut(rel runtime.Relation, cols []int, pays bool) ([]runtime.Relation, error) {
	if len(b.members) == 1 {
		return nil, nil
	}
	c := cutting{backend: b, parts: make([][]runtime.ViewPart, len(b.members)), pays: pays}
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

// devices are shares as what devices have of a source.
func devices(shares []runtime.Relation) []any {
	of := make([]any, len(shares))
	for i, share := range shares {
		if share != nil {
			of[i] = share
		}
	}
	return of
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
		c.put(at, rel, through)
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
	cut := c.backend.cuts.of(rel, len(c.parts))
	for i := range c.parts {
		if from, to := cut.at[i], cut.at[i+1]; from < to {
			c.put(i, shareOf(rel, cut.starts, from, to), through)
		}
	}
	return nil
}

// apart are the columns of a relation of which no two devices have the same value, where it is cut. An error is left for
// who cuts it.
func (b *Backend) apart(rel runtime.Relation) (apart []int) {
	defer sqlstate.Catch(new(error))
	switch rel := rel.(type) {
	case *relation:
		return rel.apart
	case runtime.Composed:
		parts := rel.Parts()
		if len(parts) > 1 {
			return nil
		}
		of := b.apart(parts[0].Rel)
		if parts[0].Cols == nil {
			return of
		}
		for o, col := range parts[0].Cols {
			if slices.Contains(of, col.Ordinal) {
				apart = append(apart, o)
			}
		}
	case runtime.Versioned:
		return b.cuts.of(rel, len(b.members)).apart
	}
	return apart
}

// put has a device have the rows of a relation.
func (c *cutting) put(device int, rel runtime.Relation, through [][]codegen.PartCol) {
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
