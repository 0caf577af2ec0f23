package device

import (
	"context"
	"fmt"
	"os"

	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/runtime/cuda/driver"
	"github.com/cubeloom/cubeloom/tests/emulator"
)

// CompileVariable is the environment variable that, where it is set, has every
// source that the emulated device loads compiled by NVRTC as well.
const CompileVariable = "CUBELOOM_TEST_NVRTC"

// compiled is an emulated device whose sources are compiled for a GPU too.
type compiled struct {
	*emulator.Device
	compiler *driver.Compiler
}

// Load compiles the source by NVRTC and then for the emulation.
func (c compiled) Load(ctx context.Context, name, source string) (cuda.Code, error) {
	code, err := c.compiler.Compile(ctx, name, source, c.Info().Arch)
	if err != nil {
		return nil, err
	}
	if err := checkPacking(code); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", name, err, source)
	}
	return c.Device.Load(ctx, name, source)
}

// openEmulated opens an emulated device, with NVRTC where that is asked for.
func openEmulated(opts emulator.Options) (cuda.Device, error) {
	d, err := emulator.Open(opts)
	if err != nil || os.Getenv(CompileVariable) == "" {
		return d, err
	}
	c, err := driver.OpenCompiler("")
	if err != nil {
		return nil, err
	}
	return compiled{d, c}, nil
}
