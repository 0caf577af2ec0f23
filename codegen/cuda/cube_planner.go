package cuda

import (
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/codegen/launch/expr"
)

// cubePlanner plans a Cubing: the rows and codes of their keys are written, and a loop goes
// over the steps from coarse groups to finer ones, depth first. Each finds all groups of a set
// of keys at once, and writes them where the set is asked for. The rows in the order of a
// step's groups stay as long as finer groups are found of them: in the slot of its depth.
type cubePlanner struct {
	*windowPlanner
	c               *cubing
	steps           []cubeStep
	codes           int         // buffer: by key and row
	words           map[int]int // buffers: by key that is sorted, its words
	rows, members   int         // buffers: by slot and row in order, where the row lies, and its group
	levels, counted int         // buffers: by slot, groups and rows; by depth, cells with rows and groups, and behind these a word that nobody reads
	n, capacity     launch.Expr // rows, and those that there is room for
	depths          int
	least           int64 // rows that a group has at least
	sorts           bool  // the entries that sort are declared
}

// cubeStep is a step of the loop.
type cubeStep struct {
	key, depth, set int // key plus one, 0 for none; set plus one, likewise
	mask            uint64
	after           int // the step that follows where this one leaves no groups
}

// The slots behind those of depths: of groups that bars may prune, and of cells in order.
func (p *cubePlanner) judged() launch.Expr  { return launch.Int(p.depths + 1) }
func (p *cubePlanner) ordered() launch.Expr { return launch.Int(p.depths + 2) }

// fine has the entries write finer groups to a slot.
func (p *cubePlanner) fine(slot launch.Expr) {
	p.Pointer(Arg{Kind: ArgFineRows}, launch.Out, p.slot(p.rows, slot))
	p.Pointer(Arg{Kind: ArgFineGroups}, launch.Out, p.slot(p.members, slot))
}

// coarse has them refine those of a slot.
func (p *cubePlanner) coarse(slot launch.Expr) {
	p.Pointer(Arg{Kind: ArgCoarseRows}, launch.In, p.slot(p.rows, slot))
	p.Pointer(Arg{Kind: ArgCoarseGroups}, launch.In, p.slot(p.members, slot))
}

func (p *cubePlanner) slot(buffer int, slot launch.Expr) launch.Ref {
	return launch.Ref{Buffer: buffer, Offset: expr.Times(expr.Times(launch.Int(4), slot), p.n)}
}

// array makes an array.
func (p *cubePlanner) array(name string, x ...launch.Expr) int {
	v := p.Variable(name, launch.Array)
	p.add(&launch.List{Array: v, X: x})
	return v
}

// ofStep is an array of what f is of each step, read at the step at hand.
func (p *cubePlanner) ofStep(name string, step launch.Expr, f func(s *cubeStep) int64) launch.Expr {
	var all []launch.Expr
	for i := range p.steps {
		all = append(all, launch.Int(f(&p.steps[i])))
	}
	return launch.At{Array: p.array(name, all...), Index: step}
}

// groupsOf and rowsOf are those of a slot.
func (p *cubePlanner) groupsOf(level int, slot launch.Expr) launch.Expr {
	return expr.Max(launch.At{Array: level, Index: expr.Times(launch.Int(2), slot)}, launch.Int(0))
}
func (p *cubePlanner) rowsOf(level int, slot launch.Expr) launch.Expr {
	return expr.Max(launch.At{Array: level, Index: expr.Plus(expr.Times(launch.Int(2), slot), launch.Int(1))}, launch.Int(0))
}
