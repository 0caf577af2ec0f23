package slt

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"

	"github.com/cubeloom/cubeloom/tests/reference"
)

// A Database answers statements.
type Database interface {
	// Query runs one statement; one that gives no rows has an empty result.
	Query(ctx context.Context, sql string) (*reference.Result, error)
	// SQLState is the SQLSTATE of an error that Query returned.
	SQLState(err error) string
}

// outcome runs a record and describes what it gave, as a record.
func (r *Record) outcome(ctx context.Context, db Database) (*Record, error) {
	got := *r
	result, err := db.Query(ctx, r.SQL)
	got.Error = ""
	if err != nil {
		if got.Error = db.SQLState(err); got.Error == "" {
			return nil, err
		}
		got.IsQuery, got.RowSort, got.Types, got.Rows = false, false, nil, nil
		return &got, err
	}
	if !r.IsQuery && r.Error == "" {
		return &got, nil
	}
	if got.IsQuery = len(result.Columns) > 0; !got.IsQuery {
		got.RowSort, got.Types, got.Rows = false, nil, nil
		return &got, nil
	}
	got.Types, got.Rows = nil, nil
	for _, c := range result.Columns {
		got.Types = append(got.Types, c.Type)
	}
	for _, row := range result.Rows {
		got.Rows = append(got.Rows, reference.Line(row))
	}
	if got.RowSort {
		sort.Strings(got.Rows)
	}
	return &got, nil
}

// Check runs the records one after the other and calls fail with each that
// gives something else than the file says. Records that only Cubeloom knows are
// left out unless us is true.
func (f *File) Check(ctx context.Context, db Database, us bool, fail func(message string)) {
	for _, r := range f.Records {
		if r.SQL == "" || r.OnlyUs && !us {
			continue
		}
		got, err := r.outcome(ctx, db)
		if got == nil {
			fail(fmt.Sprintf("%s:%d: %v\n%s", f.Path, r.Line, err, r.SQL))
			continue
		}
		if difference := r.difference(got, err); difference != "" {
			fail(fmt.Sprintf("%s:%d: %s\n%s", f.Path, r.Line, difference, r.SQL))
		}
	}
}

// Sample leaves n random records that read only, and all others.
func (f *File) Sample(rnd *rand.Rand, n int) {
	var reads []*Record
	for _, r := range f.Records {
		if verb, _, _ := strings.Cut(r.SQL, " "); strings.EqualFold(verb, "SELECT") {
			reads = append(reads, r)
		}
	}
	rnd.Shuffle(len(reads), func(i, j int) { reads[i], reads[j] = reads[j], reads[i] })
	out := reads[min(n, len(reads)):]
	f.Records = slices.DeleteFunc(f.Records, func(r *Record) bool { return slices.Contains(out, r) })
}

func (r *Record) difference(got *Record, err error) string {
	switch {
	case got.Error != r.Error && err != nil:
		return fmt.Sprintf("error %s (%v), want %s", got.Error, err, orSuccess(r.Error))
	case got.Error != r.Error:
		return "no error, want " + r.Error
	case got.IsQuery != r.IsQuery:
		return "a statement with rows and one without are different records"
	case !slices.Equal(got.Types, r.Types):
		return fmt.Sprintf("columns %v, want %v", got.Types, r.Types)
	case !slices.Equal(got.Rows, r.Rows):
		return fmt.Sprintf("rows\n%s\nwant\n%s", indent(got.Rows), indent(r.Rows))
	}
	return ""
}

func orSuccess(state string) string {
	if state == "" {
		return "success"
	}
	return state
}

func indent(lines []string) string {
	if len(lines) == 0 {
		return "  (none)"
	}
	return "  " + strings.Join(lines, "\n  ")
}

// Record runs the records that PostgreSQL knows and puts what they give in the
// place of what the file says.
func (f *File) Record(ctx context.Context, postgres Database) error {
	for i, r := range f.Records {
		if r.SQL == "" || r.OnlyUs {
			continue
		}
		got, err := r.outcome(ctx, postgres)
		if got == nil {
			return fmt.Errorf("%s:%d: %w", f.Path, r.Line, err)
		}
		f.Records[i] = got
	}
	return nil
}
