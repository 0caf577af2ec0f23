package fusion

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/cubeloom/cubeloom/operators"
)

// Explanation is a program in the words of EXPLAIN: which operators share a
// kernel, by which dependence, and why each border is where it is.
type Explanation struct {
	Groups    []GroupExplanation    `json:"groups"`
	Decisions []DecisionExplanation `json:"decisions"`
	Choices   []ChoiceExplanation   `json:"choices"`
	Budget    ResourceExplanation   `json:"budget"`
}

// GroupExplanation is one group: what a kernel does.
type GroupExplanation struct {
	Group     int                   `json:"group"`
	Operators []OperatorExplanation `json:"operators"`
	Needs     ResourceExplanation   `json:"needs"`
	// RunsOn says where the group runs and why; "" where there was no choice. Who
	// executes sets it.
	RunsOn string `json:"runs_on,omitempty"`
	// Measured is what the group's kernel cost, where it was executed; whoever
	// executes sets it.
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

// DecisionExplanation is a Decision with the names of what it speaks of.
type DecisionExplanation struct {
	From       int     `json:"from"`
	To         int     `json:"to"`
	FromName   string  `json:"from_operator"`
	ToName     string  `json:"to_operator"`
	FromGroup  int     `json:"from_group"`
	ToGroup    int     `json:"to_group"`
	Dependence string  `json:"dependence"`
	Woven      bool    `json:"woven"`
	Reason     string  `json:"reason"`
	Bytes      float64 `json:"estimated_bytes"`
}

// ChoiceExplanation is a Choice with the names of what it speaks of.
type ChoiceExplanation struct {
	Operator   int                `json:"operator"`
	Group      int                `json:"group"`
	Of         string             `json:"of"`
	Taken      string             `json:"taken"`
	Reason     string             `json:"reason"`
	Strategies []OfferExplanation `json:"strategies"`
}

// OfferExplanation is an operators.Offer in print.
type OfferExplanation struct {
	Strategy string  `json:"strategy"`
	Detail   string  `json:"detail,omitempty"`
	Cost     float64 `json:"estimated_nanoseconds,omitempty"` // of one core
	Refusal  string  `json:"refusal,omitempty"`
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
	Taken         string        `json:"taken,omitempty"`             // what only the run could decide
	DevicePeak    int64         `json:"device_peak_bytes,omitempty"` // of a device's memory, held by the query
	Stream        *Stream       `json:"stream,omitempty"`
	Launches      []Launch      `json:"launches,omitempty"` // on a device
}

// Stream says how a source that did not fit a device's memory was read over the
// link from the host.
type Stream struct {
	Passes int           `json:"passes"`
	Pieces int           `json:"pieces"`
	Bytes  int64         `json:"bytes"`
	Kept   int64         `json:"kept_bytes"` // of them: from page-locked memory of the host, where they were
	Time   time.Duration `json:"nanoseconds"`
	Link   time.Duration `json:"link_nanoseconds"` // that the link was busy; 0: not known
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
		group := GroupExplanation{Group: i, Needs: explainResources(g.Cost)}
		for _, id := range g.Ops {
			group.Operators = append(group.Operators, p.explainOperator(i, p.Ops[id]))
		}
		e.Groups = append(e.Groups, group)
	}
	for _, d := range p.Decisions {
		from, to := p.Ops[d.From], p.Ops[d.To]
		e.Decisions = append(e.Decisions, DecisionExplanation{
			From: d.From, To: d.To, FromName: from.Traits().Name, ToName: to.Traits().Name,
			FromGroup: from.Group, ToGroup: to.Group,
			Dependence: d.Dependence.String(), Woven: d.Woven, Reason: d.Reason, Bytes: d.Bytes,
		})
	}
	for _, c := range p.Choices {
		e.AddChoice(p, c)
	}
	return e
}

// AddChoice adds a choice that was made for an operator of the program.
func (e *Explanation) AddChoice(p *Program, c Choice) {
	choice := ChoiceExplanation{Operator: c.Op, Group: p.Ops[c.Op].Group, Of: c.Of, Taken: c.Strategy().Strategy, Reason: c.Reason}
	for _, o := range c.Offers {
		choice.Strategies = append(choice.Strategies, OfferExplanation(o))
	}
	e.Choices = append(e.Choices, choice)
}

// ChoiceTexts are lines that say of every choice what was taken and why, with what all
// strategies would cost or why they do not apply.
func (e *Explanation) ChoiceTexts() []string {
	var lines []string
	for _, c := range e.Choices {
		lines = append(lines, fmt.Sprintf("%s of group %d: %s, %s", c.Of, c.Group, c.Taken, c.Reason))
		for _, o := range c.Strategies {
			lines = append(lines, "    "+o.text())
		}
	}
	return lines
}

func (o *OfferExplanation) text() string {
	name := o.Strategy
	if o.Detail != "" {
		name += " (" + o.Detail + ")"
	}
	if o.Refusal != "" {
		return name + " does not apply: " + o.Refusal
	}
	return fmt.Sprintf("%s %.3g ms", name, o.Cost/1e6)
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

// decision finds the decision by which two operators share a kernel.
func (e *Explanation) decision(from, to int) *DecisionExplanation {
	for i := range e.Decisions {
		if d := &e.Decisions[i]; d.From == from && d.To == to && d.Dependence != operators.Input.String() {
			return d
		}
	}
	return nil
}
