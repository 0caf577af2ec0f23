package machine

import (
	"fmt"
	"strings"
)

// Launch is what a tuner has found for a kernel on a device: the parameters of its launches, or
// the way in which it aggregates.
type Launch struct {
	Kernel     string `json:"kernel"`     // a hash of its source and of about how many groups there are
	Parameters string `json:"parameters"` // in words; "": those of the launch plan
	// Strategy is the way to aggregate, in blocks of Threads threads, 0 being those of the strategy,
	// and by the sizes of memory that the device reports or those of its file; "": parameters were
	// sought.
	Strategy string  `json:"strategy,omitempty"`
	Threads  int     `json:"threads,omitempty"`
	Reported bool    `json:"reported,omitempty"`
	When     string  `json:"when"`
	Blocks   int     `json:"blocks"` // that were measured; of a strategy whole runs of the kernel
	Gain     float64 `json:"gain"`   // the time before as a multiple of the time now
}

// String says what was found, when, in how many blocks or runs and for what gain.
func (l *Launch) String() string {
	what, blocks := "launch parameters "+l.Parameters, "blocks"
	switch {
	case l.Strategy != "":
		what, blocks = l.variant(), "runs"
	case l.Parameters == "":
		what += "as planned"
	}
	return fmt.Sprintf("%s, tuned %s in %d %s, %.2f times as fast", what, l.When, l.Blocks, blocks, l.Gain)
}

// variant names the way to aggregate.
func (l *Launch) variant() string {
	words := []string{"strategy " + l.Strategy}
	if l.Threads > 0 {
		words = append(words, fmt.Sprintf("%d threads", l.Threads))
	}
	if l.Reported {
		words = append(words, "sizes of memory as the device reports them")
	}
	return strings.Join(words, ", ")
}
