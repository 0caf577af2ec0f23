//go:build device

package kernels

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/codegen"
	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate"
	"github.com/cubeloom/cubeloom/codegen/cuda/expand"
	"github.com/cubeloom/cubeloom/codegen/cuda/preaggregate"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/runtime/cpu"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/tests/device"
)

// TestKernelsByStrategy runs kernels that aggregate with each strategy that applies to
// them; each applies to some.
func TestKernelsByStrategy(t *testing.T) {
	t.Parallel()
	some := device.Sampler(t.Name(), 1)
	for _, name := range aggregate.Names() {
		if compareForced(t, name, aggregated(t), cudagen.Wants{Aggregates: forced("aggregate_strategy", name)}, some) == 0 {
			t.Errorf("%s applies to no kernel", name)
		}
	}
}

var cellsShare = flag.Int("cells.share", 3, "test one of so many files with groups that are read from the cells of each strategy")

// TestKernelsInCells has the groups of all kernels that aggregate stay in the cells of each
// strategy, for a kernel that writes them. Those of sums of double precision have none.
func TestKernelsInCells(t *testing.T) {
	t.Parallel()
	some := device.Sampler(t.Name(), *cellsShare)
	for _, name := range aggregate.Names() {
		files := aggregated(t)
		for file, funcs := range files {
			files[file] = inCells(funcs)
		}
		if compareForced(t, name, files, cudagen.Wants{Aggregates: forced("aggregate_strategy", name)}, some) == 0 {
			t.Errorf("%s applies to no kernel", name)
		}
	}
}

// TestKernelsSortCells has the groups of all kernels that aggregate read from their cells in the order of the
// last keys of a sort: of all keys, up and down, and of these behind what is accumulated first.
func TestKernelsSortCells(t *testing.T) {
	t.Parallel()
	some := device.Sampler(t.Name(), 4**cellsShare)
	for _, first := range []bool{false, true} {
		files := aggregated(t)
		for file, funcs := range files {
			files[file] = inCells(funcs)
			for i, f := range files[file] {
				if f.GroupsSource() >= 0 {
					sortCells(f, len(files[file][i-1].Sink.(*kernel.Aggregate).Keys), first)
				}
			}
		}
		compareForced(t, fmt.Sprintf("first %t", first), files, cudagen.Wants{Aggregates: forced("aggregate_strategy", "shared")}, some)
	}
}

// sortCells has a kernel that writes groups sort them by so many keys, the last one first, and before by
// what is accumulated first where that is wanted.
func sortCells(f *kernel.Func, keys int, first bool) {
	cols := f.Sink.(*kernel.Materialize).Cols
	sink := &kernel.Sort{Cols: cols, Limit: -1, ByCells: true}
	by := func(id kernel.ValueID) {
		v := f.Values[id]
		if v.Type == kernel.Code {
			rank := kernel.ValueID(len(f.Values))
			f.Values = append(f.Values, kernel.Value{Type: kernel.I32, Nullable: v.Nullable, Name: v.Name + "_rank"})
			f.Body = append(f.Body, &kernel.Compute{Op: kernel.OpRank, Dst: rank, Args: []kernel.ValueID{id}})
			id = rank
		}
		n := len(sink.Keys)
		sink.Keys = append(sink.Keys, kernel.SortKey{Val: id, Desc: n%2 == 1, NullsFirst: n%3 == 1})
	}
	if first && len(cols) > keys {
		by(cols[keys])
	}
	for _, id := range slices.Backward(cols[:keys]) {
		by(id)
	}
	f.Sink = sink
}

// inCells has two kernels in the place of each that aggregates by keys: one that leaves the
// groups in cells, and one with its name that writes them.
func inCells(funcs []*kernel.Func) []*kernel.Func {
	var all []*kernel.Func
	for _, f := range funcs {
		agg, ok := f.Sink.(*kernel.Aggregate)
		if !ok || len(agg.Keys) == 0 || codegen.SplitDistinct(f) != nil || sumsFloats(f, agg) {
			all = append(all, f)
			continue
		}
		leaves, sink := *f, *agg
		leaves.Name, leaves.Sink, sink.Cells = f.Name+" in cells", &sink, true
		reader := &kernel.Func{Name: f.Name, Dicts: f.Dicts, Inputs: []kernel.Input{{Kind: kernel.GroupsInput, Name: leaves.Name}}}
		scan, written := &kernel.Scan{}, &kernel.Materialize{Limit: -1, Ordered: sink.Strategy == kernel.Ordered}
		columns := slices.Clone(agg.Keys)
		for i := range agg.Accs {
			columns = append(columns, agg.Accs[i].Dst...)
		}
		for i, id := range columns {
			dst := kernel.ValueID(i)
			reader.Values = append(reader.Values, f.Values[id])
			scan.Cols = append(scan.Cols, kernel.SourceCol{Ordinal: i, Dst: dst})
			written.Cols = append(written.Cols, dst)
		}
		reader.Source, reader.Sink = scan, written
		all = append(all, &leaves, reader)
	}
	return all
}

// sumsFloats reports whether an Aggregate adds up double precision: a sum that overflows is an
// error, also in a group that nobody reads, so that a device always writes such groups.
func sumsFloats(f *kernel.Func, agg *kernel.Aggregate) bool {
	return slices.ContainsFunc(agg.Accs, func(a kernel.Acc) bool {
		return a.Op != kernel.AccMin && a.Op != kernel.AccMax &&
			slices.ContainsFunc(a.Dst, func(id kernel.ValueID) bool { return f.Values[id].Type == kernel.F64 })
	})
}

// TestKernelsByThreads runs some kernels that aggregate, with each strategy, in blocks of every
// size, and with every number of rows that a thread holds.
func TestKernelsByThreads(t *testing.T) {
	t.Parallel()
	some := device.Sampler(t.Name(), *preaggregateShare)
	by := func(what, number string, wants cudagen.Wants) {
		applied := 0 // by any strategy: one whose blocks have a size of their own applies in none
		for _, name := range aggregate.Names() {
			wants.Aggregates = forced("aggregate_strategy", name)
			applied += compareForced(t, number+" "+what+"/"+name, aggregated(t), wants, some)
		}
		if applied == 0 {
			t.Errorf("no strategy applies with %s %s", number, what)
		}
	}
	for _, number := range cudagen.ThreadNumbers() {
		n, _ := strconv.Atoi(number)
		by("threads", number, cudagen.Wants{Threads: n})
	}
	for _, number := range cudagen.RowNumbers() {
		n, _ := strconv.Atoi(number)
		by("rows", number, cudagen.Wants{ThreadRows: n})
	}
}

var preaggregateShare = flag.Int("preaggregate.share", 30, "test one of so many files with each preaggregation and number of replicas")

// TestKernelsByPreaggregation runs the kernels that aggregate with each preaggregation and
// some numbers of replicas, over cells in global memory and over slots of blocks.
func TestKernelsByPreaggregation(t *testing.T) {
	t.Parallel()
	some := device.Sampler(t.Name(), *preaggregateShare)
	for _, on := range []string{"shared", "block"} {
		for _, name := range preaggregate.Names() {
			for _, replicas := range []string{"1", "3", "64"} {
				way := fmt.Sprintf("%s/%s/%s", on, name, replicas)
				if compareForced(t, way, aggregated(t), cudagen.Wants{
					Aggregates:    forced("aggregate_strategy", on),
					Preaggregates: forced("preaggregate_strategy", name),
					Replicas:      forced("group_replicas", replicas),
				}, some) == 0 {
					t.Errorf("%s applies to no kernel", way)
				}
			}
		}
	}
}

func forced(setting, name string) strategy.Preference {
	return strategy.Preference{Setting: setting, Force: name}
}

// aggregated are the kernels of all files, by file.
func aggregated(t *testing.T) map[string][]*kernel.Func {
	t.Helper()
	files, err := filepath.Glob("testdata/*.kernels")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	all := make(map[string][]*kernel.Func)
	for _, file := range files {
		all[strings.TrimSuffix(filepath.Base(file), ".kernels")] = parseFile(t, file)
	}
	return all
}

// compareForced compares kernels of some files, for which what is wanted applies, with the
// CPU's. It returns to how many of all kernels that applies.
func compareForced(t *testing.T, name string, files map[string][]*kernel.Func, want cudagen.Wants, some func() bool) (applied int) {
	t.Helper()
	backend := cuda.New(device.Open(t), cpu.New(), cuda.Options{})
	target := aggregate.Target(machine.Default().Device)
	for _, file := range slices.Sorted(maps.Keys(files)) { // the same ones of one seed
		funcs, all := files[file], 0
		for i, f := range funcs {
			if g := wanted(t, target, f, &want); g != nil {
				funcs[i] = g
				all++
			}
		}
		applied += all
		if all == 0 || !some() {
			continue
		}
		t.Run(name+"/"+file, func(t *testing.T) {
			t.Parallel() // most of the time goes into compiling
			for _, rows := range []int{0, 1, 1700} {
				compareBackends(t, backend, funcs, rows, rand.New(rand.NewPCG(3, 4)))
			}
		})
	}
	t.Logf("%s applies to %d kernels", name, applied)
	return applied
}

// wanted is a kernel whose aggregation is done as it is wanted on the device; nil
// where that is not so, or does not apply.
func wanted(t *testing.T, target *cudagen.Target, f *kernel.Func, want *cudagen.Wants) *kernel.Func {
	t.Helper()
	agg, ok := f.Sink.(*kernel.Aggregate)
	if !ok || len(agg.Keys) == 0 || codegen.SplitDistinct(f) != nil {
		return nil
	}
	sink, _, err := target.ChooseAggregate(f, 0, want)
	var e *value.Error
	if errors.As(err, &e) && e.Code == value.CodeFeatureNotSupported {
		return nil
	}
	if err != nil {
		t.Fatalf("%s by %v: %v", f.Name, want, err)
	}
	with := *f
	with.Sink = sink
	return &with
}

var formShare = flag.Int("form.share", 3, "test one of so many files with each form; 1: all")

// TestKernelsByForm runs kernels of tests/kernels that join with each form in which a
// device goes on with a row for each match.
func TestKernelsByForm(t *testing.T) {
	t.Parallel()
	backend := cuda.New(device.ByText{Device: device.Open(t)}, cpu.New(), cuda.Options{})
	files, err := filepath.Glob("testdata/*.kernels")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	some := device.Sampler(t.Name(), *formShare)
	for _, name := range expand.Names() {
		for _, file := range files {
			funcs, forced := parseFile(t, file), 0
			for i, f := range funcs {
				funcs[i] = withForm(f, name)
				if funcs[i] != f {
					forced++
				}
			}
			if forced == 0 || !some() {
				continue
			}
			t.Run(name+"/"+strings.TrimSuffix(filepath.Base(file), ".kernels"), func(t *testing.T) {
				t.Parallel() // most of the time goes into compiling
				compareBackends(t, backend, funcs, 1700, rand.New(rand.NewPCG(5, 6)))
			})
		}
	}
}

// withForm is a kernel whose joins are done in a form on the device, as far as it applies
// to them; the very kernel where it applies to none.
func withForm(f *kernel.Func, name string) *kernel.Func {
	with, forced := *f, false
	if sink, ok := f.Sink.(*kernel.Aggregate); (name == "children" || name == "grid") && (!ok || len(sink.Keys) == 0) {
		return f // a row belongs to the block that has it
	}
	with.Body = slices.Clone(f.Body)
	for i, in := range with.Body {
		p, ok := in.(*kernel.Probe)
		if !ok || p.Kind != kernel.ProbeInner && p.Kind != kernel.ProbeLeft || p.Kind == kernel.ProbeLeft && p.Cond != kernel.NoValue && name != "loop" {
			continue
		}
		probe := *p
		probe.Expand = name
		with.Body[i], forced = &probe, true
	}
	if !forced {
		return f
	}
	return &with
}
