package server_test

import (
	"testing"

	"github.com/jackc/pgproto3/v2"
)

// TestPrepareInBothProtocols uses statements of PREPARE by messages and those of
// messages by EXECUTE: the names are the same.
func TestPrepareInBothProtocols(t *testing.T) {
	address, _ := start(t, nil)
	r := dial(t, address)
	query := func(text string) pgproto3.FrontendMessage { return &pgproto3.Query{String: text} }
	sync := &pgproto3.Sync{}
	for _, c := range []struct {
		say  []pgproto3.FrontendMessage
		want string
	}{
		{[]pgproto3.FrontendMessage{query("PREPARE q (int, text) AS SELECT $1 + 1, $2")}, "C(PREPARE) ZI"},
		{[]pgproto3.FrontendMessage{&pgproto3.Describe{ObjectType: 'S', Name: "q"},
			&pgproto3.Bind{PreparedStatement: "q", ParameterFormatCodes: []int16{1, 0}, Parameters: [][]byte{{0, 0, 0, 41}, []byte("x")}},
			&pgproto3.Execute{}, sync}, "t[23 25] T2 2 D(42) C(SELECT_1) ZI"},
		{[]pgproto3.FrontendMessage{&pgproto3.Parse{Name: "q", Query: "SELECT 1"}, sync}, "E42P05 ZI"},
		{[]pgproto3.FrontendMessage{&pgproto3.Parse{Name: "e", Query: " EXECUTE q(1, 'a')"}, &pgproto3.Describe{ObjectType: 'S', Name: "e"},
			&pgproto3.Bind{PreparedStatement: "e"}, &pgproto3.Execute{}, sync}, "1 t[] T2 2 D(2) C(SELECT_1) ZI"},
		{[]pgproto3.FrontendMessage{query("EXECUTE e")}, "E0A000 ZI"},
		{[]pgproto3.FrontendMessage{&pgproto3.Parse{Name: "x", Query: "EXECUTE x"}, &pgproto3.Describe{ObjectType: 'S', Name: "x"},
			&pgproto3.Bind{PreparedStatement: "x"}, &pgproto3.Execute{}, sync}, "1 t[] n 2 E0A000 ZI"},
		{[]pgproto3.FrontendMessage{&pgproto3.Parse{Name: "n", Query: "EXECUTE nope($1)"}, &pgproto3.Bind{PreparedStatement: "n"}, &pgproto3.Execute{}, sync},
			"1 2 E26000 ZI"},
		{[]pgproto3.FrontendMessage{&pgproto3.Parse{Name: "p", Query: "SELECT $1, $2::date", ParameterOIDs: []uint32{21}}, sync}, "1 ZI"},
		{[]pgproto3.FrontendMessage{query("EXECUTE p(7, '2020-01-02')")}, "T2 D(7) C(SELECT_1) ZI"},
		{[]pgproto3.FrontendMessage{query("SELECT name || from_sql || parameter_types FROM pg_prepared_statements WHERE name IN ('p', 'q') ORDER BY name")},
			"T1 D(pfalse{smallint,date}) D(qtrue{integer,text}) C(SELECT_2) ZI"},
		{[]pgproto3.FrontendMessage{&pgproto3.Close{ObjectType: 'S', Name: "q"}, sync}, "3 ZI"},
		{[]pgproto3.FrontendMessage{query("EXECUTE q(1, 'a')")}, "E26000 ZI"},
		{[]pgproto3.FrontendMessage{&pgproto3.Parse{Name: "empty", Query: ""}, sync}, "1 ZI"},
		{[]pgproto3.FrontendMessage{query("EXECUTE empty")}, "C(EXECUTE) ZI"},
		{[]pgproto3.FrontendMessage{query("EXPLAIN EXECUTE empty")}, "E0A000 ZI"},
		{[]pgproto3.FrontendMessage{&pgproto3.Parse{Name: "show", Query: "SHOW DateStyle"}, &pgproto3.Parse{Name: "set", Query: "SET extra_float_digits = 2"},
			&pgproto3.Parse{Name: "create1", Query: "CREATE TABLE made AS SELECT 7 AS a"}, &pgproto3.Parse{Name: "explain", Query: "EXPLAIN SELECT 1"},
			&pgproto3.Parse{Name: "fetch1", Query: "EXECUTE show"}, &pgproto3.Parse{Name: "begin", Query: "BEGIN"},
			&pgproto3.Parse{Name: "copy", Query: "COPY (SELECT 1) TO STDOUT"}, sync}, "1 1 1 1 1 1 1 ZI"},
		{[]pgproto3.FrontendMessage{query("EXECUTE show; EXECUTE set; EXECUTE create1; SELECT a FROM made")},
			"T1 D(ISO, MDY) C(SHOW) C(SET) C(SELECT_1) T1 D(7) C(SELECT_1) ZI"},
		{[]pgproto3.FrontendMessage{query("EXECUTE create1")}, "E42P07 ZI"},
		{[]pgproto3.FrontendMessage{query("EXECUTE explain(1)")}, "E42601 ZI"},
		{[]pgproto3.FrontendMessage{query("EXECUTE begin")}, "E0A000 ZI"},
		{[]pgproto3.FrontendMessage{query("EXECUTE fetch1")}, "E0A000 ZI"},
		{[]pgproto3.FrontendMessage{query("EXECUTE copy")}, "E0A000 ZI"},
		{[]pgproto3.FrontendMessage{query("DEALLOCATE p")}, "C(DEALLOCATE) ZI"},
		{[]pgproto3.FrontendMessage{&pgproto3.Bind{PreparedStatement: "p"}, sync}, "E26000 ZI"},
		{[]pgproto3.FrontendMessage{query("BEGIN; SELECT 1/0")}, "C(BEGIN) E22012 ZE"},
		{[]pgproto3.FrontendMessage{&pgproto3.Parse{Query: "SELECT 1"}, sync}, "E25P02 ZE"},
		{[]pgproto3.FrontendMessage{query("ROLLBACK; DEALLOCATE ALL; SELECT count(*) FROM pg_prepared_statements")},
			"C(ROLLBACK) C(DEALLOCATE_ALL) T1 D(0) C(SELECT_1) ZI"},
	} {
		r.say(c.say...)
		if got := r.until("Z"); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}
