// Package expand lists the forms in which a device goes on with a row for each match of a
// probe.
package expand

import (
	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/expand/block"
	"github.com/cubeloom/cubeloom/codegen/cuda/expand/children"
	"github.com/cubeloom/cubeloom/codegen/cuda/expand/grid"
	"github.com/cubeloom/cubeloom/codegen/cuda/expand/loop"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// Forms are all of them. Of equally cheap ones the first is taken.
func Forms() []cuda.Expander {
	return []cuda.Expander{block.Form{}, loop.Form{}, grid.Form{}, children.Form{}}
}

// Names are the names of the forms.
func Names() []string { return strategy.Names(Forms()) }
