package disk

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/store"
)

// encodePartition writes how a table is partitioned, and of what it is a partition, with what it
// inherits.
func encodePartition(e *encoder, def *store.Definition) {
	e.bool(def.By != nil)
	if def.By != nil {
		e.text(def.By.Method)
		e.uint(uint64(len(def.By.Keys)))
		for _, key := range def.By.Keys {
			e.text(key.Text)
			encodeOrdinals(e, key.Columns)
			e.bool(key.Is)
			encodeType(e, key.Type)
		}
	}
	e.bool(def.Of != nil)
	if def.Of == nil {
		return
	}
	e.text(def.Of.Parent)
	b := &def.Of.Bound
	e.bool(b.Default)
	for _, values := range [][]algebra.PartitionValue{b.From, b.To, b.Values} {
		e.uint(uint64(len(values)))
		for i := range values {
			e.uint(uint64(values[i].Kind))
			encodeValue(e, &values[i].Val)
		}
	}
	e.int(b.Modulus)
	e.int(b.Remainder)
	for _, key := range def.Keys {
		e.bool(key.Inherited)
	}
	for _, check := range def.Checks {
		e.bool(check.Inherited)
	}
}

// decodePartition reads what encodePartition writes; files of other tables end before it.
func decodePartition(d *decoder, def *store.Definition, enums map[string]*algebra.EnumType) {
	if len(d.b) == 0 {
		return
	}
	if d.bool() {
		def.By = &algebra.Partitioning{Method: d.text()}
		for range d.count() {
			key := algebra.PartitionKey{Text: d.text(), Columns: decodeOrdinals(d), Is: d.bool()}
			key.Type = decodeType(d, enums)
			def.By.Keys = append(def.By.Keys, key)
		}
	}
	if !d.bool() {
		return
	}
	def.Of = &store.PartitionOf{Parent: d.text()}
	b := &def.Of.Bound
	b.Default = d.bool()
	for _, values := range []*[]algebra.PartitionValue{&b.From, &b.To, &b.Values} {
		for range d.count() {
			*values = append(*values, algebra.PartitionValue{Kind: algebra.PartitionValueKind(d.uint()), Val: decodeValue(d)})
		}
	}
	b.Modulus, b.Remainder = d.int(), d.int()
	for i := range def.Keys {
		def.Keys[i].Inherited = d.bool()
	}
	for i := range def.Checks {
		def.Checks[i].Inherited = d.bool()
	}
}
