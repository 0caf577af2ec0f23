package window

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/sort/order"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// windowTask is a run of whole partitions. Its rows are numbered from 0. Its methods panic with errors, which
// windowing.compute catches.
type windowTask struct {
	*windowing
	mem     exec.Memory // given back with the task
	entries []vector.Entry
	marks   []uint8

	args  *exec.RowBuffer // the operands of calls and frames, in order
	parts []span          // partitions
	// What else than row_number asks for.
	partOf []int32 // by row: its partition
	groups []span  // peers
	group  []int32 // by row: its group of peers
	frames []*rowFrames
}

func (t *windowTask) rows() int { return len(t.entries) }

// prepare gathers the operands and lists partitions and groups.
func (t *windowTask) prepare() {
	t.parts = t.spans(newPartition)
	others := slices.DeleteFunc(slices.Clone(t.win.Calls), func(c kernel.WindowCall) bool { return c.Func == kernel.WindowRowNumber })
	if len(others) > 0 {
		t.groups = t.spans(newPeers)
		t.grow(8 * int64(t.rows()))
		t.partOf, t.group = t.numbersOf(t.parts), t.numbersOf(t.groups)
	}
	t.frames = make([]*rowFrames, len(t.win.Frames))
	t.gather()
}

// spans lists the runs of rows that begin with a mark of at least from.
func (t *windowTask) spans(from uint8) []span {
	n := 1
	for _, m := range t.marks[1:] {
		n += int(vector.B2u(m >= from))
	}
	t.grow(8 * int64(n))
	spans := append(spare.New[span](t.mem.Arrays, n)[:0], span{})
	for i, m := range t.marks[1:] {
		if m >= from {
			spans[len(spans)-1].hi = int32(i + 1)
			spans = append(spans, span{lo: int32(i + 1)})
		}
	}
	spans[n-1].hi = int32(t.rows())
	return spans
}

// numbersOf is by row the number of its span.
func (t *windowTask) numbersOf(spans []span) []int32 {
	numbers := spare.New[int32](t.mem.Arrays, t.rows())
	for i, s := range spans {
		vector.Fill(numbers[s.lo:s.hi], int32(i))
	}
	return numbers
}

// gather collects the operands of calls and frames.
func (t *windowTask) gather() {
	t.args = exec.NewRowBuffer(t.Run, t.operandsOf(&kernel.Window{Frames: t.win.Frames, Calls: t.win.Calls}))
	t.args.Mem = &t.mem
	for at := 0; at < t.rows(); at += order.GatherRows {
		t.poll()
		t.args.Take(t.bufs, t.entries[at:min(at+order.GatherRows, t.rows())])
	}
}

// column is an operand of a function other than an aggregate, or a limit, by row. A constant has one row.
func (t *windowTask) column(id kernel.ValueID) *vector.Vector {
	if v := t.constants[id]; v != nil {
		return v
	}
	return t.args.Column(id)
}

// view is an operand for all rows.
func (t *windowTask) view(id kernel.ValueID) vector.View {
	return vector.NewOperand(t.Run.Kernel, id).DecodedView(t.args.Column(id), t.rows())
}

// partition is the partition of row i.
func (t *windowTask) partition(i int) span { return t.parts[t.partOf[i]] }

// peers are the peers of row i, itself among them.
func (t *windowTask) peers(i int) span { return t.groups[t.group[i]] }

// windowing is the sink that computes functions over windows. It sorts all rows
// by partition and order, where they do not come so, finds where partitions and peers begin, and computes
// runs of whole partitions independently.
type windowing struct {
	*order.Sorting
	win      *kernel.Window
	operands []kernel.ValueID
	// constants are the operands of functions other than aggregates, and limits, that all rows have alike: no row is
	// kept with them.
	constants map[kernel.ValueID]*vector.Vector
	bufs      []*exec.RowBuffer
	entries   []vector.Entry // all rows in order
	marks     []uint8        // by row: how it differs from the one before it
	parts     []*follower    // where rows come in order
}

// follower is one worker's part where rows come in order. It notes which rows come from
// which part of the source.
type follower struct {
	*order.Sorter
	w     *exec.Worker
	spans []morselSpan
}

// morselSpan is where the rows of a morsel begin among those of a worker.
type morselSpan struct {
	morsel int64
	first  int
}

// The marks of rows.
const (
	isPeer       uint8 = iota
	newPeers           // another key of the order
	newPartition       // another partition
)

// New makes the sink.
func New(r *exec.Run, in *kernel.Window) *windowing {
	s := &windowing{win: in, constants: make(map[kernel.ValueID]*vector.Vector)}
	for _, p := range r.Kernel.Params {
		s.constants[p.Dst] = exec.Constant(r.Kernel.Values[p.Dst].Type, p.Val)
	}
	s.operands = s.operandsOf(in)
	s.Sorting = order.New(r, &kernel.Sort{Keys: slices.Concat(in.Partition, in.Order), Cols: s.operands, Limit: -1})
	return s
}

// operandsOf lists what a window reads of rows, each value once.
func (s *windowing) operandsOf(in *kernel.Window) (ids []kernel.ValueID) {
	add := func(id kernel.ValueID) {
		if id != kernel.NoValue && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	varying := func(id kernel.ValueID) {
		if s.constants[id] == nil {
			add(id)
		}
	}
	for _, id := range in.Cols {
		add(id)
	}
	for i := range in.Frames {
		add(in.Frames[i].Key)
		varying(in.Frames[i].Start.Limit)
		varying(in.Frames[i].End.Limit)
	}
	for i := range in.Calls {
		of := varying
		if in.Calls[i].Func == kernel.WindowAggregate {
			of = add
		}
		for _, id := range in.Calls[i].Args {
			of(id)
		}
		add(in.Calls[i].Filter)
	}
	return ids
}

// span is the rows lo … hi−1.
type span struct{ lo, hi int32 }

// A windowColumn is the result of a call for the rows of a task.
type windowColumn interface {
	// Chunks returns the columns of rows lo … hi−1.
	Chunks(lo, hi int) []*runtime.Chunk
}

// grow charges memory that is about to be taken.
func (t *windowTask) grow(bytes int64) { sqlstate.Check(t.mem.Grow(bytes)) }

// poll ends the task when the run is to end.
func (t *windowTask) poll() {
	if t.Run.Ctx.Err() != nil {
		panic(exec.Canceled(t.Run.Ctx))
	}
}

// rowFrames are the frames of all rows of a task, before rows are excluded.
type rowFrames struct {
	task    *windowTask
	frame   *kernel.Frame
	spans   []span // empty where hi ≤ lo
	whole   bool   // every frame is the partition
	running bool   // every frame begins with the partition
}
