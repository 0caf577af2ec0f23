package main

import (
	"hash/maphash"
	"math"
	"math/bits"
	goruntime "runtime"
	"sync"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
	"golang.org/x/sync/errgroup"
)

// answer stands for the rows of a result as a multiset, with their numbers of double precision
// apart.
type answer struct {
	rows   harness.Digest
	floats *harness.Floats
}

// digest counts and digests the rows of a result as Arrow has them, on all cores. Where floats is
// not nil, numbers of double precision go there and not into the digest.
func digest(res *cubeloom.Result, floats *harness.Floats) (all harness.Digest, err error) {
	records, err := res.Records()
	if err != nil {
		return all, err
	}
	defer records.Release()
	var workers errgroup.Group
	workers.SetLimit(goruntime.GOMAXPROCS(0))
	var mu sync.Mutex
	for records.Next() {
		rec := records.Record()
		rec.Retain()
		workers.Go(func() error {
			defer rec.Release()
			d := digestRecord(rec, floats != nil)
			mu.Lock()
			defer mu.Unlock()
			all.Append(d.rows)
			if floats != nil {
				floats.Append(d.floats)
			}
			return nil
		})
	}
	_ = workers.Wait() // none of them fails
	return all, records.Err()
}

// digestRecord digests the rows of a record.
func digestRecord(rec arrow.Record, apart bool) (d answer) {
	d.floats = &harness.Floats{}
	var floats []*array.Float64
	low, high := make([]uint64, rec.NumRows()), make([]uint64, rec.NumRows())
	for _, col := range rec.Columns() {
		word := wordsOf(col)
		if f, ok := col.(*array.Float64); ok && apart {
			floats, word = append(floats, f), func(int) uint64 { return 0 }
		}
		for i := range low {
			w := nullWord
			if col.IsValid(i) {
				w = word(i)
			}
			low[i], high[i] = mixed(low[i]^w, oddLow), mixed(high[i]^w, oddHigh)
		}
	}
	for i := range low {
		d.rows.AddHash(low[i], high[i])
		if floats != nil {
			d.floats.Add(low[i], numbersOf(floats, i))
		}
	}
	return d
}

// numbersOf are the numbers of a row that are not NULL.
func numbersOf(columns []*array.Float64, row int) (values []float64) {
	for _, c := range columns {
		if c.IsValid(row) {
			values = append(values, c.Value(row))
		}
	}
	return values
}

// Odd numbers that rows are mixed with, and what stands for NULL.
const (
	oddLow   = 0x9e3779b97f4a7c15
	oddHigh  = 0xd1342543de82ef95
	nullWord = uint64(0x5851f42d4c957f2d)
)

// mixed mixes the halves of a product of 128 bits.
func mixed(x, odd uint64) uint64 {
	high, low := bits.Mul64(x^odd, odd)
	return high ^ low ^ x>>32
}

// textSeed is that of texts.
var textSeed = maphash.MakeSeed()

// wordsOf returns a function that gives a word for the value of a row that is not NULL.
func wordsOf(col arrow.Array) func(int) uint64 {
	switch col := col.(type) {
	case *array.Int16:
		return func(i int) uint64 { return uint64(col.Value(i)) }
	case *array.Int32:
		return func(i int) uint64 { return uint64(col.Value(i)) }
	case *array.Int64:
		return func(i int) uint64 { return uint64(col.Value(i)) }
	case *array.Date32:
		return func(i int) uint64 { return uint64(col.Value(i)) }
	case *array.Decimal128:
		return func(i int) uint64 { return mixed(col.Value(i).LowBits(), oddHigh) ^ uint64(col.Value(i).HighBits()) }
	case *array.Float64:
		return func(i int) uint64 { return math.Float64bits(col.Value(i)) }
	}
	return func(i int) uint64 { return maphash.String(textSeed, col.ValueStr(i)) }
}
