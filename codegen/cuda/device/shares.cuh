// Blocks take shares of all matches of a join: those of each tile of the source are
// counted before, and a block finds the tiles that have its share. A tile is worth its
// matches and, for staging its rows, TILE_WORTH more; one without matches nothing. The
// tiles are counted in chunks, one for each block: starts[tile] is what the tiles before
// it in its chunk are worth, chunks[1 + chunk] what the chunks before are, and chunks[0]
// how many chunks have been counted.
constexpr u64 TILE_WORTH = 64 * TILE;

DEVICE i64 tiles_of(i64 rows) { return (rows + TILE - 1) / TILE; }

// Chunks are what leads to the worth of tiles.
struct Chunks {
    const u64 *starts, *chunks;
    i64 tiles, each, number;
};

// before is what the tiles before one are worth.
DEVICE u64 before(const Chunks& c, i64 tile) {
    return tile < c.tiles ? c.chunks[1 + tile / c.each] + c.starts[tile] : c.chunks[1 + c.number];
}

// last_at finds the last of n numbers in ascending order that is at most x, the first of
// which is; upper bound search.
template <typename F> DEVICE i64 last_at(i64 n, u64 x, F number) {
    i64 lo = 0, hi = n;
    while (hi - lo > 1) {
        const i64 mid = (lo + hi) / 2;
        if (number(mid) <= x) {
            lo = mid;
        } else {
            hi = mid;
        }
    }
    return lo;
}

// tile_with finds the tile where a place among the worth of all tiles lies.
DEVICE i64 tile_with(const Chunks& c, u64 place) {
    const i64 chunk = last_at(c.number, place, [&](i64 i) { return c.chunks[1 + i]; });
    const i64 first = chunk * c.each, rest = c.tiles - first;
    return first + last_at(rest < c.each ? rest : c.each, place - c.chunks[1 + chunk], [&](i64 i) { return c.starts[first + i]; });
}

// end_chunk notes what the tiles of the block's chunk are worth. The last block sums the
// chunks up. scratch and counted are shared memory, the former for block_scan.
DEVICE void end_chunk(u64* chunks, u64 worth, u64* scratch, u64* counted) {
    if (threadIdx.x == 0) {
        chunks[1 + blockIdx.x] = worth;
        __threadfence();
        *counted = atomicAdd(chunks, 1ull);
    }
    __syncthreads();
    if (*counted != gridDim.x - 1) return;
    __threadfence();
    volatile u64* const others = chunks + 1;
    u64 sum = 0;
    for (u32 i = 0; i < gridDim.x; i += T) {
        const u32 chunk = i + threadIdx.x;
        u64 all;
        const u64 start = sum + block_scan<u64>(chunk < gridDim.x ? others[chunk] : 0, scratch, all);
        if (chunk < gridDim.x) others[chunk] = start;
        sum += all;
    }
    if (threadIdx.x == 0) others[gridDim.x] = sum;
}

// clamp is how many of the matches up to a place lie among n of which done come before.
DEVICE u32 clamp(u64 place, u64 done, u32 n) {
    return place <= done ? 0 : place - done < n ? (u32)(place - done) : n;
}
