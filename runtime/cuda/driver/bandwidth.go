package driver

import (
	"context"
	"time"

	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// readSource reads an array of 16-byte words, four in flight in each thread.
const readSource = `
struct Params { const uint4 *data; unsigned long long count; unsigned *out; };
extern "C" __global__ void __launch_bounds__(512) read_all(const Params p) {
    unsigned sum = 0;
    unsigned long long stride = (unsigned long long)gridDim.x * blockDim.x;
    unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
    for (; i + 3 * stride < p.count; i += 4 * stride) {
        uint4 a = p.data[i], b = p.data[i + stride], c = p.data[i + 2 * stride], d = p.data[i + 3 * stride];
        sum ^= a.x ^ a.y ^ a.z ^ a.w ^ b.x ^ b.y ^ b.z ^ b.w ^ c.x ^ c.y ^ c.z ^ c.w ^ d.x ^ d.y ^ d.z ^ d.w;
    }
    if (sum == 0x12345678u) *p.out = sum;
}
`

// measureBandwidth reads an array well above the size of the caches and returns
// bytes a second, or 0 where there is no room for it.
func (d *Device) measureBandwidth() float64 {
	const threads, blocksPerProcessor, repetitions = 512, 4, 3
	bytes := min(int64(1)<<30, d.info.TotalMemory/4) &^ (1<<20 - 1)
	if bytes == 0 {
		return 0
	}
	k := sqlstate.Must(sqlstate.Must(d.Load(context.Background(), "bandwidth", readSource)).Kernel("read_all"))
	data, err := d.memory.Alloc(bytes)
	if err != nil {
		return 0 // other programs use the device's memory
	}
	defer d.memory.Free(data)
	on := sqlstate.Must(d.newStream())
	sqlstate.Check(on.Fill(data, 0, bytes, nil))
	best := int64(0)
	for range repetitions {
		var timer cuda.Timer
		sqlstate.Check(on.Launch(cuda.Launch{
			Kernel: k, Grid: blocksPerProcessor * d.info.SMs, Threads: threads,
			Params: []uint64{uint64(data), uint64(bytes) / 16, uint64(data)}, Timer: &timer,
		}))
		sqlstate.Check(on.Sync())
		if best == 0 || timer.Nanoseconds < best {
			best = timer.Nanoseconds
		}
	}
	return float64(bytes) / (float64(max(best, 1)) / 1e9)
}

// measureLink copies from page-locked memory and returns bytes a second, or 0 where
// there is no room on the device.
func (d *Device) measureLink() float64 {
	const bytes, repetitions = 16 << 20, 3
	data, err := d.memory.Alloc(bytes)
	if err != nil {
		return 0 // other programs use the device's memory
	}
	defer d.memory.Free(data)
	best, before := time.Duration(0), time.Duration(0)
	for range repetitions {
		staged := sqlstate.Must(d.link.Stage(0, bytes))
		sqlstate.Check(d.link.Send(0, []cuda.Transfer{{Dst: data, Src: staged}}))
		busy := sqlstate.Must(d.link.Busy())
		if took := busy - before; best == 0 || took < best {
			best = took
		}
		before = busy
	}
	return bytes / max(best.Seconds(), 1e-9)
}
