package placement

import (
	"fmt"
	"strings"

	"github.com/cubeloom/cubeloom/runtime"
)

// Notes are what the one who sent the query is told of where it ran.
type Notes struct {
	Warning string // devices are lost; "" where none is
	Notices []string
}

// Notes returns what there is to say when the steps have run in places.
func (p *Plan) Notes(places []runtime.Place, steps []runtime.Metrics) Notes {
	var n Notes
	n.Warning = strings.Join(p.lost, "; ")
	if parts := p.streamed(steps); len(parts) > 0 {
		n.Notices = append(n.Notices, "tables were streamed that do not fit the memory of the CUDA device; "+strings.Join(parts, "; "))
	}
	if parts := p.leftOnHost(places); len(parts) > 0 && len(p.lost) == 0 {
		n.Notices = append(n.Notices, "not all of the query ran on the CUDA device; on the CPU ran "+strings.Join(parts, "; "))
	}
	return n
}

// leftOnHost says which groups ran on the host that were to run on the device.
func (p *Plan) leftOnHost(places []runtime.Place) []string {
	var parts []string
	said := make(map[int]bool)
	for i, place := range places {
		group := p.query.Program.Steps[i].Group
		if p.wanted != nil && p.wanted[i] && place.Backend == p.device.host && !said[group] {
			said[group] = true
			parts = append(parts, fmt.Sprintf("group %d: %s", group, place.Reason))
		}
	}
	return parts
}

// streamed says which groups read their source chunk by chunk.
func (p *Plan) streamed(steps []runtime.Metrics) []string {
	var parts []string
	for i := range steps {
		if s := &steps[i].Stream; s.Passes > 0 {
			parts = append(parts, fmt.Sprintf("group %d: %d bytes in %d chunks", p.query.Program.Steps[i].Group, s.Bytes, s.Chunks))
		}
	}
	return parts
}

// Reasons returns, by group, where it runs and why; groups without a choice are
// missing.
func (p *Plan) Reasons(places []runtime.Place) map[int]string {
	out := make(map[int]string)
	for i, place := range places {
		if place.Reason != "" {
			out[p.query.Program.Steps[i].Group] = place.Backend.Name() + ": " + place.Reason
		}
	}
	return out
}
