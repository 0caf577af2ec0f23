package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
)

// peaks measures the memory of every query of a suite on every engine, each in a
// process of its own that holds nothing but the engine and the tables, and prints
// by how many MB it grew at most, each Cubeloom's also in units of the thriftiest of
// the other engines.
func peaks(ctx context.Context, s Suite, o *options, out io.Writer) error {
	engines := slices.DeleteFunc(slices.Clone(o.engines), func(e string) bool { return e == "clickhouse" && !s.ClickHouse })
	t := harness.Table(out)
	subjects, rivals := splitNames(engines, func(e string) bool { return e == "cubeloom" || e == "unwoven" })
	fmt.Fprintf(t, "%s\tMB: %s\t", s.Name, strings.Join(engines, "\t"))
	for _, e := range subjects {
		fmt.Fprintf(t, "%s ratio\t", e)
	}
	fmt.Fprintln(t)
	for i, p := range s.parts(o) {
		dir, err := os.MkdirTemp("", "cubeloom-bench-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		if err := (stored{p.Set, dir}).write(ctx, workload.Options{Seed: o.seed, Threads: o.threads}); err != nil {
			return err
		}
		for _, q := range p.Queries {
			fmt.Fprintf(t, "%s\t", q.Name)
			peak := map[string]int64{}
			for _, e := range engines {
				grown, err := peakOf(ctx, s, o, e, child{dir, i, q.Name})
				if err != nil {
					return fmt.Errorf("%s on %s: %w", q.Name, e, err)
				}
				peak[e] = grown
				fmt.Fprintf(t, "%.1f\t", float64(grown)/1e6)
				fmt.Fprintf(os.Stderr, "%s %s on %s: %.1f MB\n", s.Name, q.Name, e, float64(grown)/1e6)
			}
			for _, e := range subjects {
				if ratio, ok := inUnitsOfLeast(peak, e, rivals); ok {
					fmt.Fprintf(t, "%.2f", ratio)
				}
				fmt.Fprint(t, "\t")
			}
			fmt.Fprintln(t)
		}
	}
	return t.Flush()
}

// A child is what a process that measures one query is told besides the options:
// the folder with the rows, which part of the suite they are, and the query.
type child struct {
	dir   string
	part  int
	query string
}

// childVariable is the environment variable that says to a process that it is a
// child, and what it is to do.
const childVariable = "CUBELOOM_BENCH_PEAK"

func (c child) String() string { return fmt.Sprintf("%d:%s:%s", c.part, c.query, c.dir) }

func parseChild(text string) (c child, err error) {
	fields := strings.SplitN(text, ":", 3)
	if len(fields) != 3 {
		return c, fmt.Errorf("%s is %q", childVariable, text)
	}
	c.part, err = strconv.Atoi(fields[0])
	c.query, c.dir = fields[1], filepath.Clean(fields[2])
	return c, err
}

// peakOf runs a query in a process of its own. DuckDB's allocator is told to give
// memory back at once, so that what loading left is not taken again unseen.
func peakOf(ctx context.Context, s Suite, o *options, engine string, c child) (int64, error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	if _, variant := variants[engine]; variant {
		engine = "cubeloom," + engine
	}
	cmd := exec.CommandContext(ctx, self, "--suite", s.Name, "--engine", engine, "--libraries", o.libraries,
		"--query="+strings.Join(o.queries, ","), fmt.Sprint("--dbbench-rows=", o.dbbenchRows), fmt.Sprint("--cells=", o.cells),
		fmt.Sprint("--sf=", o.sf), fmt.Sprint("--rows=", o.rows), fmt.Sprint("--cube-rows=", o.cubeRows),
		fmt.Sprint("--threads=", o.threads), fmt.Sprint("--vector-rows=", o.vector))
	cmd.Env = append(os.Environ(), childVariable+"="+c.String(), "DUCKDB_JE_MALLOC_CONF=dirty_decay_ms:0,muzzy_decay_ms:0")
	cmd.Stderr = os.Stderr
	answer, err := cmd.Output()
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(strings.TrimSpace(string(answer)), 10, 64)
}

// run is the child: it prints by how many bytes the query grew the process.
func (c child) run(ctx context.Context, o *options) error {
	s := suites[slices.IndexFunc(suites, func(s Suite) bool { return s.Name == o.suites[0] })]
	part := s.parts(o)[c.part]
	q := part.Queries[slices.IndexFunc(part.Queries, func(q workload.Query) bool { return q.Name == c.query })]
	all, err := open(o)
	if err != nil {
		return err
	}
	defer all.close()
	for _, e := range all.engines {
		if err := load(ctx, e, stored{part.Set, c.dir}, o); err != nil {
			return err
		}
	}
	_, grown, err := digestOf(ctx, all.engines[len(all.engines)-1], q, nil)
	if err == nil {
		fmt.Println(grown)
	}
	return err
}
