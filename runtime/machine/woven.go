package machine

// Woven is what is known of operators that may be one kernel of a device or several.
type Woven struct {
	Operators string `json:"operators"` // names their structure and how many rows they have: constants and data aside
	Ways      []Way  `json:"ways"`
}

// Way is where the kernels of some operators end, and what these took.
type Way struct {
	Ends        []int   `json:"ends"`                  // numbers of operators
	Nanoseconds float64 `json:"nanoseconds,omitempty"` // in the fastest run: the kernels, and what more than one cost the host
	Readers     float64 `json:"readers,omitempty"`     // nanoseconds of the kernels that read what they made, in that run
	Runs        int     `json:"runs,omitempty"`
	Fails       bool    `json:"fails,omitempty"` // they do not run: memory does not suffice for what they write
}

// All is what the kernels took together with those that read what they made.
func (w *Way) All() float64 { return w.Nanoseconds + w.Readers }
