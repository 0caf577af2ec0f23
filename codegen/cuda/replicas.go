package cuda

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/cubeloom/cubeloom/planner/strategy"
)

// Cells in global memory may have replicas (several parallel hash functions: Wittmer &
// Lauer 2013), so that fewer rows wait for each other: copies of all cells, or of the
// table of groups, one after the other. A warp adds to one of them, and a last entry adds
// the others to the first.

// MaxReplicas is the greatest number of them.
const MaxReplicas = 12288

const oneReplica = "1"

// replicasPay is how many times what they cost replicas must save: they take cache from everything else, which then
// writes to memory again and again what it held before (docs/measurements/2026-11-29-replicas.md).
const replicasPay = 1.05

// someReplicas are the numbers between which the choice is.
var someReplicas = []int{1, 4, 16, 64, 256, 1024, 4096, MaxReplicas}

// noGlobal says why no row is added in global memory, or "".
func (a *Adding) noGlobal() string {
	if a.Full {
		return "all cells have slots in shared memory"
	}
	return ""
}

// replicaOffers are the numbers of replicas, one that is forced among them, with what the
// additions in global memory then cost, so many of a warp's, and adding the replicas up.
func (a *Adding) replicaOffers(force string, additions float64) []strategy.Offer {
	if a.Full {
		return []strategy.Offer{
			{Strategy: oneReplica, Cost: a.Cost(additions)},
			{Strategy: fmt.Sprintf("%d to %d", someReplicas[1], MaxReplicas), Refusal: a.noGlobal()},
		}
	}
	numbers := someReplicas
	if n, err := strconv.Atoi(force); err == nil && !slices.Contains(numbers, n) {
		numbers = append(slices.Clone(numbers), n)
	}
	offers := make([]strategy.Offer, len(numbers))
	for i, n := range numbers {
		offers[i] = a.replicaOffer(n, additions)
		offers[i].Strategy = fmt.Sprint(n)
	}
	return offers
}

func (a *Adding) replicaOffer(n int, additions float64) strategy.Offer {
	g := a.g
	with := Adding{Slots: a.Slots, Replicas: a.Replicas, Copies: float64(n), g: g}
	offer := strategy.Offer{Cost: with.cost(additions, g.reachedAmong(with.Copies)+g.meeting(with.Copies))}
	if n == 1 {
		return offer
	}
	cells := g.places() * float64(n)
	if cells >= maxGroups {
		return strategy.Offer{Refusal: fmt.Sprintf("they are %.3g cells", cells)}
	}
	figures := &g.Device().Groups
	once := float64(g.Layout.CellBytes() + 8*g.Layout.KeyWords)
	added := min(with.Copies*max(g.Odds().Groups, 1), g.Rows) * float64(int64(len(g.Layout.State))*figures.Atomic)
	offer.Cost += figures.Compact + g.Device().Bytes(cells*once+added) // what is empty is only read
	offer.Cost *= replicasPay
	offer.Detail = fmt.Sprintf("%.3g cells", cells)
	return offer
}

// sector is what a cache holds at least of a place that is read.
const sector = 32

// reachedAmong is Reached where cells with rows lie among others, of which the cache holds parts, too.
func (g *Grouping) reachedAmong(copies float64) float64 {
	groups := max(g.Odds().Groups, 1)
	each := float64(sector * len(g.Layout.State))
	if g.Layout.Dense {
		each = min(each, float64(g.Layout.CellBytes())*g.places()/groups)
	} else {
		each += sector
	}
	figures := &g.Device().Groups
	if each*groups*copies > float64(figures.CacheBytes) {
		return float64(figures.Missed)
	}
	return float64(figures.Atomic)
}

// The power of the number of cells by which additions meet less, and that of the groups of several
// keys which have most of the rows: few combinations of them do.
const (
	meetingPower = 0.7
	unevenPower  = 0.8
)

// meeting is how much longer an addition in global memory takes for those to the same cell, in the
// time in which the memory gives a byte, where each cell has so many copies.
func (g *Grouping) meeting(copies float64) float64 {
	cells := max(g.Odds().Groups, 1)
	if len(g.s.Keys) > 1 {
		cells = math.Pow(cells, unevenPower)
	}
	figures := &g.Device().Groups
	return min(figures.Meeting/math.Pow(cells*copies, meetingPower), figures.Met)
}

// slotsPerGroup is about how many slots a table of groups has for each.
const slotsPerGroup = 2

// places is how many cells there are likely to be, with those of no group.
func (g *Grouping) places() float64 {
	if !g.Layout.Dense {
		return slotsPerGroup * max(g.groups(), minGroups)
	}
	return max(g.Cells(), g.groups(), 1)
}

// openCopy declares the copy of the cells to which the threads of a warp add, or those of
// a block whose slots belong to cells, or a thread that has one of its own.
func (g *Grouping) openCopy(e *Entry) {
	if !g.how.copies() {
		return
	}
	number := "(blockIdx.x * WARPS + threadIdx.x / 32)"
	switch {
	case g.how.own > 0:
		number = "(blockIdx.x * T + threadIdx.x)"
	case e.slots:
		number = "blockIdx.x"
	}
	e.Line("const u32 copy = %s %% (u32)%s * (u32)%s;  // the first cell of a replica of all", number, g.copiesArg(e), e.Arg(Arg{Kind: ArgCells}, "u64", "cells"))
	e.copy = "copy + "
}

func (g *Grouping) copiesArg(e *Entry) string {
	return e.Arg(Arg{Kind: ArgCopies}, "u64", "replicas of each cell")
}

// compact is the entry that adds the replicas of cells up. Every thread looks at one cell.
func (g *Grouping) compact(e *Entry) {
	cells := e.Arg(Arg{Kind: ArgCells}, "u64", "cells")
	if !g.Layout.Dense {
		g.OpenTable(e)
		g.OpenCounts(e)
	}
	e.Begin("for (u64 from = %s + (u64)blockIdx.x * T + threadIdx.x; from < %s * %s; from += (u64)gridDim.x * T)", cells, cells, g.copiesArg(e))
	if g.Layout.Dense {
		e.Line("const u64 cell = from %% %s;", cells)
	} else {
		state := ""
		if g.packed.words > 1 {
			state = e.groupState()
		}
		g.findOther(e, &g.Layout, e.groupKeys(), state, "from")
	}
	for _, t := range g.termsOf(false) {
		e.Line("merge<%s>(from, cell, %s);", t.kind.name, t.all(e))
	}
	e.End()
	if !g.Layout.Dense {
		g.tellFull(e)
	}
}
