package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// deviceTuner tunes how a device groups: it asks group-bys until the searches that go on in their kernels have
// ended, and keeps what then is faster in runs by turns.
type deviceTuner struct {
	points []load
	runs   int // by turns
	until  time.Time
	folder string // of the files; "": nothing is kept
	db     *cubeloom.DB
	log    io.Writer
	device string // its name
}

// tunedPoint is what was found for one group-by.
type tunedPoint struct {
	Query   string
	Planned float64 // milliseconds of kernels, medians by turns
	Tuned   float64
	Runs    int // that the search took
	Found   string
	Kept    bool
}

// deviceRows are those of each table.
const deviceRows = 30_000_000

// The group-bys of a device: dense keys, dense ones with a Zipf distribution, scattered ones, each with these
// numbers of groups.
const (
	fewestTuned = 4
	tunedStep   = 8
	mostTuned   = 1 << 23
)

// mostShare is how many times as long as its share of the time a group-by may take: the first ones compile what
// others find.
const mostShare = 3

// mostTunedRuns ends searches that go on and on.
const mostTunedRuns = 2000

// devicePoints are the tables of the group-bys, of so many rows, with their queries.
func devicePoints(rows int64) (all []load) {
	for n := int64(fewestTuned); n <= mostTuned; n *= tunedStep {
		for _, set := range []workload.Groups{{Name: "dense"}, {Name: "zipf", Skew: 1}, {Name: "scattered", Scattered: true}} {
			set.Name, set.Rows, set.Groups = fmt.Sprintf("%s_%d", set.Name, n), rows, n
			all = append(all, load{set, []workload.Query{{Name: strings.ReplaceAll(set.Name, "_", " "), SQL: set.Query().SQL}}, 1})
		}
	}
	return all
}

// all tunes the group-bys one after the other, and writes a row for each.
func (t *deviceTuner) all(ctx context.Context, out io.Writer) {
	session := sqlstate.Must(configured(ctx, t.db, "on", "cuda"))
	infos, _, err := t.db.CUDADevices()
	sqlstate.Check(err)
	t.device = infos[0].Name
	fmt.Fprintf(out, "%-20s %11s %9s %6s %5s  %s\n", "group-by", "planned ms", "tuned ms", "gain", "runs", "found")
	for i := range t.points {
		if !t.until.IsZero() && time.Now().After(t.until) {
			fmt.Fprintf(out, "the time was over before %d of %d\n", len(t.points)-i, len(t.points))
			return
		}
		overSet(ctx, t.db, t.points[i].set, t.points[i].seed, t.log, func() {
			t.one(ctx, session, t.points[i].queries[0], len(t.points)-i).print(out)
		})
	}
}

// one tunes a group-by, with so many left for which there is to be time.
func (t *deviceTuner) one(ctx context.Context, session *cubeloom.Session, q workload.Query, left int) *tunedPoint {
	defer during("%s", q.Name)
	p, began := &tunedPoint{Query: q.Name}, time.Now()
	before := t.kept()
	t.kernels(ctx, session, q.SQL, "off") // copies the table
	searching := true
	for ended := 0; searching && p.Runs < mostTunedRuns && ctx.Err() == nil; p.Runs++ {
		groups := t.kernels(ctx, session, q.SQL, "always")
		if p.Found = foundText(groups); strings.Contains(p.Found, "sought further") {
			ended = 0
		} else if ended++; ended > 1 { // one search may have begun after the other
			searching = false
		}
		if spent := time.Since(began); !t.until.IsZero() && spent > mostShare*(time.Until(t.until)+spent)/time.Duration(left) {
			break
		}
	}
	t.confirm(ctx, session, q.SQL, p)
	if p.Kept = !searching && p.Planned >= leastGain*p.Tuned; p.Kept {
		return p
	}
	t.restore(before)
	return p
}

// confirm times what is planned and what was found by turns.
func (t *deviceTuner) confirm(ctx context.Context, session *cubeloom.Session, text string, p *tunedPoint) {
	times := make(map[string][]float64)
	for range t.runs {
		for _, tuning := range []string{"off", "on"} {
			groups := t.kernels(ctx, session, text, tuning)
			took, _ := kernelTime(groups)
			times[tuning] = append(times[tuning], harness.Milliseconds(took))
		}
	}
	p.Planned, p.Tuned = harness.Median(times["off"]), harness.Median(times["on"])
}

// kernels runs a query and returns its launches by groups.
func (t *deviceTuner) kernels(ctx context.Context, session *cubeloom.Session, text, tuning string) []groupLaunches {
	sqlstate.Check(change(ctx, session, "tuning = "+tuning))
	return sqlstate.Must(measureLaunches(ctx, session, text))
}

// foundText is what EXPLAIN says of how the rows were grouped.
func foundText(groups []groupLaunches) string {
	var texts []string
	for i := range groups {
		if taken := groups[i].Measured.Taken; taken != "" {
			texts = append(texts, taken)
		}
	}
	return strings.Join(texts, "; ")
}

// kept are the launches in the file of the device.
func (t *deviceTuner) kept() []machine.Launch {
	if t.folder == "" {
		return nil
	}
	c := sqlstate.Must(machine.Read(t.folder, t.device))
	return c.Launches
}

// restore puts launches into the file of the device again.
func (t *deviceTuner) restore(launches []machine.Launch) {
	if t.folder == "" {
		return
	}
	sqlstate.Must(machine.Update(t.folder, t.device, func(c *machine.Calibration) { c.Launches = launches }))
}

// print writes the row.
func (p *tunedPoint) print(out io.Writer) {
	kept := "kept: "
	if !p.Kept {
		kept = "not kept: "
	}
	fmt.Fprintf(out, "%-20s %11.3f %9.3f %6.2f %5d  %s%s\n", p.Query, p.Planned, p.Tuned, p.Planned/p.Tuned, p.Runs, kept, p.Found)
}
