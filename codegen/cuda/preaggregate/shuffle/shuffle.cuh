// same_cell finds the lanes with the cell of the first lane that has a row.
DEVICE u32 same_cell(u32*, bool there, u32 cell) {
    const u32 rows = __ballot_sync(~0u, there), self = 1u << (threadIdx.x & 31);
    if (rows == 0) return self;
    const bool same = __shfl_sync(~0u, cell, __ffs((int)rows) - 1) == cell && there;
    const u32 lanes = __ballot_sync(~0u, same);
    return same ? lanes : self;
}

// combine joins the numbers of one set of lanes; the others keep theirs.
template <typename X> DEVICE typename X::V combine(u32*, u32 lanes, typename X::V v) {
    const bool joins = (lanes & (lanes - 1)) != 0;
    typename X::V sum = {};
    if (joins) sum = v;
    for (int d = 16; d > 0; d /= 2) sum = X::join(sum, moved(Shuffled{(int)(threadIdx.x & 31) ^ d}, sum));
    return joins ? sum : v;
}
