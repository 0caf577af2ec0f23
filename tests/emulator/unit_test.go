//go:build device

package emulator

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// shared is a source that has names, definitions and shared memory in common with those of
// other numbers.
func shared(number int) string {
	return fmt.Sprintf(`#ifdef ADDED
#error a definition of another source
#endif
#define ADDED %d
__device__ void add(u64 *out) {
    __shared__ u64 values[32 * (ADDED + 1)];
    values[threadIdx.x] = threadIdx.x + ADDED;
    __syncthreads();
    *out = values[31 - threadIdx.x];
}
extern "C" __global__ void k(const Params p) { add(p.out + threadIdx.x); }`, number)
}

// Sources that are compiled together do not see each other, and one that is wrong fails alone.
func TestUnits(t *testing.T) {
	const right = 3
	sources := []string{"int f( {"}
	for i := range right {
		sources = append(sources, prelude+shared(i))
	}
	var unit []*compilation
	for i, source := range sources {
		c, err := newCompilation(fmt.Sprint("source", i), source, true)
		if err != nil {
			t.Fatal(err)
		}
		unit = append(unit, c)
	}
	(&queue{waiting: slices.Clone(unit), running: 1}).work()
	for i, c := range unit {
		if err := <-c.done; (err == nil) != (i > 0) || err != nil && !strings.Contains(err.Error(), "compiling source0") {
			t.Errorf("source %d beside a wrong one: %v", i, err)
		}
	}
	if err := compileUnit(unit[1:]); err != nil {
		t.Fatal(err)
	}
	d := open(t)
	for i := range right {
		out, err := run(t, d, shared(i), cuda.Launch{Grid: 1, Threads: 32}, numbers(1), 32)
		if err != nil {
			t.Fatal(err)
		}
		for thread, got := range out {
			if want := uint64(31 - thread + i); got != want {
				t.Errorf("source %d, thread %d: %d, want %d", i, thread, got, want)
			}
		}
	}
}

// Sources that wait together are compiled together where the same flags are asked for.
func TestUnitsOfSameFlags(t *testing.T) {
	q := &queue{}
	for i := range 20 {
		q.waiting = append(q.waiting, &compilation{name: fmt.Sprint(i), checked: i%3 == 0})
	}
	var got [][]string
	for unit := q.take(); len(unit) > 0; unit = q.take() {
		var names []string
		for _, c := range unit {
			names = append(names, c.name)
		}
		got = append(got, names)
	}
	want := [][]string{{"0", "3", "6", "9", "12", "15", "18"}, {"1", "2", "4", "5", "7", "8", "10", "11"}, {"13", "14", "16", "17", "19"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("units %v, want %v", got, want)
	}
}
