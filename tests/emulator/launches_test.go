//go:build device

package emulator

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// runSeeded runs source on a device of its own.
func runSeeded(t *testing.T, opts Options, source string, l cuda.Launch, n int) []uint64 {
	t.Helper()
	d, err := Open(opts)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	out, err := run(t, d, source, l, numbers(4), n)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Children run beside their parent or after it, other blocks of the parent between
// them, and see what was written before they were launched.
func TestChildrenBesideAndBehind(t *testing.T) {
	const blocks = 6
	seen := map[string]bool{}
	for seed := uint64(1); seed <= 12; seed++ {
		out := runSeeded(t, Options{Seed: seed}, `
extern "C" __global__ void child(const Params p, u64 parent) {
    __shared__ u64 before;
    if (threadIdx.x == 0) before = p.out[8 + parent];
    __syncthreads();
    atomicAdd(&p.out[1], before);
    if (threadIdx.x == 0 && blockIdx.x == 0) atomicAdd(&p.out[atomicAdd(&p.out[0], 0) == gridDim.x * 2 ? 2 : 3], 1);
}
extern "C" __global__ void k(const Params p) {
    __shared__ u64 sums[4];
    sums[threadIdx.x % 4] = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        p.out[8 + blockIdx.x] = blockIdx.x + 1;
        child<<<3, 96, 0, cudaStreamFireAndForget>>>(p, blockIdx.x);
        if (cudaGetLastError() != cudaSuccess) __trap();
    }
    atomicAdd(&sums[threadIdx.x % 4], 1);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(&p.out[0], sums[3] == 8);
}`, cuda.Launch{Grid: blocks, Threads: 32}, 8+blocks)
		if out[0] != blocks || out[1] != 3*96*blocks*(blocks+1)/2 || out[2]+out[3] != blocks {
			t.Fatalf("seed %d: %d", seed, out)
		}
		seen[fmt.Sprint(out[2] > 0, out[3] > 0)] = true
	}
	if !seen["true true"] || len(seen) < 2 {
		t.Errorf("children came behind and before the end of their parent: %v", seen)
	}
}

// chain is a kernel of segments: each launches children, and as its tail the next one,
// which finds all that they have written.
const chain = `
extern "C" __global__ void child(const Params p, u64 segment) { atomicAdd(&p.out[2 + segment], blockIdx.x + 1); }
extern "C" __global__ void last(const Params p, u64 segments) { p.out[1] = p.out[0] == segments; }
extern "C" __global__ void segment(const Params p, u64 number) {
    if (number > 0 && p.out[2 + number - 1] != 64 * 3) __trap();
    if (threadIdx.x >= 2) return;
    child<<<2, 32, 0, cudaStreamFireAndForget>>>(p, number);
    if (threadIdx.x == 1) return;
    atomicAdd(&p.out[0], 1);
    if (number + 1 < 40) segment<<<1, 64, 16, cudaStreamTailLaunch>>>(p, number + 1);
}
extern "C" __global__ void k(const Params p) {
    if (threadIdx.x > 0) return;
    segment<<<1, 64, 16, cudaStreamTailLaunch>>>(p, 0);
    last<<<1, 1, 0, cudaStreamTailLaunch>>>(p, 40);
}`

func TestTailsComeLastAndInOrder(t *testing.T) {
	for seed := uint64(1); seed <= 8; seed++ {
		out := runSeeded(t, Options{Seed: seed, PendingLaunches: 64}, chain, cuda.Launch{Grid: 1, Threads: 32}, 42)
		if out[0] != 40 || out[1] != 1 {
			t.Fatalf("seed %d: %d segments, the last launch saw them: %d", seed, out[0], out[1])
		}
	}
}

// A launch that the pool has no room for fails with CUDA's error, and its parent
// can do the work itself.
func TestLaunchPoolIsFull(t *testing.T) {
	const blocks = 50
	const source = `
__device__ void work(const Params &p) { atomicAdd(&p.out[0], 1); }
extern "C" __global__ void child(const Params p) { work(p); }
extern "C" __global__ void k(const Params p) {
    __shared__ int error;
    if (threadIdx.x == 0) {
        child<<<1, 32, 0, cudaStreamFireAndForget>>>(p);
        error = cudaGetLastError();
        atomicAdd(&p.out[1], error == cudaErrorLaunchPendingCountExceeded);
        atomicAdd(&p.out[2], cudaGetLastError());
    }
    __syncthreads();
    if (error != cudaSuccess) work(p);
}`
	for _, pool := range []int{4, 0} {
		d, err := Open(Options{Seed: 3, PendingLaunches: pool})
		if err != nil {
			t.Fatal(err)
		}
		out, err := run(t, d, source, cuda.Launch{Grid: blocks, Threads: 32}, nil, 3)
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Launched(); got.Done+got.Refused != blocks || got.Refused != int(out[1]) {
			t.Errorf("a pool of %d: %+v", pool, got)
		}
		if out[0] != 32*blocks || out[2] != 0 || (out[1] > 0) != (pool == 4) {
			t.Errorf("a pool of %d: %d additions, %d launches refused, %d errors that stayed", pool, out[0], out[1], out[2])
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestLaunchesThatCannotBe(t *testing.T) {
	out := runSeeded(t, Options{}, `
extern "C" __global__ void child(const Params p) { __trap(); }
extern "C" __global__ void k(const Params p) {
    child<<<0, 32, 0, cudaStreamFireAndForget>>>(p);
    p.out[0] = cudaGetLastError();
    child<<<1, 1025, 0, cudaStreamFireAndForget>>>(p);
    p.out[1] = cudaGetLastError();
    child<<<1, 32, 1 << 20, cudaStreamTailLaunch>>>(p);
    p.out[2] = cudaGetLastError();
}`, cuda.Launch{Grid: 1, Threads: 1}, 3)
	for i, got := range out {
		if got != 9 {
			t.Errorf("launch %d: error %d, want that of a wrong configuration", i, got)
		}
	}
}

// What a launch, or the kernel that it starts, does wrong is found.
func TestFaultsOfChildren(t *testing.T) {
	const child = `
extern __shared__ __align__(16) unsigned char dynamic[];
extern "C" __global__ void child(const Params p, u64 *to, u64 at) {
    to[at] = 1;
    dynamic[at] = 1;
    if (at == 8) p.out[0] = p.in[p.n];
}
extern "C" __global__ void k(const Params p) {
    __shared__ u64 own[4];
    u64 local[4];
    own[0] = local[0] = 0;
    BODY
    p.out[2] = own[0] + local[0];
}`
	for _, c := range []struct{ name, body, want string }{
		{"static shared memory", `child<<<1, 1, 16, cudaStreamFireAndForget>>>(p, own, 0);`, "gives kernel child a pointer into shared memory"},
		{"dynamic shared memory", `child<<<1, 1, 16, cudaStreamFireAndForget>>>(p, (u64 *)dynamic, 0);`, "gives kernel child a pointer into shared memory"},
		{"local memory", `child<<<1, 1, 16, cudaStreamTailLaunch>>>(p, local, 0);`, "gives kernel child a pointer into local memory"},
		{"stream", `child<<<1, 1>>>(p, p.out, 0);`, "neither fire-and-forget nor of tail launches"},
		{"shared memory of the child", `child<<<1, 1, 5, cudaStreamFireAndForget>>>(p, p.out, 5);`, "use-after-poison"},
		{"global memory of the child", `child<<<1, 1, 16, cudaStreamTailLaunch>>>(p, p.out, 8);`, "heap-buffer-overflow"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := Open(Options{Seed: 7})
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			_, err = run(t, d, strings.Replace(child, "BODY", c.body, 1), cuda.Launch{Grid: 1, Threads: 1, Shared: 128}, numbers(32), 32)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "kernel test.k (seed 7, launch 1)") {
				t.Fatalf("got %v, want an error with %q", err, c.want)
			}
		})
	}
}
