// Ordering of keys of several words and gathering of rows. Word w of row i of the
// keys stands in keys[w * capacity + i].
struct Params {
    const u64* keys;
    u64 capacity;
    u64 words;
    u64 word;
    u64 rows;
    const u64* in_keys;
    u64* out_keys;
    const u32* in_rows;
    u32* out_rows;
    u64 shift;
    u32* counts;
    u64 blocks;
    u64* spread;
};

constexpr int DIGITS = 256;

// rank_rows orders few rows: each counts those that come before it. A block takes
// as many rows as a warp has lanes, and each of its warps compares them with some of
// all rows, of whose keys the first words are brought to shared memory.
constexpr int KEPT = 4;

// before reports whether row a, whose first words are those in place k of keys, comes
// before row b, whose first words are mine.
DEVICE bool before(const Params& p, const u64 (&keys)[KEPT][T], int k, u64 a, const u64 (&mine)[KEPT], u64 b) {
    for (int w = 0; w < KEPT && w < p.words; w++) {
        if (keys[w][k] != mine[w]) return keys[w][k] < mine[w];
    }
    for (u64 w = KEPT; w < p.words; w++) {
        const u64 x = p.keys[w * p.capacity + a], y = p.keys[w * p.capacity + b];
        if (x != y) return x < y;
    }
    return a < b;
}

extern "C" __global__ __launch_bounds__(T) void rank_rows(const Params p) {
    __shared__ u64 keys[KEPT][T];
    __shared__ u32 places[32];
    const u32 lane = threadIdx.x & 31, warp = threadIdx.x / 32;
    for (u64 tile = (u64)blockIdx.x * 32; tile < p.rows; tile += (u64)gridDim.x * 32) {
        const u64 i = tile + lane;
        u64 mine[KEPT];
        for (int w = 0; w < KEPT; w++) mine[w] = i < p.rows && w < p.words ? p.keys[w * p.capacity + i] : 0;
        if (warp == 0) places[lane] = 0;
        u32 place = 0;
        for (u64 from = 0; from < p.rows; from += T) {
            __syncthreads();
            for (int w = 0; w < KEPT && w < p.words; w++) {
                if (from + threadIdx.x < p.rows) keys[w][threadIdx.x] = p.keys[w * p.capacity + from + threadIdx.x];
            }
            __syncthreads();
            const int end = (int)min((u64)warp * 32 + 32, p.rows - from);
            for (int k = warp * 32; i < p.rows && k < end; k++) place += before(p, keys, k, from + k, mine, i);
        }
        atomicAdd(places + lane, place);
        __syncthreads();
        if (warp == 0 && i < p.rows) p.out_rows[places[lane]] = (u32)i;
        __syncthreads();
    }
}

// differ finds the bits of a word in which the keys differ.
extern "C" __global__ __launch_bounds__(T) void differ(const Params p) {
    const u64* const keys = p.keys + p.word * p.capacity;
    const u64 first = keys[0];
    u64 spread = 0;
    for (u64 i = (u64)blockIdx.x * T + threadIdx.x; i < p.rows; i += (u64)gridDim.x * T) spread |= keys[i] ^ first;
    for (int d = 16; d > 0; d /= 2) spread |= __shfl_xor_sync(~0u, spread, d);
    if ((threadIdx.x & 31) == 0 && spread) atomicOr(p.spread + p.word, spread);
}

// load takes a word of the keys of rows in the order that they have so far.
extern "C" __global__ __launch_bounds__(T) void load(const Params p) {
    for (u64 i = (u64)blockIdx.x * T + threadIdx.x; i < p.rows; i += (u64)gridDim.x * T) {
        const u32 row = p.in_rows ? p.in_rows[i] : (u32)i;
        p.out_keys[i] = p.keys[p.word * p.capacity + row];
        p.out_rows[i] = row;
    }
}

// A block of a pass over a digit has a part of the rows, a whole number of tiles.
DEVICE u64 part_rows(const Params& p) { return (p.rows + p.blocks * T - 1) / (p.blocks * T) * T; }
DEVICE u32 digit_of(const Params& p, u64 key) { return (u32)(key >> p.shift) & (DIGITS - 1); }

// count counts the digits of each part.
extern "C" __global__ __launch_bounds__(T) void count(const Params p) {
    __shared__ u32 counts[DIGITS];
    for (u32 d = threadIdx.x; d < DIGITS; d += T) counts[d] = 0;
    __syncthreads();
    const u64 start = blockIdx.x * part_rows(p), end = min(start + part_rows(p), p.rows);
    for (u64 i = start + threadIdx.x; i < end; i += T) atomicAdd(counts + digit_of(p, p.in_keys[i]), 1u);
    __syncthreads();
    for (u32 d = threadIdx.x; d < DIGITS; d += T) p.counts[d * p.blocks + blockIdx.x] = counts[d];
}

// starts replaces the counts by where the rows of each digit and part go.
extern "C" __global__ __launch_bounds__(T) void starts(const Params p) {
    __shared__ u32 scratch[WARPS];
    u32 before = 0;
    for (u64 tile = 0; tile < DIGITS * p.blocks; tile += T) {
        const u64 at = tile + threadIdx.x;
        u32 total;
        const u32 start = before + block_scan<u32>(at < DIGITS * p.blocks ? p.counts[at] : 0, scratch, total);
        if (at < DIGITS * p.blocks) p.counts[at] = start;
        before += total;
    }
}

// scatter moves the rows to where their digits go; rows of one digit keep their
// order.
extern "C" __global__ __launch_bounds__(T) void scatter(const Params p) {
    __shared__ u32 next[DIGITS];
    __shared__ u32 warps[WARPS][DIGITS];
    const u32 lane = threadIdx.x & 31, warp = threadIdx.x / 32;
    for (u32 d = threadIdx.x; d < DIGITS; d += T) next[d] = p.counts[d * p.blocks + blockIdx.x];
    const u64 start = blockIdx.x * part_rows(p), end = min(start + part_rows(p), p.rows);
    for (u64 tile = start; tile < end; tile += T) {
        for (u32 d = lane; d < DIGITS; d += 32) warps[warp][d] = 0;
        __syncwarp();
        const u64 i = tile + threadIdx.x;
        const bool is = i < end;
        const u64 key = is ? p.in_keys[i] : 0;
        const u32 digit = is ? digit_of(p, key) : DIGITS;
        const u32 same = __match_any_sync(~0u, digit);
        const u32 rank = __popc(same & ((1u << lane) - 1));
        if (is && rank == 0) warps[warp][digit] = __popc(same);
        __syncthreads();
        for (u32 d = threadIdx.x; d < DIGITS; d += T) {
            u32 at = next[d];
            for (int w = 0; w < WARPS; w++) {
                const u32 n = warps[w][d];
                warps[w][d] = at;
                at += n;
            }
            next[d] = at;
        }
        __syncthreads();
        if (is) {
            const u32 to = warps[warp][digit] + rank;
            p.out_keys[to] = key;
            p.out_rows[to] = p.in_rows[i];
        }
        __syncthreads();
    }
}
