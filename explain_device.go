package cubeloom

import (
	"fmt"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate"
	"github.com/cubeloom/cubeloom/fusion"
	"github.com/cubeloom/cubeloom/runtime"
)

// rendered is what a device would be given for each step, for inputs of the plainest
// shapes, or why a step runs on the CPU.
func (c *compiled) rendered(text func(*cudagen.Module) string) []string {
	target := aggregate.Target(c.woven.Machine.Device)
	var out []string
	for i := range c.program.Steps {
		f := c.program.Steps[i].Func
		module, err := target.Render(f, cudagen.PlainShapes(f))
		if err != nil {
			out = append(out, fmt.Sprintf("// kernel %s runs on the CPU: %v\n", f.Name, err))
			continue
		}
		out = append(out, fmt.Sprintf("// kernel %s\n%s", f.Name, text(module)))
	}
	return out
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
