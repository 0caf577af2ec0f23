package workload

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
)

// OLAP generates one of the two cubes of Meinke 2015, section 5.1, after the numbers of
// its table 5.1: as many filled cells, relevant cells and target cells, and within one
// percent as many additions; or cube Hubs.
//
// Table cells has a row for each filled cell: its base element of every dimension, and a
// value from 1 to 1000. A dimension whose consolidated elements a query asks for is a
// table of its own name: each base element, each consolidated element that it counts in,
// at whatever depth, and with what weight. Base elements are numbered from 0 and
// consolidated elements behind them.
type OLAP struct {
	// Cube is "biker", "machines" or "hubs".
	Cube string
	// Cells is the number of filled cells, 0 for all of them. Fewer are drawn evenly from
	// all, at random.
	Cells int64
	// Order lists the dimensions that the cells are sorted by before the others, which
	// follow in their own order.
	Order []string
}

// OLAPCubes lists the names of the cubes.
func OLAPCubes() []string { return []string{"biker", "machines", "hubs"} }

// make draws the cube.
func (o OLAP) make(seed uint64) cube {
	switch o.Cube {
	case "biker":
		return bikerCube(seed)
	case "hubs":
		return hubsCube()
	}
	return machinesCube(seed)
}

// Validate reports a parameter out of range.
func (o OLAP) Validate() error {
	c := o.make(0)
	_, err := o.order(&c)
	return err
}

// order is the order of the dimensions by which cells are sorted. It fails where a
// parameter is out of range.
func (o OLAP) order(c *cube) ([]int, error) {
	if !slices.Contains(OLAPCubes(), o.Cube) {
		return nil, fmt.Errorf("unknown cube %q: use %s", o.Cube, strings.Join(OLAPCubes(), ", "))
	}
	if o.Cells < 0 || o.Cells > c.filled() {
		return nil, fmt.Errorf("%d cells: cube %s has from 1 to %d, and all of them for 0", o.Cells, o.Cube, c.filled())
	}
	var order []int
	for _, name := range o.Order {
		at := slices.IndexFunc(c.dims, func(d cubeDimension) bool { return d.name == name })
		if at < 0 || slices.Contains(order, at) {
			return nil, fmt.Errorf("order %s: %q is no dimension of cube %s, or stands twice", strings.Join(o.Order, ","), name, o.Cube)
		}
		order = append(order, at)
	}
	for i := range c.dims {
		if !slices.Contains(order, i) {
			order = append(order, i)
		}
	}
	return order, nil
}

// cells is the number of cells that are generated.
func (o OLAP) cells(c *cube) int64 {
	if o.Cells == 0 {
		return c.filled()
	}
	return o.Cells
}

// Tables implements Set.
func (o OLAP) Tables() []Table {
	c := o.make(0) // no number of rows depends on the seed
	return o.tables(&c)
}

func (o OLAP) tables(c *cube) []Table {
	columns := ""
	for _, d := range c.dims {
		columns += d.name + " integer, "
	}
	tables := []Table{NewTable("cells", o.cells(c), columns+"value integer")}
	for _, d := range c.dims {
		if d.edges != nil {
			tables = append(tables, NewTable(d.name, int64(len(d.edges)), "base integer, element integer, weight integer"))
		}
	}
	return tables
}

// Generate implements Set.
func (o OLAP) Generate(ctx context.Context, opts Options, emit Emit) error {
	c := o.make(opts.Seed)
	order, err := o.order(&c)
	if err != nil {
		return err
	}
	all := newFilledCells(&c, order)
	sources := []source{func(first int64, n int) []arrow.Array { return o.rows(&c, all, opts.Seed, first, n) }}
	for _, d := range c.dims {
		if d.edges != nil {
			sources = append(sources, func(first int64, n int) []arrow.Array { return edgeRows(d.edges[first : first+int64(n)]) })
		}
	}
	return generate(ctx, opts, o.tables(&c), sources, emit)
}

// rows are some rows of table cells.
func (o OLAP) rows(c *cube, all *filledCells, seed uint64, first int64, n int) []arrow.Array {
	draw, value := newStream(seed, 3000), newStream(seed, 3001)
	cols := make([][]int32, len(c.dims)+1)
	for i := range cols {
		cols[i] = make([]int32, n)
	}
	cells, cursor := o.cells(c), all.cursor()
	for i := range n {
		at := spread(draw, first+int64(i), cells, all.count)
		cell := cursor.seek(at)
		for d := range c.dims {
			cols[d][i] = cell[d]
		}
		cols[len(c.dims)][i] = int32(value.between(at, 1, 1000))
	}
	return int32Arrays(cols...)
}

// edgeRows are rows of a dimension's table.
func edgeRows(edges []edge) []arrow.Array {
	cols := [3][]int32{}
	for _, e := range edges {
		cols[0] = append(cols[0], e.base)
		cols[1] = append(cols[1], e.element)
		cols[2] = append(cols[2], e.weight)
	}
	return int32Arrays(cols[:]...)
}

// Areas are the target areas of the cube's queries: B1 to B3 or M1 to M3 of table 5.1, or H1.
func (o OLAP) Areas() []Area {
	switch o.Cube {
	case "biker":
		return bikerAreas()
	case "hubs":
		return hubsAreas()
	}
	return machinesAreas()
}

// Queries are the queries of the areas; of cube machines also sums along its last
// dimension alone: of all machines, by a second dimension, the ten greatest, with
// subtotals, of one machine, and of a slice of the cells.
func (o OLAP) Queries() []Query {
	var queries []Query
	for _, a := range o.Areas() {
		queries = append(queries, a.Query())
	}
	if o.Cube == "machines" {
		queries = append(queries, MachineSums()...)
	}
	return queries
}
