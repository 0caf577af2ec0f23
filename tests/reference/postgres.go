package reference

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
)

// ServerDir is where Debian's package postgresql-15 puts the server programs.
// The environment variable CUBELOOM_POSTGRES names another directory.
const ServerDir = "/usr/lib/postgresql/15/bin"

// Programs is the directory of PostgreSQL's programs.
func Programs() string {
	if bin := os.Getenv("CUBELOOM_POSTGRES"); bin != "" {
		return bin
	}
	return ServerDir
}

// A Postgres is a private PostgreSQL server and one connection to it. It is
// not for use by several goroutines at a time.
type Postgres struct {
	server *exec.Cmd
	dir    string
	log    *bytes.Buffer
	conn   *pgconn.PgConn
	types  *pgtype.Map
}

// StartPostgres creates a database cluster in a temporary directory and starts
// a server for it that listens on a socket there alone. Collation and character
// classes are those of C.UTF-8, the time zone is UTC. Close stops the server and
// removes the directory.
func StartPostgres(ctx context.Context) (*Postgres, error) {
	bin := Programs()
	dir, err := os.MkdirTemp("", "cubeloom-postgres-")
	if err != nil {
		return nil, err
	}
	p := &Postgres{dir: dir, log: &bytes.Buffer{}, types: pgtype.NewMap()}
	if err := p.start(ctx, bin); err != nil {
		log := p.log.String()
		p.Close()
		return nil, fmt.Errorf("starting PostgreSQL from %s: %w\n%s", bin, err, log)
	}
	return p, nil
}

// Dir is the directory of the server's socket, for other clients of it.
func (p *Postgres) Dir() string { return p.dir }

func (p *Postgres) start(ctx context.Context, bin string) error {
	attr, err := unprivileged(p.dir)
	if err != nil {
		return err
	}
	data := filepath.Join(p.dir, "data")
	if out, err := makeCluster(ctx, bin, data, attr); err != nil {
		p.log.Write(out)
		return err
	}
	p.server = exec.Command(filepath.Join(bin, "postgres"), "-D", data, "-k", p.dir,
		"-c", "listen_addresses=", "-c", "fsync=off", "-c", "full_page_writes=off", "-c", "synchronous_commit=off",
		"-c", "timezone=UTC", "-c", "jit=off", "-c", "shared_buffers=256MB", "-c", "work_mem=256MB")
	p.server.Dir, p.server.SysProcAttr = p.dir, attr
	p.server.Stdout, p.server.Stderr = p.log, p.log
	if err := p.server.Start(); err != nil {
		p.server = nil
		return err
	}
	return p.connect(ctx)
}

// connect waits until the server answers.
func (p *Postgres) connect(ctx context.Context) error {
	config, err := pgconn.ParseConfig("user=postgres database=postgres sslmode=disable host=" + p.dir)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for {
		if p.conn, err = pgconn.ConnectConfig(ctx, config); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// unprivileged makes dir that of the user postgres, or else nobody, and says how to
// run programs as that user, because PostgreSQL refuses to run as root. For
// other users it does nothing.
func unprivileged(dir string) (*syscall.SysProcAttr, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		if u, err = user.Lookup("nobody"); err != nil {
			return nil, err
		}
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	if err := os.Chown(dir, int(uid), int(gid)); err != nil {
		return nil, err
	}
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, nil
}

// Close stops the server at once and removes its files.
func (p *Postgres) Close() error {
	if p.conn != nil {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		p.conn.Close(ctx)
		cancel()
	}
	if p.server != nil {
		// SIGQUIT is PostgreSQL's immediate shutdown; it exits with an
		// error status then.
		p.server.Process.Signal(syscall.SIGQUIT)
		p.server.Wait()
	}
	return os.RemoveAll(p.dir)
}

// Exec runs statements that give no rows.
func (p *Postgres) Exec(ctx context.Context, sql string) error {
	_, err := p.conn.Exec(ctx, sql).ReadAll()
	return err
}

// SetTimeout makes statements that take longer fail with SQLSTATE 57014.
func (p *Postgres) SetTimeout(ctx context.Context, limit time.Duration) error {
	return p.Exec(ctx, fmt.Sprintf("SET statement_timeout = %d", limit.Milliseconds()))
}

// Query runs one statement and returns all its rows; there are no columns where
// the statement gives no rows. Types varchar and bpchar are called text.
func (p *Postgres) Query(ctx context.Context, sql string) (*Result, error) {
	results := p.conn.Exec(ctx, sql)
	r, n := &Result{}, 0
	for results.NextResult() {
		n++
		p.read(results.ResultReader(), r)
	}
	if err := results.Close(); err != nil {
		return nil, err
	}
	if n > 1 {
		return nil, fmt.Errorf("%d results of one statement", n)
	}
	return r, nil
}

// read adds the columns and rows of a result to r. An error that ends the rows
// is reported when all results are closed.
func (p *Postgres) read(from *pgconn.ResultReader, r *Result) {
	for _, f := range from.FieldDescriptions() {
		name := "oid" + strconv.FormatUint(uint64(f.DataTypeOID), 10)
		if t, ok := p.types.TypeForOID(f.DataTypeOID); ok {
			name = t.Name
		}
		switch name {
		case "varchar", "bpchar", "unknown":
			name = "text"
		case "_varchar", "_bpchar":
			name = "_text"
		}
		r.Columns = append(r.Columns, Column{Name: f.Name, Type: name})
	}
	for from.NextRow() {
		row := make([]Cell, len(from.Values()))
		for i, v := range from.Values() {
			row[i] = Cell{Text: string(v), Null: v == nil}
		}
		r.Rows = append(r.Rows, row)
	}
}

// Alive reports whether the connection still works; after some errors the server
// closes it.
func (p *Postgres) Alive() bool { return !p.conn.IsClosed() }

// SQLState is the SQLSTATE of an error of PostgreSQL, and empty for another
// error.
func (p *Postgres) SQLState(err error) string {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code
	}
	return ""
}

// copyCSV loads rows, given as CSV without a header, into a table.
func (p *Postgres) copyCSV(ctx context.Context, table string, rows io.Reader) error {
	_, err := p.conn.CopyFrom(ctx, rows, "COPY "+table+" FROM STDIN (FORMAT csv)")
	return err
}
