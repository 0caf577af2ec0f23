package cuda

import "github.com/cubeloom/cubeloom/codegen/kernel"

// expands tells whether a probe can make several rows of one.
func (r *renderer) expands(*kernel.Probe) bool { return false }

func (e *entry) expand(*kernel.Probe, func()) {}

func (e *entry) probe(*kernel.Probe) { e.refuse("there is no device code for probes") }

func (e *entry) repeat(*kernel.Repeat, func()) { e.refuse("there is no device code for repeat") }

func (e *entry) unmatched(*kernel.Unmatched) {
	e.refuse("there is no device code for the unmatched rows of a table")
}

func (r *renderer) build(*kernel.Build) { r.refuse("there is no device code for build") }
