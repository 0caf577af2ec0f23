package cpu

import "github.com/cubeloom/cubeloom/codegen/kernel"

// probe compiles a Probe in the way in which its rows are found.
func probe(c *compiler, in *kernel.Probe, live []kernel.ValueID) (stage, error) {
	if in.Sorted != nil {
		return mergeWith(c, in, live)
	}
	return probeTable(c, in, live)
}
