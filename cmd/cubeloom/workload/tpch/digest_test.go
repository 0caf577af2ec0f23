package tpch

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"hash"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
)

var (
	digestScales = flag.String("digest-scales", "0.003,0.1", "scale factors whose data are compared with recorded digests")
	digestRecord = flag.Bool("digest-record", false, "record the digests")
)

// TestDigests holds that the data are those of the sequential generator of package dbgen
// of github.com/pingcap/go-tpc v1.0.12, byte for byte: testdata/digests.json was recorded
// with it, for larger scale factors too (-digest-scales).
func TestDigests(t *testing.T) {
	const file = "testdata/digests.json"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	recorded := map[string]map[string]string{}
	if err := json.Unmarshal(text, &recorded); err != nil {
		t.Fatal(err)
	}
	for _, scale := range strings.Split(*digestScales, ",") {
		sf, err := strconv.ParseFloat(scale, 64)
		if err != nil {
			t.Fatal(err)
		}
		got := digests(t, Data{SF: sf})
		if *digestRecord {
			recorded[scale] = got
			continue
		}
		if len(recorded[scale]) == 0 {
			t.Errorf("no digests of scale factor %s are recorded", scale)
		}
		for column, want := range recorded[scale] {
			if got[column] != want {
				t.Errorf("scale factor %s: %s is %s, want %s", scale, column, got[column], want)
			}
		}
	}
	if *digestRecord {
		text, err := json.MarshalIndent(recorded, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, append(text, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// digests are, by table, the number of rows and a digest of its columns' digests.
func digests(t *testing.T, d Data) map[string]string {
	t.Helper()
	type table struct {
		rows    int64
		columns []*digest
	}
	tables := map[string]*table{}
	err := d.Generate(context.Background(), workload.Options{}, func(name string, rec arrow.Record) error {
		of := tables[name]
		if of == nil {
			of = &table{}
			for range rec.NumCols() {
				h := sha256.New()
				of.columns = append(of.columns, &digest{hash: h, out: bufio.NewWriterSize(h, 1<<16)})
			}
			tables[name] = of
		}
		of.rows += rec.NumRows()
		for i, column := range rec.Columns() {
			of.columns[i].add(column)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	sums := map[string]string{}
	for name, of := range tables {
		all := sha256.New()
		for _, c := range of.columns {
			c.out.Flush()
			all.Write(c.hash.Sum(nil))
		}
		sums[name] = fmt.Sprintf("%d rows %s", of.rows, hex.EncodeToString(all.Sum(nil)[:16]))
	}
	return sums
}

type digest struct {
	hash hash.Hash
	out  *bufio.Writer
}

// add adds the values of a column, whatever its type.
func (d *digest) add(column arrow.Array) {
	switch column := column.(type) {
	case *array.Int32:
		d.out.Write(arrow.Int32Traits.CastToBytes(column.Int32Values()))
	case *array.Int64:
		d.out.Write(arrow.Int64Traits.CastToBytes(column.Int64Values()))
	case *array.Date32:
		d.out.Write(arrow.Date32Traits.CastToBytes(column.Date32Values()))
	case *array.Decimal128:
		d.out.Write(arrow.Decimal128Traits.CastToBytes(column.Values()))
	case *array.String:
		for i := range column.Len() {
			var length [4]byte
			binary.LittleEndian.PutUint32(length[:], uint32(len(column.Value(i))))
			d.out.Write(length[:])
			d.out.WriteString(column.Value(i))
		}
	default:
		panic(fmt.Sprintf("a column of %T", column))
	}
}

// TestDigestsAreOfTheTables holds that the digests name all tables.
func TestDigestsAreOfTheTables(t *testing.T) {
	names := map[string]bool{}
	for _, of := range (Data{SF: 1}).Tables() {
		names[of.Name] = true
	}
	text, err := os.ReadFile("testdata/digests.json")
	if err != nil {
		t.Fatal(err)
	}
	recorded := map[string]map[string]string{}
	if err := json.Unmarshal(text, &recorded); err != nil {
		t.Fatal(err)
	}
	for scale, sums := range recorded {
		for name := range names {
			if sums[name] == "" {
				t.Errorf("scale factor %s: no digest of %s", scale, name)
			}
		}
	}
	for _, scale := range []string{"0.003", "0.1", "1", "10"} {
		if recorded[scale] == nil {
			t.Errorf("no digests of scale factor %s", scale)
		}
	}
}
