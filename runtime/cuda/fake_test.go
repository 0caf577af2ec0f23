package cuda

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"testing"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu"
	"github.com/cubeloom/cubeloom/tests/launchtext"
)

// fakeDevice carries launches out by functions of Go in place of compiled kernels, so
// that launch plans can be tested without a compiler.
type fakeDevice struct {
	*heap
	plan    *launch.Plan
	kernels map[string]func(*fakeLaunch)
	ran     []string // the launches: entry and blocks
}

// fakeLaunch is a launch as a fake kernel sees it.
type fakeLaunch struct {
	*fakeDevice
	entry *launch.Entry
	Launch
}

type fakeKernel string

func (fakeKernel) Usage(int, int) Usage { return Usage{Blocks: 2} }

func (d *fakeDevice) Info() Info                                         { return Info{Name: "fake", SMs: 3, TotalMemory: 1 << 30} }
func (d *fakeDevice) Load(context.Context, string, string) (Code, error) { return d, nil }
func (d *fakeDevice) Kernel(name string) (Kernel, error)                 { return fakeKernel(name), nil }
func (d *fakeDevice) NewStream() (Stream, error)                         { return d, nil }

// Launch implements Device.
func (d *fakeDevice) Launch(l Launch) error {
	name := string(l.Kernel.(fakeKernel))
	for i := range d.plan.Entries {
		if e := &d.plan.Entries[i]; e.Name == name {
			d.ran = append(d.ran, fmt.Sprintf("%s %d", name, l.Grid))
			d.kernels[name](&fakeLaunch{d, e, l})
			return nil
		}
	}
	return fmt.Errorf("the fake device has no kernel %s", name)
}

// arg is a word of the parameter by its name, but for the number at its end.
func (l *fakeLaunch) arg(name string) int64 {
	for _, i := range l.entry.Takes {
		if l.plan.Blocks[l.entry.Block].Words[i].Name == name {
			return int64(l.Params[i])
		}
	}
	panic("entry " + l.entry.Name + " does not take " + name)
}

// get and put read and write element i of the array that an argument points to, of so
// many bytes each.
func (l *fakeLaunch) get(name string, width, i int64) int64 {
	var b [8]byte
	copy(b[:width], l.at(Ptr(l.arg(name)+width*i)))
	return int64(binary.LittleEndian.Uint64(b[:]))
}

func (l *fakeLaunch) put(name string, width, i, v int64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(v))
	copy(l.at(Ptr(l.arg(name) + width*i))[:width], b[:width])
}

// fakeRun is a run of the launch plan of a file on a fake device, over so many rows.
func fakeRun(t *testing.T, file string, rows int64, outputs []cudagen.ColumnShape) (*run, *fakeDevice) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := launchtext.Parse(string(text))
	if err == nil {
		err = launch.Verify(plan)
	}
	if err != nil {
		t.Fatal(err)
	}
	d := &fakeDevice{heap: newHeap(0), plan: plan, kernels: map[string]func(*fakeLaunch){}}
	b := New(d, cpu.New(), Options{})
	m := &cudagen.Module{
		Plan: plan, Outputs: outputs, Bases: make([]int64, len(outputs)), Results: make([]kernel.ValueID, len(outputs)),
		Args: make([]cudagen.Arg, len(plan.Blocks[0].Words)), Sites: []cudagen.Site{{}},
	}
	r := &run{
		backend: b, ctx: t.Context(), module: m, code: d, words: make([]uint64, len(m.Args)), temp: b.mem.newBuffers(),
		f:    &kernel.Func{Name: "fake", Values: []kernel.Value{{Type: kernel.I64}}, Sink: &kernel.Aggregate{Groups: 300}},
		opts: &runtime.RunOptions{Account: runtime.NewAccount(0)},
	}
	r.setRows(rows)
	return r, d
}

// column reads back a column of 64-bit integers of a result.
func column64(t *testing.T, out runtime.Output, ordinal int) []int64 {
	t.Helper()
	rel := out.(runtime.Relation)
	block, err := rel.Load(0, []int{ordinal})
	if err != nil {
		t.Fatal(err)
	}
	values := make([]int64, block.Rows)
	for i := range values {
		values[i] = block.Cols[ordinal].Int(i)
	}
	return values
}

// carryOut carries the plan out, holding the device.
func carryOut(r *run) (out runtime.Output, room int64, err error) {
	if r.queue, err = r.backend.mem.hold(r.ctx, nil); err != nil {
		return nil, 0, err
	}
	defer r.queue.leave()
	return r.interpret(0)
}
