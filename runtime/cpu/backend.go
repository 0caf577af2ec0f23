package cpu

import (
	"context"
	goruntime "runtime"
	"time"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/fault"
)

// Backend runs kernels on the cores of this machine, which it shares among the
// queries. Safe for concurrent use.
type Backend struct{ scheduler *scheduler }

// New makes a CPU backend.
func New() *Backend { return &Backend{scheduler: newScheduler(goruntime.GOMAXPROCS(0))} }

// Lend has another worker compute in the place of one that has to wait for something else
// than the queries that run, until back is called.
func (b *Backend) Lend() (back func()) { return b.scheduler.lend() }

// Name implements runtime.Backend.
func (*Backend) Name() string { return "cpu" }

// Run implements runtime.Backend. A panic in a kernel is a defect of the
// engine and becomes an error of SQLSTATE XX000, and a fault in a mapped file one of
// XX001; neither ends the process.
func (b *Backend) Run(ctx context.Context, f *kernel.Func, inputs []any, opts *runtime.RunOptions) (out runtime.Output, m runtime.Metrics, err error) {
	started := time.Now()
	r := newRun(ctx, f, inputs, opts, b.scheduler)
	defer r.close()
	defer fault.Arm()()
	defer recoverTo(&err, f.Name)
	res, err := execute(r)
	if err != nil {
		return nil, runtime.Metrics{}, err
	}
	m = r.metrics(res)
	m.Time = time.Since(started)
	return res.out, m, nil
}
