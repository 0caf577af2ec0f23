package file

import (
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/value"
)

// nullPartition is how Hive names the folder of rows whose key is NULL.
const nullPartition = "__HIVE_DEFAULT_PARTITION__"

// partitionKey is a key that all paths have a folder of, named key=value.
type partitionKey struct {
	name   string
	values []string // of each path
}

// partitionKeys are the keys that all paths have, in the first one's order.
func partitionKeys(paths []string) []partitionKey {
	var keys []partitionKey
	for n, path := range paths {
		folders := foldersOf(path)
		if n == 0 {
			for _, f := range folders {
				keys = append(keys, partitionKey{name: f[0]})
			}
		}
		keys = slices.DeleteFunc(keys, func(k partitionKey) bool { return folders.find(k.name) < 0 })
		for i := range keys {
			keys[i].values = append(keys[i].values, folders[folders.find(keys[i].name)][1])
		}
	}
	return keys
}

// keyFolders are the keys and values of the folders of a path.
type keyFolders [][2]string

func foldersOf(path string) (folders keyFolders) {
	for _, folder := range strings.Split(filepath.ToSlash(filepath.Dir(path)), "/") {
		name, text, ok := strings.Cut(folder, "=")
		if plain, err := url.PathUnescape(text); err == nil {
			text = plain
		}
		if ok && name != "" && folders.find(name) < 0 {
			folders = append(folders, [2]string{name, text})
		}
	}
	return folders
}

func (f keyFolders) find(name string) int {
	return slices.IndexFunc(f, func(folder [2]string) bool { return folder[0] == name })
}

// partitioned is a file with columns more, of which all its rows have the same value.
type partitioned struct {
	store.Source
	columns []store.Column
	types   []kernel.Type
	keys    []runtime.Chunk // without rows
}

// withPartitions gives each source the columns of its path's keys, as far as the files have none of their
// names: bigint or date where all values are such, else text.
func withPartitions(paths []string, sources []store.Source) {
	had := sources[0].Columns()
	for _, key := range partitionKeys(paths) {
		if slices.ContainsFunc(had, func(c store.Column) bool { return c.Name == key.name }) {
			continue
		}
		t, typ, chunks := key.chunks()
		for i, s := range sources {
			p, ok := s.(*partitioned)
			if !ok {
				p = &partitioned{Source: s, columns: slices.Clone(s.Columns()), types: slices.Clone(s.Types())}
				sources[i] = p
			}
			p.columns = append(p.columns, store.Column{Name: key.name, Type: t})
			p.types = append(p.types, typ)
			p.keys = append(p.keys, chunks[i])
		}
	}
}

// chunks are the values of a key, each as a chunk without rows. Those of texts share a dictionary.
func (k *partitionKey) chunks() (algebra.Type, kernel.Type, []runtime.Chunk) {
	integer := func(s string) (int64, error) { return value.ParseInt(s, 64) }
	date := func(s string) (int64, error) {
		days, err := value.ParseDate(s)
		return int64(days), err
	}
	dict := &runtime.Dictionary{}
	code := func(s string) (int64, error) {
		if i := slices.Index(dict.Texts, s); i >= 0 {
			return int64(i), nil
		}
		dict.Texts = append(dict.Texts, s)
		return int64(len(dict.Texts) - 1), nil
	}
	chunks, ok := k.parse(kernel.I64, integer)
	if ok {
		return algebra.TInt64, kernel.I64, chunks
	}
	if chunks, ok = k.parse(kernel.I32, date); ok && len(k.values[0]) == len("2006-01-02") {
		return algebra.TDate, kernel.I32, chunks
	}
	chunks, _ = k.parse(kernel.Code, code)
	for i := range chunks {
		chunks[i].Dict = dict
	}
	return algebra.TText, kernel.Code, chunks
}

// parse makes chunks of the values, if all of them are of a type.
func (k *partitionKey) parse(typ kernel.Type, parse func(string) (int64, error)) (chunks []runtime.Chunk, ok bool) {
	for _, text := range k.values {
		c := runtime.Chunk{Type: typ, Enc: runtime.EncConst}
		if text != nullPartition {
			v, err := parse(text)
			if err != nil {
				return nil, false
			}
			c.Base, c.HasRange, c.Min, c.Max = v, true, v, v
		}
		chunks = append(chunks, c)
	}
	return chunks, true
}

// Columns implements store.Source.
func (p *partitioned) Columns() []store.Column { return p.columns }

// Types implements runtime.Relation.
func (p *partitioned) Types() []kernel.Type { return p.types }

// key is the key that column i is; nil for a column of the file.
func (p *partitioned) key(i int) *runtime.Chunk {
	if i -= len(p.types) - len(p.keys); i >= 0 {
		return &p.keys[i]
	}
	return nil
}

// Stats implements store.Source.
func (p *partitioned) Stats(i int) algebra.Stats {
	key := p.key(i)
	if key == nil {
		return p.Source.Stats(i)
	}
	stats := algebra.Stats{HasBounds: key.HasRange && key.Dict == nil, Min: key.Min, Max: key.Max}
	if key.Dict != nil {
		stats.Dict, stats.Codes = true, max(int64(len(key.Dict.Texts)), 1)
	}
	if !key.HasRange {
		stats.Nulls = p.Rows()
	}
	return stats
}

// Range implements runtime.Relation.
func (p *partitioned) Range(i, ordinal int) (lo, hi int64, all, ok bool) {
	if key := p.key(ordinal); key != nil {
		return key.Min, key.Max, key.HasRange, key.HasRange
	}
	return p.Source.Range(i, ordinal)
}

// ofFile are those of some columns that are the file's.
func (p *partitioned) ofFile(ordinals []int) []int {
	return slices.DeleteFunc(slices.Clone(ordinals), func(o int) bool { return p.key(o) != nil })
}

// LoadBytes implements runtime.Decoded.
func (p *partitioned) LoadBytes(i int, ordinals []int) int64 {
	return runtime.LoadBytes(p.Source, i, p.ofFile(ordinals))
}

// Load implements runtime.Relation.
func (p *partitioned) Load(i int, ordinals []int) (runtime.Block, error) {
	b, err := p.Source.Load(i, p.ofFile(ordinals))
	if err != nil {
		return b, err
	}
	b.Cols = slices.Grow(slices.Clone(b.Cols), len(p.keys))
	for _, key := range p.keys {
		if key.Rows = b.Rows; !key.HasRange {
			key.Valid, key.Nulls = make([]byte, (b.Rows+7)/8), b.Rows
		}
		b.Cols = append(b.Cols, &key)
	}
	return b, nil
}
