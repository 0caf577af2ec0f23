package cpu

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// TestKeyTables numbers random keys and looks them up, next to a map.
func TestKeyTables(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for _, kind := range []keyKind{keyWord, keyPair, keyBytes} {
		for _, distinct := range []uint64{1, 5, 300, 20000, 200000} {
			table := newKeyTable(kind, &memory{})
			for range 2 {
				want := make(map[uint64]uint32)
				for range 100 {
					batch, keys := randomKeys(r, kind, 1+r.IntN(3000), distinct)
					found, numbers := make([]uint32, batch.n), make([]uint32, batch.n)
					table.find(batch, found)
					if err := table.assign(batch, numbers); err != nil {
						t.Fatal(err)
					}
					for i, k := range keys {
						n, had := want[k]
						if had != (found[i] > 0) || had && found[i] != n+1 {
							t.Fatalf("kind %d: key %d is found as %d, want %d, %t", kind, k, found[i], n+1, had)
						}
					}
					for i, k := range keys {
						if n, had := want[k]; had && numbers[i] != n {
							t.Fatalf("kind %d: key %d is number %d, then %d", kind, k, n, numbers[i])
						}
						want[k] = numbers[i]
					}
				}
				if table.len() != len(want) {
					t.Fatalf("kind %d: %d keys, want %d", kind, table.len(), len(want))
				}
				table.reset()
			}
		}
	}
}

// randomKeys makes n keys out of some distinct ones.
func randomKeys(r *rand.Rand, kind keyKind, n int, distinct uint64) (*keyBatch, []uint64) {
	k := &keyBatch{n: n}
	keys := make([]uint64, n)
	for i := range keys {
		x := r.Uint64N(distinct) << 40 // a pattern that a weak hash would not spread
		keys[i] = x
		k.words = append(k.words, x)
		k.pairs = append(k.pairs, pair{x, x >> 40})
		k.bytes = append(k.bytes, byte(x>>40), byte(x>>48), byte(x>>56))
		k.ends = append(k.ends, uint32(len(k.bytes)))
	}
	return k, keys
}

// TestWordsOfFullRange holds that a key whose range needs all 64 bits is read in
// place.
func TestWordsOfFullRange(t *testing.T) {
	v := kernel.Value{Type: kernel.I64, Range: kernel.Range{Known: true, Lo: math.MinInt64 + 5, Hi: math.MaxInt64 - 5}}
	l := newKeyLayout([]kernel.Value{v}, []bool{true})
	keys := []int64{math.MinInt64 + 5, -1, 0, 1, math.MaxInt64 - 5}
	var k keyBatch
	l.encode(&k, len(keys), []*view{{form: formI64, n: len(keys), i64: keys}}, true)
	if k.miss != nil || unsafe.Pointer(&k.words[0]) != unsafe.Pointer(&keys[0]) {
		t.Error("the keys were copied")
	}
	col := l.decode(&k, []*runtime.Dictionary{nil})[0]
	for i, x := range keys {
		if col.Int(i) != x {
			t.Errorf("key %d is decoded as %d", x, col.Int(i))
		}
	}
}
