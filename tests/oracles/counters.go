package main

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"text/tabwriter"
	"time"
)

// A counters counts what was checked.
type counters struct {
	mu       sync.Mutex
	started  time.Time
	first    uint64 // seed
	rounds   int
	cells    map[[2]string]*cell // by law and configuration
	refused  map[string]int
	findings []finding
	// kernels are the groups that ran on devices in the configurations with them, onHost the others.
	kernels, onHost int
	slowest         time.Duration
	slowestCase     string
}

// A cell counts the cases of a law under a configuration.
type cell struct{ cases, queries, none, raised, refused, findings int }

func (c *cell) add(other *cell) {
	c.cases += other.cases
	c.queries += other.queries
	c.none += other.none
	c.raised += other.raised
	c.refused += other.refused
	c.findings += other.findings
}

func newCounters(seed uint64) *counters {
	return &counters{started: time.Now(), first: seed, cells: map[[2]string]*cell{}, refused: map[string]int{}}
}

// count notes a case and what became of it.
func (t *counters) count(law, config string, o outcome, queries, kernels, onHost int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.cells[[2]string{law, config}]
	if c == nil {
		c = &cell{}
		t.cells[[2]string{law, config}] = c
	}
	c.cases++
	c.queries += queries
	switch o.kind {
	case "none":
		c.none++
	case "raised":
		c.raised++
	case "refused":
		c.refused++
		t.refused[o.detail]++
	}
	if onDevices(config) {
		t.kernels += kernels
		t.onHost += onHost
	}
}

// add writes a finding.
func (t *counters) add(f finding, dir string, out writer) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.findings = append(t.findings, f)
	t.cells[[2]string{f.law, f.config.name}].findings++
	return f.write(dir, out)
}

// total adds up the cells that keep holds for.
func (t *counters) total(keep func(key [2]string) bool) cell {
	var sum cell
	for key, c := range t.cells {
		if keep(key) {
			sum.add(c)
		}
	}
	return sum
}

// line is the progress in one line.
func (t *counters) line() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	sum := t.total(func([2]string) bool { return true })
	device := t.total(func(key [2]string) bool { return onDevices(key[1]) })
	return fmt.Sprintf("%v: rounds %d to %d, %d cases, %d queries, %d of them on devices, %d findings",
		time.Since(t.started).Round(time.Second), t.first, t.first+uint64(max(t.rounds, 1))-1, sum.cases, sum.queries, device.queries, len(t.findings))
}

// print writes the summary.
func (t *counters) print(out writer) {
	fmt.Fprintln(out, t.line())
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "law\tconfiguration\tcases\tqueries\twithout subject\traised\trefused\tfindings")
	rows := slices.SortedFunc(maps.Keys(t.cells), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	for _, key := range rows {
		t.cells[key].print(w, key[0], key[1])
	}
	sum := t.total(func([2]string) bool { return true })
	sum.print(w, "all", "all")
	w.Flush()
	if t.kernels > 0 {
		fmt.Fprintf(out, "%d groups ran on devices, %d on the CPU\n", t.kernels, t.onHost)
	}
	fmt.Fprintf(out, "the slowest query took %v: %s\n", t.slowest.Round(time.Millisecond), t.slowestCase)
	for _, reason := range slices.Sorted(maps.Keys(t.refused)) {
		fmt.Fprintf(out, "%6d refused: %s\n", t.refused[reason], reason)
	}
}

func (c *cell) print(w writer, law, config string) {
	fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\n", law, config, c.cases, c.queries, c.none, c.raised, c.refused, c.findings)
}

func (t *counters) roundDone() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rounds++
}

// An outcome is what became of a case.
type outcome struct {
	kind    string // "holds", "none", "raised", "refused", or what a finding is
	finding bool
	broken  bool // the engine cannot be used any more
	detail  string
}
