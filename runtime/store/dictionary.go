package store

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// entryBytes is what an entry of a dictionary takes beside its text, in bytes.
const entryBytes = 56

// takeIndex takes the column's index, or makes it anew where another appender
// has taken it from this version before.
func (c *tableColumn) takeIndex() *dictionaryIndex {
	if d := c.index.Swap(nil); d != nil {
		return d
	}
	texts := c.dict.Texts[:len(c.dict.Texts):len(c.dict.Texts)]
	return &dictionaryIndex{texts: texts, codes: newCodeTable(texts)}
}

// merge adds texts, which are charged to an account, and returns their codes.
func (d *dictionaryIndex) merge(texts []string, memory *runtime.Account) ([]uint32, error) {
	hashes := lists.Map(texts, hashOf)
	if err := d.hold(texts, hashes, memory); err != nil {
		return nil, err
	}
	codes := make([]uint32, len(texts))
	for i, s := range texts {
		c, ok := d.codes.find(d.texts, s, hashes[i])
		if !ok {
			c = uint32(len(d.texts))
			d.texts = append(d.texts, s)
			d.codes.add(hashes[i], c)
		}
		codes[i] = c
	}
	return codes, nil
}

// hold charges the texts that are new, and at first those that there are.
func (d *dictionaryIndex) hold(texts []string, hashes []uint32, memory *runtime.Account) (err error) {
	var bytes int64
	for i, s := range texts {
		if _, known := d.codes.find(d.texts, s, hashes[i]); !known {
			bytes += int64(len(s)) + entryBytes
		}
	}
	if d.held != nil {
		return d.held.Grow(bytes)
	}
	for _, s := range d.texts {
		bytes += int64(len(s)) + entryBytes
	}
	d.held, err = memory.Hold(bytes)
	return err
}

// encodeCodes makes the chunk of a column's codes, translated by codes.
func (s *sealed) encodeCodes(codes []uint32) *runtime.Chunk {
	ints := make([]int64, len(s.codes))
	for i, c := range s.codes {
		if int(c) < len(codes) {
			ints[i] = int64(codes[c])
		}
	}
	return EncodeInts(kernel.Code, ints, s.valid, s.nulls)
}

// writeOut makes a chunk of texts of a chunk of codes into texts.
func writeOut(c *runtime.Chunk, texts []string) (*runtime.Chunk, error) {
	codes := make([]uint32, c.Rows)
	for i, v := range DecodeInts(nil, c, 0, c.Rows) {
		if uint64(v) >= uint64(len(texts)) && c.Nulls < c.Rows {
			return nil, fmt.Errorf("store: code %d of a dictionary of %d texts", v, len(texts))
		}
		codes[i] = uint32(v)
	}
	s := sealed{codes: codes, texts: texts, valid: c.Valid, nulls: c.Nulls}
	return s.plainChunk()
}
