package disk

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/axiomhq/hyperloglog"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/store"
)

// A table file holds one version of a table but for its blocks' data: its
// definition, its dictionaries and sketches, which blocks of which segments it
// consists of, and a sample of its rows. It never changes.
const tableKind = "CLTAB"

// writeTable writes a table file and makes it durable. All blocks are in
// segments. It returns the checksum of the file's metadata.
func (d *fileSet) writeTable(name string, t *store.Stored) (sum uint32, err error) {
	err = d.writeFile(name, func(w io.Writer, s *stamp) error {
		var e encoder
		s.encode(&e)
		if err := encodeTable(&e, t); err != nil {
			return err
		}
		var sealed []byte
		sealed, sum = seal(e.b, tableKind)
		_, err := w.Write(sealed)
		return err
	})
	return sum, err
}

func encodeTable(e *encoder, t *store.Stored) error {
	def := t.Definition
	def.Keys = keysThat(t.Definition.Keys, func(key store.Key) bool { return key.Index == nil })
	encodeDefinition(e, &def)
	for i := range t.Columns {
		if err := encodeColumn(e, &t.Columns[i]); err != nil {
			return fmt.Errorf("disk: column %d: %w", i, err)
		}
	}
	segments, numbers := segmentsOf(t)
	e.uint(uint64(len(segments)))
	for _, s := range segments {
		e.text(s.name)
		e.uint(uint64(s.sum))
	}
	e.uint(uint64(len(t.Blocks)))
	for _, b := range t.Blocks {
		e.uint(uint64(numbers[b.File]))
		e.uint(uint64(b.At))
	}
	for _, c := range t.Definition.Columns {
		e.text(c.Default)
	}
	encodeSample(e, t.Sample)
	encodeConstraints(e, t, def.Keys)
	return nil
}

// encodeConstraints writes what is left of keys, of which some are constraints, indexes, CHECK and FOREIGN KEY
// constraints, and the comments on them.
func encodeConstraints(e *encoder, t *store.Stored, constraints []store.Key) {
	for _, key := range constraints {
		e.bool(key.Primary)
		e.text(key.Name)
	}
	indexes := keysThat(t.Definition.Keys, func(key store.Key) bool { return key.Index != nil && !key.Index.Computed() })
	encodeIndexes(e, indexes)
	encodeChecks(e, t.Definition.Checks)
	keys := t.Definition.ForeignKeys
	computed := keysThat(t.Definition.Keys, func(key store.Key) bool { return key.Index.Computed() })
	def := t.Definition
	def.Keys = slices.Concat(constraints, indexes, computed)
	texts := comments(&def)
	clustered := slices.IndexFunc(def.Keys, func(key store.Key) bool { return key.Clustered })
	domains := haveDomains(def.Columns) || clustered >= 0
	partitions := def.By != nil || def.Of != nil || domains
	commented := partitions || slices.ContainsFunc(texts, func(text *string) bool { return *text != "" })
	if len(keys) > 0 || len(computed) > 0 || commented {
		e.uint(uint64(len(t.Definition.Checks))) // the end of those that are not valid
		encodeForeignKeys(e, keys)
	}
	if len(computed) > 0 || commented {
		encodeComputed(e, computed)
	}
	if commented {
		for _, text := range texts {
			e.text(*text)
		}
	}
	if partitions {
		encodePartition(e, &def)
	}
	if domains {
		encodeDomains(e, def.Columns)
	}
	if clustered >= 0 {
		e.uint(uint64(clustered))
	}
}

// comments are what COMMENT says of keys, and of CHECK and FOREIGN KEY constraints.
func comments(def *store.Definition) (texts []*string) {
	for i := range def.Keys {
		texts = append(texts, &def.Keys[i].Comment, &def.Keys[i].IndexComment)
	}
	for i := range def.Checks {
		texts = append(texts, &def.Checks[i].Comment)
	}
	for i := range def.ForeignKeys {
		texts = append(texts, &def.ForeignKeys[i].Comment)
	}
	return texts
}

// keysThat are those of some keys of which a test is true.
func keysThat(keys []store.Key, test func(store.Key) bool) []store.Key {
	return slices.DeleteFunc(slices.Clone(keys), func(key store.Key) bool { return !test(key) })
}

// encodeIndexes writes the keys that CREATE INDEX made, but for computed ones.
func encodeIndexes(e *encoder, indexes []store.Key) {
	e.uint(uint64(len(indexes)))
	for _, key := range indexes {
		e.text(key.Name)
		e.bool(key.Index.Unique)
		e.text(key.Index.Method)
		e.uint(uint64(len(key.Columns)))
		for i, c := range key.Columns {
			e.uint(uint64(c))
			e.text(key.Index.Terms[i])
		}
	}
}

// decodeIndexes reads the keys that CREATE INDEX made; files of before there were any end
// before them.
func decodeIndexes(d *decoder) (indexes []store.Key) {
	if len(d.b) == 0 {
		return nil
	}
	for range d.count() {
		key := store.Key{Name: d.text(), Index: &algebra.Index{Unique: d.bool(), Method: d.text()}}
		for range d.count() {
			key.Columns, key.Index.Terms = append(key.Columns, int(d.uint())), append(key.Index.Terms, d.text())
		}
		indexes = append(indexes, key)
	}
	return indexes
}

// encodeComputed writes computed indexes.
func encodeComputed(e *encoder, indexes []store.Key) {
	e.uint(uint64(len(indexes)))
	for _, key := range indexes {
		e.text(key.Name)
		e.bool(key.Index.Unique)
		e.text(key.Index.Method)
		encodeOrdinals(e, key.Columns)
		for _, texts := range [][]string{key.Index.Exprs, key.Index.Terms, key.Index.Include} {
			encodeTexts(e, texts)
		}
		e.text(key.Index.Where)
	}
}

// decodeComputed reads computed indexes; files of tables without any end before them.
func decodeComputed(d *decoder) (indexes []store.Key) {
	if len(d.b) == 0 {
		return nil
	}
	for range d.count() {
		key := store.Key{Name: d.text(), Index: &algebra.Index{Unique: d.bool(), Method: d.text()}, Columns: decodeOrdinals(d)}
		key.Index.Exprs, key.Index.Terms, key.Index.Include, key.Index.Where = decodeTexts(d), decodeTexts(d), decodeTexts(d), d.text()
		indexes = append(indexes, key)
	}
	return indexes
}

func encodeTexts(e *encoder, texts []string) {
	e.uint(uint64(len(texts)))
	for _, text := range texts {
		e.text(text)
	}
}

func decodeTexts(d *decoder) (texts []string) {
	for range d.count() {
		texts = append(texts, d.text())
	}
	return texts
}

// encodeChecks writes the CHECK constraints.
func encodeChecks(e *encoder, checks []store.Check) {
	e.uint(uint64(len(checks)))
	for _, check := range checks {
		e.text(check.Name)
		e.text(check.Text)
		encodeOrdinals(e, check.Columns)
	}
	for i, check := range checks {
		if check.NotValid {
			e.uint(uint64(i))
		}
	}
}

// decodeChecks reads the CHECK constraints, and behind them the numbers of those that are not valid,
// up to one that none of them has or the end; files of before there were any end before them.
func decodeChecks(d *decoder) (checks []store.Check) {
	if len(d.b) == 0 {
		return nil
	}
	for range d.count() {
		checks = append(checks, store.Check{Name: d.text(), Text: d.text(), Columns: decodeOrdinals(d)})
	}
	for len(d.b) > 0 && d.err == nil {
		i := d.uint()
		if i >= uint64(len(checks)) {
			break
		}
		checks[i].NotValid = true
	}
	return checks
}

// segmentsOf numbers the segments of a table.
func segmentsOf(t *store.Stored) (segments []*segment, numbers map[store.Segment]int) {
	numbers = map[store.Segment]int{}
	for _, b := range t.Blocks {
		if _, known := numbers[b.File]; !known {
			numbers[b.File] = len(segments)
			segments = append(segments, b.File.(*segment))
		}
	}
	return segments, numbers
}

func encodeDefinition(e *encoder, def *store.Definition) {
	e.text(store.KeyIn(def.Schema, def.Name))
	e.uint(uint64(len(def.Columns)))
	for _, c := range def.Columns {
		e.text(c.Name)
		encodeTypeKind(e, c.Type)
		e.bool(c.NotNull)
		encodeEnum(e, c.Type)
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
	sum      uint32
	segments []expected
	blocks   [][2]int // segment and block in it
}

// readTable reads a table file, with the types of columns by their keys.
func (d *fileSet) readTable(want *expected, enums map[string]*algebra.EnumType) (*tableFile, error) {
	path := filepath.Join(d.path(), want.File)
	file, err := d.dir.Read(want.File)
	if err != nil {
		return nil, ioError("could not read file %q: %v", path, err)
	}
	meta, err := want.open(file, tableKind)
	if err != nil {
		return nil, corrupted(path, err)
	}
	t, err := decodeTable(meta, want.database, enums)
	if err != nil {
		return nil, corrupted(path, err)
	}
	return t, nil
}

func decodeTable(meta *metadata, database string, enums map[string]*algebra.EnumType) (*tableFile, error) {
	t := &tableFile{sum: meta.sum}
	d := &meta.decoder
	t.stored.Definition = decodeDefinition(d, enums)
	for range t.stored.Definition.Columns {
		c, err := decodeColumn(d)
		if err != nil {
			return nil, err
		}
		t.stored.Columns = append(t.stored.Columns, c)
	}
	for range d.count() {
		s := expected{fileEntry: fileEntry{File: d.text()}, database: database}
		if meta.format > 1 {
			s.Sum, s.known = uint32(d.uint()), true
		}
		t.segments = append(t.segments, s)
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
	t.stored.Definition.Keys = append(t.stored.Definition.Keys, decodeIndexes(d)...)
	t.stored.Definition.Checks = decodeChecks(d)
	t.stored.Definition.ForeignKeys = decodeForeignKeys(d)
	t.stored.Definition.Keys = append(t.stored.Definition.Keys, decodeComputed(d)...)
	decodeComments(d, &t.stored.Definition)
	decodePartition(d, &t.stored.Definition, enums)
	decodeDomainsOf(d, t.stored.Definition.Columns)
	decodeClustered(d, t.stored.Definition.Keys)
	return t, d.err
}

// decodeClustered reads by which key rows are to be clustered; files of tables without one end before it.
func decodeClustered(d *decoder, keys []store.Key) {
	if len(d.b) == 0 {
		return
	}
	if at := d.uint(); at < uint64(len(keys)) {
		keys[at].Clustered = true
	}
}

// decodeComments reads the comments on keys and constraints; files of tables without any end before them.
func decodeComments(d *decoder, def *store.Definition) {
	if len(d.b) == 0 {
		return
	}
	for _, text := range comments(def) {
		*text = d.text()
	}
}

func decodeDefinition(d *decoder, enums map[string]*algebra.EnumType) store.Definition {
	key := d.text()
	def := store.Definition{Schema: store.SchemaOf(key), Name: store.NameOf(key)}
	for range d.count() {
		c := store.Column{Name: d.text(), Type: decodeTypeKind(d), NotNull: d.bool()}
		decodeEnum(d, &c.Type, enums)
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
