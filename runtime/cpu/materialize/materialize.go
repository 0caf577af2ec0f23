// Package materialize makes the sink that writes rows as they come.
package materialize

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/materialize/anyorder"
	"github.com/cubeloom/cubeloom/runtime/cpu/materialize/inorder"
)

// New makes the sink of in, by the strategy that was chosen.
func New(r *exec.Run, in *kernel.Materialize) exec.Sink {
	if in.Ordered {
		return inorder.New(r, in)
	}
	return anyorder.New(r, in)
}
