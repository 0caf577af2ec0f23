package cubeloom

import (
	"fmt"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/fusion"
	"github.com/cubeloom/cubeloom/runtime"
)

// sources are the CUDA sources of the steps, for inputs of the plainest shapes,
// or why a step has none.
func (c *compiled) sources() []string {
	var out []string
	for i := range c.program.Steps {
		f := c.program.Steps[i].Func
		text, err := source(f)
		if err != nil {
			text = fmt.Sprintf("// kernel %s runs on the CPU: %v\n", f.Name, err)
		}
		out = append(out, text)
	}
	return out
}

// source is the CUDA source of the kernels that do what f does.
func source(f *kernel.Func) (string, error) {
	text := ""
	for _, part := range cudagen.Kernels(f) {
		module, err := cudagen.Render(part, cudagen.PlainShapes(part))
		if err != nil {
			return "", err
		}
		text += fmt.Sprintf("// kernel %s\n%s", part.Name, module.Source)
	}
	return text, nil
}

// launches put into words what a kernel did on a device.
func launches(m *runtime.Metrics) []fusion.Launch {
	if m.Device == nil {
		return nil
	}
	var out []fusion.Launch
	for _, l := range m.Device.Launches {
		out = append(out, fusion.Launch{
			Entry: l.Entry, Time: l.Time, Blocks: l.Blocks, Threads: l.Threads,
			Registers: l.Registers, Shared: l.Shared, Spilled: l.Spilled, Occupancy: l.Occupancy,
			Bandwidth: m.Device.Bandwidth,
		})
	}
	return out
}
