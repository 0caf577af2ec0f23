// Command oracles searches for wrong answers without a second engine: it makes random
// tables and queries, and holds laws between the answers to several queries that are
// made of one, under several configurations.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"time"

	"github.com/spf13/cobra"
)

// errFindings ends the program with a failure that has been printed.
var errFindings = errors.New("there are findings")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := newCommand().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "oracles:", err)
		os.Exit(1)
	}
}

func newCommand() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "oracles",
		Short: "Search for wrong answers by laws between the answers to random queries",
		Long: "Makes random tables and queries from seeds, and checks laws between the answers to\n" +
			"several queries that are made of one. Each broken law, internal error, panic and query\n" +
			"that takes too long is a finding: it is made smaller, and written as a script of SQL\n" +
			"with the command that repeats it. Ends with status 1 where there is one. Where the\n" +
			"program itself dies, the files oracles-*-current.txt beside the scripts name the cases\n" +
			"that it was at.\n\n" + lists(),
		Example: `  go run ./tests/oracles --duration 1h --threads 2
  go run ./tests/oracles --seed 7 --rounds 1 --laws eet --configs merge
  CUBELOOM_TEST_DEVICE=cuda go run ./tests/oracles --configs device   # on a GPU`,
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.out, o.progress = cmd.OutOrStdout(), cmd.ErrOrStderr()
			if err := os.MkdirAll(o.dir, 0o755); err != nil {
				return err
			}
			total, err := search(cmd.Context(), o)
			if err != nil {
				return err
			}
			total.print(o.out)
			if len(total.findings) > 0 {
				return errFindings
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.DurationVar(&o.duration, "duration", time.Minute, "how long to search, where --rounds does not say")
	f.IntVar(&o.rounds, "rounds", 0, "number of rounds, each with tables of its own; 0 for as many as the duration allows")
	f.Uint64Var(&o.seed, "seed", uint64(time.Now().UnixNano()%1e6), "seed of the first round; those after it count up from there")
	f.StringSliceVar(&o.laws, "laws", lawNames(), "the laws to check")
	f.StringSliceVar(&o.configs, "configs", configNames(), "the configurations to check them under")
	f.IntVar(&o.threads, "threads", 1, "number of rounds at the same time")
	f.DurationVar(&o.limit, "limit", 30*time.Second, "time that a query may take, ten times as much with vectors of one row and on the device")
	f.StringVar(&o.dir, "findings", os.TempDir(), "folder that the scripts of findings are written to")
	f.DurationVar(&o.shrink, "shrink", time.Minute, "how long to make a finding smaller")
	return cmd
}
