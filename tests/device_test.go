//go:build device

package tests

import (
	"cmp"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/tests/device"
	"github.com/cubeloom/cubeloom/tests/reference"
	"github.com/cubeloom/cubeloom/tests/slt"
)

// These tests run what the CPU is tested with on a CUDA device: the emulated
// one, which compiles every kernel and takes minutes, or a GPU.

// deviceEngine is an engine whose queries run on the device, and which counts
// the kernels that did.
type deviceEngine struct {
	engine
	t                *testing.T
	onDevice, onHost int
	reasons          map[string]int // why kernels ran on the CPU, and how many
}

// openDeviceEngine opens a database that insists on the device.
func openDeviceEngine(t *testing.T) *deviceEngine {
	t.Helper()
	db := openDatabase(t, cubeloom.Options{Device: "cuda", OpenDevice: device.Opener(t)})
	return &deviceEngine{engine: engine{db, db.Session()}, t: t, reasons: make(map[string]int)}
}

// Query runs one statement. A warning, which tells of a device that failed, is
// an error of the test.
func (e *deviceEngine) Query(ctx context.Context, sql string) (*reference.Result, error) {
	res, err := e.session.Query(ctx, sql)
	if err != nil {
		return nil, err
	}
	for _, n := range res.Notices {
		if n.Severity == "WARNING" && strings.Contains(n.Message, "CUDA") {
			e.t.Errorf("%s\n%s", sql, n.Message)
		}
	}
	for _, place := range res.Stats.Places {
		if place.Backend.Name() == "cuda" {
			e.onDevice++
		} else {
			e.onHost++
			e.reasons[place.Reason]++
		}
	}
	return reference.Read(res)
}

// log says how many kernels ran where, and why some ran on the CPU.
func (e *deviceEngine) log(t *testing.T) {
	t.Helper()
	t.Logf("%d kernels ran on the device, %d on the CPU", e.onDevice, e.onHost)
	for _, reason := range slices.Sorted(maps.Keys(e.reasons)) {
		t.Logf("%4d on the CPU: %s", e.reasons[reason], reason)
	}
}

// TestDeviceFiles runs every file of SQL statements, the longest ones first, so that no core
// waits for one of them at the end. With -device.share some files are left out, and some queries of long ones.
func TestDeviceFiles(t *testing.T) {
	t.Parallel()
	files := device.Some(t.Name(), sltFiles(t), filesEvery)
	slices.SortFunc(files, func(a, b string) int { return cmp.Compare(fileSize(t, b), fileSize(t, a)) })
	for _, path := range files {
		file, err := slt.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			db := openDeviceEngine(t)
			file.Sample(device.Draw(t.Name()), max(len(file.Records)/device.Share(), fewestSampled))
			file.Check(context.Background(), db, true, func(message string) { t.Error(message) })
			db.log(t)
		})
	}
}

// filesEvery is of how many files one runs, where not all do: what their tables are made by takes most of the time.
const filesEvery = 9

// fewestSampled is how many queries of a file run at least.
const fewestSampled = 2

func fileSize(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// TestDeviceAnswers runs the queries of the cube family and of SSB. Emulation
// takes too long for the data of SSB's recorded answers: there the CPU answers
// for less.
func TestDeviceAnswers(t *testing.T) {
	t.Parallel()
	for _, b := range benchmarks() {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			db := openDeviceEngine(t)
			b.queries = device.Some(t.Name(), b.queries, queriesEvery)
			if b.name == "ssb" && !device.Real(t) {
				b.set = workload.SSB{SF: 0.002}
				db.load(t, b.set)
				compareWithCPU(t, db, b)
			} else {
				want, err := os.ReadFile(answersFile(b))
				if err != nil {
					t.Fatal(err)
				}
				db.load(t, b.set)
				checkAnswers(t, db, b, string(want))
			}
			db.log(t)
			if db.onHost > 0 {
				t.Error("not all of it ran on the device")
			}
		})
	}
}

// queriesEvery is of how many queries of a test one runs, where not all do: most of the time goes into compiling their kernels.
const queriesEvery = 5

// compareWithCPU runs queries on the device and on the CPU.
func compareWithCPU(t *testing.T, db *deviceEngine, b benchmark) {
	t.Helper()
	ctx := context.Background()
	host := &engine{db.db, db.db.Session()}
	if _, err := host.Query(ctx, "SET device = cpu"); err != nil {
		t.Fatal(err)
	}
	for _, q := range b.queries {
		want, err := host.Query(ctx, q.SQL)
		if err != nil {
			t.Fatalf("%s: %v", q.Name, err)
		}
		got, err := db.Query(ctx, q.SQL)
		if err != nil {
			t.Errorf("%s: %v", q.Name, err)
		} else if describe(q, got) != describe(q, want) {
			t.Errorf("the device: %s\nthe CPU: %s", describe(q, got), describe(q, want))
		}
	}
}
