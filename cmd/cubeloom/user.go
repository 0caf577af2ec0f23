package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/cubeloom/cubeloom/server"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// newUser makes the command user.
func newUser() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "user NAME",
		Short: "Give a user of the server a password",
		Long: `Asks for a password, or reads it from standard input, and writes what is needed to
check it (SCRAM-SHA-256, as in PostgreSQL) to the users file. The server reads the
file when it starts.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if strings.ContainsAny(args[0], ":\n") || strings.TrimSpace(args[0]) != args[0] || args[0] == "" {
				return fmt.Errorf("not a user name: %q", args[0])
			}
			password, err := readPassword(stdio(cmd))
			if err != nil {
				return err
			}
			verifier, err := server.Verifier(password)
			if err != nil {
				return err
			}
			return setUser(file, args[0], verifier)
		},
	}
	cmd.Flags().StringVar(&file, "users", "users", "the users file")
	return cmd
}

// readPassword reads a line, which a terminal does not show.
func readPassword(s streams) (string, error) {
	if f, ok := s.in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		fmt.Fprint(s.err, "Password: ")
		text, err := term.ReadPassword(int(f.Fd()))
		fmt.Fprintln(s.err)
		return string(text), err
	}
	line, err := bufio.NewReader(s.in).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	if line = strings.TrimRight(line, "\r\n"); line == "" {
		return "", errors.New("the password is empty")
	}
	return line, nil
}

// setUser writes a user's line in place of the one that was there.
func setUser(file, name, verifier string) error {
	text, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var out strings.Builder
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, name+":") {
			out.WriteString(strings.TrimRight(line, "\n") + "\n")
		}
	}
	fmt.Fprintf(&out, "%s:%s\n", name, verifier)
	return os.WriteFile(file, []byte(out.String()), 0o600)
}
