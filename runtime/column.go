// Package runtime is the vocabulary that the store and the backends share:
// columns in memory, relations, the program that is executed, and what a
// backend is. Package store keeps tables, package cpu and package cuda execute
// kernels; the two backends never import each other.
package runtime

import (
	"slices"
	"strings"
	"sync"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// BlockRows is the number of rows of a full block of a stored table. Blocks of
// intermediate relations may have any size.
const BlockRows = 1 << 17

// Encoding is how the values of a Chunk are stored.
type Encoding uint8

// The encodings. Offset encodings hold value−Base; they serve every integer
// type and decimals whose range is narrow enough. All layouts are Arrow's:
// little-endian, validity and booleans as bitmaps with the least significant
// bit first.
const (
	EncConst     Encoding = iota // every row that is not NULL has the value Base (integers, codes); no data. For other types: every row is NULL
	EncU8                        // U8[i] + Base
	EncU16                       // U16[i] + Base
	EncU32                       // U32[i] + Base
	EncI64                       // I64[i]; Base is 0
	EncI128                      // I128[i]
	EncF64                       // F64[i]
	EncBits                      // booleans: bit i of Bits
	EncStr                       // text: Bytes[Offsets[i]:Offsets[i+1]]
	EncNum                       // numerics with a scale each
	EncIntervals                 // intervals
)

// Chunk is one column of one block: immutable once it can be seen by others,
// so that readers need no lock. The slices may point into a mapped file.
type Chunk struct {
	Type      kernel.Type // I32, I64, I128, F64, Num, Interval, Str, Code, Bool
	Enc       Encoding
	Rows      int
	Base      int64  // added to what offset encodings hold
	Valid     []byte // bitmap of rows that are not NULL; nil: none is
	Nulls     int
	U8        []uint8
	U16       []uint16
	U32       []uint32
	I64       []int64
	I128      []value.Int128
	F64       []float64
	Bits      []byte
	Offsets   []uint32
	Bytes     []byte
	Nums      []value.Num
	Intervals []value.Interval
	Dict      *Dictionary // for Code: what the codes mean
	HasRange  bool        // Min and Max are set: integers, codes and narrow decimals with a row that is not NULL
	Min, Max  int64
	Order     Order // of integers and narrow decimals
	Held      *Hold // what keeps a stored chunk's memory charged, where it is in memory
}

// Order says in which order the values of a Chunk are known to be.
type Order uint8

// The orders. No row of a chunk in an order is NULL.
const (
	Unordered Order = iota // or not known
	Ascending              // no value is less than the one before it
	Strict                 // each value is greater than the one before it
)

// Dictionary is the distinct texts of a column, in order of first appearance;
// code c stands for Text(c). It only ever grows: a *Dictionary is a snapshot
// whose entries do not change. Safe for use by any number of goroutines.
type Dictionary struct {
	Texts []string
	Held  *Hold // what keeps a stored dictionary's memory charged

	sort  sync.Once
	rank  []int32
	first []uint32
}

// Order is the order of the texts: the rank of each code, and the least code of each
// rank. Equal texts, which the result of a map may have under one code only, have equal
// ranks. It is found when first asked for.
func (d *Dictionary) Order() (rank []int32, first []uint32) {
	d.sort.Do(func() {
		codes := lists.Upto[uint32](len(d.Texts))
		slices.SortFunc(codes, func(a, b uint32) int { return strings.Compare(d.Texts[a], d.Texts[b]) })
		d.rank = make([]int32, len(d.Texts))
		for i, code := range codes {
			if i == 0 || d.Texts[codes[i-1]] != d.Texts[code] {
				d.first = append(d.first, code)
			}
			d.rank[code] = int32(len(d.first) - 1)
		}
	})
	return d.rank, d.first
}

// Block is a horizontal part of a relation: the same number of rows in each
// column.
type Block struct {
	Rows int
	Cols []*Chunk
}

// Relation is a base table's snapshot or a materialized intermediate.
type Relation interface {
	// Types are the physical types of the columns.
	Types() []kernel.Type
	// Blocks is the number of blocks.
	Blocks() int
	// Load returns block i with at least the columns named by ordinals filled in
	// (others may be nil). It may read a file; the chunks stay valid as long as
	// they are referenced.
	Load(i int, ordinals []int) (Block, error)
	// Range returns the bounds of column ordinal in block i without loading it;
	// ok is false where they are not known. All says that no row is NULL.
	Range(i, ordinal int) (lo, hi int64, all, ok bool)
	// Rows is the number of rows.
	Rows() int64
}

// Decoded is a Relation whose blocks are made when they are loaded, such as a file's.
type Decoded interface {
	Relation
	// LoadBytes estimates what Load takes at the most, in bytes.
	LoadBytes(i int, ordinals []int) int64
}

// LoadBytes estimates what loading a block of a relation takes, in bytes: 0 where the
// block is there.
func LoadBytes(rel Relation, i int, ordinals []int) int64 {
	if d, ok := rel.(Decoded); ok && len(ordinals) > 0 {
		return d.LoadBytes(i, ordinals)
	}
	return 0
}

// Versioned is a Relation whose rows never change. Version is comparable, equal
// for the same relation alone, and does not keep it in memory.
type Versioned interface {
	Relation
	Version() any
}
