package fusion

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// Explanation is a program in the words of EXPLAIN: which operators share a
// kernel, by which dependence, and why each border is where it is.
type Explanation struct {
	Groups    []GroupExplanation    `json:"groups"`
	Edges     []EdgeExplanation     `json:"edges"`
	Decisions []DecisionExplanation `json:"decisions"`
	Budget    ResourceExplanation   `json:"budget"`
}

// GroupExplanation is one group: what a kernel does.
type GroupExplanation struct {
	Group     int                   `json:"group"`
	Operators []OperatorExplanation `json:"operators"`
	Needs     ResourceExplanation   `json:"needs"`
	Parts     machine.Parts         `json:"parts"` // that the registers are estimated from
	// Compiled is what a device's compiler gave such a kernel, where that is known.
	Compiled *machine.Compiled `json:"compiled,omitempty"`
	// RunsOn says where the group runs and why; "" where there was no choice. Who
	// executes sets it.
	RunsOn string `json:"runs_on,omitempty"`
	// Sharing says how several devices are likely to share its kernels, with estimates of the bytes.
	Sharing []Sharing `json:"sharing,omitempty"`
	// KernelOf is the group whose kernel the group was in, too, where both share a scan; nil: it
	// had one of its own.
	KernelOf *int `json:"kernel_of,omitempty"`
	// Measured is what the group's kernel cost, where it was executed, and is
	// set by the execution.
	Measured *Measurement `json:"measured,omitempty"`
}

// OperatorExplanation is one operator of a group.
type OperatorExplanation struct {
	ID      int     `json:"id"`
	Name    string  `json:"name"`
	Detail  string  `json:"detail,omitempty"`
	Rows    float64 `json:"estimated_rows"`
	Sources []int   `json:"reads_groups,omitempty"` // other groups that it reads
}

// EdgeExplanation is an Edge with the names of what it speaks of.
type EdgeExplanation struct {
	From       int     `json:"from"`
	To         int     `json:"to"`
	FromName   string  `json:"from_operator"`
	ToName     string  `json:"to_operator"`
	FromGroup  int     `json:"from_group"`
	ToGroup    int     `json:"to_group"`
	Dependence string  `json:"dependence"`
	Woven      bool    `json:"woven"`
	Bytes      float64 `json:"estimated_bytes"`
	strategy.Decision
}

// DecisionExplanation is a Decision on an operator of a group.
type DecisionExplanation struct {
	Operator int   `json:"operator"`
	Group    int   `json:"group"`
	With     []int `json:"with_groups,omitempty"` // others that the decision holds for
	strategy.Decision
}

// ResourceExplanation is operators.Resources in print.
type ResourceExplanation struct {
	Registers int `json:"registers"`
	Shared    int `json:"shared_bytes"`
}

// Measurement is what a group's kernel cost.
type Measurement struct {
	Backend       string        `json:"backend"`
	Time          time.Duration `json:"nanoseconds"`
	RowsIn        int64         `json:"rows_in"`
	RowsOut       int64         `json:"rows_out"`
	BytesRead     int64         `json:"bytes_read"`
	BytesWritten  int64         `json:"bytes_written"`
	BlocksSkipped int64         `json:"blocks_skipped"`
	Taken         string        `json:"taken,omitempty"` // what only the run could decide
	// Forms are the choices that only the run could make, by what it knew of matches.
	Forms      []strategy.Decision `json:"forms,omitempty"`
	DevicePeak int64               `json:"device_peak_bytes,omitempty"`     // of a device's memory, held by the query
	RoomWait   time.Duration       `json:"room_wait_nanoseconds,omitempty"` // for a device's memory that other queries had
	Stream     *Stream             `json:"stream,omitempty"`
	Sharing    []Sharing           `json:"sharing,omitempty"`
	Phases     *Phases             `json:"phases,omitempty"`    // of an aggregation by keys
	Additions  *Additions          `json:"additions,omitempty"` // to groups, where lanes of a warp are summed before
	Launches   []Launch            `json:"launches,omitempty"`  // on a device
}

// Phases are those of an aggregation by keys (Rosenfeld 2019, section 2.1).
type Phases struct {
	Initialize time.Duration `json:"initialize_nanoseconds"`
	Aggregate  time.Duration `json:"aggregate_nanoseconds"`
	Finalize   time.Duration `json:"finalize_nanoseconds"`
	Cells      int64         `json:"cells,omitempty"`  // in which groups lie; 0: they are runs of rows, or it is not known
	Filled     int64         `json:"filled,omitempty"` // cells with a group, or runs of rows; 0: not counted before results are made
	InCells    bool          `json:"in_cells,omitempty"`
	LastBlock  bool          `json:"last_block,omitempty"` // of the launch over the rows makes results
}

// Additions are those of rows to groups of which lanes of a warp are summed before.
type Additions struct {
	Rows int64 `json:"rows"` // that were added
	Made int64 `json:"made"` // additions that were left: an atomic operation each for every accumulator
}

// Stream says how a source that did not fit a device's memory was read over the
// link from the host.
type Stream struct {
	Passes int           `json:"passes"`
	Chunks int           `json:"chunks"`
	Bytes  int64         `json:"bytes"`
	Kept   int64         `json:"kept_bytes"` // of them: from page-locked memory of the host, where they were
	Time   time.Duration `json:"nanoseconds"`
	Link   time.Duration `json:"link_nanoseconds"` // that the link was busy; 0: not known
}

// Sharing says how several devices did a kernel.
type Sharing struct {
	Shares   []Share `json:"shares"`
	Exchange string  `json:"exchange"` // how what they made came together, or why one device did all of it
	Bytes    int64   `json:"bytes"`    // that were copied from one device to another
}

// Share is what one device did.
type Share struct {
	Device  int           `json:"device"`
	Rows    int64         `json:"rows"`
	Kernels time.Duration `json:"nanoseconds"`
}

// Launch is one launch on a device.
type Launch struct {
	Entry     string        `json:"entry"`
	Time      time.Duration `json:"nanoseconds"`
	Blocks    int           `json:"blocks"`
	Threads   int           `json:"threads"`
	Registers int           `json:"registers"`
	Shared    int           `json:"shared_bytes"`
	Spilled   int           `json:"spilled_bytes"`
	Occupancy float64       `json:"occupancy"`
	Bandwidth float64       `json:"device_bytes_per_second,omitempty"` // that the device can read
}

// Explain puts a program into words.
func Explain(p *Program) *Explanation {
	e := &Explanation{Budget: explainResources(p.Budget)}
	for i, g := range p.Groups {
		group := GroupExplanation{Group: i, Needs: explainResources(g.Cost), Parts: g.parts, Compiled: g.Compiled}
		for _, id := range g.Ops {
			group.Operators = append(group.Operators, p.explainOperator(i, p.Ops[id]))
		}
		e.Groups = append(e.Groups, group)
	}
	for _, d := range p.Edges {
		from, to := p.Ops[d.From], p.Ops[d.To]
		e.Edges = append(e.Edges, EdgeExplanation{
			From: d.From, To: d.To, FromName: from.Traits().Name, ToName: to.Traits().Name,
			FromGroup: from.Group, ToGroup: to.Group,
			Dependence: d.Dependence.String(), Woven: d.Woven(), Bytes: d.Bytes, Decision: d.Decision,
		})
	}
	for _, d := range p.Decisions {
		e.AddDecision(p, d)
	}
	for i := range p.candidates {
		if p.Device && p.hasEdges(&p.candidates[i]) {
			e.AddDecision(p, p.weigh(&p.candidates[i]))
		}
	}
	return e
}

// AddDecision adds a decision that was made on an operator of the program.
func (e *Explanation) AddDecision(p *Program, d Decision) {
	e.Decisions = append(e.Decisions, DecisionExplanation{Operator: d.Op, Group: p.Ops[d.Op].Group, Decision: d.Decision})
}

// AddPlacement adds the decision where groups run, which share hash tables.
func (e *Explanation) AddPlacement(groups []int, d strategy.Decision) {
	last := e.Groups[groups[0]].Operators[len(e.Groups[groups[0]].Operators)-1]
	e.Decisions = append(e.Decisions, DecisionExplanation{Operator: last.ID, Group: groups[0], With: groups[1:], Decision: d})
}

func (p *Program) explainOperator(group int, op *Op) OperatorExplanation {
	t := op.Traits()
	o := OperatorExplanation{ID: op.ID, Name: t.Name, Detail: t.Detail, Rows: op.Rows}
	for _, in := range op.Inputs {
		if g := p.Ops[in].Group; g != group {
			o.Sources = append(o.Sources, g)
		}
	}
	slices.Sort(o.Sources)
	o.Sources = slices.Compact(o.Sources)
	return o
}

func explainResources(r operators.Resources) ResourceExplanation {
	return ResourceExplanation{Registers: r.Registers, Shared: r.Shared}
}

// JSON writes the explanation as JSON.
func (e *Explanation) JSON() ([]byte, error) { return json.MarshalIndent(e, "", "  ") }

// edge finds the edge by which two operators share a kernel.
func (e *Explanation) edge(from, to int) *EdgeExplanation {
	for i := range e.Edges {
		if d := &e.Edges[i]; d.From == from && d.To == to && d.Dependence != operators.Input.String() {
			return d
		}
	}
	return nil
}
