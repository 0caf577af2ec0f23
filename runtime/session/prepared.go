package session

import (
	"slices"
	"time"

	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Prepared is a statement that a session keeps under a name: one of PREPARE, or
// of Session.Prepare. EXECUTE runs either. It never changes, but for what its
// owner notes in Client.
type Prepared struct {
	Name        string
	Text        string     // as it was given: PREPARE and all
	Statement   *Statement // nil where the text had none
	Description *Description
	FromSQL     bool      // made by PREPARE
	Time        time.Time // when it was made
	// Client is for the server of the session to keep with the statement.
	Client any
}

// bytes is what the session is charged with for a prepared statement.
func (p *Prepared) bytes() int64 {
	const overhead = 4 << 10
	return overhead + int64(len(p.Text)) + TreeBytes(p.Text)
}

// Executable reports whether EXECUTE can run a statement: the wire protocol can
// give names to others than PREPARE can.
func (p *Prepared) Executable() error {
	if p.Statement == nil {
		return nil
	}
	switch p.Statement.Parsed.Statement.(type) {
	case *sql.Transaction, *sql.Execute:
		return value.Errorf(value.CodeFeatureNotSupported, "EXECUTE of EXECUTE and of statements about transactions is not supported")
	}
	if p.Statement.CopyDirection() != CopyNone {
		return value.Errorf(value.CodeFeatureNotSupported, "EXECUTE of COPY FROM STDIN and TO STDOUT is not supported")
	}
	return nil
}

// CheckColumns fails where the statement returns other columns than when it was
// prepared.
func (p *Prepared) CheckColumns(now []result.Column) error {
	if slices.EqualFunc(p.Description.Columns, now, sameColumn) {
		return nil
	}
	return value.Errorf(value.CodeFeatureNotSupported, "cached plan must not change result type")
}

// sameColumn reports whether clients know two columns as the same.
func sameColumn(a, b result.Column) bool {
	oid, _ := pgcatalog.TypeOID(a.Type.Type)
	other, _ := pgcatalog.TypeOID(b.Type.Type)
	return a.Name == b.Name && oid == other
}

// PreparedStatements are those that a session keeps, by name.
type PreparedStatements struct {
	byName  map[string]*Prepared
	account *runtime.Account // that they are charged to
}

// Add keeps a statement. A name that is taken is an error of 42P05, but for "".
func (l *PreparedStatements) Add(p *Prepared) error {
	if p.Name != "" && l.byName[p.Name] != nil {
		return value.Errorf(value.CodeDuplicatePrepared, "prepared statement %q already exists", p.Name)
	}
	if err := l.account.Grow(p.bytes()); err != nil {
		return err
	}
	l.Forget(p.Name)
	p.Time = time.Now()
	l.byName[p.Name] = p
	return nil
}

// Find finds a statement; one that is not there is an error of 26000.
func (l *PreparedStatements) Find(name string) (*Prepared, error) {
	if p := l.byName[name]; p != nil {
		return p, nil
	}
	if name == "" {
		return nil, value.Errorf(value.CodeUndefinedPrepared, "unnamed prepared statement does not exist")
	}
	return nil, value.Errorf(value.CodeUndefinedPrepared, "prepared statement %q does not exist", name)
}

// Forget forgets a statement; one that is not there is no error.
func (l *PreparedStatements) Forget(name string) {
	if p := l.byName[name]; p != nil {
		l.account.Shrink(p.bytes())
		delete(l.byName, name)
	}
}

// ForgetNamed forgets the statements that have a name.
func (l *PreparedStatements) ForgetNamed() {
	for name := range l.byName {
		if name != "" {
			l.Forget(name)
		}
	}
}
