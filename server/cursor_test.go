package server_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgproto3/v2"
)

// TestCursors follows postgres_fdw, psql with FETCH_COUNT, psycopg and psqlODBC.
func TestCursors(t *testing.T) {
	address, _ := start(t, nil)
	conn := connect(t, address, "")
	fill(t, conn, 10)
	declare := "DECLARE c CURSOR FOR SELECT i FROM n ORDER BY i"
	numbers := func(from, to int) string {
		var out strings.Builder
		for i := from; i < to; i++ {
			fmt.Fprintln(&out, i)
		}
		fmt.Fprintf(&out, "FETCH %d\n", to-from)
		return out.String()
	}
	for _, c := range []struct{ text, want, code string }{
		{declare, "", "25P01"},
		{"START TRANSACTION ISOLATION LEVEL REPEATABLE READ", "START TRANSACTION\n", ""},
		{declare, "DECLARE CURSOR\n", ""},
		{"DECLARE d NO SCROLL CURSOR WITHOUT HOLD FOR SELECT 'x' WHERE false", "DECLARE CURSOR\n", ""},
		{"FETCH c", numbers(0, 1), ""},
		{"FETCH 3 FROM c", numbers(1, 4), ""},
		{"FETCH d", "FETCH 0\n", ""},
		{"MOVE 2 IN c", "MOVE 2\n", ""},
		{"FETCH FORWARD 2 FROM c", numbers(6, 8), ""},
		{"FETCH ALL IN c", numbers(8, 10), ""},
		{"FETCH NEXT FROM c", "FETCH 0\n", ""},
		{"CLOSE c", "CLOSE CURSOR\n", ""},
		{"COMMIT TRANSACTION", "COMMIT\n", ""},
		{"FETCH d", "", "34000"},
		// One message, as psqlODBC sends it.
		{`BEGIN;declare "C 1" cursor with hold for SELECT i FROM n WHERE i < 2 ORDER BY i;fetch 1 in "C 1"`, "BEGIN\nDECLARE CURSOR\n" + numbers(0, 1), ""},
		{`declare "C 1" cursor for SELECT 1`, "", "42P03"},
		{"ROLLBACK", "ROLLBACK\n", ""},
		{`FETCH "C 1"`, "", "34000"},
		{"DECLARE h CURSOR WITH HOLD FOR SELECT i FROM n ORDER BY i", "DECLARE CURSOR\n", ""},
		{"DROP TABLE n", "DROP TABLE\n", ""},
		{"FETCH 2 FROM h", numbers(0, 2), ""},
		{"FETCH BACKWARD 1 FROM h", numbers(0, 1), ""},
		{"SELECT name, is_holdable, is_binary, is_scrollable, statement FROM pg_cursors",
			"h|t|f|t|DECLARE h CURSOR WITH HOLD FOR SELECT i FROM n ORDER BY i\nSELECT 1\n", ""},
		{"CLOSE ALL", "CLOSE CURSOR ALL\n", ""},
		{"CLOSE h", "", "34000"},
		{"DEALLOCATE ALL", "DEALLOCATE ALL\n", ""},
		{"DEALLOCATE nope", "", "26000"},
		{"SET application_name = 'x'; DISCARD ALL", "SET\nDISCARD ALL\n", ""},
		{"SHOW application_name", "\nSHOW\n", ""},
	} {
		got, err := simple(conn, c.text)
		if c.code != "" {
			wantCode(t, err, c.code)
		} else if err != nil {
			t.Errorf("%s: %v", c.text, err)
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.text, got, c.want)
		}
	}
	r := dial(t, address)
	r.say(&pgproto3.Query{String: "BEGIN"},
		&pgproto3.Parse{Query: "DECLARE c CURSOR FOR SELECT $1::int, 'x'", ParameterOIDs: []uint32{23}},
		&pgproto3.Bind{Parameters: [][]byte{[]byte("7")}}, &pgproto3.Describe{ObjectType: 'P'}, &pgproto3.Execute{},
		&pgproto3.Describe{ObjectType: 'P', Name: "c"}, &pgproto3.Sync{},
		&pgproto3.Parse{Name: "f", Query: "FETCH c"}, &pgproto3.Describe{ObjectType: 'S', Name: "f"},
		&pgproto3.Bind{PreparedStatement: "f"}, &pgproto3.Execute{}, &pgproto3.Sync{},
		&pgproto3.Query{String: "DEALLOCATE f"}, &pgproto3.Bind{PreparedStatement: "f"}, &pgproto3.Sync{})
	for _, want := range []string{"C(BEGIN) ZT", "1 2 n C(DECLARE_CURSOR) T2 ZT", "1 t[] T2 2 D(7) C(FETCH_1) ZT", "C(DEALLOCATE) ZT", "E26000 ZE"} {
		if got := r.until("Z"); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestPartsOfBlocks fetches parts of columns of every type.
func TestPartsOfBlocks(t *testing.T) {
	address, _ := start(t, nil)
	conn := connect(t, address, "")
	var exprs []string
	for _, c := range everyType {
		exprs = append(exprs, fmt.Sprintf("CASE WHEN i %% 3 <> 0 THEN %s END", c.sql))
	}
	fill(t, conn, 40)
	query := "SELECT i, " + strings.Join(exprs, ", ") + ", 'x' || i % 4 FROM n ORDER BY i"
	whole, err := simple(conn, query)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := simple(conn, "DECLARE c CURSOR WITH HOLD FOR "+query); err != nil {
		t.Fatal(err)
	}
	var parts strings.Builder
	for n := 1; ; n++ {
		part, err := simple(conn, fmt.Sprintf("FETCH %d FROM c", n))
		if err != nil {
			t.Fatal(err)
		}
		rows, tag, _ := strings.Cut(part, "FETCH ")
		parts.WriteString(rows)
		if tag == "0\n" {
			break
		}
	}
	if rows, _, _ := strings.Cut(whole, "SELECT "); parts.String() != rows {
		t.Errorf("got\n%s\nwant\n%s", parts.String(), rows)
	}
}
