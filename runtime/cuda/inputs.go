package cuda

import (
	"context"
	"fmt"
	"slices"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// rows is the number of rows.
func (in *input) rows() int64 {
	if in.table != nil {
		return in.table.places
	}
	if in.groups != nil {
		return in.groups.cells
	}
	if in.bound != nil {
		return in.bound.rows
	}
	return 0
}

// release releases the run's share of what it reads, with which q may still work.
func (in *input) release(q *queue) {
	switch {
	case in.bound != nil:
		in.bound.release(q)
	case in.table != nil:
		in.table.free(q)
	case in.groups != nil:
		in.groups.free(q)
	}
}

// load gets at the inputs of f. No stream of the device must be held: a relation may fetch
// columns from there.
func (b *Backend) load(ctx context.Context, f *kernel.Func, inputs []any) ([]loadedInput, error) {
	loaded := make([]loadedInput, len(inputs))
	for i, in := range inputs {
		var err error
		cols := f.ColumnsRead(i)
		switch in := in.(type) {
		case *table:
			loaded[i] = loadedInput{table: in, cols: cols}
		case *groups:
			loaded[i] = loadedInput{groups: in, cols: cols}
		case runtime.Relation:
			loaded[i], err = b.loadInput(ctx, in, cols)
		default:
			err = errInternal("kernel %s reads a %T on the device", f.Name, in)
		}
		if err != nil {
			releaseSent(loaded)
			return nil, err
		}
	}
	return loaded, nil
}

// loadInput gets at columns of a relation, which are sent to the device while they are decoded where
// that can be.
func (b *Backend) loadInput(ctx context.Context, rel runtime.Relation, cols []int) (loadedInput, error) {
	_, versioned := rel.(runtime.Versioned)
	_, composed := rel.(runtime.Composed)
	if decoded, ok := rel.(runtime.Decoded); ok && !versioned && !composed {
		sent, err := b.sendDecoded(ctx, decoded, cols)
		if sent != nil || err != nil {
			return loadedInput{host: rel, cols: cols, sent: sent}, err
		}
	}
	return b.loadRelation(ctx, rel, cols)
}

// isMadeByHost reports whether the host has computed rows of the input: they are of no table and of no file.
func (l loadedInput) isMadeByHost() bool {
	_, decoded := l.host.(runtime.Decoded)
	return l.host != nil && l.version == nil && l.far == 0 && !decoded ||
		slices.ContainsFunc(l.parts, func(p loadedPart) bool { return p.isMadeByHost() })
}

// releaseSent releases what was sent to the device for inputs.
func releaseSent(loaded []loadedInput) {
	for i := range loaded {
		if sent := loaded[i].sent; sent != nil {
			loaded[i].sent = nil
			sent.release(nil)
		}
	}
}

// loadRelation gets at columns of a relation.
func (b *Backend) loadRelation(ctx context.Context, rel runtime.Relation, cols []int) (loadedInput, error) {
	l := loadedInput{cols: cols}
	var err error
	switch in := rel.(type) {
	case *relation:
		if in.mem == b.mem {
			l.device = in
			return l, nil
		}
		if b.copies(in, cols) {
			l.peer = in
			return l, nil
		}
		l.far = in.bytes(cols)
	case runtime.Composed:
		l.parts, err = b.loadParts(ctx, in.Parts(), cols)
		return l, err
	}
	l.host = rel
	if v, ok := rel.(runtime.Versioned); ok {
		l.version = v.Version()
		if b.columns.hasAll(&l) {
			return l, nil
		}
	}
	l.chunks, err = loadChunks(ctx, rel, cols)
	return l, err
}

// merges are the probes of f of relations in order.
func merges(f *kernel.Func) []*kernel.Probe {
	var list []*kernel.Probe
	for _, in := range f.Body {
		if p, ok := in.(*kernel.Probe); ok && p.Sorted != nil {
			list = append(list, p)
		}
	}
	return list
}

// checkMerged refuses relations of more rows than a merge can number.
func (r *run) checkMerged() error {
	for _, p := range merges(r.f) {
		if in := &r.inputs[p.Input]; in.rows() > cudagen.MaxMerged {
			return &cudagen.Refusal{Reason: fmt.Sprintf("there is no device code for merges with relations of %d rows", in.rows())}
		}
	}
	return nil
}

// bind copies the inputs to the device.
func (r *run) bind(loaded []loadedInput) error {
	r.inputs = make([]input, len(loaded))
	for i := range loaded {
		r.inputs[i].table, r.inputs[i].groups = loaded[i].table, loaded[i].groups
		switch in := &r.inputs[i]; {
		case in.table != nil:
			in.table.shares.Add(1)
		case in.groups != nil:
			in.groups.shares.Add(1)
		}
	}
	for i := range loaded {
		l := &loaded[i]
		if l.table != nil || l.groups != nil {
			continue
		}
		if err := r.backend.reload(r.ctx, l); err != nil {
			return err
		}
		var err error
		switch {
		case l.sent != nil:
			r.inputs[i].bound, r.inputs[i].cached = l.sent.share(), true
		case streamable(r.f, i, l) && (r.streams || !r.backend.fits(l)):
			r.inputs[i].bound, err = r.stream(i, l)
		default:
			r.inputs[i].bound, err = r.bindRelation(l)
			r.inputs[i].cached = l.host != nil
		}
		if err != nil {
			return err
		}
		r.metrics.BytesRead += r.inputs[i].bound.bytes()
		r.metrics.FromPeers += l.far
	}
	return r.checkMerged()
}

// cachedBytes is the memory of the columns that the kernel reads and that stay on the
// device after the query.
func (r *run) cachedBytes() int64 {
	n := int64(0)
	for i := range r.inputs {
		if b := r.inputs[i].bound; b != nil && r.inputs[i].cached {
			n += b.bytes()
		}
	}
	return n
}

// shapes are the shapes of the inputs.
func (r *run) shapes() []cudagen.InputShape {
	shapes := make([]cudagen.InputShape, len(r.inputs))
	for i := range r.inputs {
		switch in := &r.inputs[i]; {
		case in.table != nil:
			shapes[i].Table = &in.table.shape
		case in.groups != nil:
			shapes[i].Groups = in.groups.shape
		default:
			shapes[i] = in.bound.shape()
		}
	}
	return shapes
}

// loadParts gets at the parts of a composed relation, as far as its columns cols
// need.
func (b *Backend) loadParts(ctx context.Context, parts []runtime.ViewPart, cols []int) ([]loadedPart, error) {
	loaded := make([]loadedPart, len(parts))
	for i, part := range parts {
		var wanted []int
		for _, o := range cols {
			if source := sourceOrdinal(part.Cols, o); source >= 0 {
				wanted = append(wanted, source)
			}
		}
		in, err := b.loadRelation(ctx, part.Rel, wanted)
		if err != nil {
			return nil, err
		}
		loaded[i] = loadedPart{loadedInput: in, rows: part.Rel.Rows(), seen: part.Cols}
	}
	return loaded, nil
}
