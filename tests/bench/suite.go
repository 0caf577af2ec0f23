package main

import (
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/tpch"
)

// A Part of a suite is a set of tables and the queries about it. The parts of a
// suite are loaded one after the other.
type Part struct {
	Set     workload.Set
	Queries []workload.Query
}

// A Suite is a benchmark.
type Suite struct {
	Name string
	Help string
	// ClickHouse says that ClickHouse takes part.
	ClickHouse bool
	Parts      func(o *options) []Part
}

// suites in the order in which they run.
var suites = []Suite{
	{"ssb", "the 13 queries of the Star Schema Benchmark at --sf", false, ssbParts},
	{"tpch", "the 22 queries of TPC-H at --sf", false, tpchParts},
	{"dense", "SELECT g, sum(v) … GROUP BY g on --rows rows, keys dense", true, denseParts},
	{"scattered", "the same with keys scattered over 64 bits", true, scatteredParts},
	{"ordered", "sums and counts by a key in whose order --rows rows are, of 1 to 65,536 rows a group", true, orderedParts},
	{"cubes", "CUBE of 3, 4 and 6 dimensions of cardinality 100 on --cube-rows rows, an iceberg of 6, ROLLUP of 6 on four times as many", false, cubeParts},
	{"olap", "sums along a hierarchy with many parents and weights, over --cells cells", true, olapParts},
	{"dbbench", "the ten group-by questions of the db-benchmark on --dbbench-rows rows", false, dbbenchParts},
	{"dbjoins", "the five join questions of the db-benchmark on --dbbench-rows rows", false, dbjoinParts},
	{"visits", "36 questions about --dbbench-rows views of web pages: texts of many values, distinct counts, first rows", false, visitParts},
	{"everyday", "questions of kinds that tpch leaves out, at --sf: windows, percentiles, sets, texts, dates, subqueries", false, everydayParts},
	{"retail", "what plans are rewritten to, beside the same written by hand, on a retail schema at --sf", false, retailParts},
	{"cubing", "cubes and icebergs of the series of GPU-Cubing, on a tenth of --cube-rows", false, cubingParts},
	{"cube-family", "every cube query, uniform and Zipf, on a tenth of --cube-rows", false, cubeFamilyParts},
}

// parts are the parts with the queries that the command line asks for.
func (s *Suite) parts(o *options) []Part {
	parts := s.Parts(o)
	if len(o.queries) == 0 {
		return parts
	}
	for i := range parts {
		parts[i].Queries = named(parts[i].Queries, o.queries...)
	}
	return slices.DeleteFunc(parts, func(p Part) bool { return len(p.Queries) == 0 })
}

func ssbParts(o *options) []Part {
	return []Part{{workload.SSB{SF: o.sf}, workload.SSBQueries()}}
}

func tpchParts(o *options) []Part {
	return []Part{{tpch.Data{SF: o.sf}, tpch.Queries(o.sf)}}
}

func everydayParts(o *options) []Part {
	return []Part{{tpch.Data{SF: o.sf}, tpch.Everyday()}}
}

func olapParts(o *options) []Part {
	return []Part{{workload.OLAP{Cube: "machines", Cells: o.cells}, workload.MachineSums()}}
}

func dbbenchParts(o *options) []Part {
	set := workload.DBBench{Rows: o.dbbenchRows, Card: 100}
	return []Part{{set, set.Queries()}}
}

func dbjoinParts(o *options) []Part {
	set := workload.DBJoins{Rows: o.dbbenchRows}
	return []Part{{set, set.Queries()}}
}

func visitParts(o *options) []Part {
	set := workload.Visits{Rows: o.dbbenchRows}
	return []Part{{set, set.Queries()}}
}

func retailParts(o *options) []Part {
	set := workload.Retail{SF: o.sf}
	return []Part{{set, set.Queries()}}
}

func denseParts(o *options) []Part     { return groupParts(o, false) }
func scatteredParts(o *options) []Part { return groupParts(o, true) }

func groupParts(o *options, scattered bool) []Part {
	var parts []Part
	for _, n := range workload.GroupSeries() {
		set := workload.Groups{Name: "r", Rows: o.rows, Groups: n, Scattered: scattered}
		parts = append(parts, Part{set, []workload.Query{set.Query()}})
	}
	return parts
}

func orderedParts(o *options) []Part {
	var parts []Part
	for each := int64(1); each <= 1<<16; each <<= 4 {
		set := workload.Groups{Name: "r", Rows: o.rows, Groups: max(o.rows/each, 1), Ordered: true}
		parts = append(parts, Part{set, []workload.Query{set.Query()}})
	}
	return parts
}

// named selects queries of the cube family by name.
func named(family []workload.Query, names ...string) []workload.Query {
	return slices.DeleteFunc(family, func(q workload.Query) bool { return !slices.Contains(names, q.Name) })
}

func cubeParts(o *options) []Part {
	cube := workload.Cube{Name: "cells", Rows: o.cubeRows, Dims: 6, Card: 100}
	rollup := cube
	rollup.Rows *= 4
	return []Part{
		{cube, named(cube.Queries(), "cube3", "cube4", "cube6", "iceberg6")},
		{rollup, named(rollup.Queries(), "rollup6")},
	}
}

func cubeFamilyParts(o *options) []Part {
	var parts []Part
	for _, skew := range []float64{0, 1} {
		set := workload.Cube{Name: "cells", Rows: o.cubeRows / 10, Dims: 6, Card: 100, Skew: skew}
		queries := set.Queries()
		for i := range queries {
			queries[i].Name = fmt.Sprintf("%s S=%g", queries[i].Name, skew)
		}
		parts = append(parts, Part{set, queries})
	}
	return parts
}

// mostCubed is how many dimensions a cube of all groups has at most that is compared: the next one has
// more groups than some engines have room for.
const mostCubed = 7

func cubingParts(o *options) []Part {
	var parts []Part
	for _, series := range workload.CubingSeries() {
		for _, p := range workload.CubingPoints(series, o.cubeRows/10) {
			if p.Least == 1 && p.Dims > mostCubed {
				continue
			}
			p.Query.Name = fmt.Sprintf("%s M=%d", p.Data, p.Least)
			parts = append(parts, Part{p.Set, []workload.Query{p.Query}})
		}
	}
	return parts
}
