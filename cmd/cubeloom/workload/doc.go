// Package workload holds the benchmark data and queries that the demo, the
// generator, the benchmark commands and the tests share.
//
// A Set describes its tables (an Arrow schema and the PostgreSQL statement
// that creates each) and generates them as Arrow records. Generation is a pure
// function of the set's parameters and the seed: every value is computed from
// a hash of (seed, column, row), so that the number of threads and the size of
// the batches change nothing but the speed.
//
//   - SSB is the Star Schema Benchmark (O'Neil, O'Neil, Chen: revision 3).
//   - Cube is the synthetic relation of GPU-Cubing (Zhou 2010), section 5:
//     T tuples, D dimensions of cardinality C, skew S.
//   - Groups is a relation of one key and one value for group-by series.
//   - OLAP is one of the cubes Biker and Machines of Meinke 2015, section 5.1: filled cells
//     and hierarchies with many parents and weights.
//   - Package workload/tpch holds TPC-H data and queries, workload/stoap the aggregation processor that
//     OLAP is compared with.
package workload
