package several

import (
	"github.com/cubeloom/cubeloom/runtime"
)

// relation is what the devices have made of their shares, one after the other. It is a
// runtime.Composed of at least two parts, each on one device.
type relation struct {
	runtime.Composed
	made []runtime.Output
}

// together is what some devices have made of their shares.
func together(made []runtime.Output) runtime.Output {
	if len(made) == 1 {
		return made[0]
	}
	parts := make([]runtime.ViewPart, len(made))
	for i, out := range made {
		parts[i].Rel = out.(runtime.Relation)
	}
	return &relation{runtime.NewView(parts).(runtime.Composed), made}
}

// Release implements runtime.Output.
func (r *relation) Release() { releaseAll(r.made) }

// table is a hash table that each device has.
type table struct {
	made []runtime.Output // by device
}

// Release implements runtime.Output.
func (t *table) Release() { releaseAll(t.made) }

// releaseAll releases what there is.
func releaseAll(made []runtime.Output) {
	for _, out := range made {
		if out != nil {
			out.Release()
		}
	}
}
