package machine

import "math"

// Planning is what the planner goes by before it is known how operators are done. Costs
// are in terms of looking a row up in a small hash table (Join.Probed nanoseconds).
type Planning struct {
	Build       float64 // a row that is put into a hash table
	PipelineEnd float64 // times Build, where the rows come of a join
	SeveralRows float64 // times Build, where several rows have a key
	LargeBuild  float64 // times Build, where no cache holds the table
	Array       float64 // times Build, where the table is an array by a key that no two rows share
	Out         float64 // a row of a join's result
	SmallRows   float64 // of a table that the second-level cache holds
	MediumRows  float64 // of a table that the last cache holds
	SmallStep   float64 // rows of a small table that make a lookup as dear again
	Medium      float64 // a lookup in a table of up to MediumRows
	Large       float64 // a lookup in a larger one
	Read        float64 // a value of a column
	Keep        float64 // a value that is written to memory, and read again
	Sort        float64 // a row that is sorted, or in a window
	Group       float64 // a row that is aggregated
	FewGroups   float64 // groups that the nearest cache holds
	FewGroup    float64 // a row that is aggregated into one of those, for each aggregate

	Reduced        float64 // a row put into a table by which the input of an aggregation is reduced, in terms of reading a row
	MuchSmaller    float64 // times: how much smaller the left side of an outer join is where the table is made of it
	SwapRatio      float64 // times: how much smaller the left side of a semi join is where the table is made of it
	LookupsPerCell float64 // lookups that make up for an empty cell of an array by keys
	Conditions     Conditions
}

// Conditions is what evaluating a condition costs, in terms of comparing two integers.
type Conditions struct {
	Start   float64 // any
	Logic   float64 // AND, OR or NOT
	Simple  float64 // of integers and the like
	Code    float64 // of text in a dictionary: for rows a lookup by code
	Text    float64
	Pattern float64 // LIKE
	Numeric float64 // of unconstrained numeric and of intervals
	Entry   float64 // of IN, for each value
}

// Lookup returns what looking a row up in a hash table of some rows costs; it grows as
// the table leaves the caches.
func (p *Planning) Lookup(rows float64) float64 {
	switch {
	case rows > p.MediumRows:
		return p.Large
	case rows > p.SmallRows:
		small := p.Lookup(p.SmallRows)
		return small + (p.Medium-small)*math.Log(rows/p.SmallRows)/math.Log(p.MediumRows/p.SmallRows)
	}
	return 1 + rows/p.SmallStep
}

// defaultPlanning comes from SSB and TPC-H at scale 1 on one core of a server of 2026
// (docs/measurements/2026-11-21-tpch.md).
var defaultPlanning = Planning{
	Build: 3, PipelineEnd: 6, SeveralRows: 1.5, LargeBuild: 2, Array: 0.5, Out: 0.5,
	SmallRows: 1 << 15, MediumRows: 1 << 21, SmallStep: 1 << 16, Medium: 2, Large: 4,
	Read: 0.05, Keep: 0.3, Sort: 16,
	Group: 4, FewGroups: 1 << 8, FewGroup: 0.5,
	Reduced: 3, MuchSmaller: 4, SwapRatio: 2, LookupsPerCell: 16,
	Conditions: Conditions{Start: 0.5, Logic: 0.5, Simple: 1, Code: 1.5, Text: 8, Pattern: 30, Numeric: 20, Entry: 0.125},
}
