//go:build nvrtc

package driver

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// openStandIn opens a device whose driver is testdata/libcuda.c and whose
// compiler is NVRTC.
func openStandIn(t *testing.T) *Device {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", dir)
	t.Setenv("TMPDIR", dir) // for dumped sources
	out, err := exec.Command("cc", "-shared", "-fPIC", "-o", filepath.Join(dir, "libcuda.so.1"), "testdata/libcuda.c").CombinedOutput()
	if err != nil {
		t.Fatalf("compiling the stand-in for the driver: %v\n%s", err, out)
	}
	if err := os.WriteFile(filepath.Join(dir, deviceRuntimeName), []byte("runtime"), 0o600); err != nil {
		t.Fatal(err)
	}
	compiler := os.Getenv(PathVariable)
	t.Setenv(PathVariable, dir)
	found, err := Find(Options{Ordinal: 1, Dir: compiler, MemoryLimit: 100 << 20, PendingLaunches: 64})
	if err != nil {
		t.Fatal(err)
	}
	testFound(t, found)
	d, err := found.Open()
	if err != nil {
		t.Fatal(err)
	}
	return d.(*Device)
}

// testFound compiles for a device that is not open, which is described but for its bandwidths.
func testFound(t *testing.T, found *Found) {
	t.Helper()
	if i := found.Info(); i.Name != "stand-in" || i.Arch != "sm_90" || i.TotalMemory != 100<<20 || i.Bandwidth != 0 {
		t.Errorf("%+v before the device is open", i)
	}
	if found.Keeps(readSource) {
		t.Error("code that nobody has made is kept")
	}
	c, err := found.Load(context.Background(), "read", readSource)
	if err != nil || !found.Keeps(readSource) {
		t.Fatalf("compiled before the device is open: kept %v, %v", found.Keeps(readSource), err)
	}
	_, kernelErr := c.Kernel("read_all")
	_, streamErr := found.NewStream()
	if !errors.Is(kernelErr, errNotOpen) || !errors.Is(streamErr, errNotOpen) {
		t.Errorf("a kernel and a stream of a device that is not open: %v, %v", kernelErr, streamErr)
	}
	if _, err := found.Load(context.Background(), "bad", "nonsense"); err == nil {
		t.Error("what is no source compiles")
	}
}

// TestDevice goes through all that a device does. One test, since a process
// opens a library once.
func TestDevice(t *testing.T) {
	d := openStandIn(t)
	if i := d.Info(); i.Name != "stand-in" || i.Arch != "sm_90" || i.SMs != 132 || i.SharedMemory != 232448 || i.TotalMemory != 100<<20 || i.Cache != 50<<20 || i.Bandwidth <= 0 {
		t.Errorf("%+v", i)
	}
	m := d.Memory()
	if _, err := m.Alloc(101 << 20); !errors.Is(err, cuda.ErrOutOfMemory) {
		t.Errorf("beyond the limit: %v", err)
	}
	src := make([]byte, 3*stagingBytes+12345)
	for i := range src {
		src[i] = byte(i >> 3)
	}
	p, err := m.Alloc(int64(len(src)))
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]byte, len(src))
	on, err := d.newStream()
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	if err := errors.Join(on.Upload(p, src), on.Fill(p+3, 7, 2, nil), on.Download(ctx, cuda.Copy{Dst: dst, Src: p})); err != nil {
		t.Fatal(err)
	}
	testBuffers(t, d, p)
	src[3], src[4] = 7, 7
	if !bytes.Equal(src, dst) {
		t.Error("what was uploaded is not what was downloaded")
	}
	c, err := d.Load(context.Background(), "twice", readSource)
	if err != nil {
		t.Fatal(err)
	}
	if second, err := d.Load(context.Background(), "second", readSource); err != nil || second != c {
		t.Errorf("the same source was loaded twice, %v", err)
	}
	if _, err := c.Kernel("missing"); err == nil || !strings.Contains(err.Error(), "cuModuleGetFunction for missing of") || !strings.Contains(err.Error(), "CUDA_ERROR_NOT_FOUND (500)") {
		t.Errorf("a kernel that is not there: %v", err)
	}
	k, err := c.Kernel("read_all")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := k.Usage(256, 50000), (cuda.Usage{Registers: 40, Shared: 10 + 50000, Spilled: 30, Blocks: 4, Occupancy: 0.5}); got != want {
		t.Errorf("usage %+v, want %+v", got, want)
	}
	var timer cuda.Timer
	if err := errors.Join(on.Launch(cuda.Launch{Kernel: k, Grid: 7, Threads: 64, Params: []uint64{uint64(p), 5, 6}, Timer: &timer}), on.Sync()); err != nil {
		t.Fatal(err)
	}
	if err := on.Download(ctx, cuda.Copy{Dst: dst[:8], Src: p}); err != nil || binary.LittleEndian.Uint64(dst) != 7<<32+64+5+6 || timer.Nanoseconds != 1_500_000 {
		t.Errorf("the launch gave %#x in %d ns, %v", binary.LittleEndian.Uint64(dst), timer.Nanoseconds, err)
	}
	testLaunches(t, d)
	testGate(t, on)
	testLink(t, on, p)
	testHost(t, d)
	testParts(t, p)
	m.Free(p)
	testLost(t, on, k)
}

// testParts opens a GPU as two devices, which have contexts of their own and half of its memory, and
// copies from one to the other.
func testParts(t *testing.T, p cuda.Ptr) {
	t.Helper()
	var parts [2]*Device
	for i := range parts {
		d, err := Open(Options{Ordinal: 1, Dir: os.Getenv(PathVariable), Parts: 2})
		if err != nil {
			t.Fatal(err)
		}
		parts[i] = d
	}
	if parts[0].context == parts[1].context || parts[0].info.TotalMemory != 512<<20 {
		t.Errorf("contexts %x and %x, %d bytes", parts[0].context, parts[1].context, parts[0].info.TotalMemory)
	}
	on, err := parts[1].newStream()
	if err != nil {
		t.Fatal(err)
	}
	to, err := parts[1].Memory().Alloc(15)
	if err != nil {
		t.Fatal(err)
	}
	src, got := []byte("a part of a GPU"), make([]byte, 15)
	err = errors.Join(on.Upload(p, src), parts[1].CopyFrom(on, to, parts[0], p, int64(len(src))), on.Download(context.Background(), cuda.Copy{Dst: got, Src: to}))
	if err != nil || !bytes.Equal(got, src) {
		t.Errorf("copied to the other part: %q, %v", got, err)
	}
	if err := errors.Join(parts[0].Close(), parts[1].Close(), parts[1].Close()); err != nil {
		t.Error(err)
	}
	if _, err := parts[0].Load(context.Background(), "read", readSource); !errors.Is(err, cuda.ErrLost) {
		t.Errorf("code is loaded on a device that is closed: %v", err)
	}
}

// testBuffers holds that a stream which reads few words and some rows in turn makes one large
// buffer of page-locked memory.
func testBuffers(t *testing.T, d *Device, p cuda.Ptr) {
	on, err := d.newStream()
	if err != nil {
		t.Fatal(err)
	}
	for i := range 7 {
		if err := on.Download(context.Background(), cuda.Copy{Dst: make([]byte, []int{8, smallStaging + 1}[i%2]), Src: p}); err != nil {
			t.Fatal(err)
		}
	}
	large := 0
	for _, b := range on.staging.buffers {
		large += len(b.bytes)
	}
	if few := len(on.staging.few.bytes); few != smallStaging || large != stagingBytes {
		t.Errorf("%d bytes for few, and %d in large buffers", few, large)
	}
}

// childSource is a kernel that launches another.
const childSource = `
typedef unsigned long long u64;
struct Params { u64 *out; u64 n; };
extern "C" __global__ void child(const Params p, u64 at) { atomicAdd(p.out + at, 1ull); }
extern "C" __global__ void parent(const Params p) {
    child<<<2, 64, 16, cudaStreamFireAndForget>>>(p, 0);
    if (cudaGetLastError() != cudaSuccess) atomicAdd(p.out, 128ull);
    child<<<1, 1, 0, cudaStreamTailLaunch>>>(p, 1);
}`

// testLaunches loads kernels that launch kernels, which are linked once, and not at all
// where the device's runtime is missing.
func testLaunches(t *testing.T, d *Device) {
	t.Helper()
	if d.info.NoLaunches != "" {
		t.Fatal(d.info.NoLaunches)
	}
	if got := launchedBy(childSource); !slices.Equal(got, []string{"child"}) {
		t.Errorf("launched are %q", got)
	}
	c, err := d.Load(context.Background(), "parent", childSource)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.(*code).children) != 1 {
		t.Errorf("%d children", len(c.(*code).children))
	}
	digest, err := d.runtime.digest()
	if err != nil {
		t.Fatal(err)
	}
	key := d.compiler.key(childSource, "sm_90", digest)
	linked := d.compiler.cache.get(key)
	if !bytes.HasSuffix(linked, []byte("linked")) {
		t.Errorf("the cache holds %d bytes that are not linked", len(linked))
	}
	d.runtime.path = "/missing"
	if second, err := d.machineCode(context.Background(), "parent", childSource); err != nil || !bytes.Equal(second, linked) {
		t.Errorf("linked twice: %v", err)
	}
	_, err = d.machineCode(context.Background(), "other", childSource+"\n")
	for _, want := range []string{"cuLinkAddFile of /missing", "for other", "CUDA_ERROR_FILE_NOT_FOUND (301)", "what the linker says"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, which does not say %q", err, want)
		}
	}
	d.info.NoLaunches = "there is no runtime"
	if _, err := d.machineCode(context.Background(), "parent", childSource); err == nil || !strings.Contains(err.Error(), "kernels of parent launch kernels: there is no runtime") {
		t.Errorf("got %v", err)
	}
	if _, err := findDeviceRuntime(t.TempDir(), "/nowhere/libnvrtc.so.12"); err != nil && !strings.Contains(err.Error(), "libcudadevrt.a was not found beside NVRTC") {
		t.Errorf("got %v", err)
	}
}

// testGate holds the gate and does not come to open it, as a launch that waits for the
// driver's lock: it opens by itself.
func testGate(t *testing.T, on *stream) {
	t.Helper()
	g := &on.timers.barrier
	open := g.hold()
	for deadline := time.Now().Add(20 * time.Second); atomic.LoadUint32(g.passed) < g.holds; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the gate stays shut where its launch is held up")
		}
	}
	open()
	if passed := atomic.LoadUint32(g.passed); passed != g.holds {
		t.Errorf("the gate lets %d launches pass of %d", passed, g.holds)
	}
}

// testLink copies to p beside the kernels.
func testLink(t *testing.T, on *stream, p cuda.Ptr) {
	t.Helper()
	link := on.device.Link()
	before, err := link.Busy()
	if err != nil {
		t.Fatal(err)
	}
	want := []byte("from page-locked memory")
	for at := range cuda.Slots {
		staged, err := link.Stage(at, int64(len(want)))
		if err != nil {
			t.Fatal(err)
		}
		copy(staged, want)
		if err := errors.Join(link.Send(at, []cuda.Transfer{{Dst: p, Src: staged}}), link.Arrive(at, on), link.Leave(at, on)); err != nil {
			t.Fatal(err)
		}
	}
	got := make([]byte, len(want))
	if err := on.Download(t.Context(), cuda.Copy{Dst: got, Src: p}); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%q came, %v", got, err)
	}
	if busy, err := link.Busy(); err != nil || busy-before != cuda.Slots*1500*time.Microsecond {
		t.Errorf("the link was busy for %v, %v", busy-before, err)
	}
}

// testHost makes page-locked memory: of huge pages that are registered where there is
// much of it, and as the driver makes it where there is little or it registers none.
func testHost(t *testing.T, d *Device) {
	t.Helper()
	host := &d.link.host
	for _, test := range []struct {
		bytes  int64
		mapped bool
	}{{0, false}, {minMapped - 1, false}, {minMapped + 1, true}, {64 << 20, false}, {minMapped, true}} {
		b, err := host.Alloc(test.bytes)
		if err != nil || int64(len(b)) != test.bytes {
			t.Fatalf("%d of %d bytes: %v", len(b), test.bytes, err)
		}
		if mapping := host.given[unsafe.SliceData(b)]; (mapping != nil) != test.mapped {
			t.Errorf("%d bytes: a mapping of %d", test.bytes, len(mapping))
		}
		for i := range b {
			b[i] = byte(i)
		}
		given := len(host.given)
		host.Free(b)
		host.Free(b)
		if len(host.given) != given-1 {
			t.Errorf("%d bytes are given out after they have been freed", test.bytes)
		}
	}
	for range 8 {
		b, err := host.Alloc(minMapped)
		if err != nil || host.given[unsafe.SliceData(b)] == nil {
			t.Errorf("%v, mapping %d", err, len(host.given[unsafe.SliceData(b)]))
		}
		if err := d.with(host.close); err != nil || len(host.given) != 0 {
			t.Errorf("%v, %d left after closing", err, len(host.given))
		}
	}
}

// testLost has a launch fail for good.
func testLost(t *testing.T, on *stream, k cuda.Kernel) {
	t.Helper()
	err := on.Launch(cuda.Launch{Kernel: k, Grid: 1, Threads: 64, Shared: 4096, Params: []uint64{0}})
	if !errors.Is(err, cuda.ErrLost) {
		t.Fatalf("got %v, want a device that is lost", err)
	}
	for _, want := range []string{"stand-in: cuLaunchKernel for bandwidth.read_all (1 blocks of 64 threads", "CUDA_ERROR_ILLEGAL_ADDRESS (700)", "what the driver says", "source in "} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
	if second := on.Sync(); !errors.Is(second, cuda.ErrLost) {
		t.Errorf("the next call gave %v", second)
	}
	if err := on.device.Close(); !errors.Is(err, cuda.ErrLost) {
		t.Errorf("closing gave %v", err)
	}
}
