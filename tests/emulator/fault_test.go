//go:build device

package emulator

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// TestPatience lets a kernel take more basic blocks than the patience, with no thread that
// ends among them, as long as threads meet: those of a block, or of a warp.
func TestPatience(t *testing.T) {
	d, err := Open(Options{Patience: shortPatience})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for _, meet := range []string{"__syncthreads()", "__any_sync(~0u, 1)"} {
		out, err := run(t, d, fmt.Sprintf(`extern "C" __global__ void k(const Params p) {
    volatile u64 sum = 0;
    for (u64 i = 0; i < 32; i++) {
        for (u64 k = 0; k < %d; k++) sum = sum + k %% 2;
        %s;
    }
    p.out[threadIdx.x] = sum;
}`, shortPatience/400, meet), cuda.Launch{Grid: 1, Threads: 32}, numbers(1), 32)
		if err != nil {
			t.Errorf("%s: %v", meet, err)
			continue
		}
		for i, got := range out {
			if got != shortPatience/400*32/2 {
				t.Errorf("%s: thread %d counts %d", meet, i, got)
			}
		}
	}
}

// undefinedBehaviour is in the report of what the compiler checks: the line follows it.
const undefinedBehaviour = "AddressSanitizer: ILL"

// Everything that a kernel can do wrong is an error that names the kernel and
// what is wrong.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"global memory", `p.out[p.n + threadIdx.x] = 1;`, "heap-buffer-overflow"},
		{"memory that is no one's", `*(volatile int *)8 = 1;`, "SEGV"},
		{"static shared memory", `__shared__ int a[32]; a[threadIdx.x + p.n] = 1; __syncthreads(); p.out[0] = a[0];`, undefinedBehaviour},
		{"static shared memory by pointer", `__shared__ int a[32]; int *q = a; q[threadIdx.x + p.n] = 1; __syncthreads(); p.out[0] = a[0];`, "global-buffer-overflow"},
		{"dynamic shared memory", `extern __shared__ int d[]; d[threadIdx.x + p.n] = 1; __syncthreads(); p.out[0] = d[0];`, "use-after-poison"},
		{"before dynamic shared memory", `extern __shared__ int d[]; d[(int)threadIdx.x - (int)p.n] = 1; __syncthreads(); p.out[0] = d[0];`, "use-after-poison"},
		{"registers", `int r[4]; for (int i = 0; i < 4; i++) r[i] = i; p.out[0] = r[p.n / 8 + threadIdx.x / 32];`, undefinedBehaviour},
		{"signed overflow", `p.out[0] = 0x7fffffff + (int)p.n;`, undefinedBehaviour},
		{"misaligned load", `p.out[0] = *(const u64 *)((const char *)p.in + 4);`, undefinedBehaviour},
		{"barrier in one branch", `if (threadIdx.x < 16) __syncthreads(); p.out[0] = 1;`, "never reach"},
		{"different barriers", `if (threadIdx.x < 16) __syncthreads();
else __syncthreads();`, "different barriers"},
		{"barrier against warp", `if (threadIdx.x == 0) __syncthreads(); else __syncwarp();`, "wait for each other for ever"},
		{"lane that ended", `if (threadIdx.x == 3) return; p.out[0] = __shfl_sync(0xffffffffu, p.n, 3);`, "lane 3 of its warp, which has ended"},
		{"not in the mask", `p.out[0] = __ballot_sync(1u, 1);`, "is not in the mask"},
		{"different masks", `p.out[0] = threadIdx.x == 0 ? __ballot_sync(3u, 1) : __ballot_sync(0xffffffffu, 1);`, "different operations"},
		{"spinning", `volatile u64 *q = p.out; while (*q == 0) ;`, "spins for ever"},
		{"trap", `__trap();`, "trap"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := Open(Options{Seed: 7, Patience: shortPatience})
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			_, err = run(t, d, "extern \"C\" __global__ void k(const Params p) {\n"+c.body+"\n}", cuda.Launch{Grid: 1, Threads: 32, Shared: 128}, numbers(32), 32)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "kernel test.k (seed 7, launch 1)") {
				t.Fatalf("got %v, want an error with %q", err, c.want)
			}
			if again := newStream(t, d).Sync(); again == nil || again.Error() != err.Error() {
				t.Errorf("the next call gave %v", again)
			}
		})
	}
}

func TestLaunchThatDoesNotFit(t *testing.T) {
	d := open(t)
	ctx := context.Background()
	if _, err := d.Load(ctx, "bad", "int f( {"); err == nil || !strings.Contains(err.Error(), "compiling bad") || !strings.Contains(err.Error(), "error:") {
		t.Errorf("source that is wrong: %v", err)
	}
	c, err := d.Load(ctx, "fine", prelude+`extern "C" __global__ void k(const Params p) { }`)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Kernel("missing"); err == nil || !strings.Contains(err.Error(), "has no kernel missing") {
		t.Errorf("a kernel that is not there: %v", err)
	}
	k, err := c.Kernel("k")
	if err != nil {
		t.Fatal(err)
	}
	three, s := make([]uint64, 3), newStream(t, d)
	for want, l := range map[string]cuda.Launch{
		"takes 24 bytes":          {Kernel: k, Grid: 1, Threads: 32, Params: three[:2]},
		"a block of 1025 threads": {Kernel: k, Grid: 1, Threads: 1025, Params: three},
		"a grid of 0 blocks":      {Kernel: k, Threads: 32, Params: three},
		"bytes of shared memory":  {Kernel: k, Grid: 1, Threads: 32, Shared: 1 << 20, Params: three},
		"is not a kernel":         {Grid: 1, Threads: 32, Params: three},
	} {
		if err := s.Launch(l); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
	timer := cuda.Timer{}
	if err := errors.Join(s.Launch(cuda.Launch{Kernel: k, Grid: 2, Threads: 64, Params: three, Timer: &timer}), s.Sync()); err != nil || timer.Nanoseconds <= 0 {
		t.Errorf("after the errors: %v, %d ns", err, timer.Nanoseconds)
	}
}
