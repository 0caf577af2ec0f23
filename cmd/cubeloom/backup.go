package main

import (
	"fmt"
	"io"

	"github.com/cubeloom/cubeloom"
	"github.com/spf13/cobra"
)

// newCheck makes the command check.
func newCheck() *cobra.Command {
	var data string
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Verify all of a data directory",
		Long: `Reads all of a data directory and changes nothing: the manifest, the checksums and
values of all tables, their statistics and keys, and the texts of views. A server may
have the directory open: checked is the last state that was committed. Each problem is
a line; with any the exit code is 1.`,
		Example: "  cubeloom check --data ./db",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out := cmd.OutOrStdout()
			c, err := cubeloom.CheckData(cmd.Context(), data, func(problem error) { fmt.Fprintln(out, problem) })
			if err != nil {
				return err
			}
			return printCheck(out, data, &c)
		},
	}
	cmd.Flags().StringVar(&data, "data", "", "the data directory")
	_ = cmd.MarkFlagRequired("data") // there is such a flag
	return cmd
}

func printCheck(out io.Writer, data string, c *cubeloom.DataCheck) error {
	fmt.Fprintf(out, "%s: %d tables with %d rows, %d views, %d files", data, c.Tables, c.Rows, c.Views, c.Files)
	if c.Running {
		fmt.Fprint(out, ", in use")
	}
	fmt.Fprintln(out)
	if !c.Running {
		for _, name := range c.Unneeded {
			fmt.Fprintf(out, "%s is not named by the MANIFEST: it is no part of the database\n", name)
		}
	}
	if c.Problems > 0 {
		fmt.Fprintf(out, "%d problems\n", c.Problems)
		return errReported
	}
	fmt.Fprintln(out, "sound")
	return nil
}

// newBackup makes the command backup.
func newBackup() *cobra.Command {
	var data, to string
	cmd := &cobra.Command{
		Use:   "backup",
		Short: "Copy a data directory, also that of a running server",
		Long: `Copies the last state that was committed to a directory that is empty or not there,
and verifies it on the way. A server may have the directory open and go on. The
certificate, the users file and the rule file of a server are not part of it.

To restore a backup, stop the server, copy the backup to a new directory and give
that to --data. A backup that did not come to its end has no MANIFEST and does not
open.`,
		Example: "  cubeloom backup --data ./db --to ./backups/monday",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			b, err := cubeloom.Backup(cmd.Context(), data, to)
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %d files, %s\n", to, b.Files, formatBytes(b.Bytes))
			return nil
		},
	}
	cmd.Flags().StringVar(&data, "data", "", "the data directory")
	cmd.Flags().StringVar(&to, "to", "", "the directory to write, which is empty or not there")
	_ = cmd.MarkFlagRequired("data") // there are such flags
	_ = cmd.MarkFlagRequired("to")
	return cmd
}
