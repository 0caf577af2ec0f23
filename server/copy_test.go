package server_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgproto3/v2"
	"github.com/jackc/pgx/v5"
)

func TestCopyOfPgx(t *testing.T) {
	address, _ := start(t, nil)
	conn := connect(t, address, "")
	ctx := context.Background()
	if _, err := conn.Exec(ctx, "CREATE TABLE t (a int NOT NULL, b text, c numeric(8,2), d date, e float8, f bool)"); err != nil {
		t.Fatal(err)
	}
	var rows [][]any
	for i := range 2500 {
		rows = append(rows, []any{i, fmt.Sprint("x", i), "1.25", time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), 0.5, i%2 == 0})
	}
	rows[7][1], rows[7][5] = nil, nil
	columns := []string{"a", "b", "c", "d", "e", "f"}
	n, err := conn.CopyFrom(ctx, pgx.Identifier{"t"}, columns, pgx.CopyFromRows(rows))
	if err != nil || n != 2500 {
		t.Fatal(n, err)
	}
	rows[2400][2] = "1234567.5" // does not fit
	_, err = conn.CopyFrom(ctx, pgx.Identifier{"t"}, columns, pgx.CopyFromRows(rows))
	wantCode(t, err, "22003")
	rows[2400][2], rows[2400][0] = "1", nil
	_, err = conn.CopyFrom(ctx, pgx.Identifier{"t"}, columns, pgx.CopyFromRows(rows))
	wantCode(t, err, "23502")
	got, err := simple(conn, "SELECT count(*), count(b), count(f), sum(c), min(d), sum(e) FROM t")
	if err != nil || got != "2500|2499|2499|3125.00|2020-01-01|1250\nSELECT 1\n" {
		t.Errorf("%q, %v", got, err)
	}
	for _, format := range []string{"text", "csv", "binary"} {
		var out bytes.Buffer
		tag, err := conn.PgConn().CopyTo(ctx, &out, "COPY (SELECT * FROM t ORDER BY a) TO STDOUT (FORMAT "+format+")")
		if err != nil || tag.String() != "COPY 2500" {
			t.Fatal(tag, err)
		}
		if _, err := simple(conn, "CREATE TABLE u_"+format+" (a int, b text, c numeric(8,2), d date, e float8, f bool)"); err != nil {
			t.Fatal(err)
		}
		tag, err = conn.PgConn().CopyFrom(ctx, &out, "COPY u_"+format+" FROM STDIN (FORMAT "+format+")")
		if err != nil || tag.String() != "COPY 2500" {
			t.Fatal(format, tag, err)
		}
		got, err := simple(conn, "SELECT * FROM t EXCEPT SELECT * FROM u_"+format)
		if err != nil || got != "SELECT 0\n" {
			t.Errorf("%s: %q, %v", format, got, err)
		}
	}
}

func TestCopyProtocol(t *testing.T) {
	address, _ := start(t, nil)
	r := dial(t, address)
	query := func(text string) *pgproto3.Query { return &pgproto3.Query{String: text} }
	data := func(text string) *pgproto3.CopyData { return &pgproto3.CopyData{Data: []byte(text)} }
	done := &pgproto3.CopyDone{}
	for _, c := range []struct {
		send []pgproto3.FrontendMessage
		want string
	}{
		{[]pgproto3.FrontendMessage{query("CREATE TABLE t (a int, b text)")}, "C(CREATE_TABLE) ZI"},
		{[]pgproto3.FrontendMessage{query("COPY t FROM STDIN"), data("1\t"), data("x\n2\ty\n"), done}, "CopyInResponse C(COPY_2) ZI"},
		{[]pgproto3.FrontendMessage{query("COPY t FROM STDIN"), data("3\tx\n\\.\nrubbish"), done}, "CopyInResponse C(COPY_1) ZI"},
		{[]pgproto3.FrontendMessage{query("COPY t (a) FROM STDIN"), data("3\n\\.\n"), done}, "CopyInResponse C(COPY_1) ZI"},
		{[]pgproto3.FrontendMessage{query("COPY t (b) FROM STDIN (FORMAT csv)"), data("x\n\\.\n"), done}, "CopyInResponse C(COPY_1) ZI"},
		{[]pgproto3.FrontendMessage{query("COPY t FROM STDIN"), data("4\tx\n"), &pgproto3.CopyFail{Message: "no"}}, "CopyInResponse E57014 ZI"},
		{[]pgproto3.FrontendMessage{query("COPY t FROM STDIN"), data("4\tx\nfive\tx\n"), done}, "CopyInResponse E22P02 ZI"},
		{[]pgproto3.FrontendMessage{query("COPY nope FROM STDIN"), data("4\tx\n"), done}, "E42P01 ZI"},
		{[]pgproto3.FrontendMessage{query("COPY t (a, nope) FROM STDIN")}, "E42703 ZI"},
		{[]pgproto3.FrontendMessage{query("COPY t FROM STDIN (FORMAT parquet)")}, "E0A000 ZI"},
		{[]pgproto3.FrontendMessage{query("COPY t FROM STDIN (FORMAT binary)"), data("PGCOPY\n\xff\r\n\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x7f\xff\xff\xff"), done},
			"CopyInResponse E22P04 ZI"},
		{[]pgproto3.FrontendMessage{query("SELECT 7; COPY t (a) FROM STDIN; SELECT 8"), data("9\n"), done}, "T1 D(7) C(SELECT_1) CopyInResponse C(COPY_1) T1 D(8) C(SELECT_1) ZI"},
		{[]pgproto3.FrontendMessage{query("COPY (SELECT a, b FROM t WHERE a < 3 ORDER BY a) TO STDOUT CSV HEADER")},
			"CopyOutResponse d(a,b) d(1,x) d(2,y) CopyDone C(COPY_2) ZI"},
		{[]pgproto3.FrontendMessage{query("COPY (SELECT 1 WHERE false) TO STDOUT")}, "CopyOutResponse CopyDone C(COPY_0) ZI"},
		{[]pgproto3.FrontendMessage{query("COPY (SELECT 1/0) TO STDOUT")}, "E22012 ZI"},
		{[]pgproto3.FrontendMessage{&pgproto3.Parse{Query: "COPY t (a) FROM STDIN"}, &pgproto3.Describe{ObjectType: 'S'}, &pgproto3.Bind{}, &pgproto3.Execute{},
			data("10\n"), &pgproto3.Sync{}, data("11\n"), done, &pgproto3.Sync{}}, "1 t[] n 2 CopyInResponse C(COPY_2) ZI"},
	} {
		r.say(c.send...)
		if got := r.until("Z"); got != c.want {
			t.Errorf("%v:\n got  %s\n want %s", c.send, got, c.want)
		}
	}
	// What is not of COPY ends the connection.
	r.say(query("COPY t FROM STDIN"), query("SELECT 1"))
	if got := r.until("E"); !strings.HasSuffix(got, "E08P01") {
		t.Errorf("got %s", got)
	}
}

func TestCopyIsCancelledWhileItWaits(t *testing.T) {
	address, _ := start(t, nil)
	conn := connect(t, address, "")
	if _, err := simple(conn, "CREATE TABLE t (a int)"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	go func() {
		time.Sleep(100 * time.Millisecond)
		conn.PgConn().CancelRequest(ctx)
	}()
	release := make(chan struct{})
	time.AfterFunc(500*time.Millisecond, func() { close(release) })
	_, err := conn.PgConn().CopyFrom(ctx, slowReader{release}, "COPY t FROM STDIN")
	wantCode(t, err, "57014")
	if got, err := simple(conn, "SELECT count(*) FROM t"); got != "0\nSELECT 1\n" || err != nil {
		t.Errorf("the session did not go on: %q, %v", got, err)
	}
}

// slowReader gives one row and then nothing until it is released.
type slowReader struct{ release chan struct{} }

func (r slowReader) Read(p []byte) (int, error) {
	select {
	case <-r.release:
		return 0, fmt.Errorf("released")
	default:
		time.Sleep(20 * time.Millisecond)
		return copy(p, "1\n"), nil
	}
}
