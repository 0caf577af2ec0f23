package device

import (
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/runtime/cuda/driver"
	"github.com/cubeloom/cubeloom/tests/emulator"
)

// CompileVariable is the environment variable that, where it is set to a number N, has
// every source that the emulated device loads compiled by NVRTC as well: to PTX, and one of
// N of them on to machine code, where its packing is checked. 1: all of them.
const CompileVariable = "CUBELOOM_TEST_NVRTC"

// CompileSeedVariable is the environment variable that chooses which sources are compiled to
// machine code.
const CompileSeedVariable = "CUBELOOM_TEST_NVRTC_SEED"

// compiled is an emulated device whose sources are compiled for a GPU too.
type compiled struct {
	*emulator.Device
	compiler *driver.Compiler
	share    uint64 // one of so many is compiled to machine code
	seed     string
}

// Load compiles the source by NVRTC and then for the emulation.
func (c compiled) Load(ctx context.Context, name, source string) (cuda.Code, error) {
	if err := c.check(ctx, name, source); err != nil {
		return nil, err
	}
	return c.Device.Load(ctx, name, source)
}

// CopyFrom copies from another such device.
func (c compiled) CopyFrom(on cuda.Stream, dst cuda.Ptr, from cuda.Device, src cuda.Ptr, bytes int64) error {
	if other, ok := from.(compiled); ok {
		from = other.Device
	}
	return c.Device.CopyFrom(on, dst, from, src, bytes)
}

// check compiles the source by NVRTC. Half of the time to machine code goes into what
// follows PTX.
func (c compiled) check(ctx context.Context, name, source string) error {
	arch := c.Info().Arch
	hash := fnv.New64a()
	fmt.Fprintf(hash, "%s\n%s", c.seed, source)
	if hash.Sum64()%c.share != 0 {
		_, err := c.compiler.Compile(ctx, name, source, strings.Replace(arch, "sm_", "compute_", 1))
		return err
	}
	code, err := c.compiler.Compile(ctx, name, source, arch)
	if err != nil {
		return err
	}
	if err := checkPacking(code); err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, source)
	}
	return nil
}

// openEmulated opens an emulated device, with NVRTC where that is asked for.
func openEmulated(opts emulator.Options) (cuda.Device, error) {
	wanted := os.Getenv(CompileVariable)
	if wanted == "" {
		return emulator.Open(opts)
	}
	share, err := strconv.ParseUint(wanted, 10, 32)
	if err != nil || share == 0 {
		return nil, fmt.Errorf("%s is %q: it is the number of kernels of which one is compiled to machine code", CompileVariable, wanted)
	}
	compiler, err := driver.OpenCompiler("")
	if err != nil {
		return nil, err
	}
	d, err := emulator.Open(opts)
	if err != nil {
		return nil, err
	}
	return compiled{d, compiler, share, os.Getenv(CompileSeedVariable)}, nil
}
