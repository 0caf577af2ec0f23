package machine

import "fmt"

// Launch is the parameters that a tuner has found for the launches of a kernel on a device.
type Launch struct {
	Kernel     string  `json:"kernel"`     // a hash of its source and of about how many groups there are
	Parameters string  `json:"parameters"` // in words; "": those of the launch plan
	When       string  `json:"when"`
	Blocks     int     `json:"blocks"` // that were measured
	Gain       float64 `json:"gain"`   // the time of a block before as a multiple of that with them
}

// String says what was found, when, in how many blocks and for what gain.
func (l *Launch) String() string {
	parameters := l.Parameters
	if parameters == "" {
		parameters = "as planned"
	}
	return fmt.Sprintf("launch parameters %s, tuned %s in %d blocks, %.2f times as fast", parameters, l.When, l.Blocks, l.Gain)
}
