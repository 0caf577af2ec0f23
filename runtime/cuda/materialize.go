package cuda

import (
	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// materialize runs a Materialize. Where the body makes several rows of one there
// may be more rows than there is room for: the kernel counts them, and runs
// again.
func (r *run) materialize(s *kernel.Materialize) (runtime.Output, error) {
	r.set(cudagen.ArgSkip, 0, uint64(s.Offset))
	room := r.metrics.RowsIn
	if r.feed != nil {
		room = min(room, r.firstRoom(room))
	}
	if s.Ordered {
		n, err := r.countTiles()
		if err != nil {
			return nil, err
		}
		room = max(n-s.Offset, 0)
	}
	for {
		if s.Limit >= 0 {
			room = min(room, s.Limit)
		}
		out, err := r.outputs(room)
		if err != nil {
			return nil, err
		}
		rows, err := r.materializeInto(out, room, s)
		if err != nil {
			releaseColumns(out)
			return nil, err
		}
		if rows <= room {
			return r.relation(out, s.Cols, rows), nil
		}
		releaseColumns(out)
		room = rows
	}
}

// materializeInto writes up to room rows and gives how many there are to be
// written.
func (r *run) materializeInto(out []column, room int64, s *kernel.Materialize) (int64, error) {
	r.set(cudagen.ArgCapacity, 0, uint64(room))
	r.setOutputs(out)
	if err := r.clearStatus(); err != nil {
		return 0, err
	}
	if _, err := r.overRows("materialize", 0); err != nil {
		return 0, err
	}
	status, err := r.readStatus()
	if s.Ordered || err != nil {
		return room, err
	}
	rows := max(int64(status[statusCount])-s.Offset, 0)
	if s.Limit >= 0 {
		rows = min(rows, s.Limit)
	}
	return rows, nil
}

// countTiles counts the rows of each tile that remain and gives their number.
func (r *run) countTiles() (int64, error) {
	e, _, err := r.entry("count")
	if err != nil {
		return 0, err
	}
	tiles := tilesOf(r.metrics.RowsIn, e.TileRows)
	if r.feed != nil {
		tiles = r.feed.tiles(e.TileRows)
	}
	starts, err := r.temp.alloc(8 * (tiles + 1))
	if err != nil {
		return 0, err
	}
	if r.feed != nil {
		r.feed.starts = starts
	}
	r.set(cudagen.ArgTileStart, 0, uint64(starts))
	r.set(cudagen.ArgTiles, 0, uint64(tiles))
	r.set(cudagen.ArgCapacity, 0, 0)
	r.setOutputs(make([]column, len(r.module.Outputs)))
	if _, err := r.overRows("count", 0); err != nil {
		return 0, err
	}
	if _, err := r.launch("starts", tiles); err != nil {
		return 0, err
	}
	if _, err := r.readStatus(); err != nil {
		return 0, err
	}
	total, err := r.downloadWords(starts+Ptr(8*tiles), 1)
	if err != nil {
		return 0, err
	}
	return int64(total[0]), nil
}
