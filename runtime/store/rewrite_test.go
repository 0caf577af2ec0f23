package store

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/tests/storetest"
)

// drawnTable makes a table of several blocks, and returns its rows.
func drawnTable(t *rapid.T, columns []Column) (*Table, [][]value.Value) {
	table, err := NewTable(Definition{Name: "t", Columns: columns})
	if err != nil {
		t.Fatal(err)
	}
	var all [][]value.Value
	for range rapid.IntRange(1, 5).Draw(t, "appends") {
		rows := storetest.Table(t, columnTypes(columns), 40)
		if table, err = appended(table, rows); err != nil {
			t.Fatal(err)
		}
		all = append(all, rows...)
	}
	return table, all
}

// drawPicks draws rows of a table, each for the next row of a relation.
func drawPicks(t *rapid.T, rows int) []Pick {
	var picks []Pick
	for row := range rows {
		if rapid.IntRange(0, 2).Draw(t, "picked") == 0 {
			picks = append(picks, Pick{Row: int64(row), At: int32(len(picks))})
		}
	}
	return picks
}

func TestRowsAreRemoved(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		columns := drawColumns(t)
		table, rows := drawnTable(t, columns)
		picks := drawPicks(t, len(rows))
		next, err := NewCatalog(NewState(nil), nil).Begin().Rewrite(context.Background(), table, &Change{Picks: picks}, 2)
		if err != nil {
			t.Fatal(err)
		}
		want := slices.Clone(rows)
		for _, p := range slices.Backward(picks) {
			want = slices.Delete(want, int(p.Row), int(p.Row)+1)
		}
		checkRewritten(t, next, want)
		checkTable(t, table, rows)
	})
}

func TestRowsAreChanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		columns := drawColumns(t)
		table, rows := drawnTable(t, columns)
		picks := drawPicks(t, len(rows))
		set := []int{len(columns) - 1}
		change := &Change{Picks: picks, Set: set, From: []int{0}}
		values, err := NewTable(Definition{Name: "new", Columns: columns[set[0]:]})
		if err != nil {
			t.Fatal(err)
		}
		want := slices.Clone(rows)
		var changed [][]value.Value
		for _, p := range picks {
			v := storetest.Value(t, columns[set[0]].Type)
			changed = append(changed, []value.Value{v})
			want[p.Row] = append(slices.Clone(rows[p.Row][:set[0]]), v)
		}
		if change.Rel, err = appended(values, changed); err != nil {
			t.Fatal(err)
		}
		next, err := NewCatalog(NewState(nil), nil).Begin().Rewrite(context.Background(), table, change, 2)
		if err != nil {
			t.Fatal(err)
		}
		checkRewritten(t, next, want)
		checkTable(t, table, rows)
	})
}

// TestUnchangedBlocksAreShared holds that only blocks with changed rows are
// written anew.
func TestUnchangedBlocksAreShared(t *testing.T) {
	table, err := NewTable(Definition{Name: "t", Columns: []Column{{Name: "i", Type: algebra.TInt64}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1000, 100, 10} {
		rows := make([][]value.Value, n)
		for i := range rows {
			rows[i] = []value.Value{{Kind: value.Int, I: int64(i)}}
		}
		if table, err = appended(table, rows); err != nil {
			t.Fatal(err)
		}
	}
	tx := NewCatalog(NewState(nil), nil).Begin()
	for _, c := range []*Change{
		{Picks: []Pick{{Row: 1050}}},
		{Picks: []Pick{{Row: 1050}}, Rel: table, Set: []int{0}, From: []int{0}},
	} {
		next, err := tx.Rewrite(context.Background(), table, c, 2)
		if err != nil {
			t.Fatal(err)
		}
		for i, shared := range []bool{true, false, true} {
			if got := next.blocks[i].cols[0] == table.blocks[i].cols[0]; got != shared {
				t.Errorf("block %d is shared: %v", i, got)
			}
		}
	}
}

// TestPicksNameEachRowOnce holds that of several rows of a relation for one row
// of the table one is taken.
func TestPicksNameEachRowOnce(t *testing.T) {
	table, err := NewTable(Definition{Name: "t", Columns: []Column{{Name: "i", Type: algebra.TInt64}}})
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]value.Value
	for _, i := range []int64{5, 3, 5, 0, 3} {
		rows = append(rows, []value.Value{{Kind: value.Int, I: i}})
	}
	if table, err = appended(table, rows); err != nil {
		t.Fatal(err)
	}
	picks, err := Picks(table, 0, nil)
	if want := []Pick{{Row: 0, At: 3}, {Row: 3, At: 1}, {Row: 5, At: 0}}; err != nil || !slices.Equal(picks, want) {
		t.Errorf("got %v %v, want %v", picks, err, want)
	}
}
