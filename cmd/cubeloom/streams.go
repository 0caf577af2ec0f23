package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"
)

// errReported ends the program with a failure that the user has already seen.
var errReported = errors.New("failed")

// streams are where a command reads and writes, so that tests can stand in.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// stdio returns the streams of a command.
func stdio(cmd *cobra.Command) streams {
	return streams{in: cmd.InOrStdin(), out: cmd.OutOrStdout(), err: cmd.ErrOrStderr()}
}
