package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// cold measures processes that ask one query, with an empty cache of kernels and with a full one.
func (b *autoBench) cold(ctx context.Context, s *autoSet, from *autoSource) {
	full := filepath.Join(b.folder, "cache")
	for _, q := range s.queries {
		if b.isLate() {
			return
		}
		b.processes(ctx, s, from, q, "first", "")
		for _, device := range b.flags.beside {
			if device == "cpu" {
				continue
			}
			b.process(ctx, from, q, device, full) // fills the cache
		}
		b.processes(ctx, s, from, q, "again", full)
	}
}

// processes measures one query in processes of their own with each device, and compares the answers.
// Without a cache each has an empty one. Devices take turns, the first one another each time: what a
// process leaves behind, such as files that the system still writes, meets all of them. Short ones are
// started more often than --runs.
func (b *autoBench) processes(ctx context.Context, s *autoSet, from *autoSource, q workload.Query, what, cache string) {
	c := autoCell{Data: s.name + " " + from.name, Query: q.Name, Process: what, Times: make(map[string]float64)}
	devices, answer, taken := b.devices(), "", make(map[string]processTimes)
	for run := range mostProcesses {
		for i := range devices {
			device := devices[(run+i)%len(devices)]
			if taken[device].isEnough(b.flags.runs, b.flags.coldTime) {
				continue
			}
			took, text := b.process(ctx, from, q, device, cache)
			if run+i == 0 {
				answer = text
			} else if text != answer {
				panic(fmt.Errorf("%s %s: device %s answers\n%.500s\nand %s\n%.500s", c.Data, q.Name, device, text, devices[0], answer))
			}
			taken[device] = append(taken[device], took)
			c.Times[device] = harness.Milliseconds(slices.Min(taken[device]))
		}
	}
	b.add(c)
}

// mostProcesses is how many processes there are at most for a cell with each device.
const mostProcesses = 12

// longProcess is how long a process takes that is not started again.
const longProcess = time.Second

// processTimes are what processes took.
type processTimes []time.Duration

// isEnough reports whether there were so many processes, which have taken so long, or a long one.
func (t processTimes) isEnough(runs int, enough time.Duration) bool {
	var sum time.Duration
	for _, took := range t {
		sum += took
	}
	return len(t) >= runs && sum >= enough || len(t) > 0 && slices.Min(t) >= longProcess
}

// process asks a query in a process of its own, and returns what the process took and wrote.
func (b *autoBench) process(ctx context.Context, from *autoSource, q workload.Query, device, cache string) (time.Duration, string) {
	if cache == "" {
		empty := sqlstate.Must(os.MkdirTemp(b.folder, "empty-"))
		defer os.RemoveAll(empty)
		cache = empty
	}
	file := filepath.Join(b.folder, "query.sql")
	sqlstate.Check(os.WriteFile(file, []byte(from.views+q.SQL+";\n"), 0o644))
	args := []string{"sql", "--format", "csv", "--device", device, "--machine", b.flags.machine, "-f", file}
	if from.folder != "" {
		args = append(args, "--data", from.folder)
	}
	cmd := exec.CommandContext(ctx, b.program, args...)
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+cache)
	var out, errors bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errors
	began := time.Now()
	if err := cmd.Run(); err != nil {
		panic(fmt.Errorf("%s %s with device %s: %w\n%s", from.name, q.Name, device, err, errors.String()))
	}
	took := time.Since(began)
	return took, withoutViews(out.String())
}

// withoutViews are the lines of an answer, without what creating views wrote.
func withoutViews(text string) string {
	var lines strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "CREATE VIEW") {
			lines.WriteString(line)
		}
	}
	return lines.String()
}

// manyClients is how many ask at the same time.
const manyClients = 4

// hot measures the queries in a process that has asked them for a while: auto first, in a database of
// its own, for which no other has opened a device.
func (b *autoBench) hot(ctx context.Context, s *autoSet, from *autoSource) {
	cells := make([][2]autoCell, len(s.queries))
	for i, q := range s.queries {
		for k, what := range []string{"hot", "four clients"} {
			cells[i][k] = autoCell{Data: s.name + " " + from.name, Query: q.Name, Process: what, Times: make(map[string]float64)}
		}
	}
	answers := make([]harness.Digest, len(s.queries))
	for _, device := range slices.Backward(b.devices()) {
		if b.isLate() {
			return
		}
		b.hotOn(ctx, s, from, device, cells, answers)
	}
	for i := range cells {
		b.add(cells[i][0])
		b.add(cells[i][1])
	}
}

// hotOn measures the queries with one device, and compares the answers with those that there are.
func (b *autoBench) hotOn(ctx context.Context, s *autoSet, from *autoSource, device string, cells [][2]autoCell, answers []harness.Digest) {
	engine := b.flags.engineFlags
	engine.data, engine.device = from.folder, device
	db := sqlstate.Must(engine.open())
	defer db.Close()
	for i, q := range s.queries {
		asked := &askedQueries{db: db, device: device, queries: []workload.Query{q}}
		b.asked(ctx, asked, &cells[i])
		if answers[i] == (harness.Digest{}) {
			answers[i] = asked.answers[0]
		} else if answers[i] != asked.answers[0] {
			panic(fmt.Errorf("%s %s: device %s answers %v and auto %v", s.name, q.Name, device, asked.answers[0], answers[i]))
		}
	}
}

// hotQueries is about how many queries are asked before one is hot: those of a large table pay for copying it to
// a device after a while only.
const hotQueries = 50

// asked measures a query that one asks, and then several.
func (b *autoBench) asked(ctx context.Context, asked *askedQueries, into *[2]autoCell) {
	began := time.Now()
	asked.first(ctx)
	warm := b.flags.time
	if asked.device == "auto" {
		warm = max(b.flags.warm, min(hotQueries*time.Since(began), 10*b.flags.warm))
	}
	asked.measure(ctx, 1, warm)
	one, many := math.Inf(1), math.Inf(1)
	for range hotTimes {
		one = min(one, asked.measure(ctx, 1, b.flags.time).Median)
	}
	asked.measure(ctx, manyClients, b.flags.time/2)
	for range hotTimes {
		many = min(many, 1000/asked.measure(ctx, manyClients, b.flags.time).Rate)
	}
	into[0].Times[asked.device], into[1].Times[asked.device] = one, many
}

// hotTimes is how often a hot query is timed, of which the least counts: a host has slow moments.
const hotTimes = 3
