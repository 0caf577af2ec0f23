package placement

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/sql/value"
)

// checkFallback holds that no step runs on the host where that must not be.
func (p *Plan) checkFallback() {
	if p.err != nil || !p.query.NoFallback || p.query.Wish != CUDA {
		return
	}
	for i := range p.steps {
		if !p.isOnDevice(i) {
			p.err = p.noFallback(value.CodeFeatureNotSupported, i, p.steps[i].Reason)
			return
		}
		if slices.ContainsFunc(p.query.Program.Steps[i].Inputs, func(b codegen.Binding) bool { return b.Loop != nil }) {
			p.err = p.noFallback(value.CodeFeatureNotSupported, i, "the recursion that it reads runs on the CPU")
			return
		}
	}
}

// noFallback is the error of a step that would run on the host and must not.
func (p *Plan) noFallback(code string, i int, why string) error {
	err := value.Errorf(code, "group %d would run on the CPU: %s", p.query.Program.Steps[i].Group, why)
	err.Detail = "device is cuda and device_fallback is off."
	return err
}
