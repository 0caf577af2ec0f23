package cubing

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/aggregate/group"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
)

// blockRows is how many groups a block of a result has at most.
const blockRows = 1 << 16

// results makes the relations of what the refiners have found.
func (c *input) results(refiners []*refiner) exec.Result {
	type job struct {
		r           *refiner
		set, lo, hi int
	}
	c.run.Each(len(refiners), func(i int) {
		r := refiners[i]
		for k := range r.cuboids {
			r.cuboids[k].finish(r.input)
		}
	})
	var jobs []job
	for set := range c.in.Sets {
		for _, r := range refiners {
			n := r.cuboids[set].n
			for lo := 0; lo < n; lo += blockRows {
				jobs = append(jobs, job{r, set, lo, min(lo+blockRows, n)})
			}
		}
	}
	made := make([]runtime.Block, len(jobs))
	c.run.Each(len(jobs), func(i int) {
		j := &jobs[i]
		made[i] = j.r.cuboids[j.set].block(j.r.input, j.lo, j.hi)
	})
	blocks := make([][]runtime.Block, len(c.in.Sets))
	for i, j := range jobs {
		blocks[j.set] = append(blocks[j.set], made[i])
	}
	return c.relations(blocks, c.taken(refiners))
}

// taken says how many partitions there were.
func (c *input) taken(refiners []*refiner) string {
	kept, pruned := make([]int64, len(c.dims)+1), make([]int64, len(c.dims)+1)
	for _, r := range refiners {
		for i := range kept {
			kept[i] += r.kept[i]
			pruned[i] += r.pruned[i]
		}
	}
	for len(kept) > 1 && kept[len(kept)-1]+pruned[len(kept)-1] == 0 {
		kept, pruned = kept[:len(kept)-1], pruned[:len(kept)-1]
	}
	text := fmt.Sprintf("%d cuboids; partitions of 0, 1, … keys: %s", len(c.in.Sets), list(kept))
	if slices.Max(pruned) > 0 {
		text += "; pruned: " + list(pruned)
	}
	return text
}

func list(numbers []int64) string {
	texts := make([]string, len(numbers))
	for i, n := range numbers {
		texts[i] = fmt.Sprint(n)
	}
	return strings.Join(texts, ", ")
}

// withoutRows is the result without rows: the group of all of them is there even so, but
// passes no bar.
func (c *pruning) withoutRows() exec.Result {
	blocks := make([][]runtime.Block, len(c.in.Sets))
	for i, set := range c.in.Sets {
		if set != 0 || len(c.in.Bars) > 0 {
			continue
		}
		all := group.Plan(c.run, &kernel.Aggregate{Accs: c.in.Accs})
		groups := all.NewGroups(1)
		groups.Finalize()
		block := all.Columns(groups, []uint32{0})
		for _, id := range c.in.Keys {
			block.Cols = append(block.Cols, absent(c.run.Kernel.Values[id].Type, 1))
		}
		// The keys come first.
		n := len(block.Cols) - len(c.in.Keys)
		block.Cols = append(block.Cols[n:len(block.Cols):len(block.Cols)], block.Cols[:n]...)
		blocks[i] = append(blocks[i], block)
	}
	return c.relations(blocks, "")
}

// relations makes the results of blocks, by set.
func (p *plan) relations(blocks [][]runtime.Block, taken string) exec.Result {
	all := exec.Result{Taken: taken}
	var out runtime.Results
	for _, b := range blocks {
		res := exec.NewRelation(p.run, p.types, b)
		out = append(out, res.Out.(runtime.Relation))
		all.Rows, all.Bytes = all.Rows+res.Rows, all.Bytes+res.Bytes
	}
	all.Out = out
	return all
}
