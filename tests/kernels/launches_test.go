//go:build device

package kernels

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"testing"

	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/tests/device"
)

// launching is source of what kernels that launch kernels rely on. The parameter is an
// array of words, and two numbers.
const launching = `
typedef unsigned int u32;
typedef unsigned long long u64;
struct Params { u64 *out; u64 n, shared; };
extern __shared__ __align__(16) unsigned char dynamic[];

// Adds a thousand numbers into dynamic shared memory, then all of it to the sum.
__device__ void add(const Params &p, u64 at) {
    u32 *sums = (u32 *)dynamic;
    for (u32 i = threadIdx.x; i < p.shared / 4; i += blockDim.x) sums[i] = 0;
    __syncthreads();
    for (u32 i = threadIdx.x; i < 1000; i += blockDim.x) atomicAdd(sums + (i * 97 + at) % (p.shared / 4), 1u);
    __syncthreads();
    for (u32 i = threadIdx.x; i < p.shared / 4; i += blockDim.x)
        if (sums[i] != 0) atomicAdd(p.out, (u64)sums[i]);
}
extern "C" __global__ void child(const Params p, u64 at) { add(p, at); }

// Each block launches a child, or does its work itself.
extern "C" __global__ void parents(const Params p) {
    __shared__ int error;
    if (threadIdx.x == 0) {
        child<<<1, 128, p.shared, cudaStreamFireAndForget>>>(p, blockIdx.x);
        error = cudaGetLastError();
        if (error != cudaSuccess) {
            atomicAdd(p.out + 1, 1ull);
            p.out[2] = error;
        }
    }
    __syncthreads();
    if (error != cudaSuccess) add(p, blockIdx.x);
}

// A chain of n segments, each of which finds the additions of those before it done.
extern "C" __global__ void segment(const Params p, u64 number) {
    if (threadIdx.x > 0) return;
    if (*(volatile u64 *)p.out != number * 2000) atomicAdd(p.out + 1, 1ull);
    for (int i = 0; i < 2; i++) child<<<1, 128, p.shared, cudaStreamFireAndForget>>>(p, number);
    if (number + 1 < p.n) segment<<<1, 32, 0, cudaStreamTailLaunch>>>(p, number + 1);
    const int error = cudaGetLastError();
    if (error != cudaSuccess) p.out[2] = error;
    p.out[3] = number + 1;
}
extern "C" __global__ void chain(const Params p) {
    if (threadIdx.x == 0) segment<<<1, 32, 0, cudaStreamTailLaunch>>>(p, 0);
}
`

// launchRun is a launch of an entry of launching, and what it left in four words.
type launchRun struct {
	entry         string
	grid, threads int
	n, shared     uint64
}

func (l launchRun) do(t *testing.T, d cuda.Device) (words [4]uint64, milliseconds float64) {
	t.Helper()
	code, err := d.Load(context.Background(), "launching", launching)
	if err != nil {
		t.Fatal(err)
	}
	k, err := code.Kernel(l.entry)
	if err != nil {
		t.Fatal(err)
	}
	out, err := d.Memory().Alloc(32)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Memory().Free(out)
	timer, bytes := cuda.Timer{}, make([]byte, 32)
	launch := cuda.Launch{
		Kernel: k, Grid: l.grid, Threads: l.threads, Shared: int(l.shared),
		Params: []uint64{uint64(out), l.n, l.shared}, Timer: &timer,
	}
	s, err := d.NewStream()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Fill(out, 0, 32, nil), s.Launch(launch), s.Sync(), s.Download(t.Context(), cuda.Copy{Dst: bytes, Src: out})); err != nil {
		t.Fatal(err)
	}
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(bytes[8*i:])
	}
	return words, float64(timer.Nanoseconds) / 1e6
}

// Launches that the pool has no room for are done by their parents; tails of a chain
// come after all that was launched before. On a GPU the blocks are more.
func TestLaunches(t *testing.T) {
	t.Parallel()
	blocks, segments := 40, uint64(20)
	if device.Real(t) {
		blocks, segments = 1000, 200
	}
	for _, pool := range []int{4, 0, 65536} {
		d, err := device.OpenerOf(t, device.Limits{PendingLaunches: pool})(0)
		if err != nil {
			t.Fatal(err)
		}
		if reason := d.Info().NoLaunches; reason != "" {
			t.Fatal(reason)
		}
		for _, shared := range []uint64{4 << 10, 100 << 10} {
			for range 2 { // the first of them makes the pool
				got, ms := launchRun{"parents", blocks, 128, 0, shared}.do(t, d)
				t.Logf("a pool of %d, %d bytes of shared memory: %d launches, %d refused with error %d, %.3f ms", pool, shared, blocks, got[1], got[2], ms)
				if got[0] != 1000*uint64(blocks) || (pool == 65536 && got[1] > 0) {
					t.Errorf("%d additions of %d, %d launches refused", got[0], 1000*blocks, got[1])
				}
			}
		}
		for _, n := range []uint64{segments / 10, segments} {
			got, ms := launchRun{"chain", 1, 32, n, 4 << 10}.do(t, d)
			t.Logf("a pool of %d: a chain of %d segments of %d, %d of them too early, error %d, %.3f ms", pool, got[3], n, got[1], got[2], ms)
			if pool == 65536 && (got[0] != 2000*n || got[1] > 0 || got[2] != 0) {
				t.Errorf("a chain of %d segments: %d", n, got)
			}
		}
		if err := d.(io.Closer).Close(); err != nil {
			t.Error(err)
		}
	}
}
