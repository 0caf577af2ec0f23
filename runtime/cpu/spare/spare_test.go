package spare

import (
	"runtime"
	"slices"
	"testing"
)

// TestUsedAgain gives an array back in each of the ways there are, and looks whether the next one
// lies in its place.
func TestUsedAgain(t *testing.T) {
	const n = leastBytes
	again := func(name string, end func(a *Arrays, s []uint64), want bool) {
		t.Run(name, func(t *testing.T) {
			var pool Pool
			a := NewArrays(&pool)
			s := New[uint64](a, n)
			s[0] = 7
			end(a, s)
			if got := address(New[uint64](NewArrays(&pool), n-n/4)) == address(s); got != want {
				t.Errorf("the same memory: %v, want %v", got, want)
			}
			if !want && s[0] != 7 {
				t.Error("an array that is in use was given away")
			}
			runtime.KeepAlive(s)
		})
	}
	again("not yet", func(*Arrays, []uint64) {}, false)
	again("released", func(a *Arrays, s []uint64) { Release(a, s) }, true)
	again("at the end of the run", func(a *Arrays, _ []uint64) { a.End() }, true)
	again("an output has it", func(a *Arrays, _ []uint64) { a.Share(); a.End() }, false)
	again("at the end of the output", func(a *Arrays, _ []uint64) { a.Share(); a.End(); a.End() }, true)
	again("kept", func(a *Arrays, s []uint64) { Keep(a, s); a.End() }, false)
	again("grown", func(a *Arrays, s []uint64) { Grow(a, s, 3*n) }, true)
	again("not grown", func(a *Arrays, s []uint64) { Grow(a, s, n) }, false)
}

// TestSizes asks for memory of other sizes than what there is.
func TestSizes(t *testing.T) {
	var pool Pool
	const n = leastBytes
	for have, want := range map[int]bool{n - 1: false, n: true, 2 * n: true, 2*n + 1: false} {
		a := NewArrays(&pool)
		s := New[uint64](a, have)
		Release(a, s)
		if got := address(New[uint64](NewArrays(&pool), n)) == address(s); got != want {
			t.Errorf("%d words of %d: %v, want %v", n, have, got, want)
		}
		runtime.KeepAlive(s)
		pool = Pool{}
	}
}

// TestKeepsFew lets a chunk have memory that is little more than it needs, and no other.
func TestKeepsFew(t *testing.T) {
	for have, want := range map[int]bool{leastBytes: true, leastBytes * 5 / 4: true, leastBytes * 3 / 2: false} {
		var pool Pool
		a := NewArrays(&pool)
		large := New[uint64](a, have)
		Release(a, large)
		if got := Keep(a, New[uint64](a, leastBytes)); got != want {
			t.Errorf("%d words for %d: %v, want %v", have, leastBytes, got, want)
		}
		runtime.KeepAlive(large)
	}
}

// TestCollected lets the collector take what is in a pool.
func TestCollected(t *testing.T) {
	var pool Pool
	a := NewArrays(&pool)
	for range 3 {
		New[uint32](a, leastBytes)
	}
	a.End()
	runtime.GC()
	if s, _ := pool.take(leastBytes / 2); s != nil || len(pool.kept) != 0 {
		t.Errorf("%d arrays are kept", len(pool.kept))
	}
}

// TestKinds takes memory of values that can, and cannot, have it in common.
func TestKinds(t *testing.T) {
	type pair struct{ a, b uint64 }
	var pool Pool
	a := NewArrays(&pool)
	pairs := New[pair](a, leastBytes)
	pairs[0].a, pairs[0].b = 1, 2
	texts := New[string](a, leastBytes)
	few := New[uint64](a, 1)
	if len(a.own) != 1 || len(pairs) != leastBytes || len(texts) != leastBytes || len(few) != 1 {
		t.Errorf("%d arrays", len(a.own))
	}
	Release(a, pairs)
	zeros := Zeros[uint8](a, 16*leastBytes)
	if address(zeros) != address(pairs) || slices.Max(zeros) != 0 {
		t.Error("the memory of pairs is not used for bytes that are zero")
	}
	if s := New[uint64](nil, leastBytes); len(s) != leastBytes {
		t.Error("without arrays there is no memory")
	}
}

// TestFull gives more than a pool keeps.
func TestFull(t *testing.T) {
	var pool Pool
	a := NewArrays(&pool)
	var all [][]uint64
	for range most + 10 {
		all = append(all, New[uint64](a, leastBytes/8))
	}
	a.End()
	if len(pool.kept) != most {
		t.Errorf("%d arrays are kept", len(pool.kept))
	}
	runtime.KeepAlive(all)
}
