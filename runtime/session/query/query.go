// Package query holds a query that is ready to run, and what running it cost.
package query

import (
	"time"

	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/fusion"
	"github.com/cubeloom/cubeloom/planner"
)

// Compiled is a query that is ready to run.
type Compiled struct {
	Plan    *planner.Plan
	Woven   *fusion.Program
	Program *codegen.Program
	Elapsed time.Duration
	Weaving time.Duration // of elapsed
	dumpDir string        // where the query's stages are dumped; "": nowhere
}
