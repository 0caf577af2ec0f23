// Package plain sums by scattered keys on a device with a kernel that can do nothing else,
// beside which bench groupby sets those of the engine.
package plain

import (
	"context"
	_ "embed"
	"encoding/binary"
	"fmt"
	"math/bits"
	"unsafe"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
	"github.com/cubeloom/cubeloom/runtime/cuda"
)

//go:embed plain.cu
var source string

// Rows are what is grouped: the bytes of 64-bit keys, and a value of one byte each.
type Rows struct {
	Keys   []int64
	Values []byte
}

// Answer is what the groups come to.
type Answer struct{ Groups, Sum int64 }

// Fastest is how long the fastest kernel took, in nanoseconds, and which that is.
type Fastest struct {
	Nanoseconds int64
	Kernel      string
}

// A form is a kernel and how it is launched.
type form struct {
	kernel                string
	threads, grid, shared int
	logSlots              int
}

const (
	slotBytes    = 16 // a key and a sum of two words
	blockThreads = 1024
	oneThreads   = 256
	oneBlocks    = 8 // of a multiprocessor
	quad         = 4
)

// forms are those that apply to so many groups.
func forms(info *cuda.Info, groups int64) []form {
	all := []form{
		{kernel: "one_4", threads: oneThreads, grid: oneBlocks * info.SMs},
		{kernel: "one_8", threads: oneThreads, grid: oneBlocks * info.SMs},
	}
	for log := 11; log <= 13; log++ {
		slots := 1 << log
		if int64(slots)*3 < groups*4 || slots*slotBytes > info.SharedMemory {
			continue
		}
		for _, kernel := range []string{"blocks_4", "blocks_8"} {
			grid := info.SMs * max(1, min(2, info.SharedMemory/(slots*slotBytes)))
			all = append(all, form{kernel, blockThreads, grid, slots * slotBytes, log})
		}
	}
	return all
}

// Run groups the rows several times with each kernel that applies to so many groups, compares the
// groups with an answer, and returns the one whose median is the least, as queries are timed. The first run
// of each does not count.
func Run(ctx context.Context, device cuda.Device, rows *Rows, groups int64, want Answer, runs int) (best Fastest, err error) {
	code, err := device.Load(ctx, "plain", source)
	if err != nil {
		return best, err
	}
	stream, err := device.NewStream()
	if err != nil {
		return best, err
	}
	r := &run{device: device, stream: stream, rows: int64(len(rows.Keys)), logTable: max(10, bits.Len64(uint64(2*groups-1)))}
	defer r.free()
	if err := r.alloc(rows); err != nil {
		return best, err
	}
	info := device.Info()
	for _, f := range forms(&info, groups) {
		kernel, err := code.Kernel(f.kernel)
		if err != nil {
			return best, err
		}
		took, err := r.median(kernel, &f, runs)
		if err != nil {
			return best, fmt.Errorf("%s: %w", f.kernel, err)
		}
		if best.Nanoseconds == 0 || took < best.Nanoseconds {
			best = Fastest{took, f.kernel}
		}
		got, err := r.answer()
		if err != nil {
			return best, err
		}
		if got != want {
			return best, fmt.Errorf("%s has %d groups with the sum %d, not %d with %d", f.kernel, got.Groups, got.Sum, want.Groups, want.Sum)
		}
	}
	return best, nil
}

// run is what lies on the device.
type run struct {
	device                    cuda.Device
	stream                    cuda.Stream
	held                      []cuda.Ptr
	rows                      int64
	keys, values, table, sums cuda.Ptr
	logTable                  int
}

// alloc puts the rows on the device, filled up to whole quads with keys that are skipped.
func (r *run) alloc(rows *Rows) error {
	n := (r.rows + quad - 1) / quad * quad
	for _, a := range []struct {
		to    *cuda.Ptr
		bytes int64
	}{{&r.keys, 8 * n}, {&r.values, n}, {&r.table, 8 << r.logTable}, {&r.sums, 8 << r.logTable}} {
		p, err := r.device.Memory().Alloc(max(a.bytes, 1))
		if err != nil {
			return err
		}
		*a.to = p
		r.held = append(r.held, p)
	}
	if err := r.stream.Fill(r.keys, 0xff, 8*n, nil); err != nil {
		return err
	}
	if r.rows == 0 {
		return nil
	}
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(rows.Keys))), 8*len(rows.Keys))
	if err := r.stream.Upload(r.keys, bytes); err != nil {
		return err
	}
	return r.stream.Upload(r.values, rows.Values)
}

func (r *run) free() {
	for _, p := range r.held {
		r.device.Memory().Free(p)
	}
}

// median groups the rows several times, and once before.
func (r *run) median(kernel cuda.Kernel, f *form, runs int) (nanoseconds int64, err error) {
	took := make([]int64, runs+1)
	for i := range took {
		if took[i], err = r.once(kernel, f); err != nil {
			return 0, err
		}
	}
	return harness.Median(took[1:]), nil
}

// once clears the table and groups the rows.
func (r *run) once(kernel cuda.Kernel, f *form) (nanoseconds int64, err error) {
	if err := r.stream.Fill(r.table, 0xff, 8<<r.logTable, nil); err != nil {
		return 0, err
	}
	if err := r.stream.Fill(r.sums, 0, 8<<r.logTable, nil); err != nil {
		return 0, err
	}
	var timer cuda.Timer
	err = r.stream.Launch(cuda.Launch{
		Kernel: kernel, Grid: f.grid, Threads: f.threads, Shared: f.shared, Timer: &timer,
		Params: []uint64{uint64(r.keys), uint64(r.values), uint64(r.rows), uint64(f.logSlots), uint64(r.table), uint64(r.sums), uint64(r.logTable)},
	})
	if err == nil {
		err = r.stream.Sync()
	}
	return timer.Nanoseconds, err
}

// answer reads the table.
func (r *run) answer() (a Answer, err error) {
	keys, sums := make([]byte, 8<<r.logTable), make([]byte, 8<<r.logTable)
	if err := r.stream.Download(context.Background(), cuda.Copy{Dst: keys, Src: r.table}, cuda.Copy{Dst: sums, Src: r.sums}); err != nil {
		return a, err
	}
	for i := 0; i < len(keys); i += 8 {
		if binary.LittleEndian.Uint64(keys[i:]) != ^uint64(0) {
			a.Groups++
			a.Sum += int64(binary.LittleEndian.Uint64(sums[i:]))
		}
	}
	return a, nil
}
