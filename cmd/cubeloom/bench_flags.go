package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/spf13/cobra"
)

// benchFlags are those of every benchmark.
type benchFlags struct {
	engineFlags
	runs   int
	asJSON bool
}

// register adds the flags to cmd; help says what --runs counts.
func (f *benchFlags) register(cmd *cobra.Command, runs int, help string) {
	f.engineFlags.register(cmd)
	cmd.Flags().IntVar(&f.runs, "runs", runs, help)
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "write the result as JSON")
}

// with has act use the database that the flags describe, until it is interrupted. It returns the
// error that act panics with.
func (f *engineFlags) with(cmd *cobra.Command, act func(ctx context.Context, db *cubeloom.DB)) error {
	db, err := f.open()
	if err != nil {
		return err
	}
	defer db.Close()
	return untilInterrupted(cmd, func(ctx context.Context) { act(ctx, db) })
}

// untilInterrupted has act work until the process is interrupted or asked to end. It returns the
// error that act panics with.
func untilInterrupted(cmd *cobra.Command, act func(ctx context.Context)) error {
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return sqlstate.Run(func() { act(ctx) })
}

// during is to be deferred in what panics with errors. It says in an error what was going on.
func during(format string, args ...any) {
	p := recover()
	if err := sqlstate.Caught(p); err != nil {
		panic(fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), err))
	} else if p != nil {
		panic(p)
	}
}

// with is that of the engine, where there is something to time.
func (f *benchFlags) with(cmd *cobra.Command, act func(ctx context.Context, db *cubeloom.DB)) error {
	if f.runs < 1 {
		return fmt.Errorf("--runs must be at least 1, got %d", f.runs)
	}
	return f.engineFlags.with(cmd, act)
}

// report is what a benchmark has measured.
type report interface{ print(out io.Writer) }

// report writes what act measures, until it is interrupted.
func (f *benchFlags) report(cmd *cobra.Command, act func(ctx context.Context) report) error {
	if f.runs < 1 {
		return fmt.Errorf("--runs must be at least 1, got %d", f.runs)
	}
	return untilInterrupted(cmd, func(ctx context.Context) {
		r := act(ctx)
		sqlstate.Check(f.write(cmd.OutOrStdout(), r, r.print))
	})
}

// write writes a report as it is asked for: as JSON, or as print does.
func (f *benchFlags) write(out io.Writer, report any, print func(io.Writer)) error {
	if f.asJSON {
		return harness.WriteJSON(out, report)
	}
	print(out)
	return nil
}

// chosen are the queries that the flags name, in the order of the family.
func (f *setFlags) chosen(all []workload.Query) ([]workload.Query, error) {
	if len(all) == 0 {
		return nil, fmt.Errorf("--dims must be at least 3: the smallest cube has so many")
	}
	if len(f.names) == 0 {
		return all, nil
	}
	for _, name := range f.names {
		if !slices.ContainsFunc(all, func(q workload.Query) bool { return q.Name == name }) {
			return nil, fmt.Errorf("--query: there is no query %q", name)
		}
	}
	return named(all, f.names...), nil
}
