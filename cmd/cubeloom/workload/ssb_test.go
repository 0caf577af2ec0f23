package workload

import (
	"context"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

// collect generates a set and returns each table's columns in one piece.
func collect(t *testing.T, set Set, opts Options) map[string]arrow.Record {
	t.Helper()
	batches := map[string][]arrow.Record{}
	err := set.Generate(context.Background(), opts, func(table string, rec arrow.Record) error {
		rec.Retain()
		batches[table] = append(batches[table], rec)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	tables := map[string]arrow.Record{}
	for _, info := range set.Tables() {
		rec := concatenate(t, info.Schema, batches[info.Name])
		if rec.NumRows() != info.Rows {
			t.Fatalf("table %s: %d rows, Tables says %d", info.Name, rec.NumRows(), info.Rows)
		}
		tables[info.Name] = rec
	}
	return tables
}

func concatenate(t *testing.T, schema *arrow.Schema, recs []arrow.Record) arrow.Record {
	t.Helper()
	columns := make([]arrow.Array, len(schema.Fields()))
	for c := range columns {
		var parts []arrow.Array
		for _, rec := range recs {
			parts = append(parts, rec.Column(c))
		}
		whole, err := array.Concatenate(parts, memory.DefaultAllocator)
		if err != nil {
			t.Fatal(err)
		}
		columns[c] = whole
	}
	return record(schema, columns)
}

func ints(t *testing.T, rec arrow.Record, name string) []int32 {
	t.Helper()
	at := rec.Schema().FieldIndices(name)
	if len(at) != 1 {
		t.Fatalf("no column %s", name)
	}
	return rec.Column(at[0]).(*array.Int32).Int32Values()
}

func strs(t *testing.T, rec arrow.Record, name string) *array.String {
	t.Helper()
	return rec.Column(rec.Schema().FieldIndices(name)[0]).(*array.String)
}

func TestSSBRowCounts(t *testing.T) {
	for _, c := range []struct{ sf, parts, lines float64 }{
		{0.01, 2_000, 60_000}, {1, 200_000, 6e6}, {2, 400_000, 12e6}, {3, 400_000, 18e6}, {10, 800_000, 60e6},
	} {
		set := SSB{SF: c.sf}
		if set.parts() != int64(c.parts) || set.lineorders() != int64(c.lines) {
			t.Errorf("sf %v: %d parts, %d lineorders", c.sf, set.parts(), set.lineorders())
		}
	}
	for _, sf := range []float64{0, -1, MaxSSB + 1} {
		if (SSB{SF: sf}).Validate() == nil {
			t.Errorf("sf %v accepted", sf)
		}
	}
}

func TestSSBLineorder(t *testing.T) {
	data := collect(t, SSB{SF: 0.05}, Options{Seed: 7, Threads: 2})
	lo := data["lineorder"]
	days := map[int32]bool{}
	for _, k := range ints(t, data["date"], "d_datekey") {
		days[k] = true
	}
	price, discount := ints(t, lo, "lo_extendedprice"), ints(t, lo, "lo_discount")
	quantity, part, revenue := ints(t, lo, "lo_quantity"), ints(t, lo, "lo_partkey"), ints(t, lo, "lo_revenue")
	ordered, committed := ints(t, lo, "lo_orderdate"), ints(t, lo, "lo_commitdate")
	customer, tax, total := ints(t, lo, "lo_custkey"), ints(t, lo, "lo_tax"), ints(t, lo, "lo_ordtotalprice")
	key, line := ints(t, lo, "lo_orderkey"), ints(t, lo, "lo_linenumber")
	for i, start := 0, 0; i < len(price); i++ {
		p := int64(part[i])
		switch {
		case int64(price[i]) != retailPrice(p)*int64(quantity[i]):
			t.Fatalf("row %d: price %d of part %d × %d", i, price[i], p, quantity[i])
		case int64(revenue[i]) != int64(price[i])*int64(100-discount[i])/100:
			t.Fatalf("row %d: revenue %d", i, revenue[i])
		case !days[ordered[i]] || !days[committed[i]] || ordered[i] >= committed[i]:
			t.Fatalf("row %d: ordered %d, committed %d", i, ordered[i], committed[i])
		case customer[i]%3 == 0 || customer[i] < 1 || customer[i] > 1500:
			t.Fatalf("row %d: customer %d", i, customer[i])
		}
		if i > 0 && key[i] != key[i-1] {
			start = i
		}
		if line[i] != int32(i-start+1) {
			t.Fatalf("row %d: line %d of order %d", i, line[i], key[i])
		}
		if i+1 < len(key) && key[i+1] != key[i] {
			sum := int32(0)
			for j := start; j <= i; j++ {
				sum += int32(int64(revenue[j]) * int64(100+tax[j]) / 100)
			}
			if sum != total[i] {
				t.Fatalf("order %d: total %d, lines add up to %d", key[i], total[i], sum)
			}
		}
	}
}

func TestSSBDimensions(t *testing.T) {
	data := collect(t, SSB{SF: 0.1}, Options{})
	brands, cities := map[string]bool{}, map[string]bool{}
	part := data["part"]
	for i := range int(part.NumRows()) {
		brand, category := strs(t, part, "p_brand1").Value(i), strs(t, part, "p_category").Value(i)
		if !strings.HasPrefix(brand, category) || !strings.HasPrefix(category, strs(t, part, "p_mfgr").Value(i)) {
			t.Fatalf("brand %s, category %s", brand, category)
		}
		brands[brand] = true
	}
	customer := data["customer"]
	for i := range int(customer.NumRows()) {
		city, nation := strs(t, customer, "c_city").Value(i), strs(t, customer, "c_nation").Value(i)
		if len(city) != 10 || strings.TrimSpace(city[:9]) != nation[:min(9, len(nation))] {
			t.Fatalf("city %q of nation %q", city, nation)
		}
		cities[city] = true
	}
	if len(brands) != 1000 || len(cities) != 250 {
		t.Errorf("%d brands, %d cities; want 1000 and 250", len(brands), len(cities))
	}
	date := data["date"]
	last := int(date.NumRows()) - 1
	if got := strs(t, date, "d_date").Value(last); got != "December 31, 1998" {
		t.Errorf("last day is %s", got)
	}
	if got := strs(t, date, "d_yearmonth").Value(last); got != "Dec1998" {
		t.Errorf("last month is %s", got)
	}
}

func TestGenerateIsDeterministic(t *testing.T) {
	one := collect(t, SSB{SF: 0.02}, Options{Seed: 1, Threads: 1})
	two := collect(t, SSB{SF: 0.02}, Options{Seed: 1, Threads: 3})
	other := collect(t, SSB{SF: 0.02}, Options{Seed: 2, Threads: 3})
	for name := range one {
		if !array.RecordEqual(one[name], two[name]) {
			t.Errorf("table %s depends on the number of threads", name)
		}
		if name != "date" && array.RecordEqual(one[name], other[name]) {
			t.Errorf("table %s does not depend on the seed", name)
		}
	}
}

func TestGenerateStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	batches := 0
	err := SSB{SF: 1}.Generate(ctx, Options{Threads: 2}, func(string, arrow.Record) error {
		if batches++; batches == 7 {
			cancel()
		}
		return nil
	})
	if err != context.Canceled || batches != 7 {
		t.Errorf("error %v after %d batches", err, batches)
	}
}

func BenchmarkSSB(b *testing.B) {
	for range b.N {
		err := SSB{SF: 1}.Generate(context.Background(), Options{}, func(string, arrow.Record) error { return nil })
		if err != nil {
			b.Fatal(err)
		}
	}
}
