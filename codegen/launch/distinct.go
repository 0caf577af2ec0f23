package launch

import "math"

// maxGroups is how many groups DistinctOf returns at most.
const maxGroups = 1 << 31

// DistinctOf is how many groups all rows of a source are likely to have when those
// seen until now have been drawn from groups that are equally frequent. A table has
// so many groups; of so many rows of the source so many have been seen, and of those
// so many have found a place before the table was full or after: from how many groups
// they have been drawn, the share of the rows tells that have found none.
func DistinctOf(inTable, sourceRows, seen, placed, all int64) int64 {
	groups := float64(inTable)
	if sourceRows <= 0 || inTable <= 0 || seen <= 0 {
		return inTable
	}
	rows, lost := float64(max(seen, inTable)), float64(seen-placed)
	lo, hi := groups, float64(maxGroups)
	for range 60 {
		if mid := (lo + hi) / 2; lostRows(groups, mid, rows) <= lost {
			lo = mid
		} else {
			hi = mid
		}
	}
	whole := rows * max(float64(all)/float64(sourceRows), 1)
	return int64(min(max(-lo*math.Expm1(-whole/lo), groups), maxGroups))
}

// lostRows is how many of so many rows, drawn from so many groups, find no place in a
// table that has room for some of these.
func lostRows(room, groups, rows float64) float64 {
	after := rows + groups*math.Log1p(-room/groups) // when the table was full
	return max(after, 0) * (1 - room/groups)
}
