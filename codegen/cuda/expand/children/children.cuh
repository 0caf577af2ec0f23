// Rows with too many of all matches, or the rows of every page, go to kernels that the
// block launches, by way of places in global memory. The words of counts:
enum Count { PLACES, MATCHES, SEGMENT, LEFT, READY, LAUNCHED, REFUSED, BLOCKS, BROKEN };
// places that were asked for, matches of all tiles so far, the segment at hand, its pages
// whose launches were refused, 1 once what comes behind its kernels has been launched;
// kernels that were launched, that were refused, blocks of the former; 1 where pages were lost.
constexpr u64 NO_PLACE = ~0ull;

// take_place returns a place for rows with so many matches, or NO_PLACE where the block is
// to deal them out itself: they are fewer than a launch pays for, or less than one share
// of those so far if there were as many shares as places, or places have run out.
DEVICE u64 take_place(u64* counts, u64 places, u64 min_matches, u32 matches) {
    const u64 all = atomicAdd(counts + MATCHES, (u64)matches) + matches;
    if (matches < min_matches || matches <= all / places) return NO_PLACE;
    const u64 place = atomicAdd(counts + PLACES, 1ull);
    return place < places ? place : NO_PLACE;
}

// launched counts a launch of so many blocks, and returns whether it was one.
DEVICE bool launched(u64* counts, u32 blocks) {
    const bool done = cudaGetLastError() == cudaSuccess;
    atomicAdd(counts + (done ? LAUNCHED : REFUSED), 1ull);
    if (done) atomicAdd(counts + BLOCKS, (u64)blocks);
    return done;
}

// child_blocks is how many blocks deal out so many matches: each empties and adds up its
// own slots, which takes that many to pay.
DEVICE u32 child_blocks(u32 matches, u64 max_blocks) {
    const u32 blocks = (matches + 16 * T * R - 1) / (16 * T * R);
    return blocks < max_blocks ? blocks : (u32)max_blocks;
}

// copy_rows copies what rows have, all threads of the block taking part.
template <typename V> DEVICE void copy_rows(V* to, const V* from, u32 n) {
    for (u32 i = threadIdx.x; i < n; i += T) to[i] = from[i];
}
