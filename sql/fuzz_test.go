package sql

import (
	"errors"
	"testing"

	"github.com/cubeloom/cubeloom/sql/dialect"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

func seed(f *testing.F) {
	for _, text := range corpus(f) {
		f.Add(text)
	}
	for _, text := range lexical {
		f.Add(text)
	}
	for _, text := range []string{
		"select * from 'a.parquet' x(y) qualify a = 1", "select a from t group by all",
		"create or replace table t (a int primary key, unique (a))", "select '\xff", "",
		"select sum(a) over (partition by b order by c rows between 1 preceding and 2 following exclude group)",
	} {
		f.Add(text)
	}
}

// FuzzParse holds that no text makes the parser panic or hang, that every
// error is the user's and lies within the text, and that what it takes prints
// as text that it takes again as the same.
func FuzzParse(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, text string) {
		list, err := ParseScript(text, nil)
		checkError(t, text, err)
		for _, p := range list {
			if text[p.Offset:p.Offset+len(p.Text)] != p.Text {
				t.Errorf("%q: the statement at %d is %q", text, p.Offset, p.Text)
			}
			printed := Format(p.Statement)
			again, err := Parse(printed)
			if err != nil {
				t.Fatalf("%q\nprints %q\n%v", text, printed, err)
			}
			if got := Format(again); got != printed {
				t.Errorf("%q\nprints %q\nand again %q", text, printed, got)
			}
		}
		pieces, err := Split(text)
		checkError(t, text, err)
		for _, p := range pieces {
			if text[p.Offset:p.Offset+len(p.Text)] != p.Text {
				t.Errorf("%q: the piece at %d is %q", text, p.Offset, p.Text)
			}
		}
	})
}

// FuzzRewrite holds that intermediate SQL is ASCII of our own making, whatever the
// user wrote, and that Vitess takes it and loses nothing of it.
func FuzzRewrite(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, text string) {
		c, err := dialect.NewCursor(text, nil)
		if err != nil {
			return
		}
		intermediate, err := sqlstate.Try(c.Query)
		checkError(t, text, err)
		if err != nil {
			return
		}
		for i := range len(intermediate.Text) {
			if b := intermediate.Text[i]; b < ' ' || b > '~' || b == '\'' || b == '"' || b == '\\' || b == ';' {
				t.Fatalf("%q\nintermediate text %q", text, intermediate.Text)
			}
		}
		if _, err := sqlstate.Try(func() *Query { return convertQuery(intermediate) }); err != nil {
			t.Errorf("%q\nintermediate text %q\n%v", text, intermediate.Text, err)
		}
	})
}

// checkError fails for an error that is not the user's, or has no place in the
// text.
func checkError(t *testing.T, text string, err error) {
	t.Helper()
	if err == nil {
		return
	}
	var e *sqlstate.Error
	if !errors.As(err, &e) || e.Code == sqlstate.Internal {
		t.Fatalf("%q: %v", text, err)
	}
	if e.Pos < 0 || e.Pos > len(text) {
		t.Errorf("%q: %v at %d", text, err, e.Pos)
	}
}
