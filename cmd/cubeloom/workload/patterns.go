package workload

import (
	"context"
	"fmt"
	"math"

	"github.com/apache/arrow/go/v15/arrow"
)

// Patterns generates the tables of the combinations of operators in figure 14 of
// the Kernel Weaver paper: tuples of 16 bytes for selections, facts of as many
// bytes with keys of two smaller tables for joins, and prices in double precision
// for arithmetic.
type Patterns struct {
	// Bytes is the size of the table of tuples, and of each of the other large ones.
	Bytes int64
}

// tupleBytes is the size of a row of the large tables, as they are stored.
const tupleBytes = 16

// rows of the large tables, and of those that are joined to them: every second
// key of the facts has a match.
func (p Patterns) rows() int64 { return max(p.Bytes/tupleBytes, 1) }
func (p Patterns) keys() int64 { return max(p.rows()/16, 1) }

// Validate reports a parameter out of range.
func (p Patterns) Validate() error {
	if p.Bytes < tupleBytes || p.rows() > math.MaxInt32 {
		return fmt.Errorf("patterns of %d bytes: must be from %d to %d", p.Bytes, tupleBytes, int64(tupleBytes)*math.MaxInt32)
	}
	return nil
}

// Tables implements Set.
func (p Patterns) Tables() []Table {
	return []Table{
		NewTable("tuples", p.rows(), "a integer, b integer, c integer, d integer"),
		NewTable("facts", p.rows(), "a integer, b integer, x_key integer, y_key integer"),
		NewTable("x", p.keys(), "k integer, v integer"),
		NewTable("y", p.keys(), "k integer, v integer"),
		NewTable("prices", p.rows(), "price double precision, discount double precision"),
	}
}

// Generate implements Set.
func (p Patterns) Generate(ctx context.Context, opts Options, emit Emit) error {
	if err := p.Validate(); err != nil {
		return err
	}
	random := func(id int, below int64) func(int64) int32 {
		s := newStream(opts.Seed, 3000+id)
		return func(i int64) int32 { return int32(s.between(i, 0, below-1)) }
	}
	ints := func(cols ...func(int64) int32) source {
		return func(first int64, n int) []arrow.Array {
			arrays := make([]arrow.Array, len(cols))
			for c, col := range cols {
				v := make([]int32, n)
				for i := range v {
					v[i] = col(first + int64(i))
				}
				arrays[c] = int32Array(v)
			}
			return arrays
		}
	}
	number := func(i int64) int32 { return int32(i) }
	sources := []source{
		ints(random(0, patternValues), random(1, patternValues), random(2, patternValues), random(3, patternValues)),
		ints(random(4, patternValues), random(5, patternValues), random(6, 2*p.keys()), random(7, 2*p.keys())),
		ints(number, random(8, patternValues)),
		ints(number, random(9, patternValues)),
		func(first int64, n int) []arrow.Array {
			price, discount := newStream(opts.Seed, 3010), newStream(opts.Seed, 3011)
			v, w := make([]float64, n), make([]float64, n)
			for i := range v {
				v[i] = float64(price.between(first+int64(i), 100, 10_000_000)) / 100
				w[i] = float64(discount.between(first+int64(i), 0, 10)) / 100
			}
			return []arrow.Array{float64Array(v), float64Array(w)}
		},
	}
	return generate(ctx, opts, p.Tables(), sources, emit)
}

// patternValues is the number of values of the integers that selections compare.
const patternValues = 1 << 31

// A Pattern is one combination of operators.
type Pattern struct {
	Name string // "a2", "a3", "b" …
	What string
	// Selects says that the selectivity matters.
	Selects bool
	query   string
	columns string // of the result
	sums    string // over them
}

// Patterns of figure 14. Back-to-back selections come with two and with three, as
// in the paper's figure 4.
var patternTable = []Pattern{
	{"a2", "two SELECTs", true,
		"SELECT c, d FROM (SELECT * FROM tuples WHERE a < %[1]d) AS p WHERE b < %[1]d",
		"p, q", "sum(p), sum(q), sum(p::bigint * (q % 1000))"},
	{"a3", "three SELECTs and a PROJECT", true,
		"SELECT d FROM (SELECT * FROM (SELECT * FROM tuples WHERE a < %[1]d) AS p WHERE b < %[1]d) AS q WHERE c < %[1]d",
		"p", "sum(p), sum(p % 1001)"},
	{"b", "two JOINs", false,
		"SELECT facts.a, facts.b, x.v, y.v FROM facts JOIN x ON x.k = x_key JOIN y ON y.k = y_key",
		"p, q, r, s", "sum(p), sum(q), sum(r::bigint * (p % 1000)), sum(s::bigint * (q % 1000))"},
	{"c", "two JOINs of three selected tables", true,
		"SELECT p.b, q.v, r.v FROM (SELECT * FROM facts WHERE a < %[1]d) AS p " +
			"JOIN (SELECT * FROM x WHERE v < %[1]d) AS q ON q.k = x_key JOIN (SELECT * FROM y WHERE v < %[1]d) AS r ON r.k = y_key",
		"p, q, r", "sum(p), sum(q::bigint * (p % 1000)), sum(r::bigint * (p % 1000))"},
	{"d", "two SELECTs and PROJECTs of one input", true,
		"SELECT c / 2 + d / 2 FROM (SELECT * FROM tuples WHERE a < %[1]d) AS p UNION ALL " +
			"SELECT c / 2 - d / 2 FROM (SELECT * FROM tuples WHERE b < %[1]d) AS q",
		"p", "sum(p), sum(p % 1001)"},
	{"e", "PROJECTs of arithmetic", false,
		"SELECT net * (1 + discount) FROM (SELECT price * rest AS net, discount FROM " +
			"(SELECT price, discount, 1 - discount AS rest FROM prices) AS p) AS q",
		"p", "min(p), max(p), sum(floor(p))"},
}

// AllPatterns lists the patterns.
func AllPatterns() []Pattern { return patternTable }

// Query is the pattern as a statement, each of whose selections keeps so many
// percent of its rows.
func (p Pattern) Query(percent int) string {
	if !p.Selects {
		return p.query
	}
	return fmt.Sprintf(p.query, int64(patternValues)*int64(percent)/100)
}

// PatternRules are the rules of the planner that would make fewer operators of a
// pattern's.
const PatternRules = "push_filters,merge_projects,merge_projects_again,order_filters"

// Sums is a query for the number of rows that the pattern gives and their sums,
// which are exact in any order of addition.
func (p Pattern) Sums(percent int) string {
	return fmt.Sprintf("SELECT count(*), %s FROM (%s) AS pattern(%s)", p.sums, p.Query(percent), p.columns)
}
