//go:build device

package tests

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/tests/device"
)

// crowded is a device whose kernels have so many registers that others are tried, and whose compiler can be
// made to wait.
type crowded struct {
	device.Null
	mu      sync.Mutex
	gate    chan struct{} // nil: nothing waits
	waiting int           // sources that wait or have waited
}

// Load implements cuda.Device.
func (c *crowded) Load(ctx context.Context, name, source string) (cuda.Code, error) {
	c.mu.Lock()
	gate := c.gate
	if gate != nil {
		c.waiting++
	}
	c.mu.Unlock()
	if gate != nil {
		<-gate
	}
	code, err := c.Null.Load(ctx, name, source)
	return crowdedCode{code}, err
}

// waits is how many compilations have come to the gate.
func (c *crowded) waits() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.waiting
}

type crowdedCode struct{ cuda.Code }

// Kernel implements cuda.Code.
func (c crowdedCode) Kernel(name string) (cuda.Kernel, error) {
	k, err := c.Code.Kernel(name)
	return crowdedKernel{k}, err
}

type crowdedKernel struct{ cuda.Kernel }

// Usage implements cuda.Kernel.
func (crowdedKernel) Usage(int, int) cuda.Usage {
	return cuda.Usage{Registers: 255, Spilled: 512, Blocks: 1, Occupancy: 0.1}
}

// A plan that takes the place of one whose kernels have too many registers keeps nobody waiting for its own: the first
// one goes on until they are compiled.
func TestNewPlansAreCompiledBehind(t *testing.T) {
	d := &crowded{}
	db := openDatabase(t, cubeloom.Options{Device: "cuda", Devices: 1, OpenDevice: func(int) (cuda.Device, error) { return d, nil }})
	s := db.Session()
	run := func(sql string) *cubeloom.Result {
		t.Helper()
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
		defer stop()
		res, err := s.Query(ctx, sql)
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	run("SET device = cpu")
	var from, sums, keys []string
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		run("CREATE TABLE " + name + " AS SELECT i AS " + name + "k, i * 7 AS " + name + "v FROM generate_series(1, 1500000) AS s(i)")
		from, keys = append(from, "JOIN "+name+" ON "+name+"k = facts."+name+" AND "+name+"v < 3500"), append(keys, "i % 4999 + 1 AS "+name)
		sums = append(sums, "sum("+name+"v * "+name+")")
	}
	run("CREATE TABLE facts AS SELECT " + strings.Join(keys, ", ") + " FROM generate_series(1, 1500000) AS s(i)")
	run("SET device = cuda")
	text := "SELECT " + strings.Join(sums, ", ") + " FROM facts " + strings.Join(from, " ")
	first := len(run(text).Stats.Places)
	d.mu.Lock()
	d.gate = make(chan struct{})
	d.mu.Unlock()
	for range 3 {
		if res := run(text); strings.Contains(ranOn(res), "cpu") || len(res.Stats.Places) != first {
			t.Errorf("ran on %s, %v", ranOn(res), res.Notices)
		}
	}
	for start := time.Now(); d.waits() == 0; time.Sleep(time.Millisecond) { // they are compiled behind the query
		if time.Since(start) > time.Minute {
			t.Fatal("no other kernels are compiled")
		}
	}
	close(d.gate)
	for start := time.Now(); len(run(text).Stats.Places) == first; time.Sleep(time.Millisecond) {
		if time.Since(start) > time.Minute {
			t.Fatal("the plan never takes the place of the first one")
		}
	}
}

// gated is a device whose compiler waits at a gate once that is shut, but for sources that it knows.
type gated struct {
	cuda.Device
	mu      sync.Mutex
	gate    chan struct{}
	known   map[string]bool
	waiting int
}

// Load implements cuda.Device.
func (g *gated) Load(ctx context.Context, name, source string) (cuda.Code, error) {
	g.mu.Lock()
	gate := g.gate
	if g.known[source] {
		gate = nil
	}
	g.known[source] = true
	if gate != nil {
		g.waiting++
	}
	g.mu.Unlock()
	if gate != nil {
		<-gate
	}
	return g.Device.Load(ctx, name, source)
}

// A table whose rows turned out to have the same keys is made for such rows from the next run on, once the kernel for
// that is compiled, which nobody waits for.
func TestRepeatedKeysAreCompiledBehind(t *testing.T) {
	d := &gated{Device: device.Open(t), known: make(map[string]bool)}
	db := openDatabase(t, cubeloom.Options{Device: "cuda", Devices: 1, OpenDevice: func(int) (cuda.Device, error) { return d, nil }})
	s := db.Session()
	query(t, s, "SET device = cpu")
	query(t, s, "CREATE TABLE keys AS SELECT CASE WHEN i = 77 THEN 78 ELSE i END AS k, i * 3 AS v FROM generate_series(1, 3000) AS s(i)")
	query(t, s, "CREATE TABLE facts AS SELECT i % 4000 AS k FROM generate_series(1, 9000) AS s(i)")
	const text = "SELECT count(*), sum(v), max(v) FROM facts JOIN keys ON keys.k = facts.k"
	_, want := query(t, s, text)
	query(t, s, "SET device = cuda")
	ask := func() {
		t.Helper()
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
		defer stop()
		res, got, err := clientAnswer(ctx, s, text)
		if err != nil || got != sorted(want) || strings.Contains(ranOn(res), "cpu") {
			t.Fatalf("%s instead of %s, %v", got, want, err)
		}
	}
	ask()
	d.mu.Lock()
	d.gate = make(chan struct{})
	d.mu.Unlock()
	ask()
	ask()
	d.mu.Lock()
	waiting := d.waiting
	d.mu.Unlock()
	if waiting != 1 {
		t.Errorf("%d sources are compiled behind", waiting)
	}
	close(d.gate)
	ask()
}
