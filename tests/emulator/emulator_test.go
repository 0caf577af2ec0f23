//go:build device

package emulator

import (
	"context"
	"encoding/binary"
	"errors"
	"math/big"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// prelude is what the kernels of these tests share: the parameter is an array
// of words out, one of words in, and a number.
const prelude = `
typedef unsigned long long u64;
struct Params { u64 *out; const u64 *in; u64 n; };
`

func open(t *testing.T) *Device {
	t.Helper()
	d, err := Open(Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// run compiles source, launches its kernel k over the given input and returns n
// words of output, which start as zeros.
func newStream(t *testing.T, d *Device) cuda.Stream {
	t.Helper()
	s, err := d.NewStream()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func run(t *testing.T, d *Device, source string, l cuda.Launch, in []uint64, n int) ([]uint64, error) {
	t.Helper()
	c, err := d.Load(context.Background(), "test", prelude+source)
	if err != nil {
		t.Fatal(err)
	}
	if l.Kernel, err = c.Kernel("k"); err != nil {
		t.Fatal(err)
	}
	memory := d.Memory()
	inPtr, err := memory.Alloc(int64(8 * len(in)))
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Free(inPtr)
	outPtr, err := memory.Alloc(int64(8 * n))
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Free(outPtr)
	s := newStream(t, d)
	if err := errors.Join(s.Upload(inPtr, words(in)), s.Fill(outPtr, 0, int64(8*n), nil)); err != nil {
		t.Fatal(err)
	}
	l.Params = []uint64{uint64(outPtr), uint64(inPtr), uint64(len(in))}
	if err := errors.Join(s.Launch(l), s.Sync()); err != nil {
		return nil, err
	}
	out := make([]byte, 8*n)
	if err := s.Download(t.Context(), cuda.Copy{Dst: out, Src: outPtr}); err != nil {
		t.Fatal(err)
	}
	result := make([]uint64, n)
	for i := range result {
		result[i] = binary.NativeEndian.Uint64(out[8*i:])
	}
	return result, nil
}

// numbers are 0 to n-1.
func numbers(n int) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		out[i] = uint64(i)
	}
	return out
}

// reverse turns the words of each block around through shared memory.
const reverse = `
extern "C" __global__ void __launch_bounds__(256) k(const Params p) {
    __shared__ u64 tile[256];
    tile[threadIdx.x] = p.in[blockIdx.x * blockDim.x + threadIdx.x];
    BARRIER
    p.out[blockIdx.x * blockDim.x + threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}`

func TestBarrier(t *testing.T) {
	const blocks, threads = 7, 256
	for _, barrier := range []string{"__syncthreads();", ""} {
		out, err := run(t, open(t), strings.Replace(reverse, "BARRIER", barrier, 1),
			cuda.Launch{Grid: blocks, Threads: threads}, numbers(blocks*threads), blocks*threads)
		if err != nil {
			t.Fatal(err)
		}
		wrong := 0
		for i, got := range out {
			if want := i/threads*threads + threads - 1 - i%threads; got != uint64(want) {
				wrong++
			}
		}
		if hasBarrier := barrier != ""; hasBarrier != (wrong == 0) {
			t.Errorf("barrier %q: %d of %d words are wrong", barrier, wrong, len(out))
		}
	}
}

func TestDynamicSharedAndCounts(t *testing.T) {
	out, err := run(t, open(t), `
extern __shared__ __align__(16) unsigned char dynamic[];
template <int N> __device__ u64 rotate(u64 v) {
    __shared__ u64 buffer[N];
    buffer[threadIdx.x] = v;
    __syncthreads();
    u64 r = buffer[(threadIdx.x + 1) % N];
    __syncthreads();
    return r;
}
extern "C" __global__ void k(const Params p) {
    u64 *d = (u64 *)dynamic;
    d[threadIdx.x] = rotate<64>(threadIdx.x);
    int count = __syncthreads_count(threadIdx.x % 4 == 0);
    int all = __syncthreads_and(threadIdx.x < 64), notAll = __syncthreads_and(threadIdx.x < 63);
    int any = __syncthreads_or(threadIdx.x == 5), none = __syncthreads_or(threadIdx.x > 63);
    if (threadIdx.x == 0) p.out[64] = count * 10000 + all * 1000 + notAll * 100 + any * 10 + none;
    p.out[threadIdx.x] = d[63 - threadIdx.x];
}`, cuda.Launch{Grid: 1, Threads: 64, Shared: 512}, nil, 65)
	if err != nil {
		t.Fatal(err)
	}
	for i, got := range out[:64] {
		if want := uint64(63-i+1) % 64; got != want {
			t.Errorf("word %d is %d, want %d", i, got, want)
		}
	}
	if out[64] != 161010 {
		t.Errorf("count, and, or: %d", out[64])
	}
}

func TestWarp(t *testing.T) {
	out, err := run(t, open(t), `
extern "C" __global__ void k(const Params p) {
    const unsigned all = 0xffffffffu;
    unsigned lane = threadIdx.x & 31;
    u64 wide = (u64)lane << 40;
    u64 sum = lane;
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(all, sum, d);
    bool ok = sum == 496;
    ok &= __shfl_sync(all, wide, (int)(lane + 1) % 32) == (u64)((lane + 1) % 32) << 40;
    ok &= __shfl_up_sync(all, (int)lane, 1) == (lane == 0 ? 0 : (int)lane - 1);
    ok &= __shfl_down_sync(all, lane * 0.5, 2) == (lane >= 30 ? lane : lane + 2) * 0.5;
    ok &= __shfl_down_sync(all, lane, 1, 8) == (lane % 8 == 7 ? lane : lane + 1);
    ok &= __ballot_sync(all, lane % 2) == 0xaaaaaaaau;
    ok &= __any_sync(all, lane == 9) == 1 && __any_sync(all, 0) == 0;
    ok &= __all_sync(all, 1) == 1 && __all_sync(all, lane != 9) == 0;
    ok &= __match_any_sync(all, lane / 4) == 0xfu << lane / 4 * 4;
    if (lane < 8) ok &= __ballot_sync(0xffu, lane == 3) == 8;
    else ok &= __ballot_sync(0xffffff00u, lane >= 30) == 0xc0000000u;
    ok &= (__activemask() >> lane & 1) == 1;
    __syncwarp();
    p.out[threadIdx.x] = ok;
}`, cuda.Launch{Grid: 1, Threads: 96}, nil, 96)
	if err != nil {
		t.Fatal(err)
	}
	for i, ok := range out {
		if ok != 1 {
			t.Errorf("thread %d: a warp operation gave something wrong", i)
		}
	}
}

func TestAtomics(t *testing.T) {
	const blocks, threads = 5, 64
	out, err := run(t, open(t), `
extern "C" __global__ void k(const Params p) {
    long long i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&p.out[0], (u64)i);
    atomicAdd((double *)&p.out[1], 0.5);
    atomicMin((long long *)&p.out[2], -i);
    atomicMax((long long *)&p.out[3], i);
    atomicAdd((unsigned *)&p.out[4], 1u);
    atomicOr((unsigned *)&p.out[5], 1u << i % 32);
    while (atomicCAS(&p.out[6], 0, 1) != 0) ;  // a lock
    p.out[7] += 1;
    __threadfence();
    atomicExch(&p.out[6], 0);
    if (atomicMax((unsigned *)&p.out[8], 7u) == 0) atomicAdd(&p.out[9], 1);
}`, cuda.Launch{Grid: blocks, Threads: threads}, nil, 10)
	if err != nil {
		t.Fatal(err)
	}
	const n = blocks * threads
	want := []uint64{n * (n - 1) / 2, 0x4064000000000000 /* 160.0 */, ^uint64(n-1) + 1, n - 1, n, 1<<32 - 1, 0, n, 7, 1}
	for i := range want {
		if out[i] != want[i] {
			t.Errorf("word %d is %#x, want %#x", i, out[i], want[i])
		}
	}
}

func TestWideArithmetic(t *testing.T) {
	const a, b = 0xfedcba9876543210, 0x123456789abcdef1
	out, err := run(t, open(t), `
extern "C" __global__ void k(const Params p) {
    u64 a = p.in[0], b = p.in[1];
    unsigned __int128 product = (unsigned __int128)a * b;
    __int128 quotient = -(__int128)(product / 1000);
    p.out[0] = (u64)product;
    p.out[1] = (u64)(product >> 64) == __umul64hi(a, b);
    p.out[2] = (u64)(quotient % 1000000007);
    p.out[3] = __popcll(a) + 100 * __clzll(b) + 10000 * __ffs(8) + 1000000 * __popc(7u) + 10000000 * __clz(1);
    p.out[4] = __mul64hi((long long)a, 3);
    p.out[5] = __double_as_longlong(__longlong_as_double(b));
}`, cuda.Launch{Grid: 1, Threads: 1}, []uint64{a, b}, 6)
	if err != nil {
		t.Fatal(err)
	}
	product := new(big.Int).Mul(new(big.Int).SetUint64(a), new(big.Int).SetUint64(b))
	quotient := new(big.Int).Neg(product.Div(product, big.NewInt(1000)))
	remainder := quotient.Rem(quotient, big.NewInt(1000000007)).Int64()
	want := []uint64{wrap(a, b), 1, uint64(remainder), 32 + 100*3 + 10000*4 + 3000000 + 310000000, 1<<64 - 1, b}
	for i := range want {
		if out[i] != want[i] {
			t.Errorf("word %d is %d, want %d", i, out[i], want[i])
		}
	}
}

// wrap is the low word of a product.
func wrap(a, b uint64) uint64 { return a * b }

// A block waits for what another block writes: blocks run at the same time.
func TestBlocksRunTogether(t *testing.T) {
	out, err := run(t, open(t), `
extern "C" __global__ void k(const Params p) {
    __shared__ u64 ticket;
    if (threadIdx.x == 0) {
        ticket = atomicAdd(&p.out[0], 1);
        volatile u64 *turn = &p.out[1];
        while (*turn != ticket) ;
        p.out[2 + ticket] = ticket * ticket;
        __threadfence();
        *turn = ticket + 1;
    }
    __syncthreads();
    if (threadIdx.x == 33 && ticket != 0) atomicAdd(&p.out[2 + ticket - 1], 1);
}`, cuda.Launch{Grid: 40, Threads: 64}, nil, 42)
	if err != nil {
		t.Fatal(err)
	}
	for i, got := range out[2:41] {
		if got != uint64(i*i+1) {
			t.Errorf("block %d: %d", i, got)
		}
	}
}

// shortPatience is less than the default, so that tests of it are done soon.
const shortPatience = 10_000_000

func TestMemory(t *testing.T) {
	d, err := Open(Options{Memory: 1000})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	m := d.Memory()
	a, err := m.Alloc(600)
	if err != nil || a%256 != 0 {
		t.Fatalf("%#x, %v", a, err)
	}
	if _, err := m.Alloc(600); !errors.Is(err, cuda.ErrOutOfMemory) {
		t.Errorf("beyond the limit: %v", err)
	}
	m.Free(a)
	if a, err = m.Alloc(600); err != nil {
		t.Fatal(err)
	}
	on := newStream(t, d)
	if err := on.Upload(a+1, []byte("abc")); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 3)
	if err := on.Download(t.Context(), cuda.Copy{Dst: got, Src: a + 1}); err != nil || string(got) != "abc" {
		t.Errorf("%q, %v", got, err)
	}
	m.Free(a)
	if err := on.Download(t.Context(), cuda.Copy{Dst: got, Src: a}); err == nil || !strings.Contains(err.Error(), "heap-use-after-free") || !strings.Contains(err.Error(), "downloading 3 bytes") {
		t.Errorf("after free: %v", err)
	}
}

func TestSeedRepeats(t *testing.T) {
	source := strings.Replace(reverse, "BARRIER", "", 1)
	var first []uint64
	for range 2 {
		d, err := Open(Options{Seed: 42})
		if err != nil {
			t.Fatal(err)
		}
		out, err := run(t, d, source, cuda.Launch{Grid: 1, Threads: 256}, numbers(256), 256)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = out
		}
		for i := range out {
			if out[i] != first[i] {
				t.Fatalf("word %d differs between two runs with one seed: %d and %d", i, first[i], out[i])
			}
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
}
