// Package hash aggregates into a hash table of each worker.
package hash

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/cubeloom/cubeloom/runtime/cpu/aggregate/group"
	"github.com/cubeloom/cubeloom/runtime/cpu/aggregate/partitioned"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/keytable"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// Strategy gives each worker a hash table. A table that outgrows the cache takes no
// further rows: they are partitioned.
type Strategy struct{}

// Name implements group.Strategy.
func (Strategy) Name() string { return "hash" }

func (Strategy) Refuses(a *group.Grouping) string {
	if a.Layout == nil {
		return "the keys are not hashed"
	}
	return ""
}

func (Strategy) Part(a *group.Grouping, _ *exec.Worker) group.Part {
	return &part{Part: partitioned.Part{Groups: a.NewGroups(0)}, plan: a, limit: groupLimit(a)}
}

// groupLimit is how many groups a worker's table has, before rows are partitioned.
func groupLimit(a *group.Grouping) int {
	return max(exec.Caches().SparseGroups, exec.Caches().TableBytes/(wordGroupBytes+a.Width()))
}

// wordGroupBytes is what a group takes in the table of keys of one word.
const wordGroupBytes = 4*4 + 8

// part is one worker's table, and the rows that came after it was full.
type part struct {
	partitioned.Part
	plan  *group.Grouping
	rows  int // that the table has had
	limit int
}

func (p *part) Add(n int, views []vector.View) {
	if p.Rows != nil {
		p.Part.Add(n, views)
		return
	}
	p.Groups.Add(n, views)
	p.rows += n
	if p.outgrown() {
		p.Rows = partitioned.NewRows(p.plan)
	}
}

// outgrown reports whether the worker's table has so many groups that further rows
// are better partitioned, or is going to have: keys drawn at random from as many
// as it may have are n different ones after −limit·ln(1−n/limit) rows, and fewer
// rows mean more keys.
func (p *part) outgrown() bool {
	if p.Groups.Table.Len() <= exec.Caches().SparseGroups {
		return false
	}
	n, limit := float64(p.Groups.Table.Len()), float64(p.limit)
	return (n >= limit || float64(p.rows) < -limit*math.Log1p(-n/limit)) && p.plan.Unpartitionable() == ""
}

// Finish brings the workers' tables together.
func (Strategy) Finish(a *group.Grouping, list []group.Part) ([]group.Piece, string) {
	parts := make([]*partitioned.Part, len(list))
	tables := make([]*group.Groups, len(list))
	total, outgrown := 0, false
	for i, p := range group.PartsAs[*part](list) {
		parts[i], tables[i] = &p.Part, p.Groups
		total += p.Groups.Table.Len()
		outgrown = outgrown || p.Rows != nil
	}
	if outgrown {
		return partitioned.Finish(a, parts), fmt.Sprintf("hash tables until they outgrew the cache at %d groups a worker, then rows radix-partitioned", groupLimit(a))
	}
	for _, g := range tables {
		g.Finalize()
	}
	switch {
	case len(tables) > 1 && total > exec.Caches().SerialGroups:
		return mergePartitions(a, tables, total), fmt.Sprintf("hash tables of %d workers, merged by partitions", len(tables))
	case len(tables) > 1:
		return mergeAll(a, tables), fmt.Sprintf("hash tables of %d workers, merged by one", len(tables))
	}
	return mergeAll(a, tables), "one hash table"
}

// mergeAll merges small tables one after the other.
func mergeAll(a *group.Grouping, parts []*group.Groups) []group.Piece {
	all := parts[0]
	for _, part := range parts[1:] {
		a.MergeTable(all, part, vector.IdentityGroups(part.Table.Len()))
	}
	return a.ReadAll(all)
}

// mergePartitions merges large tables, of total groups, partition by partition.
func mergePartitions(a *group.Grouping, parts []*group.Groups, total int) []group.Piece {
	n := min(uint(bits.Len(uint(total/exec.Caches().MergedGroups))), keytable.PartitionBits)
	if a.MergesOnce() {
		n = 1
	}
	split := make([]keytable.Partitions, len(parts))
	a.Run.Each(len(parts), func(i int) { split[i] = keytable.Partition(parts[i].Table, n) })
	return partitioned.EachPartition(a, 1<<n, func(all *group.Groups, p int) {
		for i, part := range parts {
			a.MergeTable(all, part, split[i].Of(p))
		}
	})
}
