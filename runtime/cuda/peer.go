package cuda

import cudagen "github.com/cubeloom/cubeloom/codegen/cuda"

// copies reports whether the device copies columns of a relation of another device by itself.
// Texts it does not: what refers to them are addresses there.
func (b *Backend) copies(in *relation, cols []int) bool {
	if _, ok := b.device.(Peer); !ok {
		return false
	}
	for _, o := range cols {
		if enc := in.cols[o].shape.Encoding; enc == cudagen.EncTexts || enc == cudagen.EncStr {
			return false
		}
	}
	return true
}

// bytes is what columns take, texts aside.
func (r *relation) bytes(cols []int) int64 {
	n := int64(0)
	for _, o := range cols {
		n += int64(r.rows) * int64(max(r.cols[o].shape.Encoding.Width(), 1))
	}
	return n
}

// copyFromPeer copies columns of a relation of another device, which stays there until the run has ended.
func (r *run) copyFromPeer(in *relation, cols []int) (*bound, error) {
	b := &bound{rows: int64(in.rows), cols: make([]column, len(in.cols))}
	for _, o := range cols {
		from := &in.cols[o]
		b.cols[o] = column{shape: from.shape, base: from.base, dict: from.dict, held: r.backend.mem.newBuffers()}
		if err := r.copyColumn(&b.cols[o], from, in); err != nil {
			b.release(r.queue)
			return nil, err
		}
	}
	if r.standStill != nil { // the run may go on when the relation has been released
		if err := r.queue.sync(); err != nil {
			b.release(r.queue)
			return nil, err
		}
	}
	return b, nil
}

// copyColumn copies one of them.
func (r *run) copyColumn(to, from *column, in *relation) error {
	if from.shape.Encoding == cudagen.EncNull || in.rows == 0 {
		return nil
	}
	rows := int64(in.rows)
	if err := to.reserve(r.queue, rows); err != nil {
		return err
	}
	bitmap := (rows + 31) / 32 * 4
	data := rows * int64(from.shape.Encoding.Width())
	if from.shape.Encoding == cudagen.EncBits {
		data = bitmap
	}
	peer := r.backend.device.(Peer)
	r.metrics.FromPeers += data
	on := r.queue
	on.started++
	if err := peer.CopyFrom(on.stream, to.data, in.mem.of, from.data, data); err != nil || !from.shape.Nullable {
		return err
	}
	r.metrics.FromPeers += bitmap
	return peer.CopyFrom(on.stream, to.valid, in.mem.of, from.valid, bitmap)
}
