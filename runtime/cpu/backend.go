// Package cpu executes the kernel IR on the CPU: a vector of about a thousand
// rows at a time, so that what passes between instructions stays in the cache,
// morsel by morsel on every core.
package cpu

import (
	"context"
	goruntime "runtime"
	"time"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/scheduler"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
	"github.com/cubeloom/cubeloom/runtime/fault"
)

// Backend runs kernels on the cores of this machine, which it shares among the
// queries. Safe for concurrent use.
type Backend struct {
	scheduler *scheduler.Scheduler
	spare     spare.Pool
}

// New makes a CPU backend.
func New() *Backend { return &Backend{scheduler: scheduler.New(goruntime.GOMAXPROCS(0))} }

// Lend has another worker compute in the place of one that has to wait for something else
// than the queries that run, until back is called.
func (b *Backend) Lend() (back func()) { return b.scheduler.Lend() }

// Name implements runtime.Backend.
func (*Backend) Name() string { return "cpu" }

// Run implements runtime.Backend. A panic in a kernel is a defect of the
// engine and becomes an error of SQLSTATE XX000, and a fault in a mapped file one of
// XX001; neither ends the process.
func (b *Backend) Run(ctx context.Context, f *kernel.Func, inputs []any, opts *runtime.RunOptions) (out runtime.Output, m runtime.Metrics, err error) {
	started := time.Now()
	r := exec.NewRun(ctx, f, inputs, opts, b.scheduler)
	defer r.Close()
	r.Mem.Arrays = spare.NewArrays(&b.spare)
	defer fault.Arm()()
	defer exec.RecoverTo(&err, f.Name)
	res := execute(r)
	m = r.Metrics(res)
	m.Time = time.Since(started)
	r.Mem.Arrays.End()
	return res.Out, m, nil
}
