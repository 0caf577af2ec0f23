package compile

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

// The states of an entry of a Map.
const (
	entryUnknown uint8 = iota // not evaluated yet
	entryValue
	entryNull
	entryError
	entryAsked // of a worker: it evaluates it
)

// get returns the table of a Map, made at the first call.
func (m *mapTables) get(r *exec.Run, shared *Shared, in *kernel.Map) *mapTable {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := m.tables[in]
	if t == nil {
		t = &mapTable{
			in: in, run: r, shared: shared, results: vector.New(r.Kernel.Values[in.Dst].Type, 0),
			errs: make(map[int]error), codes: make(map[string]uint32),
		}
		m.tables[in] = t
	}
	return t
}

// mapEntries is how many entries are evaluated at a time.
const mapEntries = 256

// mapBody is a worker's copy of the body of a Map, for batches of texts.
type mapBody struct {
	in      *kernel.Map
	step    exec.Step
	batch   vector.Batch
	arg     vector.Vector
	null    []uint8 // of the argument
	unknown []int32
	rows    []int32  // of the results that are kept
	at      []uint32 // the entries whose results they are
	fromEnd bool     // every other body begins with the last entries, so that two meet in the middle
}

func (t *mapTable) newBody() *mapBody {
	w := &exec.Worker{Run: t.run, Rows: mapEntries} // without a time slice to share: that of the worker that asks goes on
	w.Meter = value.NewMeter(exec.WorkerSource{Worker: w})
	c := New(w, t.shared)
	b := &mapBody{in: t.in, step: c.InPlace(t.in.Body), null: make([]uint8, mapEntries)}
	b.arg = vector.Vector{Type: kernel.Str, Vals: &vector.List[string]{At: make([]string, mapEntries)}}
	b.batch = vector.Batch{Vals: w.Vals}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.bodies++
	b.fromEnd = t.bodies%2 == 0
	return b
}

// evaluate runs the body for entries, and returns the error that one of them raises; other errors are those of the run.
func (b *mapBody) evaluate(dict *runtime.Dictionary, entries []int32) error {
	texts := vector.Of[string](&b.arg)
	b.arg.Null = nil
	for i, k := range entries {
		if b.null[i] = 0; k > 0 {
			texts[i] = dict.Texts[k-1]
		} else {
			texts[i], b.null[i], b.arg.Null = "", 1, b.null
		}
	}
	b.batch.Rows, b.batch.Sel = len(entries), nil
	b.batch.Vals[b.in.Arg] = &b.arg
	err := sqlstate.Run(func() { b.step(&b.batch) })
	if _, user := err.(*value.Error); err != nil && !user {
		panic(err)
	}
	return err
}

// learn evaluates the entries listed in keys (codes plus one, or 0 for NULL) that are still unknown, copies the state of
// each to state, and has known be the results until then. It returns the new dictionary as it is afterwards.
func (t *mapTable) learn(b *mapBody, dict *runtime.Dictionary, keys []int32, state []uint8, known *vector.Vector) *runtime.Dictionary {
	parts := slices.Collect(slices.Chunk(keys, mapEntries))
	if b.fromEnd {
		slices.Reverse(parts)
	}
	for _, part := range parts {
		if t.run.Ctx.Err() != nil {
			panic(exec.Canceled(t.run.Ctx))
		}
		b.unknown = t.ask(b.unknown[:0], part, state)
		if len(b.unknown) == 0 {
			continue
		}
		if b.evaluate(dict, b.unknown) == nil {
			t.keep(b, b.unknown, nil, state)
			continue
		}
		for i := range b.unknown { // one by one: an error is that of an entry
			one := b.unknown[i : i+1]
			t.keep(b, one, b.evaluate(dict, one), state)
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	known.Vals.Share(t.results.Vals, 0, len(t.state))
	return &runtime.Dictionary{Texts: t.texts[:len(t.texts):len(t.texts)]}
}

// ask copies what is known of entries to state, and appends the others to unknown.
func (t *mapTable) ask(unknown, keys []int32, state []uint8) []int32 {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reserve(len(state))
	for _, k := range keys {
		switch {
		case t.state[k] != entryUnknown:
			state[k] = t.state[k]
		case state[k] == entryUnknown:
			state[k] = entryAsked
			unknown = append(unknown, k)
		}
	}
	return unknown
}

// keep notes what a body has given for entries, unless another worker has, whose results others may read. Of a single
// one it may be an error.
func (t *mapTable) keep(b *mapBody, entries []int32, err error, state []uint8) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var v *vector.Vector
	if err == nil {
		v = b.batch.Value(t.in.Result)
	}
	b.rows, b.at = b.rows[:0], b.at[:0]
	for i, k := range entries {
		switch {
		case t.state[k] != entryUnknown:
		case err != nil:
			t.state[k], t.errs[int(k)] = entryError, err
		case v.IsNull(i):
			t.state[k] = entryNull
		default:
			t.state[k] = entryValue
			b.rows, b.at = append(b.rows, int32(i)), append(b.at, uint32(k))
		}
		state[k] = t.state[k]
	}
	t.keepValues(v, b.rows, b.at)
}

// keepValues notes that the values of entries are those rows of v.
func (t *mapTable) keepValues(v *vector.Vector, rows []int32, entries []uint32) {
	if len(rows) == 0 {
		return
	}
	if v.Type != kernel.Str {
		vector.PutValues(t.results, v, rows, entries)
		return
	}
	codes, texts, mask := vector.Of[uint32](t.results), vector.Of[string](v), v.Mask()
	for i, k := range entries {
		codes[k] = t.codeOf(texts[int(rows[i])&mask])
	}
}

// codeOf is the code of a text in the new dictionary.
func (t *mapTable) codeOf(text string) uint32 {
	code, ok := t.codes[text]
	if !ok {
		sqlstate.Check(t.run.Mem.Grow(int64(len(text)) + 64))
		code = uint32(len(t.texts))
		text = long.Clone(text)
		t.texts = append(t.texts, text)
		t.codes[text] = code
	}
	return code
}

// reserve makes room for n entries.
func (t *mapTable) reserve(n int) {
	more := n - len(t.state)
	if more <= 0 {
		return
	}
	sqlstate.Check(t.run.Mem.Grow(int64(more) * (1 + vector.ValueBytes(t.results.Type))))
	t.state = append(t.state, make([]uint8, more)...)
	t.results.Vals.Extend(more)
}

// failure is the error that entry k raises.
func (t *mapTable) failure(k int32) {
	t.mu.Lock()
	defer t.mu.Unlock()
	panic(t.errs[int(k)])
}

// dictionary evaluates the Map for all entries of its argument's dictionary and
// returns the complete new one.
func (t *mapTable) dictionary() *runtime.Dictionary {
	src := t.run.Dicts.Get(t.run.Kernel.Values[t.in.Src].Dict)
	n := len(src.Dict.Texts) + 1
	return t.learn(t.newBody(), src.Dict, vector.Identity(n), make([]uint8, n), vector.New(t.results.Type, 0))
}
