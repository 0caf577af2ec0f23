package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
)

// launch is what one launch of a kernel on a CUDA device took.
type launch struct {
	Entry     string        `json:"entry"`
	Time      time.Duration `json:"nanoseconds"`
	Threads   int           `json:"threads"`
	Registers int           `json:"registers"`
	Shared    int           `json:"shared_bytes"`
	Spilled   int           `json:"spilled_bytes"`
	Occupancy float64       `json:"occupancy"`
	Bandwidth float64       `json:"device_bytes_per_second"` // that the device can read
}

// groupLaunches are the launches of one group, and what it is made of.
type groupLaunches struct {
	Operators []struct {
		Name string `json:"name"`
	} `json:"operators"`
	Measured struct {
		Backend   string   `json:"backend"`
		RowsOut   int64    `json:"rows_out"`
		BytesRead int64    `json:"bytes_read"`
		Peak      int64    `json:"device_peak_bytes"`
		Launches  []launch `json:"launches"`
		Additions *struct {
			Rows, Made int64
		} `json:"additions"`
		Forms  []runChoice `json:"forms"`
		Taken  string      `json:"taken"`
		Stream struct {
			Bytes int64         `json:"bytes"`
			Time  time.Duration `json:"nanoseconds"`
			Link  time.Duration `json:"link_nanoseconds"`
		} `json:"stream"` // of a table that was streamed
	} `json:"measured"`
}

// runChoice is a choice between strategies, such as the forms of an expansion that the run made.
type runChoice struct {
	Of     string `json:"of"`
	Reason string `json:"reason"`
	Sought bool   `json:"sought"` // later runs try others
	Offers []struct {
		Strategy string  `json:"strategy"`
		Cost     float64 `json:"estimated_nanoseconds"`
		Detail   string  `json:"detail"`
		Refusal  string  `json:"refusal"`
		Taken    bool    `json:"taken"`
	} `json:"offers"`
}

// strategy is what was taken.
func (c *runChoice) strategy() string {
	for _, o := range c.Offers {
		if o.Taken {
			return o.Strategy
		}
	}
	return ""
}

// taken is what was taken, and what each was predicted to take.
func (c *runChoice) taken() string {
	var costs []string
	for _, o := range c.Offers {
		if o.Refusal == "" {
			costs = append(costs, fmt.Sprintf("%s %.3g", o.Strategy, o.Cost/1e6))
		}
	}
	return fmt.Sprintf("%s of %s (%s); ", c.strategy(), strings.Join(costs, ", "), c.Reason)
}

// name says which operators are woven in the group.
func (g *groupLaunches) name() string {
	names := make([]string, len(g.Operators))
	for i, op := range g.Operators {
		names[i] = op.Name
	}
	return strings.Join(names, " ")
}

// launchCost is what a launch takes, and of which group of operators it is.
type launchCost struct {
	Group string `json:"operators"`
	launch
}

// costsOf are the launches of groups.
func costsOf(groups []groupLaunches) (costs []launchCost) {
	for _, g := range groups {
		for _, l := range g.Measured.Launches {
			costs = append(costs, launchCost{Group: g.name(), launch: l})
		}
	}
	return costs
}

// programPlan is what EXPLAIN says of a query's groups.
type programPlan struct {
	Program struct {
		Groups    []groupLaunches `json:"groups"`
		Decisions []runChoice     `json:"decisions"`
	} `json:"program"`
}

// explain returns what EXPLAIN with options says of a query.
func explain(ctx context.Context, session *cubeloom.Session, options, text string) (*programPlan, error) {
	res, err := session.Query(ctx, "EXPLAIN ("+options+", FORMAT json) "+text)
	if err != nil {
		return nil, err
	}
	var lines strings.Builder
	cursor := res.Cursor()
	for cursor.Next() {
		lines.WriteString(cursor.Text(0) + "\n")
	}
	if err := cursor.Err(); err != nil {
		return nil, err
	}
	plan := &programPlan{}
	return plan, json.Unmarshal([]byte(lines.String()), plan)
}

// measureLaunches runs a query once more and returns its launches by groups.
func measureLaunches(ctx context.Context, session *cubeloom.Session, text string) ([]groupLaunches, error) {
	plan, err := explain(ctx, session, "ANALYZE", text)
	if err != nil {
		return nil, err
	}
	return plan.Program.Groups, nil
}

// medianLaunches runs a query several times more and returns the launches of the run
// in which they took the middle time.
func medianLaunches(ctx context.Context, session *cubeloom.Session, text string, runs int) ([]groupLaunches, error) {
	size := func(groups []groupLaunches) float64 {
		sum, _ := kernelTime(groups)
		return float64(sum)
	}
	return harness.Middle(runs, size, func(int) ([]groupLaunches, error) { return measureLaunches(ctx, session, text) })
}

// kernelTime is the sum of the times of all launches, and their number.
func kernelTime(groups []groupLaunches) (sum time.Duration, n int) {
	for _, g := range groups {
		for _, l := range g.Measured.Launches {
			sum += l.Time
			n++
		}
	}
	return sum, n
}

// peakMemory is the most of the device's memory that a query held at one time.
func peakMemory(groups []groupLaunches) (peak int64) {
	for i := range groups {
		peak = max(peak, groups[i].Measured.Peak)
	}
	return peak
}
