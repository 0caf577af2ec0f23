package cubeloom

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/cubeloom/cubeloom/codegen"
	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// The values of the setting device.
const (
	deviceAuto = "auto"
	deviceCPU  = "cpu"
	deviceCUDA = "cuda"
)

// placement decides where the steps of one query run.
type placement struct {
	session  *Session
	c        *compiled
	device   *cuda.Backend // nil: there is none, or none is wanted
	steps    []runtime.Place
	together []int  // by step: the first of those that run in one place
	wanted   []bool // by step: it was to run on the device
	isNew    bool   // some of it has never run on the device
	lost     error  // the device failed for good during the query
}

// place decides where the steps of c run, by the session's setting: steps that
// share hash tables together, on the device where all of them can run there and,
// unless the setting insists, it is likely to be quicker.
func (s *Session) place(c *compiled) *placement {
	n := len(c.program.Steps)
	p := &placement{
		session: s, c: c, steps: runtime.Everywhere(s.db.backend, n).Steps,
		together: runtime.Together(c.program), wanted: make([]bool, n),
	}
	insists := s.settings.device == deviceCUDA
	if !insists && s.settings.device != deviceAuto {
		return p
	}
	costs := p.hostCosts()
	for i := range p.wanted {
		p.wanted[i] = insists || costs[p.together[i]].worthAsking()
	}
	var err error
	if p.wantsAny() {
		if p.device, err = s.db.gpu.get(); err != nil {
			p.withoutDevice(insists, err)
			return p
		}
		p.deviceCosts(costs, p.device.Info())
	}
	p.choose(costs, insists)
	return p
}

// choose places each step and says why.
func (p *placement) choose(costs map[int]*cost, insists bool) {
	chosen := make(map[int]bool)
	for first, c := range costs {
		chosen[first] = insists || p.wanted[first] && p.session.db.gpu.chooses(c)
	}
	asked := p.wanted
	p.wanted = make([]bool, len(asked))
	for i := range p.wanted {
		p.wanted[i] = chosen[p.together[i]]
	}
	refused := p.refusals(p.together)
	for i := range p.steps {
		c, place := costs[p.together[i]], &p.steps[i]
		refusal, isRefused := refused[p.together[i]]
		switch {
		case !asked[i]:
			place.Reason = fmt.Sprintf("%.2f ms estimated, less than a device takes to start %d kernels", c.host/1e6, c.steps)
		case !p.wanted[i]:
			place.Reason = c.text(false)
		case isRefused:
			place.Reason = p.refusedText(i, refusal)
		case insists && c.streams:
			*place = runtime.Place{Backend: p.device, Reason: fmt.Sprintf("device is set to cuda; streams %.1f MB that do not fit", float64(c.bring)/1e6)}
		case insists:
			*place = runtime.Place{Backend: p.device, Reason: "device is set to cuda"}
		default:
			*place = runtime.Place{Backend: p.device, Reason: c.text(true)}
		}
	}
}

// prepare has the kernels of a query that is new compiled at the same time, and
// gives what waits for that.
func (p *placement) prepare(ctx context.Context) (wait func()) {
	if p.device == nil || !p.isNew {
		return func() {}
	}
	here := make([]bool, len(p.steps))
	for i := range here {
		here[i] = p.steps[i].Backend == runtime.Backend(p.device)
	}
	return p.device.Prepare(ctx, p.c.program, here)
}

func (p *placement) wantsAny() bool {
	for _, w := range p.wanted {
		if w {
			return true
		}
	}
	return false
}

// withoutDevice leaves everything on the CPU. Only who insists on a device is
// told that there is none.
func (p *placement) withoutDevice(insists bool, err error) {
	for i := range p.steps {
		p.wanted[i] = insists
		if insists {
			p.steps[i].Reason = "there is no CUDA device: " + err.Error()
		}
	}
}

// refusal says that a step has no device code, and why.
type refusal struct {
	step int
	err  error
}

// refusals gives, by the first step of those that belong together, the first of
// them that cannot run on the device.
func (p *placement) refusals(together []int) map[int]refusal {
	refused := make(map[int]refusal)
	for i := range p.c.program.Steps {
		if _, known := refused[together[i]]; known || !p.wanted[i] {
			continue
		}
		isNew, err := p.device.Check(p.c.program.Steps[i].Func)
		p.isNew = p.isNew || isNew
		if err != nil {
			refused[together[i]] = refusal{i, err}
		}
	}
	return refused
}

// refusedText says why step i runs on the CPU where r belongs to it.
func (p *placement) refusedText(i int, r refusal) string {
	if r.step == i {
		return r.err.Error()
	}
	return fmt.Sprintf("it shares hash tables with group %d: %v", p.c.program.Steps[r.step].Group, r.err)
}

// bindingRows is the number of rows of an input, estimated where it is the
// result of other steps.
func (p *placement) bindingRows(b *codegen.Binding) float64 {
	switch {
	case b.Table != nil:
		if rel, ok := b.Table.Handle.(runtime.Relation); ok {
			return float64(rel.Rows())
		}
		return 0
	case b.Rows != nil:
		return float64(len(b.Rows.Rows))
	case b.Loop != nil:
		return 0 // not known before it has run
	}
	rows := 0.0
	for _, part := range b.Parts {
		rows += p.stepRows(part.Step)
	}
	return rows
}

// stepRows is the estimated number of rows that a step gives.
func (p *placement) stepRows(i int) float64 {
	group := &p.c.woven.Groups[p.c.program.Steps[i].Group]
	return p.c.woven.Ops[group.Last()].Rows
}

// instead moves steps to the CPU that the device cannot run after all.
func (p *placement) instead(i int, err error) (place runtime.Place, all, ok bool) {
	place.Backend = p.session.db.backend
	var refusal *cudagen.Refusal
	switch {
	case p.device == nil || p.steps[i].Backend != runtime.Backend(p.device):
		return place, false, false
	case errors.Is(err, cuda.ErrLost):
		p.lost = err
		p.session.db.gpu.retire(err)
		place.Reason = "the CUDA device is out of service"
		return place, true, true
	case errors.Is(err, cuda.ErrOutOfMemory):
		place.Reason = "the device has no room: " + err.Error()
		return place, false, true
	case errors.As(err, &refusal):
		place.Reason = refusal.Reason
		return place, false, true
	}
	return place, false, false
}

// notices tell who wanted a device where it was not used.
func (p *placement) notices(places []runtime.Place, steps []runtime.Metrics) []Notice {
	var out []Notice
	if p.lost != nil {
		out = append(out, warning(codeSuccess, "the CUDA device is out of service, queries go on on the CPU: "+p.lost.Error()))
	}
	out = append(out, p.streamed(steps)...)
	var parts []string
	told := make(map[int]bool)
	for i, place := range places {
		group := p.c.program.Steps[i].Group
		if p.wanted[i] && place.Backend == p.session.db.backend && !told[group] {
			told[group] = true
			parts = append(parts, fmt.Sprintf("group %d: %s", group, place.Reason))
		}
	}
	if len(parts) > 0 && p.lost == nil {
		out = append(out, notice(codeSuccess, "not all of the query ran on the CUDA device; on the CPU ran %s", strings.Join(parts, "; ")))
	}
	return out
}

// streamed tells which groups read their source piece by piece.
func (p *placement) streamed(steps []runtime.Metrics) []Notice {
	var parts []string
	for i := range steps {
		if s := &steps[i].Stream; s.Passes > 0 {
			parts = append(parts, fmt.Sprintf("group %d: %d bytes in %d pieces", p.c.program.Steps[i].Group, s.Bytes, s.Pieces))
		}
	}
	if parts == nil {
		return nil
	}
	return []Notice{notice(codeSuccess, "tables were streamed that do not fit the memory of the CUDA device; %s", strings.Join(parts, "; "))}
}

// texts say, by group, where it runs and why; "" where there was no choice.
func (p *placement) texts(places []runtime.Place) map[int]string {
	out := make(map[int]string)
	for i, place := range places {
		if place.Reason != "" {
			out[p.c.program.Steps[i].Group] = place.Backend.Name() + ": " + place.Reason
		}
	}
	return out
}
