// Package join lists the ways in which rows of two sides find each other.
package join

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/compile"
	"github.com/cubeloom/cubeloom/runtime/cpu/join/hash"
	"github.com/cubeloom/cubeloom/runtime/cpu/join/merge"
)

// Probe compiles a Probe in the way in which its rows are found.
func Probe(c *compile.Compiler, in *kernel.Probe, live []kernel.ValueID) compile.Stage {
	if in.Sorted != nil {
		return merge.Probe(c, in, live)
	}
	return hash.Probe(c, in, live)
}
