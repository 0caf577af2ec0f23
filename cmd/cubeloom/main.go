// Command cubeloom is the analytical SQL engine as a program: a demonstration,
// an SQL prompt, a server, data generators and benchmarks.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
)

func main() {
	if err := newRoot().ExecuteContext(context.Background()); err != nil {
		if !errors.Is(err, errReported) {
			fmt.Fprintln(os.Stderr, "cubeloom:", err)
		}
		os.Exit(1)
	}
}

// newRoot makes the command tree.
func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "cubeloom",
		Short: "Analytical SQL: GROUP BY and CUBE queries woven into fused kernels",
		Long: `Cubeloom is an analytical SQL engine. It plans SQL as relational algebra,
weaves the operators into fused kernels, and runs those over Arrow columns.

Start with 'cubeloom demo', 'cubeloom sql' for a prompt, or 'cubeloom serve' for
psql and every other client of PostgreSQL.`,
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(newDemo(), newSQL(), newServe(), newUser(), newCheck(), newBackup(), newGen(), newBench(), newTune(), newDevices())
	return root
}
