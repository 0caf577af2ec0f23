package main

import (
	"slices"
	"time"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
)

// cubingBench times the series of Zhou 2010 (figures 6 to 9): cubes and icebergs over one
// parameter at a time, by refinement and by roll-up, on the CPU and on a device.
type cubingBench struct {
	Threads int           `json:"threads"`
	Runs    int           `json:"runs"`
	Clock   string        `json:"clock"` // of the times that are compared
	Points  []cubingPoint `json:"points"`
	Left    int           `json:"points_left_out,omitempty"` // when the time limit was reached

	ways []cubingWay
}

// cubingPoint is one point of a series.
type cubingPoint struct {
	Series string                `json:"series"`
	Set    string                `json:"data"`
	Least  int64                 `json:"least_rows_of_a_group"`
	Rows   int64                 `json:"rows"`
	Digest string                `json:"digest"`     // of the answer, the same in other processes where no dimension is text
	Times  map[string]cubingTime `json:"times"`      // by way
	Auto   map[string]string     `json:"auto_takes"` // of the strategies, by place
	Guess  string                `json:"guessed"`    // of refinement, where it is not forced
	Taken  string                `json:"partitions,omitempty"`

	set   workload.Set
	query workload.Query
}

// cubingWay is a way in which a point is computed.
type cubingWay struct{ name, device, strategy, threads string }

// cubingTime is what a way takes, in milliseconds.
type cubingTime struct {
	Query    float64 `json:"query_ms"`
	CPU      float64 `json:"cpu_ms"`       // processor time of all threads
	CopyBack float64 `json:"copy_back_ms"` // of that: the answer leaves the device
	Digest   float64 `json:"digest_ms"`    // to count and digest the rows of the answer
	Kernels  float64 `json:"kernels_ms,omitempty"`
	Launches int     `json:"launches,omitempty"`
	Refusal  string  `json:"refusal,omitempty"` // why there are no times
}

// cubingFlags say which points.
type cubingFlags struct {
	series []string
	ways   []string
	least  []int64 // only points with these; none: all
	dims   []int   // likewise
	rows   int64
	limit  time.Duration
	clock  string
	seed   uint64
}

// The clocks of the CPU's times.
const (
	wallClock      = "wall"
	processorClock = "cpu"
)

// of is what a query takes by a clock, which is that of the CPU's ways alone.
func (w *cubingWay) of(t *cubingTime, clock string) float64 {
	if clock == processorClock && w.device == "cpu" {
		return t.CPU
	}
	return t.Query
}

// points are the points of a series.
func (f *cubingFlags) points(series string) (all []cubingPoint) {
	for _, p := range workload.CubingPoints(series, f.rows) {
		if len(f.least) > 0 && !slices.Contains(f.least, p.Least) || len(f.dims) > 0 && !slices.Contains(f.dims, p.Dims) {
			continue
		}
		all = append(all, cubingPoint{Series: p.Series, Set: p.Data, Least: p.Least, set: p.Set, query: p.Query})
	}
	return all
}
