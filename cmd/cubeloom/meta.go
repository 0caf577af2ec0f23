package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/cubeloom/cubeloom"
)

// metaHelp is what \? prints.
const metaHelp = `  \d [NAME]         list tables and views, or describe one
  \dt               list tables
  \dv               list views
  \i FILE           run the statements of a file
  \copy ...         COPY of a file, whose name needs no quotes
  \format FORMAT    write results as table, csv, json or arrow
  \timing           show the time of every statement, on and off
  \x                show each row as a block, on and off
  \?                this help
  \q                leave
`

// meta runs a command that begins with a backslash; false means to leave.
func (s *shell) meta(ctx context.Context, line string) bool {
	words := strings.Fields(strings.TrimSuffix(line, ";"))
	arg := ""
	if len(words) > 1 {
		arg = words[1]
	}
	switch words[0] {
	case `\q`, `\quit`:
		return false
	case `\?`, `\h`, `\help`:
		fmt.Fprint(s.io.out, metaHelp)
	case `\timing`:
		s.timing = toggle(s.timing, arg)
		fmt.Fprintf(s.io.out, "Timing is %s.\n", onOff(s.timing))
	case `\x`:
		s.expanded = toggle(s.expanded, arg)
		fmt.Fprintf(s.io.out, "Expanded display is %s.\n", onOff(s.expanded))
	case `\format`:
		if err := s.setFormat(arg); err != nil {
			fmt.Fprintln(s.io.err, err)
		}
	case `\i`:
		s.include(ctx, arg)
	case `\copy`:
		s.copyFile(ctx, strings.TrimSuffix(line, ";"))
	case `\dt`:
		s.list(func(r cubeloom.RelationInfo) bool { return !r.IsView })
	case `\dv`:
		s.list(func(r cubeloom.RelationInfo) bool { return r.IsView })
	case `\d`:
		if arg == "" {
			s.list(func(cubeloom.RelationInfo) bool { return true })
		} else {
			s.describe(arg)
		}
	default:
		fmt.Fprintf(s.io.err, "unknown command %s; \\? lists the commands\n", words[0])
	}
	return true
}

// toggle returns the new state of a switch: the one named, or the other one.
func toggle(on bool, arg string) bool {
	switch arg {
	case "on":
		return true
	case "off":
		return false
	}
	return !on
}

// onOff names the state of a switch.
func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// include runs the statements of a file.
func (s *shell) include(ctx context.Context, name string) {
	text, err := os.ReadFile(name)
	if err != nil {
		fmt.Fprintln(s.io.err, err)
		return
	}
	if err := s.execute(ctx, string(text)); err != nil {
		s.report(string(text), name, err)
	}
}

// copyFile runs \copy, which is COPY: the program's files are the user's. The
// first word behind FROM or TO may be a file's name without quotes.
func (s *shell) copyFile(ctx context.Context, line string) {
	text := strings.TrimPrefix(quoteFile(line), `\`)
	if err := s.execute(ctx, text); err != nil {
		s.report(text, `\copy`, err)
	}
}

// quoteFile quotes the file's name in the arguments of \copy.
func quoteFile(line string) string {
	words := strings.Fields(line)
	depth, at := 0, 0
	for i, word := range words[:len(words)-1] {
		at += strings.Index(line[at:], word) + len(word)
		depth += strings.Count(word, "(") - strings.Count(word, ")")
		if depth > 0 || !strings.EqualFold(word, "from") && !strings.EqualFold(word, "to") {
			continue
		}
		name := words[i+1]
		begin := at + strings.Index(line[at:], name)
		quoted := name
		switch strings.ToLower(name) {
		case "stdin", "stdout", "program":
		case "pstdin", "pstdout":
			quoted = name[1:]
		default:
			if name[0] != '\'' {
				quoted = "'" + strings.ReplaceAll(name, "'", "''") + "'"
			}
		}
		return line[:begin] + quoted + line[begin+len(name):]
	}
	return line
}

// list writes the relations that keep accepts.
func (s *shell) list(keep func(cubeloom.RelationInfo) bool) {
	w := tabwriter.NewWriter(s.io.out, 2, 8, 2, ' ', 0)
	fmt.Fprintln(w, "Name\tKind\tRows\tColumns\tSize")
	n := 0
	for _, r := range s.db.Relations() {
		if !keep(r) {
			continue
		}
		n++
		if r.IsView {
			fmt.Fprintf(w, "%s\tview\t\t\t\n", r.Name)
			continue
		}
		fmt.Fprintf(w, "%s\ttable\t%d\t%d\t%s\n", r.Name, r.Rows, len(r.Columns), formatBytes(r.Bytes))
	}
	if n == 0 {
		fmt.Fprintln(s.io.out, "Did not find any relations.")
		return
	}
	w.Flush()
}

// describe writes the columns of a relation, or the query of a view.
func (s *shell) describe(name string) {
	for _, r := range s.db.Relations() {
		if r.Name != name {
			continue
		}
		if r.IsView {
			fmt.Fprintf(s.io.out, "View %q\n%s\n", r.Name, r.Definition)
			return
		}
		fmt.Fprintf(s.io.out, "Table %q\n", r.Name)
		w := tabwriter.NewWriter(s.io.out, 2, 8, 2, ' ', 0)
		fmt.Fprintln(w, "Column\tType\tNullable\tDistinct\tStored as")
		for _, c := range r.Columns {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", c.Name, c.Type, nullable(c.NotNull), c.Distinct, c.Storage)
		}
		w.Flush()
		return
	}
	fmt.Fprintf(s.io.err, "Did not find any relation named %q.\n", name)
}

// nullable is the word psql uses for a column's constraint.
func nullable(notNull bool) string {
	if notNull {
		return "not null"
	}
	return ""
}
