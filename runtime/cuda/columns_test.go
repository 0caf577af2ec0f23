package cuda

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	goruntime "runtime"
	"slices"
	"testing"

	"github.com/cubeloom/cubeloom/codegen"
	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
)

// heap is device memory for tests of what needs no kernels: every allocation is
// a slice, and accesses outside of one panic.
type heap struct {
	Device
	size   int64 // bytes that there is room for; 0: any number
	blocks map[Ptr][]byte
	next   Ptr
	allocs int
}

func newHeap(size int64) *heap { return &heap{size: size, blocks: map[Ptr][]byte{}, next: 1 << 20} }

func (h *heap) Info() Info                 { return Info{Name: "heap"} }
func (h *heap) Memory() Memory             { return h }
func (h *heap) NewStream() (Stream, error) { return h, nil }
func (h *heap) Launch(Launch) error        { return errors.New("the heap has no kernels") }
func (h *heap) Sync() error                { return nil }

// heldQueue is one of the two streams of a pool over a device, of at most limit bytes.
func heldQueue(t *testing.T, d Device, limit int64) *queue {
	t.Helper()
	q, err := newMemory(d, limit, 2).hold(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.leave)
	return q
}

func (h *heap) Alloc(n int64) (Ptr, error) {
	if h.size > 0 && h.used()+n > h.size {
		return 0, ErrOutOfMemory
	}
	h.allocs++
	p := h.next
	h.blocks[p] = make([]byte, n)
	h.next += Ptr(n+511) &^ 255
	return p, nil
}

func (h *heap) used() (n int64) {
	for _, b := range h.blocks {
		n += int64(len(b))
	}
	return n
}

func (h *heap) Free(p Ptr) { delete(h.blocks, p) }

// at returns the memory from p to the end of its allocation.
func (h *heap) at(p Ptr) []byte {
	for start, b := range h.blocks {
		if p >= start && p <= start+Ptr(len(b)) {
			return b[p-start:]
		}
	}
	panic("an address outside of any allocation")
}

func (h *heap) Upload(dst Ptr, src []byte) error {
	copy(h.at(dst)[:len(src)], src)
	return nil
}

func (h *heap) Download(ctx context.Context, copies ...Copy) error {
	for _, c := range copies {
		if err := canceled(ctx); err != nil {
			return err
		}
		copy(c.Dst, h.at(c.Src)[:len(c.Dst)])
	}
	return nil
}

func (h *heap) Fill(dst Ptr, b byte, n int64, _ *Timer) error {
	for i := range h.at(dst)[:n] {
		h.at(dst)[i] = b
	}
	return nil
}

// pile is a relation of blocks in memory.
type pile struct {
	types  []kernel.Type
	blocks []runtime.Block
}

func (p *pile) Types() []kernel.Type                        { return p.types }
func (p *pile) Blocks() int                                 { return len(p.blocks) }
func (p *pile) Load(i int, _ []int) (runtime.Block, error)  { return p.blocks[i], nil }
func (p *pile) Range(int, int) (lo, hi int64, all, ok bool) { return 0, 0, false, false }
func (p *pile) Rows() (n int64) {
	for _, b := range p.blocks {
		n += int64(b.Rows)
	}
	return n
}

// pileOf makes a relation of one column with the given values in each block.
func pileOf(t *testing.T, typ kernel.Type, blocks ...[]value.Value) *pile {
	t.Helper()
	p := &pile{types: []kernel.Type{typ}}
	for _, vals := range blocks {
		rows := make([][]value.Value, len(vals))
		for i, v := range vals {
			rows[i] = []value.Value{v}
		}
		b, err := runtime.NewRows(p.types, rows).Load(0, nil)
		if err != nil {
			t.Fatal(err)
		}
		p.blocks = append(p.blocks, b)
	}
	return p
}

func ints(xs ...int64) []value.Value {
	vals := make([]value.Value, len(xs))
	for i, x := range xs {
		vals[i] = value.Value{Kind: value.Int, I: x}
	}
	return vals
}

var null = value.Value{}

// values reads the only column of a relation.
func values(t *testing.T, rel runtime.Relation, typ algebra.Type) []value.Value {
	t.Helper()
	var all []value.Value
	for i := range rel.Blocks() {
		b, err := rel.Load(i, []int{0})
		if err != nil {
			t.Fatal(err)
		}
		for row := range b.Rows {
			all = append(all, b.Cols[0].Value(row, typ))
		}
	}
	return all
}

// bind uploads the only column of a relation.
func bind(q *queue, c *columns, p *pile) (*bound, error) {
	ctx := context.Background()
	chunks, err := loadChunks(ctx, p, []int{0})
	if err != nil {
		return nil, err
	}
	col, err := c.column(ctx, q, &upload{typ: p.types[0], chunks: chunks[0]})
	return &bound{rows: p.Rows(), cols: []column{col}}, err
}

// TestColumnsThereAndBack uploads columns of every type and reads them back.
func TestColumnsThereAndBack(t *testing.T) {
	text := func(s string) value.Value { return value.Value{Kind: value.Text, S: s} }
	dec := func(hi int64, lo uint64, scale uint8) value.Value {
		return value.Value{Kind: value.Decimal, Num: value.Num{Coef: value.Int128{Hi: hi, Lo: lo}, Scale: scale}}
	}
	yes, no := value.Value{Kind: value.Bool, B: true}, value.Value{Kind: value.Bool}
	for _, c := range []struct {
		name   string
		typ    kernel.Type
		sql    algebra.Type
		blocks [][]value.Value
		enc    cudagen.Encoding
	}{
		{"bytes", kernel.I32, algebra.TInt32, [][]value.Value{ints(-100, 155), ints(0)}, cudagen.EncU8},
		{"bytes with NULL", kernel.I32, algebra.TInt32, [][]value.Value{{null, ints(7)[0]}, ints(9, 8, 7), {null}}, cudagen.EncU8},
		{"16 bits", kernel.I64, algebra.TInt64, [][]value.Value{ints(1<<40, 1<<40+256)}, cudagen.EncU16},
		{"32 bits", kernel.I32, algebra.TInt32, [][]value.Value{ints(math.MinInt32), ints(math.MaxInt32)}, cudagen.EncU32},
		{"64 bits", kernel.I64, algebra.TInt64, [][]value.Value{ints(math.MinInt64, 5), ints(math.MaxInt64)}, cudagen.EncI64},
		{"128 bits", kernel.I128, algebra.TDecimal(38, 0), [][]value.Value{{dec(5, 7, 0), null}, {dec(-1, 1, 0)}}, cudagen.EncI128},
		{"all NULL", kernel.F64, algebra.TFloat64, [][]value.Value{{null, null}, {null}}, cudagen.EncNull},
		{"floats", kernel.F64, algebra.TFloat64, [][]value.Value{{{Kind: value.Float, F: 1.5}, null}}, cudagen.EncF64},
		{"bools", kernel.Bool, algebra.TBool, [][]value.Value{{yes, null, no}, {null, null}, {yes, yes, no, yes, no, no, yes, yes, no, yes}, {no, yes}}, cudagen.EncBits},
		{"numerics", kernel.Num, algebra.TNumeric, [][]value.Value{{dec(1, 2, 9), null}, {dec(-1, 3, 2)}}, cudagen.EncNum},
		{"intervals", kernel.Interval, algebra.TInterval, [][]value.Value{{{Kind: value.Intervals, Interval: value.Interval{Months: -1, Days: 2, Micros: -3}}, null}}, cudagen.EncIntervals},
		{"texts", kernel.Str, algebra.TText, [][]value.Value{{text("ab"), null, text("")}, {null}, {text("xyz"), text("ä")}}, cudagen.EncStr},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := heldQueue(t, newHeap(0), 0)
			b, err := bind(q, newColumns(newHeap(0), q.mem), pileOf(t, c.typ, c.blocks...))
			if err != nil {
				t.Fatal(err)
			}
			if got := b.shape().Columns[0]; got.Encoding != c.enc || got.Type != c.typ {
				t.Fatalf("shape %+v, want encoding %d", got, c.enc)
			}
			account := runtime.NewAccount(0)
			rel := newRelation(context.Background(), q.mem, account, b.rows, b.cols)
			if got, want := values(t, rel, c.sql), slices.Concat(c.blocks...); !slices.Equal(got, want) {
				t.Errorf("got  %v\nwant %v", got, want)
			}
			if account.Used() == 0 {
				t.Error("what was fetched to the host is not charged")
			}
			rel.Release()
			if account.Used() != 0 {
				t.Errorf("%d bytes are charged after the release", account.Used())
			}
		})
	}
}

// TestBitWriter appends bitmaps at every place of a byte.
func TestBitWriter(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		w := &bitWriter{bits: make([]byte, 64)}
		var want []byte
		for w.at < 300 {
			n := rng.IntN(40)
			src := make([]byte, 5)
			for i := range n {
				bit := byte(rng.IntN(2))
				src[i>>3] |= bit << (i & 7)
			}
			if rng.IntN(3) == 0 {
				w.ones(n)
				for range n {
					want = append(want, 1)
				}
				continue
			}
			w.copy(src, n)
			for i := range n {
				want = append(want, src[i>>3]>>(i&7)&1)
			}
		}
		got := make([]byte, (len(want)+7)/8)
		for i, bit := range want {
			got[i>>3] |= bit << (i & 7)
		}
		if !slices.Equal(got, w.bits[:len(got)]) {
			t.Fatalf("got  %x\nwant %x", w.bits[:len(got)], got)
		}
	}
}

// TestColumnsAreKept binds a column again without an upload, and another one in
// its place when there is no room for both.
func TestColumnsAreKept(t *testing.T) {
	h := newHeap(4096)
	q := heldQueue(t, h, 0)
	cols := newColumns(h, q.mem)
	mustBind := func(p *pile) *bound {
		t.Helper()
		b, err := bind(q, cols, p)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	big := make([]int64, 300)
	big[0] = math.MaxInt64
	first, second := pileOf(t, kernel.I64, ints(big...)), pileOf(t, kernel.I64, ints(big...))
	one := mustBind(first)
	same := mustBind(first)
	if one.cols[0].data != same.cols[0].data || h.allocs != 1 || one.bytes() != sizeClass(8*300) {
		t.Errorf("a column was uploaded twice: %d allocations", h.allocs)
	}
	one.release(q)
	if _, err := bind(q, cols, second); !errors.Is(err, ErrOutOfMemory) {
		t.Errorf("error %v while all memory is in use", err)
	}
	same.release(q)
	mustBind(second).release(q)
	if len(cols.cached) != 1 || cols.recent.Len() != 1 {
		t.Errorf("%d columns are kept", cols.recent.Len())
	}
	if got := mustBind(first); got.cols[0].held.shares.Load() != 2 {
		t.Errorf("%d shares", got.cols[0].held.shares.Load())
	}
	goruntime.KeepAlive(first)
	goruntime.KeepAlive(second)
}

// TestMemoryIsUsedAgain frees and allocates without the device.
func TestMemoryIsUsedAgain(t *testing.T) {
	h := newHeap(0)
	q := heldQueue(t, h, 10000)
	first, _, err := q.alloc(5000)
	if err != nil {
		t.Fatal(err)
	}
	q.mem.free(q, []Ptr{first})
	again, _, err := q.alloc(4900)
	if err != nil || first != again || h.allocs != 1 {
		t.Errorf("got %d after %d, %v", again, first, err)
	}
	if _, _, err := q.alloc(5000); !errors.Is(err, ErrOutOfMemory) {
		t.Errorf("error %v beyond the limit", err)
	}
	q.mem.free(q, []Ptr{again})
	if _, _, err := q.alloc(9000); err != nil {
		t.Errorf("idle memory was not given back: %v", err)
	}
	for n := int64(1); n < 1<<40; n = n*5/4 + 1 {
		if size := sizeClass(n); size < n || size > n+max(n/8, smallest) {
			t.Errorf("size %d for %d bytes", size, n)
		}
	}
}

// TestFetchedRelation holds no memory of the device once it has been fetched, alone or as
// a part of others, and can still be read.
func TestFetchedRelation(t *testing.T) {
	q := heldQueue(t, newHeap(0), 0)
	m := q.mem
	made := func() *relation {
		col := column{shape: cudagen.ColumnShape{Type: kernel.I64, Encoding: cudagen.EncI64}, held: m.newBuffers()}
		if err := col.reserve(q, 10); err != nil {
			t.Fatal(err)
		}
		return newRelation(context.Background(), m, runtime.NewAccount(0), 10, []column{col})
	}
	seen := []codegen.PartCol{{Type: kernel.I64, Ordinal: 0}}
	for _, parts := range []int{1, 2} {
		var rel runtime.Relation = made()
		if parts == 2 {
			rel = runtime.NewView([]runtime.ViewPart{{Rel: rel}, {Rel: made(), Cols: seen}})
		}
		if err := runtime.Fetch(context.Background(), rel); err != nil {
			t.Error(err)
		}
		if m.used() != 0 {
			t.Errorf("%d bytes are still in use", m.used())
		}
		if b, err := rel.Load(0, []int{0}); err != nil || b.Rows != 10 || b.Cols[0].HasRange {
			t.Errorf("%d rows, %v; nobody has asked for bounds", b.Rows, err)
		}
	}
	read := made()
	if b, err := read.Load(0, []int{0}); err != nil || !b.Cols[0].HasRange {
		t.Errorf("a kernel reads rows without bounds: %v", err)
	}
}

// TestFetchedRelationWithoutRows has nothing to copy, whatever its columns are.
func TestFetchedRelationWithoutRows(t *testing.T) {
	m := heldQueue(t, newHeap(0), 0).mem
	rel := newRelation(t.Context(), m, runtime.NewAccount(0), 0, []column{
		{shape: cudagen.ColumnShape{Type: kernel.Str, Encoding: cudagen.EncTexts}, held: m.newBuffers()},
		{shape: cudagen.ColumnShape{Type: kernel.Str, Encoding: cudagen.EncStr, Nullable: true}, held: m.newBuffers()},
	})
	if err := runtime.Fetch(t.Context(), rel); err != nil || rel.Blocks() != 0 {
		t.Errorf("%d blocks, %v", rel.Blocks(), err)
	}
}

// TestFetchEndsWithItsContext copies nothing to the host that nobody waits for, and gives
// the memory back.
func TestFetchEndsWithItsContext(t *testing.T) {
	q, account := heldQueue(t, newHeap(0), 0), runtime.NewAccount(0)
	m := q.mem
	stopped := errors.New("the query is stopped")
	ctx, stop := context.WithCancelCause(context.Background())
	col := column{shape: cudagen.ColumnShape{Type: kernel.I64, Encoding: cudagen.EncI64}, held: m.newBuffers()}
	if err := col.reserve(q, 10); err != nil {
		t.Fatal(err)
	}
	rel := newRelation(ctx, m, account, 10, []column{col})
	stop(stopped)
	if _, err := rel.Load(0, []int{0}); !errors.Is(err, stopped) {
		t.Errorf("Load: %v", err)
	}
	if err := runtime.Fetch(ctx, rel); !errors.Is(err, stopped) {
		t.Errorf("Fetch: %v", err)
	}
	rel.Release()
	if m.used() != 0 || account.Used() != 0 {
		t.Errorf("%d bytes of the device and %d of the host are still in use", m.used(), account.Used())
	}
}

// TestForgottenRelation gives the memory of a relation back that nobody
// releases, as a result is not that could not be fetched.
func TestForgottenRelation(t *testing.T) {
	h := newHeap(0)
	q := heldQueue(t, h, 0)
	m := q.mem
	held := m.newBuffers()
	data, err := held.zeroed(q, 1000)
	if err != nil {
		t.Fatal(err)
	}
	col := column{shape: cudagen.ColumnShape{Type: kernel.I64, Encoding: cudagen.EncI64}, data: data, held: held}
	newRelation(context.Background(), m, runtime.NewAccount(0), 10, []column{col})
	for range 100 {
		goruntime.GC()
		goruntime.Gosched()
		m.collect()
		if m.used() == 0 {
			return
		}
	}
	t.Errorf("%d bytes are still in use", m.used())
}

// TestColumnVersions finds a column by its relation as long as it is kept.
func TestColumnVersions(t *testing.T) {
	h := newHeap(4096)
	q := heldQueue(t, h, 0)
	cols := newColumns(h, q.mem)
	big := make([]int64, 300)
	big[0] = math.MaxInt64
	p, other := pileOf(t, kernel.I64, ints(big...)), pileOf(t, kernel.I64, ints(big...))
	b, err := bind(q, cols, p)
	if err != nil {
		t.Fatal(err)
	}
	chunks := [][]*runtime.Chunk{{p.blocks[0].Cols[0]}, {other.blocks[0].Cols[0]}}
	for version := range 2 * maxVersions {
		cols.note(columnVersion{version, 0}, chunks[0])
		cols.note(columnVersion{version, 1}, chunks[1]) // not on the device
	}
	last := &loadedInput{host: p, version: 2*maxVersions - 1, cols: []int{0}}
	found := cols.bound(last)
	if found == nil || found.cols[0].data != b.cols[0].data || len(cols.versions) > maxVersions {
		t.Errorf("found %+v instead of %+v; %d versions", found, b, len(cols.versions))
	}
	if cols.bound(&loadedInput{host: p, version: last.version, cols: []int{0, 1}}) != nil {
		t.Error("found a column that is not on the device")
	}
	found.release(q)
	b.release(q)
	if b, err = bind(q, cols, other); err != nil { // in place of the first
		t.Fatal(err)
	}
	b.release(q)
	if cols.hasAll(last) || len(cols.versions) != 0 {
		t.Errorf("found a column that was evicted; %d versions", len(cols.versions))
	}
}

// TestTextsBeyondOffsets copies texts that offsets do not tell: a word refers to each, and the bytes stay
// as long as the column does.
func TestTextsBeyondOffsets(t *testing.T) {
	text := func(s string) value.Value { return value.Value{Kind: value.Text, S: s} }
	for _, c := range []struct {
		offsets int64
		enc     cudagen.Encoding
	}{{6, cudagen.EncStr}, {5, cudagen.EncTexts}} {
		q := heldQueue(t, newHeap(0), 0)
		cols := newColumns(newHeap(0), q.mem)
		cols.offsets = c.offsets
		b, err := bind(q, cols, pileOf(t, kernel.Str, []value.Value{text("ab"), {}, text("")}, []value.Value{{}}, []value.Value{text("xyz"), text("d")}))
		if err != nil {
			t.Fatal(err)
		}
		col := &b.cols[0]
		if col.shape.Encoding != c.enc || !col.shape.Nullable {
			t.Fatalf("up to %d bytes: shape %+v, want encoding %d", c.offsets, col.shape, c.enc)
		}
		if c.enc == cudagen.EncStr {
			continue
		}
		refs := make([]byte, 8*6)
		if err := q.stream.Download(t.Context(), Copy{Dst: refs, Src: col.data}); err != nil {
			t.Fatal(err)
		}
		var sizes []int
		for _, w := range words[uint64](refs) {
			sizes = append(sizes, cudagen.TextSize(w))
		}
		if want := []int{2, 0, 0, 0, 3, 1}; !slices.Equal(sizes, want) {
			t.Errorf("texts of %v bytes, not %v", sizes, want)
		}
		if lies := textsOf(nil, b.cols); len(lies) != 1 || lies[0].length != 3 || len(lies[0].ptrs) != 1 {
			t.Errorf("the texts lie in %+v", lies)
		}
	}
}
