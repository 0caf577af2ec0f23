package cubeloom

import (
	"fmt"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store"
)

// RelationInfo describes a table or view for people.
type RelationInfo struct {
	Name       string
	IsView     bool
	Definition string // a view's query
	Rows       int64
	Bytes      int64 // of the stored columns
	Columns    []ColumnInfo
}

// ColumnInfo describes a column of a table for people.
type ColumnInfo struct {
	Name     string
	Type     string
	NotNull  bool
	Distinct string // estimated number of distinct values
	Storage  string // how the values are stored
}

// Relations lists the tables and views, by name.
func (db *DB) Relations() []RelationInfo {
	var infos []RelationInfo
	for _, o := range db.core.Tables.State().Objects() {
		switch o := o.(type) {
		case *store.View:
			infos = append(infos, RelationInfo{Name: o.Name(), IsView: true, Definition: o.Text})
		case *store.Table:
			infos = append(infos, describeTable(o))
		}
	}
	return infos
}

// describeTable describes a table for people.
func describeTable(t *store.Table) RelationInfo {
	info := RelationInfo{Name: t.Name(), Rows: t.Rows(), Bytes: t.Bytes()}
	for i, col := range t.Columns() {
		info.Columns = append(info.Columns, ColumnInfo{
			Name: col.Name, Type: col.Type.String(), NotNull: col.NotNull,
			Distinct: fmt.Sprintf("%.0f", t.Stats(i).Distinct), Storage: describeStorage(t, i),
		})
	}
	return info
}

// encodingNames say for people how the values of a chunk are stored.
var encodingNames = map[runtime.Encoding]string{
	runtime.EncConst:     "constant",
	runtime.EncU8:        "8 bits",
	runtime.EncU16:       "16 bits",
	runtime.EncU32:       "32 bits",
	runtime.EncI64:       "64 bits",
	runtime.EncI128:      "128 bits",
	runtime.EncF64:       "64-bit floats",
	runtime.EncBits:      "bitmap",
	runtime.EncStr:       "offsets and bytes",
	runtime.EncNum:       "numerics with a scale each",
	runtime.EncIntervals: "intervals",
}

// describeStorage says how column i of a table is stored: the widest encoding
// of its blocks, and its dictionary.
func describeStorage(t *store.Table, i int) string {
	var widest runtime.Encoding
	entries := -1
	for b := range t.Blocks() {
		block, err := t.Load(b, nil)
		if err != nil {
			return err.Error()
		}
		chunk := block.Cols[i]
		widest = max(widest, chunk.Enc)
		if chunk.Dict != nil {
			entries = len(chunk.Dict.Texts)
		}
	}
	text := encodingNames[widest]
	if entries >= 0 {
		text = fmt.Sprintf("dictionary of %d, codes in %s", entries, text)
	}
	return text
}
