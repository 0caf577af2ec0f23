//go:build nvrtc

package tests

import (
	"flag"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/tpch"
	"github.com/cubeloom/cubeloom/fusion"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/runtime/cuda/driver"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/tests/device"
)

// These tests need NVRTC (.ci/nvrtc fetches it) and no GPU: kernels are compiled for sm_90.

var registersKept = flag.String("registers.kept", "", "folder that keeps what kernels were given")

var registersScale = flag.Float64("registers.scale", 0.01, "scale of TPC-H and SSB whose kernels are compiled")

// openCompiling opens a database on a device that computes nothing, whose kernels are compiled.
func openCompiling(t *testing.T) *engine {
	t.Helper()
	if *registersKept != "" {
		if err := machine.Calibrate(*registersKept); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = machine.Calibrate(t.TempDir()) })
	}
	compiler, err := driver.OpenCompiler("")
	if err != nil {
		t.Fatal(err)
	}
	db := openDatabase(t, cubeloom.Options{Devices: 1, OpenDevice: func(int) (cuda.Device, error) { return &device.Compiling{Compiler: compiler}, nil }})
	return &engine{db, db.Session()}
}

// wovenBenchmarks are TPC-H and SSB.
func wovenBenchmarks() []benchmark {
	sf := *registersScale
	return []benchmark{
		{"ssb", workload.SSB{SF: sf}, workload.SSBQueries()},
		{"tpch", tpch.Data{SF: sf}, tpch.Queries(sf)},
	}
}

// given is what a kernel was estimated to need, and what the compiler gave it.
type given struct {
	name                          string
	estimated, registers, spilled int
	occupancy                     float64
}

func (g *given) err() float64 { return math.Abs(float64(g.estimated)/float64(g.registers) - 1) }

func (g *given) String() string {
	return fmt.Sprintf("%3.0f %%: %3d estimated, %3d compiled, %3d bytes spilled, %3.0f %% of the threads  %s", 100*g.err(), g.estimated, g.registers, g.spilled, 100*g.occupancy, g.name)
}

// overRows are the names of entries that go over the rows of a source.
var overRows = regexp.MustCompile("^(scan|groups|unmatched)_")

// givenOf are the kernels of a query. Groups that share a scan are one.
func givenOf(query string, e *fusion.Explanation) []given {
	var all []given
	defaults := machine.Default()
	figures := &defaults.Device.Registers
	for i := range e.Groups {
		g := &e.Groups[i]
		if g.Measured == nil || len(g.Measured.Launches) == 0 {
			continue
		}
		k := given{estimated: figures.Of(&g.Parts), occupancy: 1}
		for j := range e.Groups {
			if of := e.Groups[j].KernelOf; of != nil && *of == i {
				k.estimated = max(k.estimated, figures.Of(&e.Groups[j].Parts))
			}
		}
		var names []string
		for j := range g.Operators {
			names = append(names, g.Operators[j].Name)
		}
		for j := range g.Measured.Launches {
			l := &g.Measured.Launches[j]
			if !overRows.MatchString(l.Entry) {
				continue
			}
			if l.Registers > k.registers {
				k.registers, k.name = l.Registers, l.Entry
			}
			if machine.Current().Device.Registers.Spills(l.Registers, l.Threads) {
				k.spilled = max(k.spilled, l.Spilled)
			}
			k.occupancy = min(k.occupancy, l.Occupancy)
		}
		if k.registers == 0 {
			continue // no row was left to go over
		}
		k.name = fmt.Sprintf("%s group %d, %s: %s", query, i, k.name, strings.Join(names, " "))
		all = append(all, k)
	}
	return all
}

// compileAll compiles the kernels of TPC-H and SSB.
func compileAll(t *testing.T) (all []given) {
	t.Helper()
	for _, b := range wovenBenchmarks() {
		db := openCompiling(t)
		db.load(t, b.set)
		mustRun(t, db, "SET device = cuda")
		analyzed(t, db, b.queries[0].SQL) // opens the device
		for _, q := range b.queries {
			e := analyzed(t, db, q.SQL)
			all = append(all, givenOf(b.name+" "+q.Name, &e)...)
		}
	}
	return all
}

// TestRegistersAreEstimated holds the registers that groups are estimated to need to what NVRTC gives
// their kernels.
func TestRegistersAreEstimated(t *testing.T) {
	all := compileAll(t)
	slices.SortFunc(all, func(a, b given) int { return int(math.Copysign(1, b.err()-a.err())) })
	median, ninth := all[len(all)/2].err(), all[len(all)/10].err()
	t.Logf("%d kernels: median error %.1f %%, 90th percentile %.1f %%; the worst ten:", len(all), 100*median, 100*ninth)
	for i := range min(10, len(all)) {
		t.Log(&all[i])
	}
	for i := range all {
		if all[i].spilled > 0 || all[i].occupancy < machine.Current().Device.Registers.Resident {
			t.Logf("spills, or leaves too few threads: %v", &all[i])
		}
	}
	if median > 0.25 || ninth > 0.5 {
		t.Errorf("the median error is %.1f %%, the 90th percentile %.1f %%", 100*median, 100*ninth)
	}
}

// wideQueries look rows up in twelve tables and read forty columns.
func wideQueries() (setup, queries []string) {
	var keys, sums, joins, measures, group []string
	for i := range 12 {
		setup = append(setup, fmt.Sprintf("CREATE TABLE d%d AS SELECT i AS k%d, i %% 7 AS a%d, i * 3 AS b%d FROM generate_series(1, 1000) AS g (i)", i, i, i, i))
		keys = append(keys, fmt.Sprintf("(i * %d) %% 1000 + 1 AS f%d", 2*i+3, i))
		joins = append(joins, fmt.Sprintf("JOIN d%d ON f%d = k%d", i, i, i))
		group = append(group, fmt.Sprintf("a%d", i))
	}
	for i := range 28 {
		measures = append(measures, fmt.Sprintf("i::bigint * %d AS m%d", 100000+i, i))
		sums = append(sums, fmt.Sprintf("sum(m%d) AS s%d", i, i))
	}
	setup = append(setup, "CREATE TABLE f AS SELECT "+strings.Join(append(keys, measures...), ", ")+" FROM generate_series(1, 20000) AS g (i)")
	from := " FROM f " + strings.Join(joins, " ")
	all := make([]string, 28)
	for i := range all {
		all[i] = fmt.Sprintf("m%d", i)
	}
	return setup, []string{
		"SELECT a0, a1, " + strings.Join(sums, ", ") + from + " GROUP BY a0, a1",
		"SELECT " + strings.Join(group, ", ") + ", " + strings.Join(sums[:4], ", ") + from + " GROUP BY " + strings.Join(group, ", "),
		"SELECT " + strings.Join(group, ", ") + ", " + strings.Join(all, ", ") + from,
		"SELECT sum(" + strings.Join(all, " + ") + " + " + strings.Join(group, " + ") + ")" + from,
		"SELECT sum(" + strings.Join(all, " + ") + " + b0 + b1 + b2 + b3 + b4 + b5 + b6 + b7 + b8 + b9 + b10 + b11)" + from + " WHERE m0 + m1 + m2 + m3 + m4 + m5 + m6 + m7 > b11 + b10",
	}
}

// TestWideRegistersAreEstimated does the same of kernels of twelve probes and forty columns, and holds that a
// device's compiler is asked once: the next plan says what it gave.
func TestWideRegistersAreEstimated(t *testing.T) {
	db := openCompiling(t)
	setup, queries := wideQueries()
	for _, sql := range setup {
		mustRun(t, db, sql)
	}
	mustRun(t, db, "SET device = cuda")
	analyzed(t, db, "SELECT count(*) FROM f") // opens the device
	for i, sql := range queries {
		e := analyzed(t, db, sql)
		kernels := givenOf(fmt.Sprint("wide ", i), &e)
		wide := &kernels[len(kernels)-1]
		t.Log(wide)
		if wide.err() > 0.25 {
			t.Errorf("%v", wide)
		}
		again := analyzed(t, db, sql)
		for j := range again.Groups {
			g := &again.Groups[j]
			if g.Measured == nil || len(g.Measured.Launches) == 0 {
				continue
			}
			most := 0
			for _, l := range g.Measured.Launches {
				if overRows.MatchString(l.Entry) {
					most = max(most, l.Registers)
				}
			}
			// Kernels that differ in the widths of stored columns have one name.
			if c := g.Compiled; c == nil || math.Abs(float64(c.Registers)/float64(most)-1) > 0.1 {
				t.Errorf("query %d: group %d was given %d registers, and the next plan says %+v", i, j, most, g.Compiled)
			}
		}
	}
}
