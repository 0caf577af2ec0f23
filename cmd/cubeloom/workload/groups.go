package workload

import (
	"context"
	"fmt"
	"math"

	"github.com/apache/arrow/go/v15/arrow"
)

// Groups generates one table of a key g and a value v for group-by series.
// Dense keys are the integers 0 … Groups−1; scattered keys are the same
// numbers sent through a bijection of the 64-bit integers, so that nothing but
// hashing or sorting finds them again. v is an integer from 1 to 100.
type Groups struct {
	// Name is the table's name.
	Name string
	Rows int64
	// Groups is the number of different keys to draw from.
	Groups int64
	// Scattered selects keys over the whole range of bigint.
	Scattered bool
	// Ordered has the rows in ascending order of dense keys, equally many of each key.
	Ordered bool
	// Skew is the exponent of the Zipf distribution of the keys; 0 is
	// uniform.
	Skew float64
}

// Validate reports a parameter out of range.
func (g Groups) Validate() error {
	switch {
	case g.Rows < 0:
		return fmt.Errorf("%d rows: must not be negative", g.Rows)
	case g.Groups < 1 || g.Groups > g.most():
		return fmt.Errorf("%d groups: must be from 1 to %d", g.Groups, g.most())
	}
	return validateSkew(g.Skew)
}

// most is how many groups there may be: of rows in order no ranks are drawn.
func (g Groups) most() int64 {
	if g.Ordered {
		return math.MaxInt32
	}
	return maxValues
}

// Tables implements Set.
func (g Groups) Tables() []Table {
	key := "integer"
	if g.Scattered {
		key = "bigint"
	}
	return []Table{NewTable(g.Name, g.Rows, "g "+key+", v integer")}
}

// Generate implements Set.
func (g Groups) Generate(ctx context.Context, opts Options, emit Emit) error {
	if err := g.Validate(); err != nil {
		return err
	}
	var ranks *zipf
	if !g.Ordered {
		ranks = newZipf(g.Groups, g.Skew)
	}
	key, value := newStream(opts.Seed, 2000), newStream(opts.Seed, 2001)
	rows := func(first int64, n int) []arrow.Array {
		v := make([]int32, n)
		for i := range v {
			v[i] = int32(value.between(first+int64(i), 1, 100))
		}
		if g.Scattered {
			k := make([]int64, n)
			for i := range k {
				k[i] = int64(mix64(uint64(ranks.rank(key.at(first + int64(i))))))
			}
			return []arrow.Array{int64Array(k), int32Array(v)}
		}
		k := make([]int32, n)
		for i := range k {
			if row := first + int64(i); g.Ordered {
				k[i] = int32(row * g.Groups / g.Rows)
			} else {
				k[i] = int32(ranks.rank(key.at(row)))
			}
		}
		return int32Arrays(k, v)
	}
	return generate(ctx, opts, g.Tables(), []source{rows}, emit)
}

// Query is the group-by question about the table.
func (g Groups) Query() Query {
	if g.Ordered {
		return Query{Name: fmt.Sprintf("ordered %d", g.Groups), SQL: fmt.Sprintf("SELECT g, sum(v), count(*)\nFROM %s\nGROUP BY g", g.Name)}
	}
	name := fmt.Sprintf("dense %d", g.Groups)
	if g.Scattered {
		name = fmt.Sprintf("scattered %d", g.Groups)
	}
	return Query{Name: name, SQL: fmt.Sprintf("SELECT g, sum(v)\nFROM %s\nGROUP BY g", g.Name)}
}

// GroupSeries are the numbers of groups of a group-by series.
func GroupSeries() []int64 {
	return []int64{1, 16, 256, 4096, 65_536, 1_000_000, 16_000_000}
}
