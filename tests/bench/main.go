// Command bench measures Cubeloom side by side with DuckDB and ClickHouse: in
// one process, on the same data in memory, with the same number of threads,
// hot, with the answers compared before anything is timed.
//
// The other engines are shared libraries that npm installs:
//
//	npm install --no-package-lock
//	go run . --suite ssb --sf 1
package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/tpch"
	"github.com/cubeloom/cubeloom/tests/bench/command"
)

// options are the command line's.
type options struct {
	suites      []string
	queries     []string
	engines     []string
	sf          float64
	rows        int64
	cubeRows    int64
	cells       int64
	dbbenchRows int64
	runs        int
	threads     int
	vector      int
	seed        uint64
	clock       string
	check       bool
	peak        bool
	answers     bool
	json        string
	libraries   string
}

func main() { command.Main("bench", run) }

// parse reads the command line.
func parse(args []string) (*options, error) {
	o := &options{}
	f := command.Flags("bench")
	f.StringSliceVar(&o.suites, "suite", []string{"ssb", "dense", "scattered", "cubes"}, "suites to run, separated by commas")
	f.StringSliceVar(&o.queries, "query", nil, "only the queries of these names, such as Q1,Q6 (default: all)")
	f.StringSliceVar(&o.engines, "engine", defaultEngines, "engines to run, of "+strings.Join(engineNames, ", ")+"; the first one's answers are taken for right")
	f.Float64Var(&o.sf, "sf", 1, "scale factor of ssb, tpch and retail")
	f.Int64Var(&o.rows, "rows", 32_000_000, "rows of dense and scattered")
	f.Int64Var(&o.cubeRows, "cube-rows", 1_000_000, "rows of cubes")
	f.Int64Var(&o.dbbenchRows, "dbbench-rows", 10_000_000, "rows of dbbench and visits, and of the largest tables of dbjoins")
	f.Int64Var(&o.cells, "cells", 4_000_000, "cells of olap")
	f.IntVar(&o.runs, "runs", 5, "timed runs of each query; the median counts")
	f.IntVar(&o.threads, "threads", 2, "threads of every engine")
	f.IntVar(&o.vector, "vector-rows", 1024, "rows in a vector of Cubeloom")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the data")
	f.StringVar(&o.clock, "clock", wallClock, "clock of the times shown: wall, or cpu for the processor time of all threads, which other work on the machine disturbs less")
	f.BoolVar(&o.check, "check", false, "compare the answers and time nothing")
	f.BoolVar(&o.peak, "peak", false, "measure memory and nothing else, each query on each engine in a process of its own")
	f.BoolVar(&o.answers, "answers", false, "compare the answers with the published ones and nothing else: suite tpch at --sf 1")
	f.StringVar(&o.json, "json", "", "file to write the measurements to as JSON")
	f.StringVar(&o.libraries, "libraries", "node_modules", "folder with the engines' libraries")
	f.Usage = func() {
		fmt.Fprintln(os.Stderr, "Usage: go run . [flags]\n\nSuites:")
		for _, s := range suites {
			fmt.Fprintf(os.Stderr, "  %-12s %s\n", s.Name, s.Help)
		}
		fmt.Fprintf(os.Stderr, "\nFlags:\n%s", f.FlagUsages())
	}
	if err := command.Parse(f, args); err != nil {
		return nil, err
	}
	if o.check {
		o.runs = 0
	}
	return o, o.validate()
}

func (o *options) validate() error {
	for _, name := range o.suites {
		if !slices.ContainsFunc(suites, func(s Suite) bool { return s.Name == name }) {
			return fmt.Errorf("there is no suite %q; see --help", name)
		}
	}
	for _, name := range o.engines {
		if !slices.Contains(engineNames, name) {
			return fmt.Errorf("there is no engine %q; the engines are %s", name, strings.Join(engineNames, ", "))
		}
	}
	if o.clock != wallClock && o.clock != processorClock {
		return fmt.Errorf("--clock is %s or %s", wallClock, processorClock)
	}
	if !o.check && o.runs < 1 || o.threads < 1 || o.vector < 1 || o.rows < 1 || o.cells < 1 || o.dbbenchRows < 1 || o.cubeRows < 10 {
		return fmt.Errorf("--runs, --threads, --vector-rows, --rows, --dbbench-rows and --cells must be at least 1, --cube-rows at least 10")
	}
	if o.answers && (len(o.suites) != 1 || o.suites[0] != "tpch" || o.sf != 1) {
		return fmt.Errorf("answers are published for --suite tpch --sf 1 alone")
	}
	if slices.Contains(o.suites, "tpch") {
		if err := (tpch.Data{SF: o.sf}).Validate(); err != nil {
			return err
		}
	}
	return workload.SSB{SF: o.sf}.Validate()
}

func run(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	if text := os.Getenv(childVariable); text != "" {
		c, err := parseChild(text)
		if err != nil {
			return err
		}
		return c.run(ctx, o)
	}
	if o.peak {
		return o.eachSuite(func(s Suite) error { return peaks(ctx, s, o, os.Stdout) })
	}
	engines, err := open(o)
	if err != nil {
		return err
	}
	defer engines.close()
	if o.answers {
		return checkAnswers(ctx, engines.engines, o, os.Stdout)
	}
	report := &Report{Threads: o.threads, Runs: o.runs, Clock: o.clock}
	err = o.eachSuite(func(s Suite) error {
		used := engines.of(s)
		if err := report.run(ctx, s, used, o); err != nil {
			return err
		}
		var names []string
		for _, e := range used {
			names = append(names, e.Name())
		}
		report.write(os.Stdout, s.Name, names)
		return nil
	})
	if err != nil {
		return err
	}
	if o.json != "" {
		if err := report.save(o.json); err != nil {
			return err
		}
	}
	if n := report.wrong(); n > 0 {
		return fmt.Errorf("%d answers are wrong", n)
	}
	return nil
}

// eachSuite calls f for the suites that were asked for.
func (o *options) eachSuite(f func(Suite) error) error {
	for _, s := range suites {
		if !slices.Contains(o.suites, s.Name) {
			continue
		}
		if err := f(s); err != nil {
			return err
		}
	}
	return nil
}

// run measures the queries of a suite.
func (r *Report) run(ctx context.Context, s Suite, engines []Engine, o *options) error {
	for _, p := range s.parts(o) {
		for _, e := range engines {
			if err := load(ctx, e, p.Set, o); err != nil {
				return fmt.Errorf("loading %s into %s: %w", s.Name, e.Name(), err)
			}
		}
		for _, q := range p.Queries {
			m, err := measure(ctx, s.Name, q, engines, o.runs)
			if err != nil {
				return err
			}
			r.Measurements = append(r.Measurements, *m)
			fmt.Fprintf(os.Stderr, "%s %s\n", s.Name, q.Name)
		}
		for _, e := range engines {
			if err := unload(ctx, e, p.Set); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}
