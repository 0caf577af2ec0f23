// Package query plans and runs the queries of a session: run.go makes a Compiled of a query
// and runs it, plans.go keeps what was compiled for the next time, execution.go finds what
// EXECUTE runs, compute.go finds values that plans hold as constants, and dump.go writes the stages of a query as text.
package query

import (
	"time"

	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/fusion"
	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/runtime/placement"
)

// Compiled is a query that is ready to run.
type Compiled struct {
	Plan    *planner.Plan
	Woven   *fusion.Program
	Program *codegen.Program
	Elapsed time.Duration
	Weaving time.Duration // of elapsed
	dumpDir string        // where the query's stages are dumped; "": nowhere
	memo    *placement.Memo
	tries   bool // kernels of a device are timed whose ways are tried
}
