// Texts of a partition's rows, one behind the other. A piece is what a row adds: a separator,
// which the first row has none of, and its text.
struct Piece {
    Text separator, text;
};
DEVICE u64 size_of(const Piece& p) { return size_of(p.separator) + size_of(p.text); }

// measure_pieces counts the bytes of the pieces of a tile.
template <typename Take> DEVICE void measure_pieces(u64* scratch, u64 n, u64 tile, u64* counts, Take take) {
    u64 mine = 0, total;
    ORDERED if (i < n) mine += size_of(take(i));
    block_scan<u64>(mine, scratch, total);
    if (threadIdx.x == 0) counts[tile] = total;
}

// end_pieces sets where the pieces of a tile end, before which there are so many bytes.
template <typename Take> DEVICE void end_pieces(u64* scratch, u64 n, u64 tile, u64 before, u64* ends, Take take) {
    ORDERED {
        const u64 size = i < n ? size_of(take(i)) : 0;
        u64 total;
        const u64 end = before + block_scan<u64>(size, scratch, total) + size;
        before += total;
        if (i < n) ends[i] = end;
    }
}

// bytes_before is how many bytes the pieces before row i have.
DEVICE u64 bytes_before(const u64* ends, u64 i) { return i ? ends[i - 1] : 0; }

// find_longest has longest be that of the texts of the partitions at least.
DEVICE void find_longest(u64 n, const u32* of, const u32* starts, const u64* ends, u64* longest) {
    u64 mine = 0;
    for (u64 i = (u64)blockIdx.x * T + threadIdx.x; i < n; i += (u64)gridDim.x * T) {
        const u64 lo = starts[of[i]], size = ends[i] - bytes_before(ends, lo);
        if (size > mine) mine = size;
    }
    mine = warp_max(mine);
    if ((threadIdx.x & 31) == 0) atomicMax(longest, mine);
}

// copy_lanes has the lanes of a warp copy a text.
DEVICE void copy_lanes(Text t, u8* to) {
    const u8* const at = bytes_of(t);
    for (u32 i = threadIdx.x & 31; i < size_of(t); i += 32) to[i] = letter(at[i], case_of(t));
}

// copy_pieces has each warp copy the pieces of 32 rows, one after the other.
template <typename Take> DEVICE void copy_pieces(u64 n, const u64* ends, u8* bytes, Take take) {
    const u32 lane = threadIdx.x & 31;
    for (u64 from = (u64)blockIdx.x * T + threadIdx.x - lane; from < n; from += (u64)gridDim.x * T) {
        Piece mine = {{0}, {0}};
        if (from + lane < n) mine = take(from + lane);
        const u64 at = from + lane < n ? bytes_before(ends, from + lane) : 0;
        for (u32 k = 0; k < 32; k++) {
            const Text separator = {__shfl_sync(~0u, mine.separator.word, k)}, text = {__shfl_sync(~0u, mine.text.word, k)};
            u8* const to = bytes + __shfl_sync(~0u, at, k);
            copy_lanes(separator, to);
            copy_lanes(text, to + size_of(separator));
        }
    }
}
