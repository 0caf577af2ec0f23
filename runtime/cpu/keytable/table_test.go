package keytable

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// TestKeyTables numbers random keys and looks them up, next to a map.
func TestKeyTables(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for _, kind := range []kind{Word, TwoWords, Bytes} {
		for _, distinct := range []uint64{1, 5, 300, 20000, 200000} {
			table := New(kind, &exec.Memory{})
			for range 2 {
				want := make(map[uint64]uint32)
				for range 100 {
					batch, keys := randomKeys(r, kind, 1+r.IntN(3000), distinct)
					found, numbers := make([]uint32, batch.N), make([]uint32, batch.N)
					table.Find(batch, found)
					table.Assign(batch, numbers)
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
				if table.Len() != len(want) {
					t.Fatalf("kind %d: %d keys, want %d", kind, table.Len(), len(want))
				}
				table.Reset()
			}
		}
	}
}

// randomKeys makes n keys out of some distinct ones.
func randomKeys(r *rand.Rand, kind kind, n int, distinct uint64) (*Batch, []uint64) {
	k := &Batch{N: n}
	keys := make([]uint64, n)
	for i := range keys {
		x := r.Uint64N(distinct) << 40 // a pattern that a weak hash would not spread
		keys[i] = x
		k.Words = append(k.Words, x)
		k.Pairs = append(k.Pairs, Pair{x, x >> 40})
		k.bytes = append(k.bytes, byte(x>>40), byte(x>>48), byte(x>>56))
		k.ends = append(k.ends, uint32(len(k.bytes)))
	}
	return k, keys
}

// TestWordsOfFullRange holds that a key whose range needs all 64 bits is read in
// place.
func TestWordsOfFullRange(t *testing.T) {
	v := kernel.Value{Type: kernel.I64, Range: kernel.Range{Known: true, Lo: math.MinInt64 + 5, Hi: math.MaxInt64 - 5}}
	l := NewLayout([]kernel.Value{v}, []bool{true})
	keys := []int64{math.MinInt64 + 5, -1, 0, 1, math.MaxInt64 - 5}
	var k Batch
	l.Encode(&k, len(keys), []*vector.View{{Form: vector.FormI64, N: len(keys), I64: keys}}, true)
	if k.Miss != nil || unsafe.Pointer(&k.Words[0]) != unsafe.Pointer(&keys[0]) {
		t.Error("the keys were copied")
	}
	col := l.Decode(&k, []*runtime.Dictionary{nil}, nil)[0]
	for i, x := range keys {
		if col.Int(i) != x {
			t.Errorf("key %d is decoded as %d", x, col.Int(i))
		}
	}
}
