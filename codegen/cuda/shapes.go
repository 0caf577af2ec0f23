package cuda

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// PlainShapes are shapes that f's inputs may have: columns stored as wide as
// what is known of their values asks for, and tables with unique keys. They serve
// to find out whether a kernel can be rendered before its inputs exist.
func PlainShapes(f *kernel.Func) []InputShape {
	shapes := make([]InputShape, len(f.Inputs))
	for i, in := range f.Inputs {
		if in.Kind == kernel.HashTableInput {
			shapes[i].Table = &TableShape{Unique: true}
		}
	}
	switch s := f.Source.(type) {
	case *kernel.Scan:
		cols := plainColumns(f, nil, s.Cols)
		if f.GroupsSource() >= 0 {
			shapes[s.Input].Groups = plainGroups(cols)
		} else {
			shapes[s.Input].Columns = cols
		}
	case *kernel.Unmatched:
		shapes[s.Input].Table.Payload = plainColumns(f, nil, s.Cols)
	}
	for _, in := range f.Body {
		if p, ok := in.(*kernel.Probe); ok {
			plainProbed(f, &shapes[p.Input], p)
		}
	}
	return WithExpansions(f, shapes)
}

// plainGroups are groups that are runs of rows by keys of the columns' shapes, in place of
// groups whose cells are not known yet.
func plainGroups(cols []ColumnShape) *GroupCells {
	c := &GroupCells{layout: CellLayout{Runs: true}}
	for _, col := range cols {
		c.keys = append(c.keys, cellKey{typ: col.Type, column: col})
	}
	c.words = c.arguments()
	return c
}

// WithExpansions returns shapes with tables of which the rows that are looked up are
// estimated to have more than one match as those of keys with several rows.
func WithExpansions(f *kernel.Func, shapes []InputShape) []InputShape {
	shapes = slices.Clone(shapes)
	for _, in := range f.Body {
		p, ok := in.(*kernel.Probe)
		if !ok || p.Sorted != nil || p.Matches <= 1 || shapes[p.Input].Table == nil {
			continue
		}
		t := *shapes[p.Input].Table
		t.Unique = false
		if t.Layout == LayoutCells {
			t.Layout = LayoutDense
		}
		shapes[p.Input].Table = &t
	}
	return shapes
}

// plainProbed fills in the shape of the relation or table that a probe reads.
func plainProbed(f *kernel.Func, in *InputShape, p *kernel.Probe) {
	if p.Sorted != nil {
		in.Columns = plainColumns(f, in.Columns, append([]kernel.SourceCol{{Ordinal: p.Sorted.Ordinal, Dst: p.Keys[0].Val}}, p.Payload...))
		return
	}
	t := in.Table
	t.Payload = plainColumns(f, t.Payload, p.Payload)
	t.Keys, t.Layout = nil, LayoutAll
	for i, k := range p.Keys {
		v := &f.Values[k.Val]
		t.Keys = append(t.Keys, KeyShape{Type: v.Type, Null: k.NullSafe && v.Nullable})
		if _, _, ok := KeyRange(v); ok && (i == 0 || t.Layout == LayoutCells) {
			t.Layout = LayoutCells
		} else {
			t.Layout = LayoutWide
		}
	}
}

// plainColumns puts the shapes of columns at their ordinals.
func plainColumns(f *kernel.Func, shapes []ColumnShape, cols []kernel.SourceCol) []ColumnShape {
	for _, c := range cols {
		for len(shapes) <= c.Ordinal {
			shapes = append(shapes, ColumnShape{})
		}
		shapes[c.Ordinal], _ = outputShape(f.Values[c.Dst])
	}
	return shapes
}
