package server_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// TestArraysOfPgx sends and reads arrays in both formats.
func TestArraysOfPgx(t *testing.T) {
	address, _ := start(t, nil)
	conn := connect(t, address, "")
	ctx := context.Background()
	if _, err := simple(conn, "CREATE TABLE t (id int, a bigint[], b text[], d date[], n numeric(8,2)[], v varchar(3)[])"); err != nil {
		t.Fatal(err)
	}
	day := time.Date(2020, 2, 29, 0, 0, 0, 0, time.UTC)
	null := (*string)(nil)
	word := "a \"b\\"
	for _, mode := range []pgx.QueryExecMode{pgx.QueryExecModeCacheDescribe, pgx.QueryExecModeSimpleProtocol} {
		_, err := conn.Exec(ctx, "INSERT INTO t VALUES ($1, $2, $3, $4, $5, $6)", mode,
			1, []int64{1, -2}, []*string{&word, null}, []time.Time{day}, []string{"1.5"}, []string{})
		if err != nil {
			t.Fatal(mode, err)
		}
		var id int
		var a []int64
		var b []*string
		var d []time.Time
		var n []float64
		var v []string
		row := conn.QueryRow(ctx, "SELECT * FROM t WHERE id = ANY($1) AND 'x' = ANY(b || $2) AND a && $3", mode, []int32{7, 1}, []string{"x"}, []int64{-2})
		if err := row.Scan(&id, &a, &b, &d, &n, &v); err != nil {
			t.Fatal(mode, err)
		}
		got := fmt.Sprint(id, a, *b[0], b[1] == nil, d[0].Equal(day), n, v)
		if want := "1 [1 -2]a \"b\\true true [1.5] []"; got != want {
			t.Errorf("%v: got %s, want %s", mode, got, want)
		}
		var found int
		if err := conn.QueryRow(ctx, "SELECT count(*) FROM t WHERE b[1] = ANY($1::text[]) OR id <> ALL($2)", mode, []string{word}, []int{}).Scan(&found); err != nil || found == 0 {
			t.Error(mode, found, err)
		}
	}
	described, err := conn.PgConn().Prepare(ctx, "p", "SELECT a, b, n, v, $1 || a FROM t WHERE id = ANY($2) AND b @> $3", nil)
	if err != nil {
		t.Fatal(err)
	}
	oids := fmt.Sprint(described.ParamOIDs)
	for _, f := range described.Fields {
		oids += fmt.Sprint(" ", f.DataTypeOID, " ", f.TypeModifier)
	}
	if want := "[1016 1007 1009] 1016 -1 1009 -1 1231 -1 1015 7 1016 -1"; oids != want {
		t.Errorf("got %s, want %s", oids, want)
	}
}

// TestBrokenArrays sends arrays in binary that are none.
func TestBrokenArrays(t *testing.T) {
	address, _ := start(t, nil)
	conn := connect(t, address, "")
	ctx := context.Background()
	header := "\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x17"
	for _, c := range []struct{ raw, code string }{
		{"", "22P03"},
		{header, "22P03"},
		{header + "\x00\x00\x00\x01\x00\x00\x00\x01", "22P03"},
		{header + "\x7f\xff\xff\xff\x00\x00\x00\x01\x00\x00\x00\x00", "22P03"},
		{header + "\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x08\x00\x00\x00\x00", "22P03"},
		{header + "\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x04\x00\x00\x00\x00\x00", "22P03"},
		{header + "\x00\x00\x00\x01\x7f\xff\xff\xff\x00\x00\x00\x04\x00\x00\x00\x00", "54000"},
		{"\x00\x00\x00\x02" + header[4:], "0A000"},
		{header[:11] + "\x19" + "\x00\x00\x00\x00\x00\x00\x00\x01", "42804"},
	} {
		_, err := conn.PgConn().ExecParams(ctx, "SELECT $1", [][]byte{[]byte(c.raw)}, []uint32{1007}, []int16{1}, []int16{1}).Close()
		wantCode(t, err, c.code)
	}
	for bound, want := range map[string]string{"\x00\x00\x00\x01": "{5,NULL}", "\xff\xff\xff\xff": "[-1:0]={5,NULL}"} {
		raw := header + "\x00\x00\x00\x02" + bound + "\x00\x00\x00\x04\x00\x00\x00\x05\xff\xff\xff\xff"
		rows := conn.PgConn().ExecParams(ctx, "SELECT $1", [][]byte{[]byte(raw)}, []uint32{1007}, []int16{1}, nil).Read()
		if rows.Err != nil || string(rows.Rows[0][0]) != want {
			t.Error(rows.Rows, rows.Err, want)
		}
		back := conn.PgConn().ExecParams(ctx, "SELECT $1", [][]byte{[]byte(raw)}, []uint32{1007}, []int16{1}, []int16{1}).Read()
		if back.Err != nil || string(back.Rows[0][0]) != header[:7]+"\x01"+raw[8:] {
			t.Errorf("%q %v, want %q", back.Rows, back.Err, raw)
		}
	}
}

// TestRowsOfPgx reads rows in binary.
func TestRowsOfPgx(t *testing.T) {
	address, _ := start(t, nil)
	conn := connect(t, address, "")
	ctx := context.Background()
	if _, err := simple(conn, "SET DateStyle = German; SET TimeZone = 'America/New_York'"); err != nil {
		t.Fatal(err)
	}
	rows, err := conn.Query(ctx, `SELECT x FROM (SELECT row(1, 'a "b', NULL::text, true, DATE '2020-02-03',
		TIMESTAMPTZ '2020-02-03 10:00:00+00', ARRAY[1, NULL], row(2.50, '\x01ff'::bytea)) AS x) s`)
	if err != nil {
		t.Fatal(err)
	}
	got, err := pgx.CollectExactlyOneRow(rows, func(row pgx.CollectableRow) (any, error) {
		values, err := row.Values()
		return values[0], err
	})
	if err != nil {
		t.Fatal(err)
	}
	fields := got.([]any)
	fields[4], fields[5] = fields[4].(time.Time).Format(time.DateOnly), fields[5].(time.Time).UTC()
	if want := "[1 a \"b <nil> true 2020-02-03 2020-02-03 10:00:00 +0000 UTC [1 <nil>] [{250 -2 false finite true} [1 255]]]"; fmt.Sprint(fields) != want {
		t.Errorf("got %v, want %s", fields, want)
	}
}
