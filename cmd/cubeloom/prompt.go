package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/chzyer/readline"
	"github.com/cubeloom/cubeloom"
)

// prompt reads statements from the terminal until \q or the end of input.
func (s *shell) prompt(ctx context.Context) error {
	line, err := readline.NewEx(&readline.Config{
		Prompt:                 "cubeloom=> ",
		HistoryFile:            historyFile(),
		DisableAutoSaveHistory: true,
		InterruptPrompt:        "^C",
	})
	if err != nil {
		return err
	}
	defer line.Close()
	fmt.Fprintln(s.io.out, "Cubeloom. End a statement with a semicolon; \\? for help, \\q to leave.")
	var pending strings.Builder
	for {
		line.SetPrompt(promptFor(pending.String()))
		text, err := line.Readline()
		switch {
		case errors.Is(err, readline.ErrInterrupt):
			pending.Reset()
			continue
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if pending.Len() == 0 && strings.HasPrefix(strings.TrimSpace(text), `\`) {
			line.SaveHistory(text)
			if !s.meta(ctx, strings.TrimSpace(text)) {
				return nil
			}
			continue
		}
		pending.WriteString(text)
		pending.WriteByte('\n')
		if complete(pending.String()) {
			statement := pending.String()
			pending.Reset()
			for _, entry := range historyEntries(statement) {
				line.SaveHistory(entry)
			}
			if err := s.execute(ctx, statement); err != nil {
				s.report(statement, "prompt", err)
			}
		}
	}
}

// historyEntries are the lines of the history that bring a statement back: one, or as
// many as it has where a literal goes over several lines.
func historyEntries(statement string) []string {
	if line, ok := cubeloom.OneLine(statement); ok {
		return []string{line}
	}
	return strings.Split(strings.TrimRight(statement, "\n"), "\n")
}

// complete reports whether text can run: it ends with a whole statement, and with
// the line \. where that reads data.
func complete(text string) bool {
	for {
		part := cubeloom.CutCopy(text)
		if part.Text == text {
			return cubeloom.Complete(text)
		}
		if !part.Ended || part.Rest == "" {
			return part.Ended
		}
		text = part.Rest
	}
}

// promptFor is the prompt that shows whether a statement has been begun.
func promptFor(pending string) string {
	if strings.TrimSpace(pending) == "" {
		return "cubeloom=> "
	}
	return "cubeloom-> "
}

// historyFile is where the prompt's history is kept, or "" for nowhere.
func historyFile() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	dir = filepath.Join(dir, "cubeloom")
	if os.MkdirAll(dir, 0o700) != nil {
		return ""
	}
	return filepath.Join(dir, "history")
}
