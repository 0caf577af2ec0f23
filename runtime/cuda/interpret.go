package cuda

import (
	"encoding/binary"
	"fmt"
	"strings"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
)

// interpret carries the module's plan out. Where it returns no output, the other
// rendering is to be used, with room for so many rows.
func (r *run) interpret(counted int64) (out runtime.Output, room int64, err error) {
	plan := r.module.Plan
	x := &interpreter{
		run: r, plan: plan, counted: counted, vars: make([]int64, len(plan.Vars)),
		held: make([]held, len(plan.Buffers)), params: make([][]uint64, len(plan.Blocks)),
	}
	x.params[0] = r.words
	for i := 1; i < len(x.params); i++ {
		x.params[i] = make([]uint64, len(plan.Blocks[i].Words))
	}
	x.hold()
	defer x.close()
	if _, err := x.list(plan.Body); err != nil {
		return nil, 0, err
	}
	if x.out == nil && !x.fallsBack && !x.done {
		return nil, 0, errInternal("the launch plan of kernel %s ends without a result", r.f.Name)
	}
	return x.out, x.counted, nil
}

// hold makes room for what is held, for all buffers at once.
func (x *interpreter) hold() {
	n := len(x.held) // an allocation for each, mostly
	for i := range x.plan.Buffers {
		n += x.plan.Buffers[i].Parts
	}
	room, mem := make([]Ptr, n), make([]buffers, len(x.held))
	for i := range x.held {
		parts := x.plan.Buffers[i].Parts
		mem[i].mem, mem[i].ptrs = x.backend.mem, room[:0:1]
		x.held[i] = held{mem: &mem[i], parts: room[1 : 1 : 1+parts]}
		room = room[1+parts:]
	}
}

// close frees what the result does not keep.
func (x *interpreter) close() {
	for i := range x.held {
		x.free(i)
	}
	if x.kept != nil {
		x.dropKept()
	}
}

func (x *interpreter) free(buffer int) {
	h := &x.held[buffer]
	h.mem.empty(x.queue)
	releaseColumns(x.queue, h.cols)
	h.cols = nil
}

// list carries statements out.
func (x *interpreter) list(list []launch.Stmt) (next, error) {
	for _, s := range list {
		if n, err := x.stmt(s); n != goOn || err != nil {
			return n, err
		}
	}
	return goOn, nil
}

func (x *interpreter) stmt(s launch.Stmt) (next, error) {
	switch s := s.(type) {
	case *launch.Let:
		x.vars[s.Var] = x.eval(s.X)
		return goOn, nil
	case *launch.List:
		x.setArray(s.Array, make([]int64, len(s.X)))
		for i := range s.X {
			x.arrays[s.Array][i] = x.eval(s.X[i])
		}
		return goOn, nil
	case *launch.Launch:
		return goOn, x.launch(s)
	case *launch.Read:
		return goOn, x.read(s)
	case *launch.If:
		if x.eval(s.Cond) != 0 {
			return x.list(s.Then)
		}
		return x.list(s.Else)
	case *launch.Loop:
		return x.loop(s)
	case *launch.Until:
		if x.eval(s.Cond) != 0 {
			return leave, nil
		}
		return goOn, nil
	case *launch.Chunks:
		return goOn, x.chunks(s)
	case *launch.Fail:
		return goOn, x.fail(s)
	case *launch.Note:
		x.note(s)
		return goOn, nil
	case *launch.Rows, *launch.Relations, *launch.Table, *launch.Groups, *launch.Fallback, *launch.Complete:
		return ended, x.result(s)
	}
	return goOn, x.memory(s)
}

// loop repeats statements until one of them leaves.
func (x *interpreter) loop(s *launch.Loop) (next, error) {
	for {
		n, err := x.list(s.Body)
		if err != nil || n == ended {
			return n, err
		}
		if n == leave {
			return goOn, nil
		}
	}
}

// chunks carries statements out for each chunk of the source.
func (x *interpreter) chunks(s *launch.Chunks) error {
	x.gone = 0
	body := func(rows int64) error {
		x.chunk, x.gone = rows, x.gone+rows
		_, err := x.list(s.Body)
		return err
	}
	if x.source != nil {
		return x.overChunks(body)
	}
	return x.resident(body)
}

// fail returns the error of a plan that cannot go on.
func (x *interpreter) fail(s *launch.Fail) error {
	if x.eval(s.Cond) == 0 {
		return nil
	}
	switch s.Kind {
	case launch.OutOfMemory:
		return value.Errorf(value.CodeOutOfMemory, "%s", s.Text)
	case launch.LimitHit:
		return value.Errorf(value.CodeProgramLimit, "%s", s.Text)
	}
	return &cudagen.Refusal{Reason: s.Text}
}

// note says in the metrics which way the plan goes, once.
func (x *interpreter) note(s *launch.Note) {
	if !x.opts.Explain {
		return
	}
	text := s.Text
	for i := range s.X {
		text = fmt.Sprintf("%s%s %d", text, []string{":", ","}[min(i, 1)], x.eval(s.X[i]))
	}
	switch before := x.metrics.Taken; {
	case before == "":
		x.metrics.Taken = text
	case !strings.HasSuffix(before, text):
		x.metrics.Taken += "; " + text
	}
}

// memory carries out what is about buffers alone.
func (x *interpreter) memory(s launch.Stmt) (err error) {
	switch s := s.(type) {
	case *launch.Alloc:
		defer x.timeFills(initialize)()
		err = x.alloc(&x.held[s.Buffer], s)
	case *launch.Columns:
		b := &x.plan.Buffers[s.Buffer]
		defer x.timeFills(finalize)()
		x.held[s.Buffer].cols, err = x.outputs(b.First, len(b.Columns), x.eval(s.Rows))
	case *launch.Clear:
		defer x.timeFills(initialize)()
		err = x.queue.fill(x.place(&s.At), 0, x.eval(s.Bytes))
	case *launch.Release:
		x.free(s.Buffer)
	case *launch.Keep:
		x.keep(s)
	case *launch.Swap:
		x.held[s.A], x.held[s.B] = x.held[s.B], x.held[s.A]
	default:
		err = errInternal("the launch plan of kernel %s has a %T", x.f.Name, s)
	}
	return err
}

// fillBytes are what memory is filled with.
var fillBytes = map[launch.Fill]byte{launch.Zeros: 0, launch.Ones: 0xff}

// alloc allocates the parts of a buffer.
func (x *interpreter) alloc(h *held, s *launch.Alloc) error {
	h.parts = h.parts[:0]
	for _, size := range s.Sizes {
		h.parts = append(h.parts, Ptr(max(x.eval(size), 1)))
	}
	b, filled := fillBytes[s.Fill]
	return h.mem.allocAll(x.queue, h.parts, filled, b)
}

// launch starts an entry.
func (x *interpreter) launch(s *launch.Launch) error {
	if err := canceled(x.ctx); err != nil {
		return err
	}
	e := &x.plan.Entries[s.Entry]
	k, err := x.kernel(e)
	if err != nil {
		return err
	}
	shared := 0
	if s.Shared != nil {
		shared = int(x.eval(s.Shared))
	}
	blocks := 1
	if e.TileRows > 0 {
		tiles, full := tilesOf(x.eval(s.Over), e.TileRows), x.fullGrid(e, k, shared)
		blocks = int(min(tiles, full))
		if s.Full && tiles > 0 {
			blocks = int(full)
		}
	}
	if s.Blocks != launch.None {
		x.vars[s.Blocks] = int64(blocks)
	}
	if blocks == 0 {
		return nil
	}
	params := x.params[e.Block]
	for i := range s.Args {
		if a := &s.Args[i]; a.X != nil {
			params[a.Word] = uint64(x.eval(a.X))
		} else {
			params[a.Word] = uint64(x.place(&a.Ref))
		}
	}
	l := Launch{Kernel: k, Grid: blocks, Threads: e.Threads, Shared: shared, Params: params}
	if l.Timer = x.timer(e.Name, &l); x.phases != nil {
		x.phases.launched(e.Name, x.eval(s.Over), x.lastCells(), l.Timer)
	}
	if e.Source {
		x.used(&l)
	}
	return x.queue.launch(l)
}

// read waits for what was started and reads words.
func (x *interpreter) read(s *launch.Read) error {
	n := int(x.eval(s.Words))
	if cap(x.raw) < 8*n {
		x.raw = make([]byte, 8*n)
	}
	x.raw = x.raw[:8*n]
	if err := x.await(x.bringing(s.With, Copy{Dst: x.raw, Src: x.place(&s.From)})...); err != nil {
		return err
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(x.raw[8*i:]) }
	if s.Raise != launch.None {
		if code := cudagen.ErrorCode(word(s.Raise)); code != cudagen.NoError {
			return x.rowError(code, word(s.Raise+1), word(s.Raise+2))
		}
	}
	if at := x.module.Added; at > 0 && s.Raise != launch.None {
		x.additions = runtime.Additions{Rows: int64(word(at)), Made: int64(word(at + 1))}
	}
	for _, in := range s.Into {
		x.vars[in.Var] = int64(word(in.Word))
	}
	if s.Array != launch.None {
		x.setArray(s.Array, make([]int64, n))
		for i := range n {
			x.arrays[s.Array][i] = int64(word(i))
		}
	}
	x.handOver()
	return canceled(x.ctx)
}

// bringing adds the copies of rows that a result may have, where the host wants them, they are few, and no texts
// are to be put together for them.
func (x *interpreter) bringing(s *launch.Rows, copies ...Copy) []Copy {
	x.brought = nil
	if s == nil || !x.opts.Fetches {
		return copies
	}
	rows, bytes := x.eval(s.Rows), int64(0)
	cols := make([]*column, len(x.held[s.Buffer].cols))
	for i := range cols {
		cols[i] = &x.held[s.Buffer].cols[i]
		bytes += rows * int64(max(cols[i].shape.Encoding.Width(), 1))
		if cols[i].shape.Type == kernel.Str {
			return copies
		}
	}
	if rows == 0 || bytes > mostBrought {
		return copies
	}
	var more []Copy
	x.brought, more = newDownloads(cols, int(rows), false)
	return append(copies, more...)
}

// setArray sets a variable to words.
func (x *interpreter) setArray(to int, words []int64) {
	if x.arrays == nil {
		x.arrays = make([][]int64, len(x.vars))
	}
	x.arrays[to] = words
}
