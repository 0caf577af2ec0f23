//go:build nvrtc

package driver

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

// These tests need NVRTC (.ci/nvrtc fetches it) and no GPU.

func openCompiler(t *testing.T) *Compiler {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	c, err := OpenCompiler("")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCompile(t *testing.T) {
	c := openCompiler(t)
	cubin, err := c.Compile(context.Background(), "bandwidth", readSource, "sm_90")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(cubin, []byte("\x7fELF")) || !bytes.Contains(cubin, []byte(".text.read_all\x00")) {
		t.Errorf("%d bytes that are no machine code of the kernel", len(cubin))
	}
}

func TestCompileFromCache(t *testing.T) {
	c := openCompiler(t)
	first, err := c.Compile(context.Background(), "bandwidth", readSource, "sm_90")
	if err != nil {
		t.Fatal(err)
	}
	path := c.cache.path(c.key(readSource, "sm_90"))
	kept, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(kept, first) {
		t.Fatalf("the cache holds %d bytes, %v", len(kept), err)
	}
	if err := os.WriteFile(path, []byte("marked"), 0o600); err != nil {
		t.Fatal(err)
	}
	if second, err := c.Compile(context.Background(), "bandwidth", readSource, "sm_90"); err != nil || string(second) != "marked" {
		t.Errorf("the second time did not come from the cache: %q, %v", second, err)
	}
	if other, err := c.Compile(context.Background(), "bandwidth", readSource, "sm_80"); err != nil || bytes.Equal(other, first) {
		t.Errorf("another architecture has the same code, %v", err)
	}
}

// What is being compiled is not compiled a second time.
func TestEqualCompilationsAreOne(t *testing.T) {
	c, begun := openCompiler(t), make(chan struct{})
	go underWay.Do(c.cache.path(c.key(readSource, "sm_90")), func() (any, error) {
		close(begun)
		time.Sleep(200 * time.Millisecond)
		return []byte("marked"), nil
	})
	<-begun
	if got, err := c.Compile(context.Background(), "bandwidth", readSource, "sm_90"); err != nil || string(got) != "marked" {
		t.Errorf("%q, %v", got, err)
	}
}

// What was compiled for one architecture is built ahead for another one, and is found when it is
// wanted; what one build of the compiler made is not taken for another's.
func TestPrepare(t *testing.T) {
	c, ctx := openCompiler(t), context.Background()
	if _, err := c.Compile(ctx, "bandwidth", readSource, "sm_80"); err != nil {
		t.Fatal(err)
	}
	if c.Keeps(readSource, "sm_90") {
		t.Error("code that nobody has made is kept")
	}
	for _, want := range []Prepared{{Built: 1}, {Kept: 1}} {
		if got, err := c.Prepare(ctx, "sm_90"); err != nil || got != want {
			t.Errorf("%+v, %v, not %+v", got, err, want)
		}
	}
	if !c.Keeps(readSource, "sm_90") {
		t.Error("what was built is not kept")
	}
	if !strings.Contains(c.build, "libnvrtc.so") {
		t.Errorf("the build %q names no file", c.build)
	}
	c.build += " another"
	if c.Keeps(readSource, "sm_90") {
		t.Error("the code of another build of the compiler is taken")
	}
	c.sources.put("this is no CUDA")
	if got, err := c.Prepare(ctx, "sm_90"); err == nil || !strings.Contains(err.Error(), "error") || got.Built != 1 {
		t.Errorf("%+v, %v of a source that is wrong", got, err)
	}
}

// Kernels that launch kernels need no headers either, and become an object that names
// what the device's runtime gives.
func TestCompileLaunches(t *testing.T) {
	c := openCompiler(t)
	object, err := c.Compile(context.Background(), "parent", childSource, "sm_90")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{".text.parent\x00", ".text.child\x00", "__cudaCDP2LaunchDeviceV2\x00", "__cudaCDP2GetLastError\x00"} {
		if !bytes.Contains(object, []byte(want)) {
			t.Errorf("the object names no %q", want)
		}
	}
	const relocatable = 1 // e_type of an ELF header
	if kind := binary.LittleEndian.Uint16(object[16:]); kind != relocatable {
		t.Errorf("an object of type %d", kind)
	}
}

// A virtual architecture has no machine code, from the compiler and from the cache.
func TestCompileToPTX(t *testing.T) {
	c := openCompiler(t)
	for range 2 {
		if code, err := c.Compile(context.Background(), "bandwidth", readSource, "compute_90"); err != nil || len(code) != 0 {
			t.Errorf("%d bytes, %v", len(code), err)
		}
	}
	if _, err := c.Compile(context.Background(), "bad kernel", "__global__ void k() { nonsense }", "compute_90"); err == nil {
		t.Error("what is no source compiles")
	}
}

func TestCompileError(t *testing.T) {
	c := openCompiler(t)
	_, err := c.Compile(context.Background(), "bad kernel", "__global__ void k() { nonsense }", "sm_90")
	if err == nil || !strings.Contains(err.Error(), `identifier "nonsense" is undefined`) {
		t.Fatalf("got %v, want the compiler's log", err)
	}
	file := regexp.MustCompile(`source in ([^)]*)`).FindStringSubmatch(err.Error())
	if file == nil {
		t.Fatalf("%v does not say where the source is", err)
	}
	defer os.Remove(file[1])
	if text, err := os.ReadFile(file[1]); err != nil || !strings.Contains(string(text), "nonsense") {
		t.Errorf("the dumped source is %q, %v", text, err)
	}
}
