package store

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store/closure"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// derivation is what is made of the edges of a hierarchy.
type derivation uint8

const (
	allPaths  derivation = iota // the rows of the hierarchy
	allPlaces                   // its elements
)

// hierarchySource is what a table is derived from.
type hierarchySource struct {
	HierarchyDef
	name            string
	what            derivation
	old             *Hierarchy // whose rows are followed; nil: none
	index           any        // of those that follow
	account         *runtime.Account
	meter           *value.Meter
	edges, on       *Table
	child, parent   int
	weight, id      int // -1: none
	element, weighs algebra.Type
}

// open finds the tables and columns.
func (s *hierarchySource) open(state *State) (err error) {
	if s.edges, err = tableOf(state, s.Edges); err != nil {
		return err
	}
	s.weight, s.id, s.weighs = -1, -1, WholeWeight
	var types []algebra.Type
	column := func(t *Table, name string, ordinal *int) {
		*ordinal = t.Ordinal(name)
		switch {
		case err != nil:
		case *ordinal < 0:
			err = value.Errorf(value.CodeUndefinedColumn, "column %q of relation %q does not exist", name, t.Name())
		case ordinal != &s.weight:
			types = append(types, t.def.Columns[*ordinal].Type)
		default:
			s.weighs, err = WeightType(t.def.Columns[*ordinal].Type)
		}
	}
	column(s.edges, s.Child, &s.child)
	column(s.edges, s.Parent, &s.parent)
	if s.Weight != "" {
		column(s.edges, s.Weight, &s.weight)
	}
	if s.On != "" && err == nil {
		if s.on, err = tableOf(state, s.On); err == nil {
			column(s.on, s.ID, &s.id)
		}
	}
	if err != nil {
		return err
	}
	s.element, err = ElementType(types...)
	return err
}

// tableOf finds a table of a state.
func tableOf(state *State, key string) (*Table, error) {
	switch o := state.Lookup(key).(type) {
	case *Table:
		return o, nil
	case nil:
		return nil, value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", NameOf(key))
	}
	return nil, value.Errorf(value.CodeWrongObjectType, "%q is not a table", NameOf(key))
}

// elementBytes is about what an element takes beside its text, in the list and the map.
const elementBytes = 48

// elements are the elements of a hierarchy, numbered as they are met and then by value.
type elements[K cmp.Ordered] struct {
	*hierarchySource
	kind   *elementKind[K]
	keys   []K
	number map[K]int32
}

// add numbers an element that may be there already.
func (e *elements[K]) add(k K) (int32, error) {
	if n, ok := e.number[k]; ok {
		return n, nil
	}
	if len(e.keys) == math.MaxInt32 {
		return 0, value.Errorf(value.CodeProgramLimit, "hierarchy %q has more than %d elements", e.name, math.MaxInt32)
	}
	if err := e.meter.Grow(elementBytes + 2*e.kind.bytes(k)); err != nil {
		return 0, err
	}
	n := int32(len(e.keys))
	k = e.kind.keep(k)
	e.keys, e.number[k] = append(e.keys, k), n
	return n, nil
}

// readAll reads the elements of the table that has them.
func (e *elements[K]) readAll() {
	if e.on == nil {
		return
	}
	sqlstate.Check(e.rows(e.on, allBlocks(e.on), []int{e.id}, func(cols []*runtime.Chunk, row int) error {
		_, err := e.add(e.kind.read(cols[e.id], row))
		return err
	}))
}

// rows goes over columns of blocks of a table, none of which may be NULL.
func (e *elements[K]) rows(t *Table, blocks, ordinals []int, do func(cols []*runtime.Chunk, row int) error) (err error) {
	defer sqlstate.Catch(&err)
	for _, i := range blocks {
		b := sqlstate.Must(t.Load(i, ordinals))
		for _, o := range ordinals {
			if b.Cols[o].Nulls > 0 {
				err := value.Errorf(value.CodeNotNullViolation, "null value in column %q of relation %q violates not-null constraint", t.def.Columns[o].Name, t.Name())
				err.Detail = fmt.Sprintf("Hierarchy %q reads the column.", e.name)
				return err
			}
		}
		for row := range b.Rows {
			sqlstate.Check(e.meter.Check(64))
			sqlstate.Check(do(b.Cols, row))
		}
	}
	return nil
}

func allBlocks(t *Table) []int {
	return lists.Upto[int](t.Blocks())
}

// end finds the number of an element that an edge names in a column.
func (e *elements[K]) end(c *runtime.Chunk, row, column int) (int32, error) {
	k := e.kind.read(c, row)
	if e.on == nil {
		return e.add(k)
	}
	n, ok := e.number[k]
	if !ok {
		err := value.Errorf(value.CodeForeignKeyViolation, "element %s of hierarchy %q is not in column %q of relation %q", e.text(k), e.name, e.ID, e.on.Name())
		err.Detail = fmt.Sprintf("Column %q of relation %q names it.", e.edges.def.Columns[column].Name, e.edges.Name())
		return 0, err
	}
	return n, nil
}

// sort numbers the elements by value, in edges too.
func (e *elements[K]) sort(ends func(renumber func(n *int32))) {
	sqlstate.Check(e.meter.Grow(8 * len(e.keys)))
	order := lists.Upto[int32](len(e.keys))
	slices.SortFunc(order, func(a, b int32) int {
		e.meter.Must(16)
		return cmp.Compare(e.keys[a], e.keys[b])
	})
	rank := make([]int32, len(e.keys))
	sorted := make([]K, len(e.keys))
	for r, n := range order {
		rank[n], sorted[r] = int32(r), e.keys[n]
	}
	e.keys, e.number = sorted, nil
	ends(func(n *int32) { *n = rank[*n] })
}

// text is an element as messages show it.
func (e *elements[K]) text(k K) string {
	text := string(runtime.AppendText(nil, e.kind.value(k, e.element), e.element, value.Style{}, nil))
	if len(text) > shownBytes {
		return strings.ToValidUTF8(text[:shownBytes], "") + "..."
	}
	return text
}

// graphOf reads the edges.
func graphOf[K cmp.Ordered, W any](e *elements[K], weights *weightKind[W]) *closure.Graph[W] {
	e.readAll()
	if e.edges.Rows() > math.MaxInt32 {
		panic(value.Errorf(value.CodeProgramLimit, "hierarchy %q has more than %d edges", e.name, math.MaxInt32))
	}
	sqlstate.Check(e.meter.Grow(weights.edgeBytes * int(e.edges.Rows())))
	g := &closure.Graph[W]{Edges: make([]closure.Edge[W], 0, e.edges.Rows())}
	columns := []int{e.child, e.parent}
	if e.weight >= 0 {
		columns = append(columns, e.weight)
	}
	sqlstate.Check(e.rows(e.edges, allBlocks(e.edges), columns, func(cols []*runtime.Chunk, row int) (err error) {
		edge := closure.Edge[W]{Weight: weights.by.One}
		if edge.Child, err = e.end(cols[e.child], row, e.child); err != nil {
			return err
		}
		if edge.Parent, err = e.end(cols[e.parent], row, e.parent); err != nil {
			return err
		}
		if e.weight >= 0 {
			edge.Weight = weights.read(cols[e.weight].Value(row, e.edges.def.Columns[e.weight].Type))
		}
		g.Edges = append(g.Edges, edge)
		return nil
	}))
	g.Nodes = len(e.keys)
	e.sort(func(renumber func(*int32)) {
		for i := range g.Edges {
			renumber(&g.Edges[i].Child)
			renumber(&g.Edges[i].Parent)
		}
	})
	return g
}
