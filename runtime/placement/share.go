package placement

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// shareScans has steps that run in one place share a scan where fusion has woven them, unless
// they skip blocks that the others read, or the device has no code for all of them together, or
// strategies are forced, of kernels with one sink.
func (p *Plan) shareScans() {
	if len(p.query.forced()) > 0 {
		return
	}
	var scans []codegen.SharedScan
	for _, set := range p.query.Program.Shared {
		if scan := p.together(set); len(scan.Steps) > 1 {
			scans = append(scans, scan)
		}
	}
	if len(scans) == 0 {
		return
	}
	if p.costs == nil {
		p.unchosen = p.hostCosts()
	}
	var from []int
	p.query.Program, from = p.query.Program.WithSharedScans(scans)
	p.adopted(from)
}

// together is the kernel of those of a set of steps that share the scan of the first one.
func (p *Plan) together(set []int) (scan codegen.SharedScan) {
	steps := p.query.Program.Steps
	if p.skipsBlocks(set[0]) {
		return scan
	}
	set = slices.DeleteFunc(slices.Clone(set), func(i int) bool {
		return p.steps[i].Backend != p.steps[set[0]].Backend || p.skipsBlocks(i)
	})
	if len(set) < 2 {
		return scan
	}
	var funcs []*kernel.Func
	for _, i := range set {
		funcs = append(funcs, steps[i].Func)
	}
	scan.Func = codegen.ShareScan(funcs)
	if p.isOnDevice(set[0]) && !p.branched(set, &scan) {
		return scan
	}
	scan.Steps = set
	return scan
}

// branched decides how the branches of a kernel go on that takes the place of some steps, and reports whether the
// device has code for it.
func (p *Plan) branched(set []int, scan *codegen.SharedScan) bool {
	if p.backend.Devices() > 1 {
		return false // each shares out its rows
	}
	left := lists.Map(set, p.query.Rows)
	var err error
	if scan.Func, scan.Decisions, err = p.backend.Target().ChooseBranches(scan.Func, p.sourceRows(set[0]), left, p.query.Packing); err != nil {
		return false
	}
	isNew, err := p.backend.Check(scan.Func)
	p.isNew = p.isNew || err == nil && isNew
	return err == nil
}

// fewSkipped is how many blocks of a table there are for each that a step may skip for it to
// read them nevertheless.
const fewSkipped = 8

// skipsBlocks reports whether the statistics of the source of step i let it skip many blocks.
func (p *Plan) skipsBlocks(i int) bool {
	step := &p.query.Program.Steps[i]
	scan, ok := step.Func.Source.(*kernel.Scan)
	if !ok || step.Inputs[scan.Input].Table == nil {
		return false
	}
	rel, ok := step.Inputs[scan.Input].Table.Handle.(runtime.Relation)
	if !ok {
		return false
	}
	bounds := runtime.ScanBounds(step.Func, scan, func(int, int) (lo, hi int64, ok bool) { return 0, 0, false })
	skipped := 0
	for block := range rel.Blocks() {
		if slices.ContainsFunc(bounds, func(b runtime.Bounds) bool {
			lo, hi, _, ok := rel.Range(block, b.Ordinal)
			return ok && b.Skip(lo, hi)
		}) {
			skipped++
		}
	}
	return skipped*fewSkipped > rel.Blocks()
}
