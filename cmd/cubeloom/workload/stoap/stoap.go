// Package stoap is the single-threaded OLAP aggregation processor of Meinke 2015,
// section 4.1, to compare with: a cube is a hash map of its filled cells by the vector of
// their elements, and a query goes through the map cell by cell on one thread and adds
// each to all of its targets in another hash map.
package stoap

import (
	"context"
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
)

// MaxDimensions is how many dimensions a cube may have.
const MaxDimensions = 8

// A Key is the element of a cell in each dimension; of a target cell, 0 in those that the
// area does not name.
type Key [MaxDimensions]int32

// A Cube is a cube's filled cells and the hierarchies of its dimensions.
type Cube struct {
	dims  []string
	cells map[Key]float64
	edges map[string][][]target // of a dimension's base elements
}

// target is a consolidated element that a base element counts in.
type target struct {
	element int32
	weight  float64
}

// Load generates a cube.
func Load(ctx context.Context, set workload.OLAP, opts workload.Options) (*Cube, error) {
	cells := set.Tables()[0]
	c := &Cube{cells: make(map[Key]float64, cells.Rows), edges: make(map[string][][]target)}
	fields := cells.Schema.Fields()
	for _, f := range fields[:len(fields)-1] { // the last column is the value
		c.dims = append(c.dims, f.Name)
	}
	if len(c.dims) > MaxDimensions {
		return nil, fmt.Errorf("cube %s has %d dimensions, at most %d are possible", set.Cube, len(c.dims), MaxDimensions)
	}
	err := set.Generate(ctx, opts, func(table string, rec arrow.Record) error {
		if table == "cells" {
			c.addCells(rec)
		} else {
			c.addEdges(table, rec)
		}
		return nil
	})
	return c, err
}

func column(rec arrow.Record, i int) []int32 { return rec.Column(i).(*array.Int32).Int32Values() }

func (c *Cube) addCells(rec arrow.Record) {
	n := len(c.dims)
	cols := make([][]int32, n+1)
	for i := range cols {
		cols[i] = column(rec, i)
	}
	for row := range cols[n] {
		var key Key
		for d := range n {
			key[d] = cols[d][row]
		}
		c.cells[key] = float64(cols[n][row])
	}
}

func (c *Cube) addEdges(dim string, rec arrow.Record) {
	base, element, weight := column(rec, 0), column(rec, 1), column(rec, 2)
	for i, b := range base {
		for int(b) >= len(c.edges[dim]) {
			c.edges[dim] = append(c.edges[dim], nil)
		}
		c.edges[dim][b] = append(c.edges[dim][b], target{element[i], float64(weight[i])})
	}
}

// aim is a dimension of an area, with the targets of each of its base elements.
type aim struct {
	dim     int
	targets [][]target
}

// Query returns the filled cells of an area, by the elements of its targets in their
// order, and how many additions that took. It looks at ctx after every 65,536 cells.
func (c *Cube) Query(ctx context.Context, area workload.Area) (map[Key]float64, int64, error) {
	var aims []aim
	for _, t := range area.Targets {
		a := aim{dim: slices.Index(c.dims, t.Dimension)}
		for _, all := range c.edges[t.Dimension] {
			var asked []target
			for _, e := range all {
				if e.element >= t.First && e.element <= t.Last {
					asked = append(asked, e)
				}
			}
			a.targets = append(a.targets, asked)
		}
		aims = append(aims, a)
	}
	sums := &sums{cells: make(map[Key]float64)}
	seen := 0
	for key, value := range c.cells {
		sums.add(aims, 0, key, Key{}, value)
		if seen++; seen&0xffff == 0 && ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
	}
	return sums.cells, sums.additions, nil
}

// sums are the target cells of a query.
type sums struct {
	cells     map[Key]float64
	additions int64
}

// add adds a cell to its targets in the aims from the first on.
func (s *sums) add(aims []aim, first int, key, at Key, value float64) {
	if first == len(aims) {
		s.cells[at] += value
		s.additions++
		return
	}
	base := key[aims[first].dim]
	if int(base) >= len(aims[first].targets) {
		return
	}
	for _, t := range aims[first].targets[base] {
		at[first] = t.element
		s.add(aims, first+1, key, at, value*t.weight)
	}
}
