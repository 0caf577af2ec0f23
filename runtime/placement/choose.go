package placement

import (
	"fmt"

	"github.com/cubeloom/cubeloom/runtime"
)

// choose places each step and says why.
func (p *Plan) choose() {
	insists := p.query.insists()
	p.wanted = make([]bool, len(p.steps))
	for i := range p.wanted {
		p.wanted[i] = p.costs[p.group[i]].chosen
	}
	p.refused = p.prepareSteps()
	if p.writeGroups() {
		p.refused = p.prepareSteps()
	}
	texts := make(map[*cost]string)
	for i := range p.steps {
		c, place := p.costs[p.group[i]], &p.steps[i]
		refusal, isRefused := p.refused[p.group[i]]
		switch {
		case !c.asked:
			place.Reason = fmt.Sprintf("%.2f ms estimated, less than a device takes to start %d kernels", c.host/1e6, c.steps)
		case !c.chosen:
			place.Reason = c.textOnce(texts)
		case isRefused && refusal.step == i:
			place.Reason = refusal.err.Error()
		case isRefused:
			place.Reason = p.sharesText(refusal)
		case insists && c.streams:
			*place = runtime.Place{Backend: p.backend, Reason: fmt.Sprintf("%s; streams %.1f MB that do not fit", p.query.insistence(), float64(c.missing)/1e6)}
		case insists:
			*place = runtime.Place{Backend: p.backend, Reason: p.query.insistence()}
		default:
			*place = runtime.Place{Backend: p.backend, Reason: c.textOnce(texts)}
		}
	}
	p.adopt()
	p.shareScans()
}

// sharesText says why a step runs on the host where r is of its co-location group.
func (p *Plan) sharesText(r refusal) string {
	return fmt.Sprintf("it shares hash tables with group %d: %v", p.planned[r.step].Group, r.err)
}
