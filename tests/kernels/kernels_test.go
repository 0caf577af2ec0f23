//go:build device

// Package kernels runs kernels on the CPU backend and on the emulated device
// and compares what they give.
package kernels

import (
	"github.com/cubeloom/cubeloom/tests/kerneltext"

	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/codegen"
	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/tests/device"
)

// TestKernels runs each file of testdata: kernels one after the other, where an
// input with the name of an earlier kernel is what that one made, and any other a
// table of random rows that keep the types and ranges of the scan. Launch plans are
// carried out as they are read from their text.
func TestKernels(t *testing.T) {
	t.Parallel()
	backend := cuda.New(device.ByText{Device: device.Open(t)}, cpu.New(), cuda.Options{})
	files, err := filepath.Glob("testdata/*.kernels")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range device.Some(t.Name(), files, 4) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".kernels"), func(t *testing.T) {
			t.Parallel()
			funcs := parseFile(t, file)
			tables := randomTables(funcs, 1700, rand.New(rand.NewPCG(1700, 2)))
			for _, rows := range []int{1, 37, 1700} {
				compareOver(t, backend, funcs, heads(tables, rows))
			}
			compareBackends(t, backend, funcs, 0, rand.New(rand.NewPCG(0, 0)))
		})
	}
}

// TestKernelsReferToTexts runs kernels with texts where a word refers to each of a column, as of
// columns whose texts offsets of 32 bits do not tell.
func TestKernelsReferToTexts(t *testing.T) {
	t.Parallel()
	backend := cuda.New(device.Open(t), cpu.New(), cuda.Options{TextOffsets: 1})
	names := []string{"cases", "error-substring", "like", "merge", "runs", "several", "single", "text-extremes", "texts"}
	for _, name := range device.Some(t.Name(), names, 3) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			compareBackends(t, backend, parseFile(t, "testdata/"+name+".kernels"), 1700, rand.New(rand.NewPCG(3, 4)))
		})
	}
}

// TestKernelsFlushThreadCells has blocks flush the cells of threads of their threads
// after every tile, which takes 4096 rows of each thread otherwise.
func TestKernelsFlushThreadCells(t *testing.T) {
	t.Parallel()
	backend := cuda.New(device.Open(t), cpu.New(), cuda.Options{FlushTiles: 1})
	compareBackends(t, backend, parseFile(t, "testdata/thread.kernels"), 50000, rand.New(rand.NewPCG(1, 2)))
}

// TestKernelsUseThreadCells has threads accumulate in cells of threads where these are
// few, with and without filters, by one key and by several.
func TestKernelsUseThreadCells(t *testing.T) {
	t.Parallel()
	backend := cuda.New(device.Open(t), cpu.New(), cuda.Options{})
	for _, f := range parseFile(t, "testdata/thread.kernels") {
		table := randomTable(f, f.Source.(*kernel.Scan), 100, rand.New(rand.NewPCG(1, 2)))
		entries := launchedEntries(t, backend, f, table)
		if want := []string{"scan_aggregate_thread"}; !slices.Equal(entries, want) {
			t.Errorf("%s: the entries %q run, not %q", f.Name, entries, want)
		}
	}
}

// launchedEntries runs a kernel over tables and returns the entries that it launches.
func launchedEntries(t *testing.T, backend *cuda.Backend, f *kernel.Func, tables ...any) []string {
	t.Helper()
	opts := &runtime.RunOptions{Threads: 2, Account: runtime.NewAccount(0), Explain: true}
	out, metrics, err := backend.Run(context.Background(), f, tables, opts)
	if err != nil {
		t.Fatal(err)
	}
	out.Release()
	var entries []string
	for _, l := range metrics.Device.Launches {
		entries = append(entries, l.Entry)
	}
	return entries
}

// parseFile reads the kernels of a file, which end with a line "end" each.
func parseFile(t *testing.T, file string) []*kernel.Func {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var funcs []*kernel.Func
	for _, part := range strings.SplitAfter(string(text), "\nend\n") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		f, err := kerneltext.Parse(strings.TrimLeft(part, "\n"))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if err := kernel.Verify(f); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		funcs = append(funcs, f)
	}
	return funcs
}

// compareBackends runs the kernels on both backends over the same random tables.
func compareBackends(t *testing.T, device runtime.Backend, funcs []*kernel.Func, rows int, rnd *rand.Rand) {
	t.Helper()
	compareOver(t, device, funcs, randomTables(funcs, rows, rnd))
}

// randomTables makes the tables that the kernels read, by the names of the kernels that
// scan them and of the inputs that are merged.
func randomTables(funcs []*kernel.Func, rows int, rnd *rand.Rand) map[string]*memoryTable {
	tables := make(map[string]*memoryTable)
	for _, f := range funcs {
		if s, ok := f.Source.(*kernel.Scan); ok {
			if name := f.Inputs[s.Input].Name; !slices.ContainsFunc(funcs, func(g *kernel.Func) bool { return g.Name == name }) {
				tables[f.Name] = randomTable(f, s, rows, rnd)
			}
		}
		for _, in := range f.Body {
			if p, ok := in.(*kernel.Probe); ok && p.Sorted != nil {
				tables[f.Inputs[p.Input].Name] = sortedTable(f, p, rows, rnd)
			}
		}
	}
	return tables
}

// compareOver runs the kernels on both backends over the same tables.
func compareOver(t *testing.T, device runtime.Backend, funcs []*kernel.Func, tables map[string]*memoryTable) {
	t.Helper()
	rows := int64(0)
	for _, table := range tables {
		if !table.sorted {
			rows = max(rows, table.rows)
		}
	}
	want, wantErr := runAll(cpu.New(), funcs, tables)
	got, gotErr := runAll(device, funcs, tables)
	if !sameError(wantErr, gotErr) {
		t.Fatalf("%d rows: the device gives error %v, the CPU %v", rows, gotErr, wantErr)
	}
	if wantErr == nil {
		compareRows(t, rows, want, got)
	}
}

// sameError reports whether two backends agree on an error.
func sameError(want, got error) bool {
	var w, g *value.Error
	var refusal *cudagen.Refusal
	if errors.As(got, &refusal) {
		return false
	}
	if errors.As(want, &w) && errors.As(got, &g) {
		return w.Code == g.Code && w.Message == g.Message && w.Pos == g.Pos && w.Detail == g.Detail
	}
	return want == nil && got == nil
}

func compareRows(t *testing.T, rows int64, want, got []string) {
	t.Helper()
	if slices.Equal(want, got) {
		return
	}
	for i := range max(len(want), len(got)) {
		if i >= len(want) || i >= len(got) || !sameRow(want[i], got[i]) {
			t.Fatalf("%d rows: the device gives %d rows, the CPU %d; they differ at %d:\n got %s\nwant %s",
				rows, len(got), len(want), i, at(got, i), at(want, i))
		}
	}
}

// about stands before numbers of double precision, whose last digits depend on the order
// of additions.
const about = "~"

// sameRow reports whether two rows are equal, numbers behind about to eight digits.
func sameRow(want, got string) bool {
	w, g := strings.Fields(want), strings.Fields(got)
	return slices.EqualFunc(w, g, func(w, g string) bool {
		x, errX := strconv.ParseFloat(strings.TrimPrefix(w, about), 64)
		y, errY := strconv.ParseFloat(strings.TrimPrefix(g, about), 64)
		isAbout := strings.HasPrefix(w, about) && strings.HasPrefix(g, about) && errX == nil && errY == nil
		return w == g || isAbout && math.Abs(x-y) <= 1e-8*math.Abs(x)
	})
}

func at(rows []string, i int) string {
	if i < len(rows) {
		return rows[i]
	}
	return "(no row)"
}

// runSplit runs a kernel, on a device those that it is split into, unless it marks values of DISTINCT there.
func runSplit(b runtime.Backend, f *kernel.Func, inputs []any, opts *runtime.RunOptions) (runtime.Output, error) {
	split := codegen.SplitDistinct(f)
	if agg, ok := f.Sink.(*kernel.Aggregate); b.Name() != "cuda" || split == nil || ok && agg.Marks > 0 {
		out, _, err := b.Run(context.Background(), f, inputs, opts)
		return out, err
	}
	parts := make([]runtime.ViewPart, len(split.Finer))
	for i, f := range split.Finer {
		out, _, err := b.Run(context.Background(), f, inputs, opts)
		if err != nil {
			return nil, err
		}
		defer out.Release()
		rel, ok := out.(runtime.Relation)
		if !ok {
			return nil, fmt.Errorf("kernel %s gives a %T", f.Name, out)
		}
		parts[i] = runtime.ViewPart{Rel: rel, Cols: split.Seen[i]}
	}
	out, _, err := b.Run(context.Background(), split.Coarser, []any{runtime.NewView(parts)}, opts)
	return out, err
}

// runAll runs kernels one after the other and returns the rows of all results that
// are relations.
func runAll(b runtime.Backend, funcs []*kernel.Func, tables map[string]*memoryTable) ([]string, error) {
	opts := &runtime.RunOptions{Threads: 2, Account: runtime.NewAccount(0)}
	outputs := make(map[string]runtime.Output)
	defer func() {
		for _, out := range outputs {
			out.Release()
		}
	}()
	var rows []string
	for _, f := range funcs {
		inputs := make([]any, len(f.Inputs))
		for i, in := range f.Inputs {
			inputs[i] = tables[f.Name]
			if out, ok := outputs[in.Name]; ok {
				inputs[i] = out
			} else if rel, ok := tables[in.Name]; ok {
				inputs[i] = rel
			}
		}
		out, err := runSplit(b, f, inputs, opts)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		outputs[f.Name] = out
		made, _ := out.(runtime.Results)
		if rel, ok := out.(runtime.Relation); ok && !leavesCells(f) {
			made = runtime.Results{rel}
		}
		for _, rel := range made {
			lines, err := rowTexts(rel)
			if err != nil {
				return nil, err
			}
			if !keepsOrder(f.Sink) {
				slices.Sort(lines)
			}
			rows = append(rows, lines...)
		}
	}
	return rows, nil
}

// leavesCells reports whether a kernel leaves groups to another one.
func leavesCells(f *kernel.Func) bool {
	agg, ok := f.Sink.(*kernel.Aggregate)
	return ok && agg.Cells
}

func keepsOrder(s kernel.Sink) bool {
	switch s := s.(type) {
	case *kernel.Materialize:
		return s.Ordered
	case *kernel.Aggregate:
		return s.Strategy == kernel.Ordered
	case *kernel.Sort:
		return true
	}
	return false
}
