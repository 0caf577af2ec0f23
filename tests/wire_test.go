package tests

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/server"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/tests/reference"
	"github.com/cubeloom/cubeloom/tests/slt"
	"github.com/jackc/pgx/v5/pgconn"
)

// A wire is a connection to a server as an slt.Database.
type wire struct {
	conn *pgconn.PgConn
	// protocol is "simple", "text" or "binary": the last two are the extended
	// protocol with results in that format.
	protocol string
}

// wireTypes are the types of results by the OIDs that clients know them by.
var wireTypes = map[uint32]algebra.Type{
	114: algebra.TJSON, 3802: algebra.TJSONB, 2950: algebra.TUUID,
	16: algebra.TBool, 17: algebra.TBytea, 20: algebra.TInt64, 21: algebra.TInt16, 23: algebra.TInt32, 25: algebra.TText, 700: algebra.TFloat32, 701: algebra.TFloat64,
	1043: algebra.TText, 1082: algebra.TDate, 1083: algebra.TTime, 1114: algebra.TTimestamp, 1184: algebra.TTimestampTZ, 1186: algebra.TInterval, 1700: algebra.TNumeric,
	1000: algebra.TArray(algebra.TBool), 1001: algebra.TArray(algebra.TBytea), 1005: algebra.TArray(algebra.TInt16), 1007: algebra.TArray(algebra.TInt32), 1016: algebra.TArray(algebra.TInt64),
	1009: algebra.TArray(algebra.TText), 1014: algebra.TArray(algebra.TBPChar), 1015: algebra.TArray(algebra.TText), 1021: algebra.TArray(algebra.TFloat32), 1022: algebra.TArray(algebra.TFloat64), 1182: algebra.TArray(algebra.TDate),
	1115: algebra.TArray(algebra.TTimestamp), 1185: algebra.TArray(algebra.TTimestampTZ), 1187: algebra.TArray(algebra.TInterval), 1231: algebra.TArray(algebra.TNumeric),
}

// Query runs one statement.
func (w *wire) Query(ctx context.Context, sql string) (*reference.Result, error) {
	if w.protocol == "simple" {
		results := w.conn.Exec(ctx, sql)
		got := &reference.Result{}
		for results.NextResult() {
			var err error
			if got, err = w.result(results.ResultReader()); err != nil {
				return nil, errors.Join(err, results.Close())
			}
		}
		if err := results.Close(); err != nil {
			return nil, err
		}
		return got, nil
	}
	var format []int16
	if w.protocol == "binary" {
		format = []int16{1}
	}
	return w.result(w.conn.ExecParams(ctx, sql, nil, nil, nil, format))
}

// result reads the rows of a result.
func (w *wire) result(rows *pgconn.ResultReader) (*reference.Result, error) {
	got := &reference.Result{}
	for rows.NextRow() {
		cells := make([]reference.Cell, len(rows.Values()))
		for i, raw := range rows.Values() {
			var err error
			if cells[i], err = w.cell(raw, wireTypes[rows.FieldDescriptions()[i].DataTypeOID]); err != nil {
				return nil, err
			}
		}
		got.Rows = append(got.Rows, cells)
	}
	for _, f := range rows.FieldDescriptions() {
		got.Columns = append(got.Columns, reference.Column{Name: f.Name, Type: reference.TypeName(wireTypes[f.DataTypeOID])})
	}
	_, err := rows.Close()
	if err != nil {
		return nil, err
	}
	return got, nil
}

// cell is a value as text.
func (w *wire) cell(raw []byte, t algebra.Type) (reference.Cell, error) {
	switch {
	case raw == nil:
		return reference.Cell{Null: true}, nil
	case w.protocol != "binary":
		return reference.Cell{Text: string(raw)}, nil
	}
	v, err := cubeloom.ParseBinary(raw, cubeloom.ColumnType{Type: t})
	if err != nil {
		return reference.Cell{}, err
	}
	zone, ok := value.FindZone(w.conn.ParameterStatus("TimeZone"))
	if !ok {
		return reference.Cell{}, fmt.Errorf("the server's time zone is %q", w.conn.ParameterStatus("TimeZone"))
	}
	style, err := value.Style{}.WithDateStyle(w.conn.ParameterStatus("DateStyle"))
	style = style.WithIntervalStyle(w.conn.ParameterStatus("IntervalStyle"))
	return reference.Cell{Text: string(runtime.AppendText(nil, v, t, style, zone))}, err
}

// SQLState is the SQLSTATE of an error of the server.
func (w *wire) SQLState(err error) string {
	var failure *pgconn.PgError
	if errors.As(err, &failure) {
		return failure.Code
	}
	return ""
}

// TestFilesByWire runs every file through the server, by both protocols and in
// both formats: the answers are those of the embedded engine.
func TestFilesByWire(t *testing.T) {
	for _, protocol := range []string{"simple", "text", "binary"} {
		t.Run(protocol, func(t *testing.T) {
			for _, path := range sltFiles(t) {
				file, err := slt.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				t.Run(filepath.Base(path), func(t *testing.T) {
					w := &wire{conn: dialServer(t), protocol: protocol}
					file.Check(context.Background(), w, true, func(message string) { t.Error(message) })
				})
			}
		})
	}
}

// dialServer connects to a server of a new database.
func dialServer(t *testing.T) *pgconn.PgConn {
	t.Helper()
	db, err := cubeloom.Open(cubeloom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := server.New(server.Config{DB: db})
	go srv.Serve(l)
	ctx := context.Background()
	conn, err := pgconn.Connect(ctx, "postgres://postgres@"+l.Addr().String()+"/postgres?sslmode=disable")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		conn.Close(ctx)
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		if err := srv.Shutdown(ctx); err != nil {
			t.Error(err)
		}
		db.Close()
	})
	return conn
}
