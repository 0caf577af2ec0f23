package planner

import (
	"fmt"
	"sort"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// window computes ranks, and aggregates over default frames: what does not
// depend on the order of rows that tie.
func (in *interpreter) window(n *algebra.Window) ([]row, error) {
	rows, err := in.run(n.Input)
	if err != nil {
		return nil, err
	}
	partitions := map[string][]int{}
	keys := make([][]value.Value, len(rows))
	for i, r := range rows {
		text := ""
		for _, e := range n.PartitionBy {
			v, err := in.at(e, r)
			if err != nil {
				return nil, err
			}
			text += keyText(v) + "|"
		}
		partitions[text] = append(partitions[text], i)
		for _, k := range n.OrderBy {
			v, err := in.at(k.Expr, r)
			if err != nil {
				return nil, err
			}
			keys[i] = append(keys[i], v)
		}
	}
	compare := func(a, b int) int {
		for k, key := range n.OrderBy {
			if c := compareKeys(keys[a][k], keys[b][k], key); c != 0 {
				return c
			}
		}
		return 0
	}
	out := make([]row, len(rows))
	for _, p := range partitions {
		sort.Slice(p, func(i, k int) bool { return compare(p[i], p[k]) < 0 })
		for _, i := range p {
			out[i] = make(row)
			for id, v := range rows[i] {
				out[i][id] = v
			}
			for k := range n.Calls {
				c := &n.Calls[k]
				if out[i][c.Column.ID], err = in.windowValue(c, rows, p, func(j int) int { return compare(j, i) }); err != nil {
					return nil, err
				}
			}
		}
	}
	return out, nil
}

// windowValue computes a call for a row of partition p; place compares another
// row with it.
func (in *interpreter) windowValue(c *algebra.WindowCall, rows []row, p []int, place func(j int) int) (value.Value, error) {
	before := int64(0)
	var frame []row
	for _, j := range p {
		if place(j) < 0 {
			before++
		}
		if place(j) <= 0 {
			frame = append(frame, rows[j])
		}
	}
	switch {
	case c.Func == algebra.Rank:
		return value.Value{Kind: value.Int, I: before + 1}, nil
	case c.IsAggregate() && c.Frame == algebra.DefaultFrame():
		agg := c.Aggregate()
		return in.aggregateRows(&agg, frame)
	}
	return value.Value{}, fmt.Errorf("no way to compute %s", c.Func)
}
