// Package spaces holds how long configurations took that were all measured, and what a
// search would have made of them: the figures and tables of Rosenfeld et al. 2019.
package spaces

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
)

// Recording is what was measured of a query on one device.
type Recording struct {
	Device string  `json:"device"`
	Source string  `json:"source"` // how and when it was measured
	Query  string  `json:"query"`
	Spaces []Space `json:"spaces"`
}

// Space is the configurations of one number of groups.
type Space struct {
	Name   string `json:"name"`
	Groups int64  `json:"groups"`
	Rows   int64  `json:"rows"`  // of a block
	Bytes  int64  `json:"bytes"` // that a block is read of
	Parts  []Part `json:"parts"` // one for each strategy
	// Planned is what is done where nothing is forced; it has no times where that was not measured.
	Planned Planned `json:"planned"`
}

// Planned is a strategy with the parameters that its plan has.
type Planned struct {
	Taken string  `json:"taken,omitempty"` // as EXPLAIN ANALYZE says it
	Times []int64 `json:"nanoseconds,omitempty"`
}

// Part is the configurations of a strategy: a grid.
type Part struct {
	Strategy string  `json:"strategy"`
	Refusal  string  `json:"refusal,omitempty"` // why it does not apply, or was not measured; there are no points then
	Missing  bool    `json:"missing,omitempty"` // it applies, and was not measured
	Axes     []Axis  `json:"axes,omitempty"`
	Start    []int   `json:"start,omitempty"`  // by axis: where a search begins
	Points   []Point `json:"points,omitempty"` // the last axis varies fastest
}

// Axis is the values of one parameter, in the order in which they lie beside each other.
type Axis struct {
	Name   string  `json:"name"`
	Values []int64 `json:"values"`
}

// Point is what was measured of a configuration.
type Point struct {
	Refusal string  `json:"refusal,omitempty"` // why it cannot be
	Times   []int64 `json:"nanoseconds,omitempty"`
	// GivenUp says that its first blocks took so much longer than others that no more were
	// measured.
	GivenUp bool `json:"given_up,omitempty"`
}

// Read reads a recording.
func Read(file string) (*Recording, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	r := &Recording{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for i := range r.Spaces {
		for k := range r.Spaces[i].Parts {
			if err := r.Spaces[i].Parts[k].check(); err != nil {
				return nil, fmt.Errorf("%s: %s, strategy %s: %w", file, r.Spaces[i].Name, r.Spaces[i].Parts[k].Strategy, err)
			}
		}
	}
	return r, nil
}

// Write writes the recording to a file.
func (r *Recording) Write(file string) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(data, '\n'), 0o644)
}

// check reports what is wrong with a part that was read.
func (p *Part) check() error {
	if p.Refusal != "" {
		return nil
	}
	if n := p.Size(); n != len(p.Points) || n == 0 {
		return fmt.Errorf("there are %d points for %d configurations", len(p.Points), n)
	}
	if len(p.Start) != len(p.Axes) {
		return fmt.Errorf("the start has %d parameters, and there are %d", len(p.Start), len(p.Axes))
	}
	for i, at := range p.Start {
		if at < 0 || at >= len(p.Axes[i].Values) {
			return fmt.Errorf("the start has value %d of %s, which has %d", at, p.Axes[i].Name, len(p.Axes[i].Values))
		}
	}
	if first := &p.Points[p.index(p.Start)]; first.Refusal != "" {
		return fmt.Errorf("the start cannot be: %s", first.Refusal)
	}
	for i := range p.Points {
		if pt := &p.Points[i]; pt.Refusal == "" && (len(pt.Times) == 0 || slices.Min(pt.Times) <= 0) {
			return fmt.Errorf("configuration %s has no times", p.Text(i))
		}
	}
	return nil
}

// Size is the number of configurations.
func (p *Part) Size() int {
	n := 1
	for _, a := range p.Axes {
		if n > 1<<20 {
			return 0 // no file has so many
		}
		n *= len(a.Values)
	}
	return n
}

// at returns the place of a configuration on each axis.
func (p *Part) at(index int) []int {
	at := make([]int, len(p.Axes))
	for i := len(at) - 1; i >= 0; i-- {
		n := len(p.Axes[i].Values)
		at[i], index = index%n, index/n
	}
	return at
}

// index is the number of a configuration.
func (p *Part) index(at []int) int {
	index := 0
	for i, x := range at {
		index = index*len(p.Axes[i].Values) + x
	}
	return index
}

// Values are the parameters of a configuration, by axis.
func (p *Part) Values(index int) []int64 {
	values := make([]int64, len(p.Axes))
	for i, x := range p.at(index) {
		values[i] = p.Axes[i].Values[x]
	}
	return values
}

// Text names a configuration.
func (p *Part) Text(index int) string {
	text := ""
	for i, x := range p.Values(index) {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%s %d", p.Axes[i].Name, x)
	}
	return text
}

// neighbors are the configurations that differ by one step of one parameter.
func (p *Part) neighbors(index int) []int {
	var list []int
	step := 1
	for i := len(p.Axes) - 1; i >= 0; i-- {
		n := len(p.Axes[i].Values)
		at := index / step % n
		if at > 0 {
			list = append(list, index-step)
		}
		if at < n-1 {
			list = append(list, index+step)
		}
		step *= n
	}
	return list
}

// best returns the fastest configuration and the mean time of its blocks.
func (p *Part) best() (index int, mean float64) {
	index, mean = -1, math.Inf(1)
	for i := range p.Points {
		if m := p.Points[i].Mean(); m < mean {
			index, mean = i, m
		}
	}
	return index, mean
}

// Mean is the mean time of a block; +Inf for a configuration that cannot be.
func (p *Point) Mean() float64 {
	if len(p.Times) == 0 {
		return math.Inf(1)
	}
	sum := 0.0
	for _, t := range p.Times {
		sum += float64(t)
	}
	return sum / float64(len(p.Times))
}
