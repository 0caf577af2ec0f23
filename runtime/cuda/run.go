package cuda

import (
	"context"
	"time"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/value"
	"github.com/cubeloom/cubeloom/runtime"
)

// run is one execution of a kernel. It is used by who holds the device.
type run struct {
	backend  *Backend
	ctx      context.Context
	f        *kernel.Func
	opts     *runtime.RunOptions
	inputs   []input
	module   *cudagen.Module
	code     Code
	words    map[cudagen.Arg]uint64 // what the parameter block is made of
	temp     *buffers               // freed at the end
	borrowed []*buffers             // of caches, one share each
	cells    *buffers               // groups while they are made; nil: none yet
	layout   layout                 // of groups while they are made
	status   Ptr                    // words that entries write: see the status constants
	written  bool                   // an entry was launched since the status was zero
	dicts    []*runtime.Dictionary  // by kernel.DictID
	maps     []*mapTable
	texts    []*buffers // that values of the kernel may refer to
	metrics  runtime.Metrics

	streams    bool          // the source is to be streamed, even where it seems to fit
	feed       *feed         // of the source, where it is streamed
	linkBefore time.Duration // what the link had been busy before the run
	observed
}

// The words of the status: what the kernel tells the host.
const (
	statusError  = 0 // three words
	statusCount  = 3
	statusDups   = 4
	statusLoose  = 5
	statusGroups = 6
	statusFull   = 7
	statusTiles  = 8
	statusCame   = 9
	statusTaken  = 10
	statusLength = 11
)

// close frees what the run alone has used.
func (r *run) close() {
	for i := range r.inputs {
		r.inputs[i].release()
	}
	r.temp.release()
	for _, held := range r.borrowed {
		held.release()
	}
	if r.cells != nil {
		r.cells.release()
	}
	if r.feed != nil {
		r.feed.close()
	}
	r.backend.keepWords(r.words)
}

// execute binds the inputs, renders and loads the kernel and runs its sink.
func (r *run) execute(loaded []loadedInput) (runtime.Output, error) {
	started := time.Now()
	if err := r.bind(loaded); err != nil {
		return nil, err
	}
	started = r.lap(&r.metrics.Host.Bind, started)
	err := r.render(renderPlain)
	if err != nil {
		return nil, err
	}
	started = time.Now()
	defer func() { r.metrics.Host.Launch += time.Since(started) - r.metrics.Host.Wait }()
	if r.status, err = r.temp.zeroed(8 * statusLength); err != nil {
		return nil, err
	}
	r.set(cudagen.ArgError, 0, uint64(r.status)+8*statusError)
	r.set(cudagen.ArgCount, 0, uint64(r.status)+8*statusCount)
	if err := r.bindDictionaries(); err != nil {
		return nil, err
	}
	if err := r.bindMarks(); err != nil {
		return nil, err
	}
	r.bindParams()
	if err := r.bindTexts(); err != nil {
		return nil, err
	}
	r.metrics.RowsIn = r.sourceRows()
	r.startProgress()
	out, err := r.sink()
	if err != nil {
		return nil, err
	}
	r.endProgress()
	if err := r.tell(); err != nil {
		return nil, err
	}
	return out, nil
}

// render finds the kernel rendered and loaded, or does that.
func (r *run) render(how rendering) error {
	started := time.Now()
	m, _ := r.backend.modules.get(how, r.f, r.shapes())
	if m.err != nil {
		return m.err
	}
	r.module = m.rendered.For(m.of, r.f)
	started = r.lap(&r.metrics.Host.Render, started)
	var err error
	r.code, err = r.load(m)
	r.lap(&r.metrics.Host.Compile, started)
	return err
}

// load finds a module loaded, or has it compiled. Meanwhile others use the device.
func (r *run) load(m *module) (Code, error) {
	if code := m.ready(); code != nil {
		return code, nil
	}
	owner, peak := r.backend.mem.own(nil), r.backend.mem.peak
	r.backend.mu.Unlock()
	defer func() {
		r.backend.mu.Lock()
		r.backend.mem.own(owner)
		r.backend.mem.peak = peak
	}()
	return r.backend.modules.load(r.ctx, m)
}

// lap adds the time since a moment, and gives the moment now.
func (r *run) lap(to *time.Duration, since time.Time) time.Time {
	now := time.Now()
	*to += now.Sub(since)
	return now
}

// sink runs the entries of the sink.
func (r *run) sink() (runtime.Output, error) {
	switch s := r.f.Sink.(type) {
	case *kernel.Materialize:
		return r.materialize(s)
	case *kernel.Build:
		return r.build(s)
	case *kernel.Aggregate:
		if r.module.Groups != nil {
			return r.grouped(s)
		}
		return r.single(s)
	case *kernel.Sort:
		return r.sort(s)
	}
	return nil, errInternal("the device has no sink of type %T", r.f.Sink)
}

// set gives an argument of the kernel as a whole its value.
func (r *run) set(kind cudagen.ArgKind, index int, word uint64) {
	r.words[cudagen.Arg{Kind: kind, Index: index}] = word
}

// params is the parameter block.
func (r *run) params() ([]uint64, error) {
	block := make([]uint64, len(r.module.Args))
	for i, arg := range r.module.Args {
		word, ok := r.words[arg]
		if !ok {
			return nil, errInternal("kernel %s wants an argument %q (%d, %d) that nobody gives", r.f.Name, arg.Kind, arg.Input, arg.Index)
		}
		block[i] = word
	}
	return block, nil
}

// entry finds an entry of the module.
func (r *run) entry(name string) (*cudagen.Entry, Kernel, error) {
	for i := range r.module.Entries {
		if e := &r.module.Entries[i]; e.Name == name {
			k, err := r.code.Kernel(name)
			return e, k, err
		}
	}
	return nil, nil, errInternal("kernel %s has no entry %s", r.f.Name, name)
}

// launch starts an entry over n rows of the source, or cells, and gives the
// number of blocks. An entry without tiles is one block.
func (r *run) launch(name string, n int64) (blocks int, err error) {
	return r.launchShared(name, n, 0)
}

// launchShared is launch with so many bytes of dynamic shared memory in a block.
func (r *run) launchShared(name string, n int64, shared int) (blocks int, err error) {
	if err := canceled(r.ctx); err != nil {
		return 0, err
	}
	e, k, err := r.entry(name)
	if err != nil {
		return 0, err
	}
	blocks = 1
	if e.TileRows > 0 {
		tiles := (n + int64(e.TileRows) - 1) / int64(e.TileRows)
		blocks = int(min(tiles, int64(r.fullGrid(e, k, shared))))
	}
	if blocks == 0 {
		return 0, nil
	}
	block, err := r.params()
	if err != nil {
		return 0, err
	}
	l := Launch{Kernel: k, Grid: blocks, Threads: e.Threads, Shared: shared, Params: block}
	l.Timer = r.observe(name, &l)
	r.written = true
	return blocks, r.backend.device.Launch(l)
}

// fullGrid is how many blocks of an entry the device runs at one time.
func (r *run) fullGrid(e *cudagen.Entry, k Kernel, shared int) int {
	perSM := k.Usage(e.Threads, shared).Blocks
	return max(r.backend.device.Info().SMs, 1) * max(perSM, 1)
}

// readStatus waits for the entries and gives the status, or the error that a row
// has raised.
func (r *run) readStatus() ([statusLength]uint64, error) {
	var s [statusLength]uint64
	words, err := r.downloadWords(r.status, statusLength)
	if err != nil {
		return s, err
	}
	copy(s[:], words)
	if code := cudagen.ErrorCode(s[statusError]); code != cudagen.NoError {
		return s, r.rowError(code, s[statusError+1], s[statusError+2])
	}
	return s, canceled(r.ctx)
}

// clearStatus makes the status zero again, where it may be anything else.
func (r *run) clearStatus() error {
	if !r.written {
		return nil
	}
	r.written = false
	return r.backend.device.Memory().Fill(r.status, 0, 8*statusLength)
}

// sourceRows is the number of rows of the source.
func (r *run) sourceRows() int64 {
	switch s := r.f.Source.(type) {
	case *kernel.Scan:
		return r.inputs[s.Input].rows()
	case *kernel.Unmatched:
		return r.inputs[s.Input].rows()
	}
	return 0
}

func (r *run) startProgress() {
	if p := r.opts.Progress; p != nil {
		p.RowsTotal.Add(r.metrics.RowsIn)
	}
}

func (r *run) endProgress() {
	if p := r.opts.Progress; p != nil {
		p.RowsDone.Add(r.metrics.RowsIn)
	}
}

// bindParams gives the constants of the launch.
func (r *run) bindParams() {
	for i := range r.f.Params {
		p := &r.f.Params[i]
		lo, hi := paramWords(r.f.Values[p.Dst].Type, p.Val)
		r.set(cudagen.ArgParam, i, lo)
		r.set(cudagen.ArgParamHigh, i, hi)
		r.set(cudagen.ArgParamScale, i, uint64(p.Val.Num.Scale))
		null := uint64(0)
		if p.Val.Kind == value.Null {
			null = 1
		}
		r.set(cudagen.ArgParamNull, i, null)
	}
}
