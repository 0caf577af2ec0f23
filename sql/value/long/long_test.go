package long_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/sql/value/long"
)

// lengths are those around chunks.
var lengths = []int{0, 1, 100, 256<<10 - 1, 256 << 10, 256<<10 + 1, 1 << 20, 3<<20 + 7}

func random(n int) []byte {
	r := rand.NewChaCha8([32]byte{byte(n)})
	b := make([]byte, n)
	r.Read(b)
	return b
}

func TestCopiesAreWhatWasCopied(t *testing.T) {
	for _, n := range lengths {
		b := random(n)
		dst := make([]byte, n+1)
		if got := long.Copy(dst[:n], b); got != n || !bytes.Equal(dst[:n], b) || dst[n] != 0 {
			t.Errorf("Copy of %d bytes copies %d, or others", n, got)
		}
		if got := long.CopyText(dst[:n/2], string(b)); got != n/2 || !bytes.Equal(dst[:n/2], b[:n/2]) {
			t.Errorf("CopyText of %d bytes of %d copies %d, or others", n/2, n, got)
		}
		if long.Text(b) != string(b) || long.Clone(string(b)) != string(b) {
			t.Errorf("texts of %d bytes differ", n)
		}
		room := long.Uncleared[byte](n)
		if copy(room, b); len(room) != n || !bytes.Equal(room, b) {
			t.Errorf("Uncleared gives %d bytes for %d, or they are not kept", len(room), n)
		}
		long.Clear(dst)
		if !bytes.Equal(dst, make([]byte, n+1)) {
			t.Errorf("Clear leaves something of %d bytes", n+1)
		}
	}
}

func TestAppendIsThatOfTheLanguage(t *testing.T) {
	for _, had := range lengths {
		for _, n := range lengths {
			a, b := random(had), random(n)
			want := slices.Concat(a, b)
			if got := long.Append(slices.Clip(bytes.Clone(a)), b...); !bytes.Equal(got, want) {
				t.Errorf("%d bytes after %d differ", n, had)
			}
			if got := long.AppendText(long.Grow(bytes.Clone(a), n), string(b)); !bytes.Equal(got, want) {
				t.Errorf("a text of %d bytes after %d differs", n, had)
			}
			dirty := append(slices.Clone(a), bytes.Repeat([]byte{1}, n)...)[:had]
			if got := long.AppendZeros(dirty, n); !bytes.Equal(got, append(a, make([]byte, n)...)) {
				t.Errorf("%d zeros after %d bytes differ", n, had)
			}
		}
	}
}

// What has pointers is kept alive by its copy.
func TestPointersAreCopied(t *testing.T) {
	var s []string
	for i := range 100_000 {
		s = long.Append(s, strings.Repeat("x", i%50+1))
	}
	runtime.GC()
	for i, text := range s {
		if len(text) != i%50+1 {
			t.Fatalf("text %d has %d bytes", i, len(text))
		}
	}
}

// A slice that grows keeps its growth amortized.
func TestAppendingOneByOneIsCheap(t *testing.T) {
	var s []uint64
	grown := 0
	for i := range uint64(1 << 20) {
		had := cap(s)
		if s = long.Append(s, i); cap(s) != had {
			grown++
		}
	}
	if grown > 80 {
		t.Errorf("it has grown %d times", grown)
	}
}

// The collector stops a goroutine that copies: of a hundred collections beside one
// that copies 64 MB again and again, most need far less than one copy takes.
func TestCopiesCanBeStopped(t *testing.T) {
	dst, src := make([]byte, 64<<20), make([]byte, 64<<20)
	long.Copy(dst, src) // the memory is touched
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				long.Copy(dst, src)
				long.Clear(dst)
			}
		}
	}()
	slow := uint64(math.MaxUint64)
	for round := 0; round < 12 && slow > 50; round++ { // other processes may keep the cores busy for a while
		slow = slowStops(t)
	}
	close(stop)
	<-stopped
	if slow > 50 {
		t.Errorf("of 200 pauses %d took 2 ms and more until all goroutines stood", slow)
	}
}

// slowStops is how many of 200 pauses took 2 ms and more until all goroutines stood.
func slowStops(t *testing.T) (slow uint64) {
	before := stopping(t)
	for range 100 {
		runtime.GC()
	}
	after := stopping(t)
	for i, n := range after.Counts {
		if after.Buckets[i] >= 2e-3 && !math.IsInf(after.Buckets[i], -1) {
			slow += n - before.Counts[i]
		}
	}
	return slow
}

// stopping is how long stopping all goroutines for the collector took.
func stopping(t *testing.T) *metrics.Float64Histogram {
	sample := []metrics.Sample{{Name: "/sched/pauses/stopping/gc:seconds"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindFloat64Histogram {
		t.Fatal("the runtime does not measure pauses")
	}
	h := sample[0].Value.Float64Histogram()
	return &metrics.Float64Histogram{Counts: slices.Clone(h.Counts), Buckets: h.Buckets}
}

// TestUncleared sees that all of the memory that was asked for is its own, and that of texts
// is cleared.
func TestUncleared(t *testing.T) {
	for _, n := range lengths {
		words, more, texts := long.Uncleared[uint64](n), long.Uncleared[uint64](n), long.Uncleared[string](n)
		if len(words) != n || len(more) != n || len(texts) != n {
			t.Fatalf("%d words and %d texts of %d", len(words), len(texts), n)
		}
		for i := range n {
			words[i], more[i] = uint64(i), math.MaxUint64
			if texts[i] != "" {
				t.Fatalf("text %d of %d is %q", i, n, texts[i])
			}
		}
		runtime.GC()
		for i, x := range words {
			if x != uint64(i) {
				t.Fatalf("word %d of %d is %d", i, n, x)
			}
		}
	}
}
