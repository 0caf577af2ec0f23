package device

import (
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/runtime/cuda/driver"
	"github.com/cubeloom/cubeloom/tests/emulator"
)

// CompileVariable is the environment variable that, where it is set to a number N, has
// every source that the emulated device loads compiled by NVRTC as well: to intermediate code, and one of
// N of them on to machine code, where its packing is checked. 1: all of them.
const CompileVariable = "CUBELOOM_TEST_NVRTC"

// CompileSeedVariable is the environment variable that chooses which sources are compiled to
// machine code.
const CompileSeedVariable = "CUBELOOM_TEST_NVRTC_SEED"

// compiled is an emulated device whose sources are compiled for a GPU too.
type compiled struct {
	*emulator.Device
	checks *checks
}

// Load has the source compiled by NVRTC, and compiles it for the emulation.
func (c compiled) Load(ctx context.Context, name, source string) (cuda.Code, error) {
	c.checks.begin(name, source, c.Info().Arch)
	return c.Device.Load(ctx, name, source)
}

// CopyFrom copies from another such device.
func (c compiled) CopyFrom(on cuda.Stream, dst cuda.Ptr, from cuda.Device, src cuda.Ptr, bytes int64) error {
	if other, ok := from.(compiled); ok {
		from = other.Device
	}
	return c.Device.CopyFrom(on, dst, from, src, bytes)
}

// checks compiles by NVRTC behind a test, which waits for it at its end: machine code of a large
// kernel takes longer than a query waits for its compiler.
type checks struct {
	compiler *driver.Compiler
	share    uint64 // one of so many is compiled to machine code
	seed     string
	test     testing.TB
	under    sync.WaitGroup
}

// compiling holds a value for each source that is being compiled by NVRTC, of all tests.
var compiling = make(chan struct{}, runtime.GOMAXPROCS(0))

// newChecks returns checks for a test; nil where they are not asked for.
func newChecks(tb testing.TB) *checks {
	tb.Helper()
	wanted := os.Getenv(CompileVariable)
	if wanted == "" {
		return nil
	}
	share, err := strconv.ParseUint(wanted, 10, 32)
	if err != nil || share == 0 {
		tb.Fatalf("%s is %q: it is the number of kernels of which one is compiled to machine code", CompileVariable, wanted)
	}
	compiler, err := driver.OpenCompiler("")
	if err != nil {
		tb.Fatal(err)
	}
	c := &checks{compiler: compiler, share: share, seed: os.Getenv(CompileSeedVariable), test: tb}
	tb.Cleanup(c.under.Wait)
	return c
}

// begin compiles a source behind its caller. What is wrong with it fails the test.
func (c *checks) begin(name, source, arch string) {
	c.under.Go(func() {
		compiling <- struct{}{}
		defer func() { <-compiling }()
		if err := c.check(name, source, arch); err != nil {
			c.test.Error(err)
		}
	})
}

// check compiles a source by NVRTC. Nine tenths of the time to machine code go into what
// follows intermediate code.
func (c *checks) check(name, source, arch string) error {
	hash := fnv.New64a()
	fmt.Fprintf(hash, "%s\n%s", c.seed, source)
	if hash.Sum64()%c.share != 0 {
		_, err := c.compiler.Compile(context.Background(), name, source, strings.Replace(arch, "sm_", "compute_", 1))
		return err
	}
	code, err := c.compiler.Compile(context.Background(), name, source, arch)
	if err != nil {
		return err
	}
	if err := checkPacking(code); err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, source)
	}
	return nil
}

// openEmulated opens an emulated device, with checks unless they are nil.
func openEmulated(opts emulator.Options, with *checks) (cuda.Device, error) {
	d, err := emulator.Open(opts)
	if err != nil || with == nil {
		return d, err
	}
	return compiled{d, with}, nil
}
