package spaces

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/cubeloom/cubeloom/runtime/machine"
)

// Model computes the times of all configurations of strategies for 2^0 to 2^maxLog groups of
// 32-bit keys and values, in blocks of 2^25 rows: a stand-in where no device has measured them. The
// costs of operations are the figures of a device; what limits a card, and how its blocks vary, is a
// machine.Card. Parts are strategies with their axes and starts.
func Model(d *machine.Device, card *machine.Card, parts []Part, maxLog int, seed uint64) *Recording {
	r := &Recording{Device: "a model of times", Source: fmt.Sprintf("computed, seed %d", seed), Query: "SELECT g, sum(v) FROM r GROUP BY g"}
	random := rand.New(rand.NewPCG(seed, 2019))
	for log := range maxLog + 1 {
		s := Space{Name: fmt.Sprintf("groups_%d", 1<<log), Groups: 1 << log, Rows: modelRows, Bytes: 8 * modelRows}
		for _, p := range parts {
			m := &model{Device: d, Card: card, strategy: p.Strategy, groups: float64(s.Groups)}
			if p.Refusal = m.refusal(); p.Refusal == "" {
				p.Points = m.points(&p, random)
			}
			if p.Refusal == "" && p.Points[p.index(p.Start)].Refusal != "" {
				p.Refusal = p.Points[p.index(p.Start)].Refusal
			}
			s.Parts = append(s.Parts, p)
		}
		r.Spaces = append(r.Spaces, s)
	}
	return r
}

// modelRows are those of a block, and cellBytes what a group has of each: a sum and a mark.
const (
	modelRows = 1 << 25
	cellBytes = 12
)

// model is a strategy for a number of groups.
type model struct {
	*machine.Device
	*machine.Card
	strategy string
	groups   float64
}

// setting is a configuration.
type setting struct{ threads, blocks, shared, replicas float64 }

// largeThreads are those of a block that has a multiprocessor for itself.
const largeThreads = 1024

func (m *model) refusal() string {
	switch {
	case m.strategy == "thread" && m.groups*cellBytes*32 > float64(m.Groups.ThreadBytes):
		return "a thread has no room for all groups"
	case m.strategy == "wide" && m.groups*cellBytes > 8*float64(m.Groups.WideBytes):
		return "the groups take more than 8 ranges"
	case m.strategy == "independent":
		return "no figure says what adding to a table of a thread costs"
	}
	return ""
}

// points are the times of all configurations.
func (m *model) points(p *Part, random *rand.Rand) []Point {
	points := make([]Point, p.Size())
	for i := range points {
		at := setting{threads: largeThreads, blocks: 1, replicas: 1}
		for k, x := range p.Values(i) {
			*map[string]*float64{"threads": &at.threads, "blocks": &at.blocks, "shared": &at.shared, "replicas": &at.replicas}[p.Axes[k].Name] = float64(x)
		}
		mean, refusal := m.time(at)
		if refusal != "" {
			points[i].Refusal = refusal
			continue
		}
		points[i].Times = m.vary(mean, random)
	}
	return points
}

// vary are the times of blocks.
func (m *model) vary(mean float64, random *rand.Rand) []int64 {
	times := make([]int64, Blocks)
	for n := range times {
		t := mean * (1 + m.Steady*random.NormFloat64())
		if n == 0 && random.Float64() < m.Unsteady {
			t *= 1 + m.Slow*random.ExpFloat64()
		}
		times[n] = max(int64(t), 1)
	}
	return times
}

// time is the mean time of a block in nanoseconds, or why the configuration cannot be: reading and
// adding go on at the same time, as fast as so many threads can, and blocks clear and add up what
// they have of their own.
func (m *model) time(at setting) (nanoseconds float64, refusal string) {
	own, add := m.work(at)
	fit := min(float64(m.Blocks), math.Floor(float64(m.Threads)/at.threads))
	if own > 0 {
		fit = min(fit, math.Floor(float64(m.Card.Shared)/(own+1024)))
	}
	if fit < 1 {
		return 0, "a multiprocessor has no room for a block"
	}
	running := min(at.blocks, fit) * at.threads
	speed := -math.Expm1(-running / float64(m.Busy))
	speed *= at.blocks / (math.Ceil(at.blocks/fit) * fit) * fit / min(at.blocks, fit) // blocks that wait for others
	own *= at.blocks * float64(m.SMs)
	return m.Launch + max(m.Device.Bytes(8*modelRows), m.Device.Bytes(modelRows*add))/speed + m.Device.Bytes(own/cellBytes*float64(m.Groups.Atomic)), ""
}

// work is the shared memory of a block, and what adding a row costs.
func (m *model) work(at setting) (own, add float64) {
	f := &m.Groups
	cells := m.groups * cellBytes
	far := float64(f.Atomic)
	if 2*cells > float64(f.CacheBytes) {
		far = float64(f.Missed)
	}
	near := float64(f.SlotAdd)
	alone := float64(f.SameCell) / m.groups
	switch m.strategy {
	case "thread":
		return at.threads * cells, float64(f.ThreadAdd)
	case "wide":
		own = min(cells, at.shared)
		return own, near + (math.Ceil(cells/at.shared)-1)*(float64(f.Pass)+8)
	case "ranges":
		passes := math.Ceil(2 * cells / float64(f.CacheBytes))
		found := min(at.shared/cells, 1)
		return min(cells, at.shared), found*near + (1-found)*float64(f.Atomic) + (passes-1)*(float64(f.Pass)+8)
	case "block":
		replicas := min(at.replicas, max(math.Floor(at.shared/cells), 1))
		found := min(at.shared/cells, 1)
		own = min(cells*replicas, at.shared)
		return own, found*near*(1+31/(m.groups*replicas)/8) + (1-found)*(far+float64(f.SlotPassed))
	}
	return 0, far + alone
}
