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

// digestRecords counts and digests the rows of a result as Arrow has them, on all cores.
func digestRecords(res *cubeloom.Result) (all harness.Digest, err error) {
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
			d := digestRecord(rec)
			mu.Lock()
			defer mu.Unlock()
			all.Append(d)
			return nil
		})
	}
	_ = workers.Wait() // none of them fails
	return all, records.Err()
}

// digestRecord digests the rows of a record.
func digestRecord(rec arrow.Record) (d harness.Digest) {
	low, high := make([]uint64, rec.NumRows()), make([]uint64, rec.NumRows())
	for _, col := range rec.Columns() {
		word := wordsOf(col)
		for i := range low {
			w := nullWord
			if col.IsValid(i) {
				w = word(i)
			}
			low[i], high[i] = mixed(low[i]^w, oddLow), mixed(high[i]^w, oddHigh)
		}
	}
	for i := range low {
		d.AddHash(low[i], high[i])
	}
	return d
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
	case *array.Decimal128:
		return func(i int) uint64 { return mixed(col.Value(i).LowBits(), oddHigh) ^ uint64(col.Value(i).HighBits()) }
	case *array.Float64:
		return func(i int) uint64 { return math.Float64bits(col.Value(i)) }
	}
	return func(i int) uint64 { return maphash.String(textSeed, col.ValueStr(i)) }
}
