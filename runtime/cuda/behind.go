package cuda

import (
	"context"

	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/runtime"
)

// Uncompiled returns, by step, why the kernels of the steps of prog for which here is true
// cannot run unless their query waits for the compiler; nil where they can, or where that is
// not known before they run. What is not compiled is compiled behind, for later queries.
func (b *Backend) Uncompiled(ctx context.Context, prog *codegen.Program, here []bool) []*NotCompiled {
	p := b.preparation(ctx, prog)
	p.uncompiled = make([]*NotCompiled, len(prog.Steps))
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

// copyColumn copies a column.
func (b *Backend) copyColumn(ctx context.Context, version columnVersion, u *upload) error {
	on, err := b.mem.hold(ctx, nil)
	if err != nil {
		return err
	}
	defer on.leave()
	made, err := b.columns.column(ctx, on, u)
	if err != nil {
		return err
	}
	b.columns.note(version, u.chunks)
	made.held.release(nil)
	return nil
}

// Close ends what is done behind. Queries that run go on.
func (b *Backend) Close() {
	b.modules.behind.close()
	b.copying.close()
}
