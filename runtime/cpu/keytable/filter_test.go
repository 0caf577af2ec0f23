package keytable

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
)

// TestFilters looks keys up behind filters of both forms, next to the table alone, with
// rows that have no key.
func TestFilters(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for _, c := range []struct {
		shift uint
		exact bool
	}{{0, true}, {3, true}, {40, false}} {
		table := New(Word, &exec.Memory{})
		key := func() uint64 { return r.Uint64N(4*filteredKeys) << c.shift }
		for table.Len() < filteredKeys {
			k := &Batch{N: 1000}
			for range k.N {
				k.Words = append(k.Words, key()&^(2<<c.shift)) // half of the keys are missing
			}
			table.Assign(k, make([]uint32, k.N))
		}
		f := FilterOf(table, &exec.Memory{})
		if f == nil || f.exact != c.exact {
			t.Fatalf("keys shifted by %d: filter %v", c.shift, f)
		}
		var k Batch
		for _, n := range []int{0, 1, 7, 1000, 1000, 3000} {
			k.N, k.Words, k.Miss = n, nil, nil
			for range n {
				k.Words = append(k.Words, key(), r.Uint64())
				k.Miss = append(k.Miss, uint8(r.IntN(2)))
			}
			if n%2 == 0 {
				k.Miss = nil
			}
			want, got := make([]uint32, n), make([]uint32, n)
			table.Find(&k, want)
			passed := FindFiltered(table, f, &k, got)
			if !slices.Equal(got, want) {
				t.Fatalf("keys shifted by %d: found %v, want %v", c.shift, got, want)
			}
			hits := 0
			k.Miss = nil
			table.Find(&k, want)
			for _, x := range want {
				hits += min(int(x), 1)
			}
			if c.exact && passed != hits || passed > hits+n/8 {
				t.Fatalf("keys shifted by %d: %d of %d keys passed, where the table has %d", c.shift, passed, n, hits)
			}
		}
	}
}

// TestFiltersOfFewKeys leaves small tables and keys of other kinds without filters.
func TestFiltersOfFewKeys(t *testing.T) {
	for _, kind := range []kind{Word, TwoWords, Bytes} {
		if f := FilterOf(New(kind, &exec.Memory{}), &exec.Memory{}); f != nil {
			t.Errorf("kind %d: filter %v", kind, f)
		}
	}
}
