// The first rows of an order. A bound of their keys is found in a sample: each thread
// that reads rows of it offers its least key to one of LEAST places, of which one with
// enough others before it bounds the rows that are kept.
constexpr u32 LEAST = 4096;

// offer_least offers the least key that a thread has seen, ~0 for none. Threads of blocks
// that follow each other offer to places of their own, so that rows in order are found
// by many.
DEVICE void offer_least(u64* least, u64 key) {
    u64* const place = least + ((u64)blockIdx.x * T + threadIdx.x) % LEAST;
    if (key < *(volatile u64*)place) atomicMin(place, key);
}

// first_equal returns those of a thread's rows with the key that is the bound which are
// among the first so many of all threads.
DEVICE u32 first_equal(u32 equal, u32* scratch, u64& first, u64* count, u64 wanted) {
    if (!__syncthreads_or(equal)) return 0;
    if (threadIdx.x == 0) first = *(volatile u64*)count;
    __syncthreads();
    const u64 seen = first;
    __syncthreads();
    if (seen >= wanted) return 0;
    u64 place = take_places<u32>(scratch, first, __popc(equal), count);
    ROWS if (bit(equal, r) && place++ >= wanted) equal &= ~(1u << r);
    return equal;
}

// saturated is v, or the nearest 64-bit integer.
DEVICE i64 saturated(i128 v) {
    const i64 max = (i64)(~0ull >> 1);
    return v > max ? max : v < -max - 1 ? -max - 1 : (i64)v;
}
