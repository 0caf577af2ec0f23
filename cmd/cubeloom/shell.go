package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// shell runs statements of one session and writes their results.
type shell struct {
	db       *cubeloom.DB
	session  *cubeloom.Session
	io       streams
	format   string
	timing   bool
	expanded bool
}

// newShell makes a shell that writes results in the given format.
func newShell(db *cubeloom.DB, io streams, format string) (*shell, error) {
	s := &shell{db: db, session: db.Session(), io: io}
	return s, s.setFormat(format)
}

// setFormat changes the format of results.
func (s *shell) setFormat(format string) error {
	switch format {
	case "table", "csv", "json", "arrow":
		s.format = format
		return nil
	}
	return fmt.Errorf("unknown format %q: use table, csv, json or arrow", format)
}

// runText runs every statement of text; origin names where text came from. It
// stops at the first error, which it reports.
func (s *shell) runText(ctx context.Context, text, origin string) error {
	err := s.execute(ctx, text)
	if err != nil {
		s.report(text, origin, err)
		return errReported
	}
	return nil
}

// execute runs every statement of text, with the data of COPY FROM STDIN in the
// lines behind it; an interrupt cancels the statement that runs and not the
// program.
func (s *shell) execute(ctx context.Context, text string) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	for rest := text; ; {
		part := cubeloom.CutCopy(rest)
		if err := s.statements(ctx, part); err != nil {
			return moved(err, len(text)-len(rest))
		}
		if rest = part.Rest; rest == "" {
			return nil
		}
	}
}

// moved is an error of a part of a text as one of the whole text.
func moved(err error, offset int) error {
	var e *cubeloom.Error
	if !errors.As(err, &e) || e.Pos < 0 {
		return err
	}
	c := *e
	c.Pos += offset
	return &c
}

// statements runs statements, of which the last may read data.
func (s *shell) statements(ctx context.Context, part cubeloom.Inline) (err error) {
	defer sqlstate.Catch(&err)
	list := sqlstate.Must(s.session.Parse(ctx, part.Text))
	for _, st := range list {
		start := time.Now()
		res := sqlstate.Must(s.statement(ctx, st, part.Data))
		elapsed := time.Since(start)
		if st.CopyDirection() == cubeloom.CopyOut {
			res.Tag = "" // it would stand among the rows
		}
		sqlstate.Check(s.write(res))
		if s.timing {
			fmt.Fprintf(s.io.err, "Time: %.3f ms\n", float64(elapsed.Microseconds())/1000)
		}
	}
	return nil
}

// statement runs one statement. COPY TO STDOUT writes where results go.
func (s *shell) statement(ctx context.Context, st *cubeloom.Statement, data string) (*cubeloom.Result, error) {
	if st.CopyDirection() == cubeloom.CopyNone {
		return s.session.Execute(ctx, st, nil)
	}
	out := bufio.NewWriter(s.io.out)
	res, err := s.session.Copy(ctx, st, strings.NewReader(data), out)
	if err != nil {
		return nil, err
	}
	return res, out.Flush()
}

// write writes one result in the shell's format.
func (s *shell) write(res *cubeloom.Result) error {
	for _, notice := range res.Notices {
		fmt.Fprintf(s.io.err, "%s:  %s\n", notice.Severity, notice.Message)
	}
	if !res.HasRows() {
		if s.format == "table" && res.Tag != "" {
			fmt.Fprintln(s.io.out, res.Tag)
		}
		return nil
	}
	if s.format == "table" && res.Tag == "EXPLAIN" {
		return writeLines(s.io.out, res)
	}
	switch s.format {
	case "csv":
		return writeCSV(s.io.out, res)
	case "json":
		return writeJSON(s.io.out, res)
	case "arrow":
		return writeArrow(s.io.out, res)
	}
	if s.expanded {
		return writeExpanded(s.io.out, res)
	}
	return writeTable(s.io.out, res)
}

// report writes an error as psql does: the message, the line of the statement
// with a caret under the place, and the hints.
func (s *shell) report(text, origin string, err error) {
	var e *cubeloom.Error
	if !errors.As(err, &e) {
		fmt.Fprintf(s.io.err, "ERROR:  %s: %v\n", origin, err)
		return
	}
	fmt.Fprintf(s.io.err, "ERROR:  %s: %s\n", e.Code, e.Message)
	if e.Pos >= 0 && e.Pos <= len(text) {
		line, number, column := lineAt(text, e.Pos)
		prefix := fmt.Sprintf("LINE %d: ", number)
		fmt.Fprintf(s.io.err, "%s%s\n%*s\n", prefix, line, len(prefix)+column+1, "^")
	}
	if e.Detail != "" {
		fmt.Fprintf(s.io.err, "DETAIL:  %s\n", e.Detail)
	}
	if e.Hint != "" {
		fmt.Fprintf(s.io.err, "HINT:  %s\n", e.Hint)
	}
	if e.Where != "" {
		fmt.Fprintf(s.io.err, "CONTEXT:  %s\n", e.Where)
	}
}

// longestLine is how much of a line an error shows, in bytes.
const longestLine = 120

// lineAt returns the line of text around byte offset pos, its number from 1, and
// the column of pos in what it returns, in characters from 0.
func lineAt(text string, pos int) (line string, number, column int) {
	start := strings.LastIndexByte(text[:pos], '\n') + 1
	end := len(text)
	if i := strings.IndexByte(text[pos:], '\n'); i >= 0 {
		end = pos + i
	}
	if pos-start > longestLine/2 {
		start = pos - longestLine/2
	}
	end = min(end, start+longestLine)
	line = strings.ToValidUTF8(text[start:max(end, start)], "")
	column = len([]rune(strings.ToValidUTF8(text[start:pos], "")))
	return strings.ReplaceAll(line, "\t", " "), 1 + strings.Count(text[:pos], "\n"), column
}
