// same_cell compares each lane with one of the first: the distance from the first lane with
// a row to the next one with its cell is the stride, and lanes so far apart are compared.
// Where neighbouring lanes have the targets of one source it is their number.
DEVICE u32 same_cell(u32*, bool there, u32 cell) {
    const u32 rows = __ballot_sync(~0u, there), self = 1u << (threadIdx.x & 31);
    if (rows == 0) return self;
    const int lane = threadIdx.x & 31, first = __ffs((int)rows) - 1;
    const bool repeats = __shfl_sync(~0u, cell, first) == cell && there && lane != first;
    const u32 repeated = __ballot_sync(~0u, repeats);
    if (repeated == 0) return self;
    const int stride = __ffs((int)repeated) - 1 - first;
    const int with = lane < first ? lane : first + (lane - first) % stride;
    const bool same = __shfl_sync(~0u, cell, with) == cell && there && (rows >> with & 1);
    u32 apart = 1;  // every so many bits
    for (int d = stride; d < 32; d *= 2) apart |= apart << d;
    const u32 lanes = __ballot_sync(~0u, same) & apart << with;
    return same ? lanes : self;
}
