package slt

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// A File is a parsed file.
type File struct {
	Path    string
	Records []*Record
}

// A Record is a statement with what it is expected to give.
type Record struct {
	// Comments are the lines before the record, each with its #.
	Comments []string
	Line     int
	OnlyUs   bool // onlyif cubeloom
	IsQuery  bool
	Error    string   // the SQLSTATE, of a statement that fails
	Types    []string // of a query's columns
	RowSort  bool
	SQL      string
	Rows     []string
}

const (
	separator = "----"
	onlyUs    = "onlyif cubeloom"
	rowSort   = "rowsort"
)

// ReadFile parses a file.
func ReadFile(path string) (*File, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f := &File{Path: path}
	lines := strings.Split(string(text), "\n")
	for i := 0; i < len(lines); {
		if strings.TrimSpace(lines[i]) == "" {
			i++
			continue
		}
		end := i
		for end < len(lines) && strings.TrimSpace(lines[end]) != "" {
			end++
		}
		r, err := parseRecord(lines[i:end], i+1)
		if err != nil {
			return nil, fmt.Errorf("%s:%w", path, err)
		}
		f.Records = append(f.Records, r)
		i = end
	}
	return f, nil
}

// parseRecord parses the lines of one record; first is the number of the first
// line. A record may be comments alone.
func parseRecord(lines []string, first int) (*Record, error) {
	r := &Record{Line: first}
	for len(lines) > 0 && strings.HasPrefix(lines[0], "#") {
		r.Comments, lines, r.Line = append(r.Comments, lines[0]), lines[1:], r.Line+1
	}
	if len(lines) > 0 && lines[0] == onlyUs {
		r.OnlyUs, lines, r.Line = true, lines[1:], r.Line+1
	}
	if len(lines) == 0 {
		return r, nil
	}
	if err := r.parseHead(strings.Fields(lines[0])); err != nil {
		return nil, fmt.Errorf("%d: %w", r.Line, err)
	}
	body := lines[1:]
	if at := slices.Index(body, separator); at >= 0 {
		if !r.IsQuery {
			return nil, fmt.Errorf("%d: a statement has no rows", r.Line)
		}
		r.Rows, body = body[at+1:], body[:at]
	}
	if r.SQL = strings.Join(body, "\n"); r.SQL == "" {
		return nil, fmt.Errorf("%d: no SQL", r.Line)
	}
	return r, nil
}

func (r *Record) parseHead(words []string) error {
	switch {
	case words[0] == "query":
		r.IsQuery, r.Types = true, words[1:]
		if n := len(r.Types); n > 0 && r.Types[n-1] == rowSort {
			r.RowSort, r.Types = true, r.Types[:n-1]
		}
	case len(words) == 2 && words[0] == "statement" && words[1] == "ok":
	case len(words) == 3 && words[0] == "statement" && words[1] == "error" && len(words[2]) == 5:
		r.Error = words[2]
	default:
		return fmt.Errorf("%q starts no record", strings.Join(words, " "))
	}
	return nil
}

// String writes the file as ReadFile reads it.
func (f *File) String() string {
	var b strings.Builder
	for i, r := range f.Records {
		if i > 0 {
			b.WriteString("\n")
		}
		r.write(&b)
	}
	return b.String()
}

func (r *Record) write(b *strings.Builder) {
	for _, c := range r.Comments {
		fmt.Fprintln(b, c)
	}
	if r.SQL == "" {
		return
	}
	if r.OnlyUs {
		fmt.Fprintln(b, onlyUs)
	}
	switch {
	case r.IsQuery:
		head := append([]string{"query"}, r.Types...)
		if r.RowSort {
			head = append(head, rowSort)
		}
		fmt.Fprintln(b, strings.Join(head, " "))
	case r.Error != "":
		fmt.Fprintln(b, "statement error "+r.Error)
	default:
		fmt.Fprintln(b, "statement ok")
	}
	fmt.Fprintln(b, r.SQL)
	if r.IsQuery {
		fmt.Fprintln(b, separator)
		for _, row := range r.Rows {
			fmt.Fprintln(b, row)
		}
	}
}
