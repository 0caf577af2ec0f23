package cuda

import (
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// maxListed is the most shared memory of a block in which rows of branches are listed.
const maxListed = 32 << 10

// ChooseBranches returns f, whose rows end in several sinks, with those of a branch packed behind its last filter
// where that is cheaper than to have the threads go on with all rows that they hold, or where it is wanted. Of so many
// rows of the source each branch is estimated to keep left.
func (t *Target) ChooseBranches(f *kernel.Func, rows float64, left []float64, want strategy.Preference) (*kernel.Func, []strategy.Decision, error) {
	var decisions []strategy.Decision
	for i := range left {
		stay := strategy.Offer{Strategy: NoPacking, Cost: t.Device.Bytes(rows * t.Device.Filters.Spread)}
		packed, refusal := packedBranch(f, i)
		pack := strategy.Offer{Strategy: packInWarps, Refusal: refusal}
		if refusal == "" {
			pack.Detail = fmt.Sprintf("%.3g %% of the rows", 100*min(left[i]/rows, 1))
			pack.Cost = t.Device.Bytes(left[i] * t.Device.Filters.Listed)
		}
		d, err := want.Choose(fmt.Sprintf("rows that are left in branch %d on the device", i), stay, pack)
		if err != nil {
			return f, nil, err
		}
		if d.Takes(packInWarps) {
			f = packed
		}
		decisions = append(decisions, d)
	}
	return f, decisions, nil
}

// packedBranch is f with the rows of a branch packed behind its last filter, or why they cannot be.
func packedBranch(f *kernel.Func, branch int) (_ *kernel.Func, refusal string) {
	if _, ok := f.Source.(*kernel.Scan); !ok || f.GroupsSource() >= 0 || len(f.Body) > 0 {
		return nil, "what is computed of rows before the branches part would have to wait"
	}
	s := *f.Sink.(*kernel.Several)
	filters, _ := parted(s.Branches[branch].Body)
	if len(filters) == 0 {
		return nil, "no condition leaves rows out"
	}
	with, last, lists := *f, len(filters)-1, 0
	s.Branches = slices.Clone(s.Branches)
	s.Branches[branch].Body = slices.Clone(s.Branches[branch].Body)
	s.Branches[branch].Body[last] = withPacking(filters[last], true)
	with.Sink = &s
	for i := range s.Branches {
		if slices.ContainsFunc(s.Branches[i].Body, packs) {
			lists++
		}
	}
	if bytes := 2 * lists * threads * rowsPerThread(&with); bytes > maxListed {
		return nil, fmt.Sprintf("%d bytes in which rows are listed are more than %d", bytes, maxListed)
	}
	return &with, ""
}
