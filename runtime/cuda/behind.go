package cuda

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/runtime"
)

// The most kernels that wait to be compiled, and the most sets of columns that wait to be
// copied.
const (
	maxWaitingKernels = 256
	maxWaitingCopies  = 64
)

// NotCompiled is the error of a kernel that its query does not wait for.
type NotCompiled struct{ Reason string }

func (e *NotCompiled) Error() string { return e.Reason }

// isCompiling is the reason of a kernel that later queries find.
const isCompiling = "kernels are being compiled; CPU this time"

// soon is why a query that does not wait for the compiler cannot use a module: "" where it is
// loaded, or its machine code is kept. One that is not compiled is compiled behind.
func (m *modules) soon(of *module) (why string) {
	of.mu.Lock()
	defer of.mu.Unlock()
	switch {
	case of.code != nil:
		return ""
	case of.failure != nil:
		first, _, _ := strings.Cut(of.failure.Error(), "\n")
		return fmt.Sprintf("kernel %s cannot be compiled: %s", of.of.Name, first)
	case of.loading != nil && of.loading.late.Load():
		return m.late(of).Reason
	case of.loading != nil || of.queued:
		return isCompiling
	}
	if keeper, ok := m.device.(Keeper); ok && keeper.Keeps(of.rendered.Source) {
		return ""
	}
	of.queued = m.behind.add(func(ctx context.Context) {
		_, _ = m.load(ctx, of) // who looks for it next is told of the error
		of.mu.Lock()
		of.queued = false
		of.mu.Unlock()
	})
	if !of.queued {
		return "more kernels wait to be compiled than are noted; CPU this time"
	}
	return isCompiling
}

// Uncompiled returns, by step, why the kernels of the steps of prog for which here is true
// cannot run unless their query waits for the compiler; "" where they can, or where that is
// not known before they run. What is not compiled is compiled behind, for later queries.
func (b *Backend) Uncompiled(ctx context.Context, prog *codegen.Program, here []bool) []string {
	p := b.preparation(ctx, prog)
	p.uncompiled = make([]string, len(prog.Steps))
	p.steps(here)
	return p.uncompiled
}

// CopyBehind has columns of a relation copied to the device for later queries; false: too
// many wait for that.
func (b *Backend) CopyBehind(rel runtime.Versioned, cols []int) bool {
	return b.copying.add(func(ctx context.Context) {
		_ = b.copyColumns(ctx, rel, cols) // who needs them next copies them, and is told of the error
	})
}

// copyColumns copies columns of a relation to the device, as far as there is room for them
// and they are not there.
func (b *Backend) copyColumns(ctx context.Context, rel runtime.Versioned, cols []int) error {
	chunks, err := loadChunks(ctx, rel, cols)
	if err != nil {
		return err
	}
	for i, o := range cols {
		needs := b.Needs(rel, []int{o})
		if needs.Missing == 0 || needs.Stream() {
			continue
		}
		if err := b.copyColumn(ctx, columnVersion{rel.Version(), o}, &upload{typ: rel.Types()[o], chunks: chunks[i]}); err != nil {
			return err
		}
	}
	return nil
}

// copyColumn copies a column; queries that want the device have it between chunks.
func (b *Backend) copyColumn(ctx context.Context, version columnVersion, u *upload) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	u.pause = b.giveWay
	made, err := b.columns.column(ctx, u)
	if err != nil {
		return err
	}
	b.columns.note(version, u.chunks)
	made.held.release()
	return nil
}

// giveWay lets queries have the device that wait for it. The caller holds it.
func (b *Backend) giveWay() {
	if b.waiting.Load() == 0 {
		return
	}
	owner, peak := b.mem.own(nil), b.mem.peak
	b.mu.Unlock()
	for b.waiting.Load() > 0 {
		time.Sleep(50 * time.Microsecond)
	}
	b.mu.Lock()
	b.mem.own(owner)
	b.mem.peak = peak
}

// Close ends what is done behind. Queries that run go on.
func (b *Backend) Close() {
	b.modules.behind.close()
	b.copying.close()
}

// lasts reports whether a module that could not be loaded will not be the next time either.
func lasts(failure error) bool {
	return !errors.Is(failure, ErrOutOfMemory) && !errors.Is(failure, ErrLost)
}
