package machine

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Tuned is what a tuner has found.
type Tuned struct {
	What    string             `json:"what"`    // what was tuned, one line for each in a file
	Figures map[string]float64 `json:"figures"` // the fastest configuration, as Calibration.Figures
	When    string             `json:"when"`
	Blocks  int                `json:"blocks"` // that were measured
	Gain    float64            `json:"gain"`   // the time before as a multiple of the time now
}

// String says what was tuned, to what, when, in how many blocks and for what gain.
func (t *Tuned) String() string {
	var figures []string
	for _, name := range t.Names() {
		figures = append(figures, fmt.Sprintf("%s %g", name[strings.LastIndexByte(name, '.')+1:], t.Figures[name]))
	}
	return fmt.Sprintf("%s: %s, tuned %s in %d blocks, %.2f times as fast", t.What, strings.Join(figures, ", "), t.When, t.Blocks, t.Gain)
}

// Names are those of the figures, in order.
func (t *Tuned) Names() []string { return slices.Sorted(maps.Keys(t.Figures)) }
