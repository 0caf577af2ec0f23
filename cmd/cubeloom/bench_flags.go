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

// with has act use the database that the flags describe, until it is interrupted.
func (f *engineFlags) with(cmd *cobra.Command, act func(ctx context.Context, db *cubeloom.DB) error) error {
	db, err := f.open()
	if err != nil {
		return err
	}
	defer db.Close()
	return untilInterrupted(cmd, func(ctx context.Context) error { return act(ctx, db) })
}

// untilInterrupted has act work until the process is interrupted or asked to end.
func untilInterrupted(cmd *cobra.Command, act func(ctx context.Context) error) error {
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return act(ctx)
}

// with is that of the engine, where there is something to time.
func (f *benchFlags) with(cmd *cobra.Command, act func(ctx context.Context, db *cubeloom.DB) error) error {
	if f.runs < 1 {
		return fmt.Errorf("--runs must be at least 1, got %d", f.runs)
	}
	return f.engineFlags.with(cmd, act)
}

// report is what a benchmark has measured.
type report interface{ print(out io.Writer) }

// report writes what act measures, until it is interrupted.
func (f *benchFlags) report(cmd *cobra.Command, act func(ctx context.Context) (report, error)) error {
	if f.runs < 1 {
		return fmt.Errorf("--runs must be at least 1, got %d", f.runs)
	}
	return untilInterrupted(cmd, func(ctx context.Context) error {
		r, err := act(ctx)
		if err != nil {
			return err
		}
		return f.write(cmd.OutOrStdout(), r, r.print)
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
