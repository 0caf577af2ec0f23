//go:build device

package tests

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/tests/device"
)

// beingOpened is a device that is found at once and opened once gate is closed, or not at all where err is set. What
// it has compiled before is kept.
type beingOpened struct {
	cuda.Device
	// found is closed when the device is found.
	found, gate chan struct{}
	err         error

	mu   sync.Mutex
	kept map[string]bool // by source
	// late are the names of kernels that were compiled when the device was open, by source.
	late map[string]string
}

func newBeingOpened(t *testing.T) *beingOpened {
	return &beingOpened{Device: device.Open(t), found: make(chan struct{}), gate: make(chan struct{}), kept: make(map[string]bool), late: make(map[string]string)}
}

// opener returns what opens the device.
func (u *beingOpened) opener() func(int) (cuda.Device, error) {
	return func(int) (cuda.Device, error) { return u, nil }
}

func (u *beingOpened) Load(ctx context.Context, name, source string) (cuda.Code, error) {
	code, err := u.Device.Load(ctx, name, source)
	u.mu.Lock()
	defer u.mu.Unlock()
	u.kept[source] = true
	return code, err
}

func (u *beingOpened) Keeps(source string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.kept[source]
}

func (u *beingOpened) Open() (cuda.Device, error) {
	close(u.found)
	<-u.gate
	return &nowOpen{u.Device, u}, u.err
}

// compiled is how many kernels were compiled.
func (u *beingOpened) compiled() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.kept)
}

// waitFor waits until so many kernels are compiled.
func (u *beingOpened) waitFor(t *testing.T, kernels int) {
	t.Helper()
	for start := time.Now(); u.compiled() < kernels; time.Sleep(time.Millisecond) {
		if time.Since(start) > time.Minute {
			t.Fatalf("%d kernels are compiled before the device is open, not %d", u.compiled(), kernels)
		}
	}
}

// nowOpen is the device when it is open.
type nowOpen struct {
	cuda.Device
	of *beingOpened
}

func (n *nowOpen) Load(ctx context.Context, name, source string) (cuda.Code, error) {
	if !n.of.Keeps(source) {
		n.of.mu.Lock()
		n.of.late[source] = name
		n.of.mu.Unlock()
	}
	return n.Device.Load(ctx, name, source)
}

func (n *nowOpen) Keeps(source string) bool { return n.of.Keeps(source) }

// cubeOfMany is a query whose steps read what others have made.
const cubeOfMany = "SELECT v, w % 5, w % 3, sum(w), count(*) FROM many GROUP BY CUBE (v, w % 5, w % 3) ORDER BY 1, 2, 3"

// kernelsOfSum is how many sources sumOfMany takes on the device: two steps, and what gathers ordered rows.
const kernelsOfSum = 3

// Kernels of statements that would have gained by a device are compiled while it is opened: it runs the first
// statement that comes when it is open. What groups a cube is another kernel where a device is expected.
func TestKernelsAreCompiledWhileTheDeviceIsOpened(t *testing.T) {
	for _, sql := range []string{sumOfMany, cubeOfMany} {
		kernels := kernelsOf(t, sql)
		d := newBeingOpened(t)
		db, s := openQuick(t, cubeloom.Options{OpenDevice: d.opener()}, nil)
		query(t, s, "SET device = cpu")
		_, want := query(t, s, sql)
		query(t, s, "SET device = auto")
		onCPU := func() {
			if res, rows := query(t, s, sql); rows != want || strings.Contains(ranOn(res), "cuda") || len(res.Notices) > 0 {
				t.Fatalf("%q on %s, notices %v", rows, ranOn(res), res.Notices)
			}
		}
		onCPU()
		<-d.found
		onCPU()
		d.waitFor(t, kernels)
		close(d.gate)
		if _, _, err := db.CUDADevices(); err != nil {
			t.Fatal(err)
		}
		if res, rows := query(t, s, sql); rows != want || !strings.Contains(ranOn(res), "cuda") {
			t.Errorf("%q on %s", rows, ranOn(res))
		}
		if n := d.compiled(); n != kernels || len(d.late) > 0 {
			t.Errorf("of %d kernels %d are compiled before the device is open and %q when it is", kernels, n, d.late)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

// kernelsOf is how many sources a statement takes on a device that is open.
func kernelsOf(t *testing.T, sql string) int {
	t.Helper()
	d := newBeingOpened(t)
	close(d.gate)
	db, s := openQuick(t, cubeloom.Options{OpenDevice: d.opener()}, map[string]float64{"Device.Compile": 1})
	if _, _, err := db.CUDADevices(); err != nil {
		t.Fatal(err)
	}
	query(t, s, sql)
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	return len(d.late)
}

// Kernels of a statement that waits for the device are compiled meanwhile.
func TestKernelsAreCompiledWhileTheDeviceIsAwaited(t *testing.T) {
	for _, setting := range []string{"device = auto", "aggregate_strategy = block"} {
		t.Run(setting, func(t *testing.T) {
			d := newBeingOpened(t)
			db, s := openQuick(t, cubeloom.Options{OpenDevice: d.opener()}, map[string]float64{"Device.Compile": 1})
			defer db.Close()
			want := answers(t, s)
			go func() {
				for start := time.Now(); d.compiled() < kernelsOfSum && time.Since(start) < time.Minute; time.Sleep(time.Millisecond) {
				}
				close(d.gate)
			}()
			query(t, s, "SET "+setting)
			if res, rows := query(t, s, sumOfMany); rows != want || !strings.Contains(ranOn(res), "cuda") {
				t.Errorf("%q on %s", rows, ranOn(res))
			}
			if n := d.compiled(); n != kernelsOfSum || len(d.late) > 0 {
				t.Errorf("%d kernels are compiled before the device is open and %q when it is", n, d.late)
			}
		})
	}
}

// A device that is found and cannot be opened leaves statements on the CPU.
func TestDeviceIsFoundAndNotOpened(t *testing.T) {
	d := newBeingOpened(t)
	d.err = errors.New("there is no context")
	db, s := openQuick(t, cubeloom.Options{OpenDevice: d.opener()}, nil)
	want := answers(t, s)
	for start := time.Now(); d.compiled() == 0 && time.Since(start) < time.Minute; {
		runsOnCPU(t, s, want, "the device is being opened; CPU this time")
	}
	close(d.gate)
	if _, _, err := db.CUDADevices(); !errors.Is(err, d.err) {
		t.Errorf("error %v", err)
	}
	if res, rows := query(t, s, sumOfMany); rows != want || strings.Contains(ranOn(res), "cuda") || len(res.Notices) > 0 {
		t.Errorf("%q on %s, notices %v", rows, ranOn(res), res.Notices)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}

// A database is closed while its device is opened and its kernels are compiled.
func TestClosedWhileKernelsAreCompiledAhead(t *testing.T) {
	d := newBeingOpened(t)
	compiler := newStuck(d.Device)
	d.Device = compiler
	db, s := openQuick(t, cubeloom.Options{OpenDevice: d.opener()}, nil)
	want := answers(t, s)
	for start := time.Now(); len(compiler.asked) == 0 && time.Since(start) < time.Minute; {
		runsOnCPU(t, s, want, "the device is being opened; CPU this time")
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	close(d.gate)
	close(compiler.gate)
}

// Kernels are compiled while the columns are copied that they read.
func TestKernelsAreCompiledWhileColumnsAreCopied(t *testing.T) {
	d := newBeingOpened(t)
	open := struct{ cuda.Keeper }{d}
	db, s := openQuick(t, cubeloom.Options{OpenDevice: func(int) (cuda.Device, error) { return open, nil }}, map[string]float64{"Host.Encoded": 1.5e4})
	defer db.Close()
	if _, _, err := db.CUDADevices(); err != nil {
		t.Fatal(err)
	}
	for range 3000 {
		if _, plan := query(t, s, "EXPLAIN "+sumOfMany); strings.Contains(plan, "columns are being copied to the device; CPU this time") {
			d.waitFor(t, kernelsOfSum)
			return
		}
	}
	t.Error("EXPLAIN never says that columns are copied")
}

// holding is a device that does not compile some kernels before gate is closed.
type holding struct {
	*beingOpened
	kernels []string
}

func (h *holding) Load(ctx context.Context, name, source string) (cuda.Code, error) {
	if slices.Contains(h.kernels, name) {
		<-h.gate
	}
	return h.beingOpened.Load(ctx, name, source)
}

// While a kernel is being compiled nothing is compiled that reads what the host makes in its place.
func TestNothingIsCompiledForWhatPasses(t *testing.T) {
	kernels := kernelsOf(t, cubeOfMany)
	d := &holding{newBeingOpened(t), []string{"g2_cuboid", "g3_cuboid"}} // of one source
	open := struct{ cuda.Keeper }{d}
	db, s := openQuick(t, cubeloom.Options{OpenDevice: func(int) (cuda.Device, error) { return open, nil }}, nil)
	defer db.Close()
	if _, _, err := db.CUDADevices(); err != nil {
		t.Fatal(err)
	}
	statements := 0
	onBoth := func() (bool, string) {
		statements++ // with another number of threads nothing goes by what the others took
		query(t, s, fmt.Sprintf("SET threads = %d", statements%500+1))
		res, _ := query(t, s, cubeOfMany)
		on := ranOn(res)
		return strings.Contains(on, "cuda") && strings.Contains(on, "cpu"), on
	}
	for start := time.Now(); ; time.Sleep(time.Millisecond) { // the columns are copied behind
		both, on := onBoth()
		if both {
			break
		}
		if time.Since(start) > time.Minute {
			t.Fatalf("ran on %s", on)
		}
	}
	for range 10 {
		if both, on := onBoth(); !both {
			t.Errorf("ran on %s", on)
		}
	}
	if n := d.compiled(); n != kernels-1 {
		t.Errorf("%d kernels are compiled, not %d", n, kernels-1)
	}
	close(d.gate)
	d.waitFor(t, kernels)
	query(t, s, cubeOfMany)
	if n := d.compiled(); n != kernels {
		t.Errorf("%d kernels are compiled, not %d", n, kernels)
	}
}
