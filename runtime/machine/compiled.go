package machine

// Compiled is what the compiler of a device has given a kernel.
type Compiled struct {
	Kernel    string `json:"kernel"` // names its structure: constants and data aside
	Parts     Parts  `json:"parts"`
	Registers int    `json:"registers"`         // of a thread, the most of its entries
	Spilled   int    `json:"spilled,omitempty"` // bytes of local memory of a thread, likewise
}
