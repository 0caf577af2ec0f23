package disk

import (
	"fmt"
	"io"
	"os"

	"github.com/axiomhq/hyperloglog"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/store"
)

// A table file holds one version of a table but for its blocks' data: its
// definition, its dictionaries and sketches, which blocks of which segments it
// consists of, and a sample of its rows. It never changes.
const tableMagic = "CLTAB\x00\x01\n"

// writeTable writes a table file and makes it durable. All blocks are in
// segments.
func writeTable(path string, t *store.Stored) error {
	var e encoder
	encodeDefinition(&e, &t.Definition)
	for i := range t.Columns {
		if err := encodeColumn(&e, &t.Columns[i]); err != nil {
			return fmt.Errorf("disk: column %d: %w", i, err)
		}
	}
	names, numbers := segmentsOf(t)
	e.uint(uint64(len(names)))
	for _, name := range names {
		e.text(name)
	}
	e.uint(uint64(len(t.Blocks)))
	for _, b := range t.Blocks {
		e.uint(uint64(numbers[b.File]))
		e.uint(uint64(b.At))
	}
	for _, c := range t.Definition.Columns {
		e.text(c.Default)
	}
	encodeSample(&e, t.Sample)
	for _, key := range t.Definition.Keys {
		e.bool(key.Primary)
		e.text(key.Name)
	}
	return writeFile(path, func(w io.Writer) error {
		_, err := w.Write(seal(e.b, tableMagic))
		return err
	})
}

// segmentsOf numbers the segments of a table.
func segmentsOf(t *store.Stored) (names []string, numbers map[store.Segment]int) {
	numbers = map[store.Segment]int{}
	for _, b := range t.Blocks {
		if _, known := numbers[b.File]; !known {
			numbers[b.File] = len(names)
			names = append(names, b.File.(*segment).name)
		}
	}
	return names, numbers
}

func encodeDefinition(e *encoder, def *store.Definition) {
	e.text(def.Name)
	e.uint(uint64(len(def.Columns)))
	for _, c := range def.Columns {
		e.text(c.Name)
		e.uint(uint64(c.Type.Kind) | uint64(c.Type.Elem)<<8)
		e.uint(uint64(c.Type.Precision))
		e.uint(uint64(c.Type.Scale))
		e.uint(uint64(c.Type.Length))
		e.bool(c.NotNull)
	}
	e.uint(uint64(len(def.Keys)))
	for _, key := range def.Keys {
		e.uint(uint64(len(key.Columns)))
		for _, c := range key.Columns {
			e.uint(uint64(c))
		}
	}
}

func encodeColumn(e *encoder, c *store.StoredColumn) error {
	e.uint(uint64(c.Type))
	e.uint(uint64(len(c.Texts)))
	for _, s := range c.Texts {
		e.text(s)
	}
	if c.Sketch == nil {
		e.raw(nil)
		return nil
	}
	b, err := c.Sketch.MarshalBinary()
	e.raw(b)
	return err
}

// tableFile is what a table file says.
type tableFile struct {
	stored   store.Stored // without blocks
	segments []string
	blocks   [][2]int // segment and block in it
}

// readTable reads a table file.
func readTable(path string) (*tableFile, error) {
	file, err := os.ReadFile(path)
	if err != nil {
		return nil, ioError("could not read file %q: %v", path, err)
	}
	meta, err := unseal(file, tableMagic)
	if err != nil {
		return nil, corrupted(path, err)
	}
	var t tableFile
	d := &decoder{b: meta}
	t.stored.Definition = decodeDefinition(d)
	for range t.stored.Definition.Columns {
		c, err := decodeColumn(d)
		if err != nil {
			return nil, corrupted(path, err)
		}
		t.stored.Columns = append(t.stored.Columns, c)
	}
	for range d.count() {
		t.segments = append(t.segments, d.text())
	}
	for range d.count() {
		t.blocks = append(t.blocks, [2]int{int(d.uint()), int(d.uint())})
	}
	if len(d.b) > 0 { // files of before there were defaults and samples end here
		for i := range t.stored.Definition.Columns {
			t.stored.Definition.Columns[i].Default = d.text()
		}
	}
	t.stored.Sample = decodeSample(d, len(t.stored.Columns))
	if keys := t.stored.Definition.Keys; len(d.b) > 0 {
		for i := range keys {
			keys[i].Primary, keys[i].Name = d.bool(), d.text()
		}
	}
	if d.err != nil {
		return nil, corrupted(path, d.err)
	}
	return &t, nil
}

func decodeDefinition(d *decoder) store.Definition {
	def := store.Definition{Name: d.text()}
	for range d.count() {
		var c store.Column
		c.Name = d.text()
		kinds := d.uint()
		c.Type = algebra.Type{
			Kind: algebra.Kind(kinds), Elem: algebra.Kind(kinds >> 8),
			Precision: uint8(d.uint()), Scale: uint8(d.uint()), Length: int32(d.uint()),
		}
		c.NotNull = d.bool()
		def.Columns = append(def.Columns, c)
	}
	for range d.count() {
		key := store.Key{Primary: true} // files of before there were others do not say
		for range d.count() {
			key.Columns = append(key.Columns, int(d.uint()))
		}
		def.Keys = append(def.Keys, key)
	}
	return def
}

func decodeColumn(d *decoder) (store.StoredColumn, error) {
	c := store.StoredColumn{Type: kernel.Type(d.uint())}
	for range d.count() {
		c.Texts = append(c.Texts, d.text())
	}
	b := d.raw()
	if len(b) == 0 {
		return c, d.err
	}
	c.Sketch = new(hyperloglog.Sketch)
	return c, c.Sketch.UnmarshalBinary(b)
}
