// SCRATCH is how many words of shared memory a warp has: one for a cell, and a word of
// half of its lanes.
constexpr int SCRATCH = 17;

// same_cell finds the lanes with the cell of the first lane that has a row, which shared
// memory shows to the others.
DEVICE u32 same_cell(u32* scratch, bool there, u32 cell) {
    const u32 rows = __ballot_sync(~0u, there), self = 1u << (threadIdx.x & 31);
    if (rows == 0) return self;
    __syncwarp();  // the word has been read
    if ((rows & (self - 1)) == 0 && there) scratch[0] = cell;
    __syncwarp();
    const bool same = there && scratch[0] == cell;
    const u32 lanes = __ballot_sync(~0u, same);
    return same ? lanes : self;
}

// Handed moves words through shared memory, from the lanes in the upper half of 2·half
// places to those of the lower one.
struct Handed {
    u32* scratch;
    int place, half;
    DEVICE u32 operator()(u32 v) const {
        if (place >= half && place < 2 * half) scratch[1 + place - half] = v;
        __syncwarp();
        if (place < half) v = scratch[1 + place];
        __syncwarp();
        return v;
    }
};

// combine joins the numbers of one set of lanes for the first of them, place 0; the
// others keep theirs.
template <typename X> DEVICE typename X::V combine(u32* scratch, u32 lanes, typename X::V v) {
    const bool joins = (lanes & (lanes - 1)) != 0;
    const int first = __ffs((int)__ballot_sync(~0u, joins)) - 1;
    typename X::V sum = {};
    if (joins) sum = v;
    for (int half = 16; half > 0; half /= 2) {
        const int place = ((int)(threadIdx.x & 31) - first) & 31;
        const typename X::V other = moved(Handed{scratch, place, half}, sum);
        if (place < half) sum = X::join(sum, other);
    }
    return joins ? sum : v;
}
