// Rows with too many of all matches go to kernels that the block launches, by way of
// places in global memory. counts are the places that were asked for, the launches that
// were refused, and the matches of all tiles so far.
constexpr u64 NO_PLACE = ~0ull;

// take_place returns a place for rows with so many matches, or NO_PLACE where the block is
// to deal them out itself: they are fewer than a launch pays for, or less than one share
// of those so far if there were as many shares as places, or places have run out.
DEVICE u64 take_place(u64* counts, u64 places, u64 min_matches, u32 matches) {
    const u64 all = atomicAdd(counts + 2, (u64)matches) + matches;
    if (matches < min_matches || matches <= all / places) return NO_PLACE;
    const u64 place = atomicAdd(counts, 1ull);
    return place < places ? place : NO_PLACE;
}

// refused counts a launch that was refused.
DEVICE u64 refused(u64* counts) {
    atomicAdd(counts + 1, 1ull);
    return NO_PLACE;
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
