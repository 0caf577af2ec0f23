// Sums of bytes by scattered 64-bit keys, written for nothing else: what kernels that are woven
// for any query are measured against. Keys are never EMPTY.
typedef unsigned int u32;
typedef unsigned char u8;
typedef unsigned long long u64;

struct Params {
    const u64* keys;    // a multiple of four
    const u8* values;
    u64 rows;
    u64 log_slots;      // of a block's table
    u64* table;         // keys of the table of all
    u64* sums;
    u64 log_table;
};

static constexpr u64 EMPTY = ~0ull;

// Home is where the search for a key begins in a table of 2^log places.
__device__ inline u32 home(u64 key, u32 log) { return (u32)(key * 0x9e3779b97f4a7c15ull >> (64 - log)); }

// Place returns where a key lies, from a place on, and puts it there if it is new.
__device__ inline u32 place(u64* table, u32 log, u64 key, u32 at) {
    const u32 mask = (1u << log) - 1;
    for (;; at = (at + 1) & mask) {
        u64 found = ((volatile u64*)table)[at];
        if (found == EMPTY) found = atomicCAS(table + at, EMPTY, key);
        if (found == EMPTY || found == key) return at;
    }
}

// Load reads R rows of a thread, four that lie side by side at a time, and returns whether there are any.
template <int R, int T> __device__ inline void load(const Params& p, u64 tile, u64* keys, u32* values) {
    struct alignas(16) Pair { u64 first, second; };
#pragma unroll
    for (int quad = 0; quad < R / 4; quad++) {
        const u64 row = tile + ((u64)quad * T + threadIdx.x) * 4;
        if (row >= p.rows) {
            for (int i = 0; i < 4; i++) keys[4 * quad + i] = EMPTY;
            continue;
        }
        const Pair low = *(const Pair*)(p.keys + row), high = *(const Pair*)(p.keys + row + 2);
        const u32 bytes = *(const u32*)(p.values + row);
        keys[4 * quad] = low.first, keys[4 * quad + 1] = low.second;
        keys[4 * quad + 2] = high.first, keys[4 * quad + 3] = high.second;
        for (int i = 0; i < 4; i++) values[4 * quad + i] = bytes >> 8 * i & 0xff;
    }
}

// In_blocks has each block sum in a table of its own in shared memory, in two words a group.
template <int R> __device__ inline void in_blocks(const Params& p) {
    constexpr int T = 1024;
    extern __shared__ u64 slots[];
    const u32 log = (u32)p.log_slots, count = 1u << log;
    u32 *low = (u32*)(slots + count), *high = low + count;
    for (u32 i = threadIdx.x; i < count; i += T) slots[i] = EMPTY, low[i] = high[i] = 0;
    __syncthreads();
    for (u64 tile = (u64)blockIdx.x * T * R; tile < p.rows; tile += (u64)gridDim.x * T * R) {
        u64 keys[R];
        u32 values[R];
        load<R, T>(p, tile, keys, values);
#pragma unroll
        for (int r = 0; r < R; r++) {
            if (keys[r] == EMPTY) continue;
            const u32 at = place(slots, log, keys[r], home(keys[r], log));
            const u32 before = atomicAdd(low + at, values[r]);
            if (before + values[r] < before) atomicAdd(high + at, 1u);
        }
    }
    __syncthreads();
    for (u32 i = threadIdx.x; i < count; i += T) {
        if (slots[i] == EMPTY) continue;
        const u32 at = place(p.table, (u32)p.log_table, slots[i], home(slots[i], (u32)p.log_table));
        atomicAdd(p.sums + at, (u64)high[i] << 32 | low[i]);
    }
}

// In_one sums in one table of all blocks. The places of a thread's rows are read together.
template <int R> __device__ inline void in_one(const Params& p) {
    constexpr int T = 256;
    const u32 log = (u32)p.log_table;
    for (u64 tile = (u64)blockIdx.x * T * R; tile < p.rows; tile += (u64)gridDim.x * T * R) {
        u64 keys[R], seen[R];
        u32 values[R], at[R];
        load<R, T>(p, tile, keys, values);
#pragma unroll
        for (int r = 0; r < R; r++) {
            at[r] = home(keys[r], log);
            seen[r] = keys[r] == EMPTY ? EMPTY : ((volatile u64*)p.table)[at[r]];
        }
#pragma unroll
        for (int r = 0; r < R; r++) {
            if (keys[r] == EMPTY) continue;
            if (seen[r] != keys[r]) at[r] = place(p.table, log, keys[r], at[r]);
            atomicAdd(p.sums + at[r], (u64)values[r]);
        }
    }
}

extern "C" __global__ void __launch_bounds__(1024) blocks_4(const Params p) { in_blocks<4>(p); }
extern "C" __global__ void __launch_bounds__(1024) blocks_8(const Params p) { in_blocks<8>(p); }
extern "C" __global__ void __launch_bounds__(256) one_4(const Params p) { in_one<4>(p); }
extern "C" __global__ void __launch_bounds__(256) one_8(const Params p) { in_one<8>(p); }
