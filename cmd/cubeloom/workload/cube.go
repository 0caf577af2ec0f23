package workload

import (
	"context"
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/decimal128"
)

// Cube generates one table for cube queries by the parameters of GPU-Cubing
// (Zhou 2010), section 5: dimensions d1 … dD, integers from 1 to C drawn
// independently, uniform or Zipf; and the measures m, an integer from 1 to
// 1000, and x, a numeric(12,2) from 0.01 to 1000.00.
type Cube struct {
	// Name is the table's name.
	Name string
	// Rows is T, the number of tuples.
	Rows int64
	// Dims is D, the number of dimensions.
	Dims int
	// Card is C, the cardinality of each dimension.
	Card int64
	// Skew is S, the exponent of the Zipf distribution: value k of a
	// dimension has a probability proportional to k^−S. 0 is uniform.
	Skew float64
}

// Limits of Cube and Groups; a skewed distribution keeps 8 bytes per value.
const (
	MaxCubeDims = 64
	maxValues   = 1 << 28
	maxSkew     = 16
)

// Validate reports a parameter out of range.
func (c Cube) Validate() error {
	switch {
	case c.Rows < 0:
		return fmt.Errorf("%d rows: must not be negative", c.Rows)
	case c.Dims < 1 || c.Dims > MaxCubeDims:
		return fmt.Errorf("%d dimensions: must be from 1 to %d", c.Dims, MaxCubeDims)
	case c.Card < 1 || c.Card > maxValues:
		return fmt.Errorf("cardinality %d: must be from 1 to %d", c.Card, maxValues)
	}
	return validateSkew(c.Skew)
}

func validateSkew(s float64) error {
	if !(s >= 0 && s <= maxSkew) {
		return fmt.Errorf("skew %v: must be from 0 to %d", s, maxSkew)
	}
	return nil
}

var priceType = &arrow.Decimal128Type{Precision: 12, Scale: 2}

// Tables implements Set.
func (c Cube) Tables() []Table {
	columns := ""
	for d := range c.Dims {
		columns += dimension(d) + " integer, "
	}
	return []Table{NewTable(c.Name, c.Rows, columns+"m integer, x numeric(12,2)")}
}

// Generate implements Set.
func (c Cube) Generate(ctx context.Context, opts Options, emit Emit) error {
	if err := c.Validate(); err != nil {
		return err
	}
	ranks := newZipf(c.Card, c.Skew)
	measure, price := newStream(opts.Seed, 1000), newStream(opts.Seed, 1001)
	rows := func(first int64, n int) []arrow.Array {
		arrays := make([]arrow.Array, 0, c.Dims+2)
		for d := range c.Dims {
			values, s := make([]int32, n), newStream(opts.Seed, 1100+d)
			for i := range values {
				values[i] = 1 + int32(ranks.rank(s.at(first+int64(i))))
			}
			arrays = append(arrays, int32Array(values))
		}
		m, x := make([]int32, n), make([]decimal128.Num, n)
		for i := range m {
			m[i] = int32(measure.between(first+int64(i), 1, 1000))
			x[i] = decimal128.FromI64(price.between(first+int64(i), 1, 100_000))
		}
		return append(arrays, int32Array(m), decimalArray(priceType, x))
	}
	return generate(ctx, opts, c.Tables(), []source{rows}, emit)
}

// dimension is the name of dimension i, from 0 on.
func dimension(i int) string { return fmt.Sprintf("d%d", i+1) }

// Queries returns the cube family over the table, as far as it has the dimensions:
// the smallest query wants three, the largest six. The rows of each answer come in
// any order.
func (c Cube) Queries() []Query {
	var list []Query
	add := func(name string, dims int, aggregates, grouping string) {
		if dims <= c.Dims {
			list = append(list, Query{Name: name, SQL: fmt.Sprintf("SELECT %s, %s\nFROM %s\nGROUP BY %s", dimensions(dims), aggregates, c.Name, grouping)})
		}
	}
	const (
		basic = "sum(m), count(*)"
		all   = "sum(m), count(*), min(m), max(x), sum(x), avg(x)"
	)
	add("cube3", 3, basic, "CUBE (d1, d2, d3)")
	add("cube4", 4, basic, "CUBE (d1, d2, d3, d4)")
	add("cube6", 6, basic, "CUBE (d1, d2, d3, d4, d5, d6)")
	add("rollup6", 6, basic, "ROLLUP (d1, d2, d3, d4, d5, d6)")
	add("cube3-aggregates", 3, all+", grouping(d1, d2, d3)", "CUBE (d1, d2, d3)")
	add("sets", 6, all+", grouping(d1, d2, d3, d4, d5, d6)",
		"GROUPING SETS ((d1, d2), (d1, d3), (d4, d5, d6), (d6), ())")
	add("mixed", 5, all+", grouping(d1, d2, d3, d4, d5)",
		"d1, CUBE (d2, (d3, d4)), ROLLUP (d5)")
	add("nested", 4, all+", grouping(d1, d2, d3, d4)",
		"GROUPING SETS (CUBE (d1, d2), ROLLUP (d3, (d1, d4)), ())")
	add("iceberg3", 3, basic, "CUBE (d1, d2, d3)\nHAVING count(*) >= 10")
	add("iceberg6", 6, basic, "CUBE (d1, d2, d3, d4, d5, d6)\nHAVING count(*) >= 10")
	return list
}

// FinestCuboids returns, for cubes of Queries, their finest cuboid alone: the
// grouping by all dimensions, from which a cube makes all others.
func (c Cube) FinestCuboids() []Query {
	var list []Query
	for _, dims := range []int{4, 6} {
		if dims <= c.Dims {
			list = append(list, Query{
				Name: fmt.Sprintf("finest of cube%d", dims),
				SQL:  fmt.Sprintf("SELECT %s, sum(m), count(*)\nFROM %s\nGROUP BY %[1]s", dimensions(dims), c.Name),
			})
		}
	}
	return list
}

// dimensions are the names of the first n dimensions, in a list.
func dimensions(n int) string {
	names := make([]string, n)
	for i := range names {
		names[i] = dimension(i)
	}
	return strings.Join(names, ", ")
}
