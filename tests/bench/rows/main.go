// Command rows measures how fast rows of a wide result come out of Cubeloom's
// server, beside PostgreSQL for the same table in one run: by the simple and the
// extended protocol, as text and binary, from COPY TO STDOUT and from cursors.
//
//	go run ./rows --rows 2000000
//
// PostgreSQL is Debian's package postgresql-15, or what CUBELOOM_POSTGRES names;
// it is started in a temporary directory, and so is Cubeloom's server, each as a
// process of its own. The rows are compared before anything is timed.
package main

import (
	"context"
	"errors"

	"github.com/cubeloom/cubeloom/tests/bench/command"
)

// options are the command line's.
type options struct {
	rows  int64
	runs  int
	serve bool
}

func main() { command.Main("rows", run) }

// run reads the command line and measures.
func run(ctx context.Context, args []string) error {
	var o options
	f := command.Flags("rows")
	f.Int64Var(&o.rows, "rows", 2_000_000, "rows of the table")
	f.IntVar(&o.runs, "runs", 3, "timed runs of each way of reading; the median counts")
	f.BoolVar(&o.serve, "serve", false, "be the server that is measured")
	if err := f.MarkHidden("serve"); err != nil {
		return err
	}
	switch err := command.Parse(f, args); {
	case err != nil:
		return err
	case o.rows < 1 || o.runs < 1:
		return errors.New("--rows and --runs must be at least 1")
	case o.serve:
		return serve(ctx)
	}
	return measure(ctx, &o)
}
