package placement

import (
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/sql/value"
)

// checkFallback holds that nothing runs on the host where that must not be.
func (p *Plan) checkFallback() {
	if p.err != nil || !p.forbidsHost() {
		return
	}
	program := p.query.Program
	bindings := []codegen.Binding{program.Result}
	for i := range p.steps {
		if !p.isOnDevice(i) {
			p.err = onlyOnDevice(value.CodeFeatureNotSupported, fmt.Sprintf("group %d", program.Steps[i].Group), p.steps[i].Reason)
			return
		}
		bindings = append(bindings, program.Steps[i].Inputs...)
	}
	if slices.ContainsFunc(bindings, func(b codegen.Binding) bool { return b.Loop != nil }) {
		p.err = onlyOnDevice(value.CodeFeatureNotSupported, "WITH RECURSIVE", "a device has no loops over statements")
	}
}

// forbidsHost reports whether it is an error where something runs elsewhere than on a device.
func (p *Plan) forbidsHost() bool { return p.query.NoFallback && p.query.Wish == CUDA }

// onlyOnDevice is the error of what would run on the host and must not.
func onlyOnDevice(code, what, why string) error {
	err := value.Errorf(code, "%s would run on the CPU: %s", what, why)
	err.Detail = "device is cuda and device_fallback is off."
	return err
}
