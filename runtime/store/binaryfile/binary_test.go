package binaryfile

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/tests/storetest"
)

var columns = []store.Column{
	{Name: "i", Type: algebra.TInt32, NotNull: true}, {Name: "d", Type: algebra.TDecimal(20, 3)},
	{Name: "s", Type: algebra.Type{Kind: algebra.Text, Length: 3}}, {Name: "t", Type: algebra.TTimestamp},
}

// load reads bytes into a new table.
func load(t *testing.T, data []byte) (*store.Table, error) {
	t.Helper()
	empty, err := store.NewTable(store.Definition{Name: "t", Columns: columns})
	if err != nil {
		t.Fatal(err)
	}
	app := empty.Append()
	n, err := Load(context.Background(), bytes.NewReader(data), app, []int{0, 1, 2, 3})
	if err != nil {
		return nil, err
	}
	table, err := app.Finish()
	if err == nil && table.Rows() != n {
		t.Errorf("%d rows, said %d", table.Rows(), n)
	}
	return table, err
}

const header = signature + "\x00\x00\x00\x00\x00\x00\x00\x00"

// twoRows are (7, -1.5, 'äß', 2000-01-01) and (-1, NULL, NULL, NULL).
const twoRows = header +
	"\x00\x04\x00\x00\x00\x04\x00\x00\x00\x07\x00\x00\x00\x0c\x00\x02\x00\x00\x40\x00\x00\x01\x00\x01\x13\x88" +
	"\x00\x00\x00\x04äß\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x00\x04\x00\x00\x00\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"

func TestRoundTrip(t *testing.T) {
	table, err := load(t, []byte(twoRows+"\xff\xff"))
	if err != nil {
		t.Fatal(err)
	}
	var types []algebra.Type
	for _, c := range columns {
		types = append(types, c.Type)
	}
	rows, err := storetest.Rows(table, types)
	if err != nil || len(rows) != 2 || rows[0][0].I != 7 || rows[0][1].Num.String() != "-1.500" || rows[0][2].S != "äß" ||
		rows[0][3].I != 946684800000000 || rows[1][0].I != -1 || rows[1][1].Kind != value.Null {
		t.Fatalf("%v, %v", rows, err)
	}
	var out bytes.Buffer
	if _, err := Write(context.Background(), &out, table, columns); err != nil {
		t.Fatal(err)
	}
	again, err := load(t, out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if got, err := storetest.Rows(again, types); err != nil || !reflect.DeepEqual(got, rows) {
		t.Errorf("%v, %v", got, err)
	}
	if table, err := load(t, []byte(twoRows)); err != nil || table.Rows() != 2 {
		t.Errorf("without a trailer: %v", err)
	}
}

func TestBadInput(t *testing.T) {
	for name, c := range map[string]struct{ data, code, detail string }{
		"nothing":         {"", value.CodeBadCopyFormat, ""},
		"signature":       {strings.Replace(twoRows, "PG", "XX", 1), value.CodeBadCopyFormat, ""},
		"critical flag":   {signature + "\x00\x02\x00\x00\x00\x00\x00\x00", value.CodeBadCopyFormat, ""},
		"extension":       {signature + "\x00\x00\x00\x00\x7f\xff\xff\xff", value.CodeBadCopyFormat, ""},
		"cut":             {twoRows[:len(twoRows)-2], value.CodeBadCopyFormat, "COPY t, line 2, column t"},
		"field count":     {header + "\x00\x03", value.CodeBadCopyFormat, "COPY t, line 1"},
		"behind the end":  {twoRows + "\xff\xffx", value.CodeBadCopyFormat, "COPY t, line 3"},
		"huge field":      {header + "\x00\x04\x7f\xff\xff\xff", value.CodeBadCopyFormat, "COPY t, line 1, column i"},
		"negative length": {header + "\x00\x04\xff\xff\xff\xfe", value.CodeBadCopyFormat, "COPY t, line 1, column i"},
		"wrong size":      {header + "\x00\x04\x00\x00\x00\x02\x00\x00", "22P03", "COPY t, line 1, column i"},
		"null":            {header + "\x00\x04\xff\xff\xff\xff", value.CodeNotNullViolation, "COPY t, line 1, column i"},
	} {
		_, err := load(t, []byte(c.data))
		var e *value.Error
		if !errors.As(err, &e) || e.Code != c.code || !strings.HasPrefix(e.Where, c.detail) {
			t.Errorf("%s: got %+v", name, err)
		}
	}
}
