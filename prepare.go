package cubeloom

import (
	"context"

	"github.com/cubeloom/cubeloom/runtime/cuda/driver"
)

// PreparedKernels says what PrepareKernels did.
type PreparedKernels struct {
	Compiler string // the version of NVRTC
	Built    int    // modules of kernels whose machine code was made
	Kept     int    // modules whose machine code was there
}

// PrepareKernels builds the machine code of the kernels that any process of the user has compiled, for an
// architecture like sm_90, as far as NVRTC as it is installed has not built it: after a new CUDA, or for
// another GPU. It needs no GPU. The error says why NVRTC is not there or takes a source not.
func PrepareKernels(ctx context.Context, arch string) (PreparedKernels, error) {
	compiler, err := driver.OpenCompiler("")
	if err != nil {
		return PreparedKernels{}, err
	}
	did, err := compiler.Prepare(ctx, arch)
	return PreparedKernels{Compiler: compiler.Version(), Built: did.Built, Kept: did.Kept}, err
}
