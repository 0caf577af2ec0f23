package harness

import (
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math/bits"
)

// seeds of the two halves of a digest, which make those of one process comparable.
var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

// A Digest stands for a multiset of rows: their number, and a hash of 128 bits that two
// different ones share with negligible probability. Digests of one process are compared
// by ==.
type Digest struct {
	Rows     int64
	sum, mix uint64
}

// Add takes a row, written so that different ones differ, and returns its hash.
func (d *Digest) Add(row []byte) uint64 {
	hash := maphash.Bytes(seeds[0], row)
	d.AddHash(hash, maphash.Bytes(seeds[1], row))
	return hash
}

// AddHash takes a row by the two halves of its hash.
func (d *Digest) AddHash(low, high uint64) {
	d.Rows++
	d.sum += low
	d.mix += bits.RotateLeft64(high, 17)
}

// Append takes all rows of another digest.
func (d *Digest) Append(other Digest) {
	d.Rows += other.Rows
	d.sum += other.sum
	d.mix += other.mix
}

// String is the number of rows and the hash.
func (d Digest) String() string {
	return fmt.Sprintf("%d rows with digest %016x%016x", d.Rows, d.sum, d.mix)
}

// AppendCell appends a cell to a row, with its length before it, so that borders count,
// or that it is NULL.
func AppendCell(row, cell []byte, null bool) []byte {
	size := uint32(len(cell))
	if null {
		size = ^uint32(0)
	}
	return append(binary.LittleEndian.AppendUint32(row, size), cell...)
}
