package main

import (
	"fmt"
	"time"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
)

// cubingBench times the series of Zhou 2010 (figures 6 to 9): cubes and icebergs over one
// parameter at a time, by refinement and by roll-up, on the CPU and on a device.
type cubingBench struct {
	Threads int           `json:"threads"`
	Runs    int           `json:"runs"`
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
	Times  map[string]cubingTime `json:"times"`      // by way
	Auto   map[string]string     `json:"auto_takes"` // of the strategies, by place
	Taken  string                `json:"partitions,omitempty"`

	set   workload.Set
	query workload.Query
}

// cubingWay is a way in which a point is computed.
type cubingWay struct{ name, device, strategy, threads string }

// cubingTime is what a way takes, in milliseconds.
type cubingTime struct {
	Query    float64 `json:"query_ms"`
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
	rows   int64
	limit  time.Duration
	seed   uint64
}

// cubingSeries are the names of the series.
var cubingSeries = []string{"T", "D", "C", "S", "M", "weather"}

// points are the points of a series.
func (f *cubingFlags) points(series string) (all []cubingPoint) {
	add := func(c workload.Cube, least int64) {
		c.Name = "cube"
		all = append(all, cubingPoint{Series: series, Set: fmt.Sprintf("T=%d D=%d C=%d S=%g", c.Rows, c.Dims, c.Card, c.Skew), Least: least, set: c, query: c.Iceberg(least)})
	}
	base := workload.Cube{Rows: f.rows, Dims: 6, Card: 100}
	for _, least := range []int64{1, 10} {
		switch series {
		case "T":
			for n := range 5 {
				c := base
				c.Rows <<= n
				add(c, least)
			}
		case "D":
			for dims := 3; dims <= 10; dims++ {
				c := base
				c.Dims = dims
				add(c, least)
			}
		case "C":
			for card := int64(10); card <= 10_000; card *= 10 {
				c := base
				c.Card = card
				add(c, least)
			}
		case "S":
			for skew := 0.0; skew <= 3; skew += 0.5 {
				c := base
				c.Skew = skew
				add(c, least)
			}
		case "weather":
			for dims := 3; dims <= 9; dims++ {
				w := workload.Weather{Rows: workload.WeatherRows * f.rows / 1_000_000, Dims: dims}
				all = append(all, cubingPoint{Series: series, Set: fmt.Sprintf("weather T=%d D=%d", w.Rows, dims), Least: least, set: w, query: w.Query(least)})
			}
		}
	}
	if series == "M" {
		for least := int64(1); least <= 100_000; least *= 10 {
			add(base, least)
		}
	}
	return all
}
