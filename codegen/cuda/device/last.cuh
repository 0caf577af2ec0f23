// is_last reports whether a block is the last one of its launch to get here, by the counter of those that
// have, and none of them was flawed. It sees what the others have written until then. Every thread of the
// block must take part.
DEVICE bool is_last(u64* ended, bool flawed = false) {
    flawed = __syncthreads_or(flawed);
    bool last = false;
    if (threadIdx.x == 0) {
        __threadfence();  // what the block has written comes before its number
        const u64 before = atomicAdd(ended, 1ull + ((u64)flawed << 32));
        last = !flawed && before == gridDim.x - 1;
    }
    last = __syncthreads_or(last);
    if (last) __threadfence();  // and what is read comes behind those of the others
    return last;
}
