package cuda

import "github.com/cubeloom/cubeloom/codegen/kernel"

// Sharing is an Expander whose matches blocks take in shares of all, not tile by tile: those
// of each tile are counted before. It is asked where the expansion is the first one of an
// aggregation into cells.
type Sharing interface {
	Expander
	// Shares says that it does so.
	Shares()
}

// CannotShare says why blocks cannot take shares of the matches of the expansion; "" where
// they can.
func (x *Expansion) CannotShare() string {
	if !hasCells(x.f.Sink) {
		return "blocks take shares of all matches of an aggregation into cells only"
	}
	return ""
}

// Shared reports whether the block has a share of the matches of this expansion: from the
// variable lo up to hi, of those of the tile.
func (x *Expansion) Shared() bool {
	shares := x.shares
	x.shares = false // those around which there is another one deal out what they have
	return shares
}

// sharesMatches reports whether the first expansion of the body is done in a form that
// takes shares.
func (r *renderer) sharesMatches() bool {
	for i, in := range r.f.Body {
		if p, ok := in.(*kernel.Probe); ok && r.expands(p) {
			e := r.newEntry("")
			e.warps = meetsWarps(r.f.Sink)
			x := &Expansion{Entry: e, Probe: p, Fanout: evenly(DefaultRows, max(p.Matches, defaultMatches)), rest: r.f.Body[i+1:]}
			_, shares := x.form().(Sharing)
			return shares
		}
	}
	return false
}

// countMatches renders the entry that counts the matches of the tiles of a pass.
func (r *renderer) countMatches(p Pass) {
	name := r.passName(p.Name) + countsMatches
	r.include("shares.cuh")
	r.entry(name, "counts the matches of each tile", r.rows*r.threads, func(e *Entry) {
		e.passed(Pass{Reads: []kernel.ValueID{}})
		e.params()
		starts, chunks := e.matchArgs()
		e.Line("__shared__ u64 scratch[WARPS], counted;")
		e.Line("u64 worth = 0;")
		rows := e.openSource()
		e.Line("const i64 tiles = tiles_of(%s), each = (tiles + gridDim.x - 1) / gridDim.x;", rows)
		e.Line("const i64 end = (blockIdx.x + 1) * each < tiles ? (blockIdx.x + 1) * each : tiles;")
		e.Begin("for (i64 number = blockIdx.x * each; number < end; number++)")
		e.Line("const i64 tile = number * TILE;")
		e.Line("u64 matches = 0, all;")
		e.counting = func(x *Expansion) {
			left := x.Count()
			x.Line("ROWS matches += %s[r];", left)
		}
		e.tile(rows, func() { e.block(e.f.Body, func() {}) })
		e.Line("block_scan<u64>(matches, scratch, all);")
		e.Line("if (threadIdx.x == 0) %s[number] = worth;", starts)
		e.Line("worth += all > 0 ? all + TILE_WORTH : 0;")
		e.End()
		e.Line("end_chunk(%s, worth, scratch, &counted);", chunks)
	})
	r.entries[len(r.entries)-1].Source = true
}

// countsMatches is behind the name of an entry in that of the one that counts its matches.
const countsMatches = "_matches"

// matchArgs are where the tiles before each tile are, by chunks.
func (e *arguments) matchArgs() (starts, chunks string) {
	return e.Arg(Arg{Kind: ArgMatchStarts}, "u64*", "by tile: what those before it in its chunk are worth"),
		e.Arg(Arg{Kind: ArgMatchChunks}, "u64*", "chunks counted, and what those before each are worth")
}

// shareTiles writes the loop over the tiles that have matches of the block's share, as long
// as a condition that ends in && holds.
func (e *Entry) shareTiles(while string, body func()) {
	starts, chunks := e.matchArgs()
	number := e.Arg(Arg{Kind: ArgMatchBlocks}, "i64", "number of chunks")
	rows := e.openSource()
	e.Line("const i64 source_tiles = tiles_of(%s);", rows)
	e.Line("const Chunks shares = {%s, %s, source_tiles, (source_tiles + %s - 1) / %s, %s};", starts, chunks, number, number, number)
	e.Line("const u64 share = (before(shares, source_tiles) + gridDim.x - 1) / gridDim.x, share_first = blockIdx.x * share;")
	e.Line("const u64 share_end = share_first + share < before(shares, source_tiles) ? share_first + share : before(shares, source_tiles);")
	e.Line("i64 next = share_first < share_end ? tile_with(shares, share_first) : source_tiles;")
	e.Begin("for (; %snext < source_tiles; next++)", while)
	e.Line("const u64 matches = before(shares, next) + TILE_WORTH;")
	e.Line("if (share_end <= matches - TILE_WORTH) break;")
	e.Line("const u64 lo = share_first > matches ? share_first - matches : 0, hi = share_end > matches ? share_end - matches : 0;")
	e.Line("if (lo >= hi || before(shares, next + 1) <= matches + lo) continue;")
	e.Line("const i64 tile = next * TILE;")
	e.tile(rows, body)
	e.End()
}
