package explain

import (
	"context"
	"fmt"
	"strings"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/fusion"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/runtime/placement"
	"github.com/cubeloom/cubeloom/runtime/session/query"
)

// A deviceText is what a device is given for a step: with what was known of its inputs,
// as a comment, or why the step runs on the CPU.
type deviceText struct{ Head, Source, Plan string }

// DeviceTexts are, by step, what ran where the query did, else what would run: for the
// inputs as they are now where there is a device, and for columns as wide as what is known
// of their values asks for where there is none.
func DeviceTexts(c *query.Compiled, ctx context.Context, p *placement.Plan, ran []runtime.Metrics) []deviceText {
	target := aggregate.Target(c.Woven.Machine.Device)
	texts := make([]deviceText, len(c.Program.Steps))
	rendered := p.Rendered(ctx)
	for i := range texts {
		f := c.Program.Steps[i].Func
		if ran != nil && ran[i].Device != nil {
			source, plan := ran[i].Device.Text()
			texts[i] = deviceText{fmt.Sprintf("// kernel %s, as it ran\n", f.Name), source, plan}
			continue
		}
		known, about := rendered[i], "for its inputs as they are now"
		if known == nil {
			about = "for columns as wide as their values may ask for"
			shapes := cudagen.PlainShapes(f)
			module, err := target.Render(f, shapes)
			if err != nil {
				texts[i].Head = fmt.Sprintf("// kernel %s runs on the CPU: %v\n", f.Name, err)
				continue
			}
			known = &cuda.Rendered{Module: module, Shapes: shapes}
		}
		head := fmt.Sprintf("kernel %s, %s\n%s", f.Name, about, cudagen.ShapesText(f, known.Shapes))
		if known.Module.Layout == cudagen.LayoutCells {
			head += "where keys turn out to stand twice it is rendered anew, for a table in which the rows of a key lie side by side\n"
		}
		texts[i] = deviceText{commented(head), known.Module.Named(f), launch.Print(known.Module.Plan)}
	}
	return texts
}

// foundOf are what a tuner has found for the kernels that run on a device, by group.
func foundOf(c *query.Compiled, ctx context.Context, p *placement.Plan) []string {
	var texts []string
	for i, r := range p.Rendered(ctx) {
		if r != nil {
			for _, found := range r.Found {
				texts = append(texts, fmt.Sprintf("group %d: %s", c.Program.Steps[i].Group, found))
			}
		}
	}
	return texts
}

// commented makes comments of lines.
func commented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString("// " + line)
	}
	return b.String()
}

// additions are those to groups, where a device has counted them.
func additions(m *runtime.Metrics) *fusion.Additions {
	if m.Device == nil || m.Device.Additions.Made == 0 {
		return nil
	}
	return &fusion.Additions{Rows: m.Device.Additions.Rows, Made: m.Device.Additions.Made}
}

// sharing is how several devices did a kernel.
func sharing(s *runtime.Sharing) fusion.Sharing {
	out := fusion.Sharing{Exchange: s.Exchange, Bytes: s.Bytes}
	for _, one := range s.Shares {
		out.Shares = append(out.Shares, fusion.Share(one))
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
