package workload

import (
	"context"
	"fmt"

	"github.com/apache/arrow/go/v15/arrow"
)

// Machines generates the cube Machines of Meinke 2015, section 5.1: cells of six
// dimensions, the last of which is a hierarchy. It has 64 components and 2000 machines;
// a component is part of one machine drawn at random, every seventh component of
// exactly 1000, each with a weight from 1 to 5. A cell is joined with 157 machines on
// average.
//
// Table cells has the first Cells cells of all combinations in the order of the
// dimensions, the component last, and a value from 1 to 1000; table edges the
// hierarchy.
type Machines struct {
	Cells int64
	// ComponentFirst orders the cells by the component before all other dimensions.
	ComponentFirst bool
}

// The sizes of the hierarchy of Machines.
const (
	components   = 64
	machines     = 2000
	hubEvery     = 7    // components
	hubMachines  = 1000 // that such a component is part of
	machineEdges = components - (components+hubEvery-1)/hubEvery + (components+hubEvery-1)/hubEvery*hubMachines
)

// maxCells is how many cells the dimensions have at the most: customers are numbered by
// 32 bits.
const maxCells = 1 << 40

// machineDims are the dimensions between the first, the customers, of which there are
// as many as the cells need, and the components.
var machineDims = []struct {
	name string
	size int64
}{{"region", 16}, {"account", 16}, {"version", 2}, {"month", 12}}

// Validate reports a parameter out of range.
func (m Machines) Validate() error {
	if m.Cells < 1 || m.Cells > maxCells {
		return fmt.Errorf("%d cells: must be from 1 to %d", m.Cells, int64(maxCells))
	}
	return nil
}

// Tables implements Set.
func (m Machines) Tables() []Table {
	ddl := "CREATE TABLE cells (\n  customer integer NOT NULL,\n"
	fields := []arrow.Field{integer("customer")}
	for _, d := range machineDims {
		ddl += fmt.Sprintf("  %s integer NOT NULL,\n", d.name)
		fields = append(fields, integer(d.name))
	}
	return []Table{
		{
			Name: "cells", Rows: m.Cells,
			DDL:    ddl + "  component integer NOT NULL,\n  value integer NOT NULL\n)",
			Schema: columns(append(fields, integer("component"), integer("value"))...),
		},
		{
			Name: "edges", Rows: machineEdges,
			DDL:    "CREATE TABLE edges (\n  component integer NOT NULL,\n  machine integer NOT NULL,\n  weight integer NOT NULL\n)",
			Schema: columns(integer("component"), integer("machine"), integer("weight")),
		},
	}
}

// Generate implements Set.
func (m Machines) Generate(ctx context.Context, opts Options, emit Emit) error {
	if err := m.Validate(); err != nil {
		return err
	}
	tables := m.Tables()
	edges := m.edges(opts.Seed)
	return generate(ctx, opts, tables, []source{
		func(first int64, n int) arrow.Record { return m.cells(opts.Seed, tables[0].Schema, first, n) },
		func(first int64, n int) arrow.Record {
			cols := make([]arrow.Array, len(edges))
			for i := range cols {
				cols[i] = int32Array(edges[i][first : first+int64(n)])
			}
			return record(tables[1].Schema, cols...)
		},
	}, emit)
}

// cells are some of the cells.
func (m Machines) cells(seed uint64, schema *arrow.Schema, first int64, n int) arrow.Record {
	value := newStream(seed, 3000)
	cols := make([][]int32, len(machineDims)+3)
	for i := range cols {
		cols[i] = make([]int32, n)
	}
	last := len(cols) - 1
	perComponent := (m.Cells + components - 1) / components
	for i := range n {
		at := first + int64(i)
		component, rest := at%components, at/components
		if m.ComponentFirst {
			component, rest = at/perComponent, at%perComponent
		}
		cols[last-1][i] = int32(component)
		for d := len(machineDims) - 1; d >= 0; d-- {
			cols[d+1][i] = int32(rest % machineDims[d].size)
			rest /= machineDims[d].size
		}
		cols[0][i] = int32(rest)
		cols[last][i] = int32(value.between(at, 1, 1000))
	}
	arrays := make([]arrow.Array, len(cols))
	for i := range cols {
		arrays[i] = int32Array(cols[i])
	}
	return record(schema, arrays...)
}

// edges are the columns of the hierarchy.
func (m Machines) edges(seed uint64) [3][]int32 {
	var cols [3][]int32
	target, weight := newStream(seed, 3001), newStream(seed, 3002)
	for c := range int64(components) {
		order := make([]int32, machines)
		for i := range order {
			order[i] = int32(i)
		}
		parts := 1
		if c%hubEvery == 0 {
			parts = hubMachines
		}
		for i := range parts { // the first steps of a shuffle: all machines are different
			at := c*machines + int64(i)
			k := target.between(at, int64(i), machines-1)
			order[i], order[k] = order[k], order[i]
			cols[0] = append(cols[0], int32(c))
			cols[1] = append(cols[1], order[i])
			cols[2] = append(cols[2], int32(weight.between(at, 1, 5)))
		}
	}
	return cols
}

// Queries are sums along the hierarchy: of all machines, by a second dimension, the
// ten greatest, with subtotals, of one machine, and of a slice of the cells.
func (m Machines) Queries() []Query {
	const from = "\nFROM cells JOIN edges ON cells.component = edges.component"
	const sum = "sum(value * weight) AS total" + from
	return []Query{
		{Name: "all parents", SQL: "SELECT machine, " + sum + "\nGROUP BY machine"},
		{Name: "second column", SQL: "SELECT machine, region, " + sum + "\nGROUP BY machine, region"},
		{Name: "top 10", SQL: "SELECT machine, " + sum + "\nGROUP BY machine\nORDER BY total DESC, machine\nLIMIT 10", OrderBy: []Key{{Column: 1, Desc: true}, {Column: 0}}},
		{Name: "rollup", SQL: "SELECT machine, region, " + sum + "\nGROUP BY ROLLUP (machine, region)"},
		{Name: "one parent", SQL: "SELECT machine, " + sum + "\nWHERE machine = 1000\nGROUP BY machine"},
		{Name: "slice", SQL: "SELECT machine, " + sum + "\nWHERE month = 3\nGROUP BY machine"},
	}
}
