package server_test

import (
	"context"
	"fmt"
	"net"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgproto3/v2"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
)

// everyType is a row of every type in SQL, and what PostgreSQL's text of it is.
var everyType = []struct{ sql, name, text string }{
	{"true", "bool", "t"},
	{"(-32768)::int2", "int2", "-32768"},
	{"2147483647", "int4", "2147483647"},
	{"(-9223372036854775807)", "int8", "-9223372036854775807"},
	{"1.5e-10::float8", "float8", "1.5e-10"},
	{"0.00", "numeric", "0.00"},
	{"-12345678.90123", "numeric", "-12345678.90123"},
	{"10000::numeric", "numeric", "10000"},
	{"0.000012", "numeric", "0.000012"},
	{"99999999999999999999999999999999999999", "numeric", "99999999999999999999999999999999999999"},
	{"'äß€'::text", "text", "äß€"},
	{"''::varchar(7)", "varchar", ""},
	{"date '1969-12-31'", "date", "1969-12-31"},
	{"timestamp '2026-02-28 23:59:59.123456'", "timestamp", "2026-02-28 23:59:59.123456"},
	{"timestamptz '2026-02-28 23:59:59.123456+00'", "timestamptz", "2026-02-28 23:59:59.123456+00"},
	{"interval '-1 year 2 days 03:04:05.6'", "interval", "-1 years +2 days 03:04:05.6"},
}

// TestEveryTypeBothWays sends every value back as a parameter, in text and in
// binary, and compares the texts.
func TestEveryTypeBothWays(t *testing.T) {
	address, _ := start(t, nil)
	conn := connect(t, address, "")
	ctx := context.Background()
	for _, c := range everyType {
		oid := uint32(25)
		if typ, ok := conn.TypeMap().TypeForName(c.name); ok {
			oid = typ.OID
		}
		raw := map[int16][]byte{}
		for _, format := range []int16{0, 1} {
			res := conn.PgConn().ExecParams(ctx, "SELECT "+c.sql, nil, nil, nil, []int16{format}).Read()
			if res.Err != nil {
				t.Fatalf("%s: %v", c.sql, res.Err)
			}
			if got := res.FieldDescriptions[0].DataTypeOID; got != oid {
				t.Errorf("%s: OID %d, want %d", c.sql, got, oid)
			}
			raw[format] = append([]byte{}, res.Rows[0][0]...)
		}
		if string(raw[0]) != c.text {
			t.Errorf("%s: text %q, want %q", c.sql, raw[0], c.text)
		}
		for _, format := range []int16{0, 1} {
			for _, back := range []int16{0, 1} {
				res := conn.PgConn().ExecParams(ctx, "SELECT $1", [][]byte{raw[format]}, []uint32{oid}, []int16{format}, []int16{back}).Read()
				if res.Err != nil || string(res.Rows[0][0]) != string(raw[back]) {
					t.Errorf("%s from format %d to %d: %q, %v", c.sql, format, back, res.Rows, res.Err)
				}
			}
		}
		res := conn.PgConn().ExecParams(ctx, "SELECT $1 IS NULL", [][]byte{nil}, []uint32{oid}, nil, nil).Read()
		if res.Err != nil || string(res.Rows[0][0]) != "t" {
			t.Errorf("%s: NULL came as %q, %v", c.sql, res.Rows, res.Err)
		}
	}
}

// TestBinaryAsPgxReadsIt checks the binary formats with a decoder that is not
// ours.
func TestBinaryAsPgxReadsIt(t *testing.T) {
	address, _ := start(t, nil)
	conn := connect(t, address, "")
	for _, text := range []string{"0", "-1.50", "123456789012345678901234567890.12345678", "0.0001", "10000.0001", "99990000"} {
		var n pgtype.Numeric
		if err := conn.QueryRow(context.Background(), "SELECT "+text).Scan(&n); err != nil {
			t.Fatal(err)
		}
		var want pgtype.Numeric
		if err := want.Scan(text); err != nil {
			t.Fatal(err)
		}
		got, _ := n.Value()
		expected, _ := want.Value()
		if strings.TrimRight(fmt.Sprint(got), "0") != strings.TrimRight(fmt.Sprint(expected), "0") {
			t.Errorf("%s came as %v", text, got)
		}
		var echoed string
		if err := conn.QueryRow(context.Background(), "SELECT $1::numeric::text", n).Scan(&echoed); err != nil || echoed != text {
			t.Errorf("%s was taken as %s, %v", text, echoed, err)
		}
	}
	var day, moment time.Time
	var span pgtype.Interval
	err := conn.QueryRow(context.Background(), "SELECT date '2024-02-29', timestamp '1999-12-31 23:59:59.5', interval '1 mon 2 days 3 hours'").
		Scan(&day, &moment, &span)
	if err != nil || day.Format("2006-01-02") != "2024-02-29" || moment.Format("2006-01-02 15:04:05.0") != "1999-12-31 23:59:59.5" ||
		span.Months != 1 || span.Days != 2 || span.Microseconds != 3*3600e6 {
		t.Errorf("%v %v %v %v", day, moment, span, err)
	}
}

// TestBinaryHasNoStyle holds that what is sent in binary does not depend on how the session writes
// dates, moments and intervals, in arrays and rows either.
func TestBinaryHasNoStyle(t *testing.T) {
	address, _ := start(t, nil)
	conn := connect(t, address, "").PgConn()
	const sql = "SELECT ARRAY[date '2024-02-01', NULL], ARRAY[timestamptz '2024-02-01 00:00+00'], ARRAY[interval '-1 day'], " +
		"ROW(date '2024-02-01', ARRAY[date '2024-02-03'], ARRAY[timestamptz '2024-07-01 00:00+00'], ARRAY[interval '1 mon'])"
	var want [][]byte
	for _, set := range []string{"", "SET DateStyle = 'SQL, DMY'", "SET IntervalStyle = 'sql_standard'", "SET TimeZone = 'Europe/Berlin'", "SET DateStyle = 'German'"} {
		if _, err := conn.Exec(t.Context(), set).ReadAll(); err != nil {
			t.Fatal(err)
		}
		res := conn.ExecParams(t.Context(), sql, nil, nil, nil, []int16{1}).Read()
		if res.Err != nil {
			t.Fatal(res.Err)
		}
		if want == nil {
			want = res.Rows[0]
		}
		if !reflect.DeepEqual(res.Rows[0], want) {
			t.Errorf("%s: %q, not %q", set, res.Rows[0], want)
		}
	}
}

func TestParametersOfPgx(t *testing.T) {
	address, _ := start(t, nil)
	conn := connect(t, address, "")
	ctx := context.Background()
	if _, err := conn.Exec(ctx, "CREATE TABLE t (a int, b varchar(5), c numeric(10,2), d date, e bigint)"); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		tag, err := conn.Exec(ctx, "INSERT INTO t VALUES ($1, $2, $3, $4, $5)", i, fmt.Sprint("x", i), "1.25", time.Date(2020, 1, 1+i, 0, 0, 0, 0, time.UTC), nil)
		if err != nil || tag.String() != "INSERT 0 1" {
			t.Fatal(tag, err)
		}
	}
	_, err := conn.Exec(ctx, "INSERT INTO t (b) VALUES ($1)", "too long")
	wantCode(t, err, "22001")
	var n int64
	var sum pgtype.Numeric
	err = conn.QueryRow(ctx, "SELECT count(*), sum(c) FROM t WHERE d >= $1 AND b LIKE $2 AND a IN ($3, $4) LIMIT $5",
		time.Date(2020, 1, 2, 0, 0, 0, 0, time.UTC), "x%", 1, 2, 10).Scan(&n, &sum)
	if err != nil || n != 2 || sum.Int.Int64() != 250 {
		t.Errorf("%d %v %v", n, sum, err)
	}
	description, err := conn.Prepare(ctx, "s", "SELECT a + $1, b, $2 FROM t WHERE c > $3 AND d = $4")
	if err != nil {
		t.Fatal(err)
	}
	if want := []uint32{23, 25, 1700, 1082}; !reflect.DeepEqual(description.ParamOIDs, want) {
		t.Errorf("parameters %v, want %v", description.ParamOIDs, want)
	}
	if f := description.Fields[1]; f.DataTypeOID != 1043 || f.TypeModifier != 9 || f.Name != "b" {
		t.Errorf("column b is %+v", f)
	}
	rows, err := conn.Query(ctx, "SELECT a FROM t ORDER BY a")
	if err != nil {
		t.Fatal(err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[int32])
	if err != nil || !reflect.DeepEqual(list, []int32{0, 1, 2}) {
		t.Errorf("%v, %v", list, err)
	}
	if err := conn.Ping(ctx); err != nil {
		t.Error(err)
	}
	batch := &pgx.Batch{}
	batch.Queue("SELECT 1")
	batch.Queue("INSERT INTO t (a) VALUES (9)")
	batch.Queue("SELECT 1/0")
	wantCode(t, conn.SendBatch(ctx, batch).Close(), "22012")
	if err := conn.QueryRow(ctx, "SELECT count(*) FROM t WHERE a = 9").Scan(&n); err != nil || n != 0 {
		t.Errorf("a failed pipeline left %d rows, %v", n, err)
	}
}

// raw is a connection of the wire protocol's messages.
type raw struct {
	t  *testing.T
	nc net.Conn
	*pgproto3.Frontend
}

// connectRaw opens a connection and sends nothing.
func connectRaw(t *testing.T, address string) *raw {
	t.Helper()
	nc, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { nc.Close() })
	nc.SetDeadline(time.Now().Add(20 * time.Second))
	return &raw{t, nc, pgproto3.NewFrontend(pgproto3.NewChunkReader(nc), nc)}
}

// dial logs in.
func dial(t *testing.T, address string) *raw {
	t.Helper()
	r := connectRaw(t, address)
	r.say(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersionNumber, Parameters: map[string]string{"user": "ana"}})
	r.until("Z")
	return r
}

// say sends messages in one piece.
func (r *raw) say(list ...pgproto3.FrontendMessage) {
	r.t.Helper()
	var out []byte
	for _, m := range list {
		var err error
		if out, err = m.Encode(out); err != nil {
			r.t.Fatal(err)
		}
	}
	if _, err := r.nc.Write(out); err != nil {
		r.t.Fatal(err)
	}
}

// until reads messages up to one of a kind and returns them in short.
func (r *raw) until(last string) string {
	r.t.Helper()
	var out []string
	for {
		msg, err := r.Receive()
		if err != nil {
			r.t.Fatalf("after %q: %v", out, err)
		}
		word := short(msg)
		out = append(out, word)
		if strings.HasPrefix(word, last) {
			return strings.Join(out, " ")
		}
	}
}

// short is a message in few letters.
func short(msg pgproto3.BackendMessage) string {
	switch m := msg.(type) {
	case *pgproto3.ParseComplete:
		return "1"
	case *pgproto3.BindComplete:
		return "2"
	case *pgproto3.CloseComplete:
		return "3"
	case *pgproto3.NoData:
		return "n"
	case *pgproto3.ParameterDescription:
		return fmt.Sprint("t", m.ParameterOIDs)
	case *pgproto3.RowDescription:
		return fmt.Sprint("T", len(m.Fields))
	case *pgproto3.DataRow:
		return fmt.Sprintf("D(%s)", m.Values[0])
	case *pgproto3.CommandComplete:
		return "C(" + strings.ReplaceAll(string(m.CommandTag), " ", "_") + ")"
	case *pgproto3.PortalSuspended:
		return "s"
	case *pgproto3.CopyData:
		return "d(" + strings.TrimSpace(string(m.Data)) + ")"
	case *pgproto3.EmptyQueryResponse:
		return "I"
	case *pgproto3.ErrorResponse:
		return "E" + m.Code
	case *pgproto3.NoticeResponse:
		return "N" + m.Code
	case *pgproto3.ReadyForQuery:
		return "Z" + string(m.TxStatus)
	}
	return fmt.Sprintf("%T", msg)[len("*pgproto3."):]
}

func TestExtendedProtocol(t *testing.T) {
	address, _ := start(t, nil)
	r := dial(t, address)
	type list = []pgproto3.FrontendMessage
	parse := func(name, text string, oids ...uint32) *pgproto3.Parse {
		return &pgproto3.Parse{Name: name, Query: text, ParameterOIDs: oids}
	}
	bind := func(portal, statement string, params ...string) *pgproto3.Bind {
		b := &pgproto3.Bind{DestinationPortal: portal, PreparedStatement: statement}
		for _, p := range params {
			b.Parameters = append(b.Parameters, []byte(p))
		}
		return b
	}
	execute := func(portal string, n uint32) *pgproto3.Execute { return &pgproto3.Execute{Portal: portal, MaxRows: n} }
	sync, begin := &pgproto3.Sync{}, &pgproto3.Query{String: "BEGIN"}
	describe := func(kind byte, name string) *pgproto3.Describe {
		return &pgproto3.Describe{ObjectType: kind, Name: name}
	}
	three := "SELECT v FROM (VALUES (1), (2), (3)) x(v) ORDER BY v"
	for _, c := range []struct {
		send list
		want string
	}{
		{list{sync}, "ZI"},
		{list{parse("", "SELECT $1::int + 1"), describe('S', ""), bind("", "", "41"), describe('P', ""), execute("", 0), sync},
			"1 t[23] T1 2 T1 D(42) C(SELECT_1) ZI"},
		{list{parse("", ""), describe('S', ""), bind("", ""), execute("", 0), sync}, "1 t[] n 2 I ZI"},
		// Row limits: a portal stops and goes on.
		{list{parse("q", three), bind("p", "q"), execute("p", 2), execute("p", 2), execute("p", 2), sync},
			"1 2 D(1) D(2) s D(3) C(SELECT_1) C(SELECT_0) ZI"},
		{list{bind("p", "q"), execute("p", 3), execute("p", 0), sync}, "2 D(1) D(2) D(3) s C(SELECT_0) ZI"},
		// Portals end with their transaction, and live on in one of the client's.
		{list{execute("p", 0), sync}, "E34000 ZI"},
		{list{begin}, "C(BEGIN) ZT"},
		{list{bind("p", "q"), execute("p", 1), sync}, "2 D(1) s ZT"},
		{list{execute("p", 1), sync}, "D(2) s ZT"},
		{list{bind("p", "q"), sync}, "E42P03 ZE"},
		{list{bind("r", "q"), execute("r", 0), sync}, "E25P02 ZE"},
		{list{parse("", "ROLLBACK"), bind("", ""), execute("", 0), sync}, "1 2 C(ROLLBACK) ZI"},
		// Statements live on; their names are taken.
		{list{parse("q", "SELECT 1"), sync}, "E42P05 ZI"},
		{list{&pgproto3.Close{ObjectType: 'S', Name: "q"}, &pgproto3.Close{ObjectType: 'P', Name: "?"}, bind("", "q"), sync}, "3 3 E26000 ZI"},
		// After an error everything up to Sync is passed over, and the pipeline
		// is one transaction.
		{list{parse("", "CREATE TABLE t (a int NOT NULL)"), bind("", ""), execute("", 0), parse("", "INSERT INTO t VALUES (NULL)"), bind("", ""), execute("", 0),
			parse("", "SELECT 1"), bind("", ""), execute("", 0), sync}, "1 2 C(CREATE_TABLE) 1 2 E23502 ZI"},
		{list{parse("", "SELECT * FROM t"), sync}, "E42P01 ZI"},
		{list{parse("", "CREATE TABLE t (a int)"), bind("", ""), execute("", 0), execute("", 0), sync}, "1 2 C(CREATE_TABLE) E55000 ZI"},
		{list{parse("", "SELECT 1; SELECT 2"), sync}, "E42601 ZI"},
		{list{parse("", "SELECT $1", 99999), sync}, "E0A000 ZI"},
		{list{parse("", "SELECT $1::int"), bind("", ""), sync}, "1 E08P01 ZI"},
		{list{parse("", "SELECT $1::int"), bind("", "", "x"), sync}, "1 E22P02 ZI"},
		{list{parse("", "SELECT 1"), &pgproto3.Bind{ResultFormatCodes: []int16{0, 1}}, sync}, "1 E08P01 ZI"},
		{list{parse("", "SELECT 1"), &pgproto3.Bind{ResultFormatCodes: []int16{7}}, sync}, "1 E22023 ZI"},
		{list{parse("", "SELECT $1::int8"), &pgproto3.Bind{ParameterFormatCodes: []int16{1}, Parameters: [][]byte{{1}}}, sync}, "1 E22P03 ZI"},
		{list{describe('P', "none"), sync}, "E34000 ZI"},
		{list{&pgproto3.CopyData{Data: []byte("x")}, &pgproto3.CopyDone{}, &pgproto3.CopyFail{}, sync}, "ZI"},
		{list{&pgproto3.FunctionCall{Function: 1}}, "E0A000 ZI"},
		{list{begin, begin}, "C(BEGIN) ZT N25001 C(BEGIN) ZT"},
		{list{&pgproto3.Query{String: "COMMIT"}}, "C(COMMIT) ZI"},
		{list{&pgproto3.Query{String: "COMMIT"}}, "N25P01 C(COMMIT) ZI"},
		{list{parse("", "SHOW statement_timeout"), describe('S', ""), bind("", ""), execute("", 0), sync}, "1 t[] T1 2 D(0) C(SHOW) ZI"},
		{list{parse("", "EXPLAIN SELECT $1::int"), describe('S', ""), sync}, "1 t[23] T1 ZI"},
	} {
		r.say(c.send...)
		var got []string
		for range strings.Count(c.want, "Z") {
			got = append(got, r.until("Z"))
		}
		if all := strings.Join(got, " "); all != c.want {
			t.Errorf("%+v:\n got  %s\n want %s", c.send, all, c.want)
		}
	}
	// Flush sends what there is without an end of the pipeline.
	r.say(parse("", three), bind("", ""), execute("", 1), &pgproto3.Flush{})
	if got := r.until("s"); got != "1 2 D(1) s" {
		t.Errorf("after Flush: %s", got)
	}
	r.say(execute("", 0), sync)
	if got := r.until("Z"); got != "D(2) D(3) C(SELECT_2) ZI" {
		t.Errorf("after Sync: %s", got)
	}
}

func TestNewerProtocolsAreNegotiated(t *testing.T) {
	address, _ := start(t, nil)
	nc, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	nc.SetDeadline(time.Now().Add(5 * time.Second))
	body := "\x00\x03\x27\x0fuser\x00ana\x00_pq_.test\x00on\x00\x00"
	if _, err := nc.Write(append([]byte{0, 0, 0, byte(len(body) + 4)}, body...)); err != nil {
		t.Fatal(err)
	}
	want := "v\x00\x00\x00\x16\x00\x03\x00\x00\x00\x00\x00\x01_pq_.test\x00R\x00\x00\x00\x08\x00\x00\x00\x00S"
	got := make([]byte, len(want))
	for n := 0; n < len(got); {
		k, err := nc.Read(got[n:])
		if err != nil {
			t.Fatalf("%q: %v", got[:n], err)
		}
		n += k
	}
	if string(got) != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
