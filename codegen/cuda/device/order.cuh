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
    u64 digit;
    u32* counts;
    u64* tiles;
    u64* spread;
};

// KEPT is how many words of keys are compared in shared memory.
constexpr int KEPT = 4;

// before reports whether row a, whose first W words are those in place k of keys, comes
// before row b, whose first words are mine. With MORE the keys have further words.
template <int W, bool MORE> DEVICE bool before(const Params& p, const u64 (*keys)[T], int k, u64 a, const u64 (&mine)[W], u64 b) {
    bool less = false, equal = true;
    _Pragma("unroll") for (int w = 0; w < W; w++) {
        const u64 x = keys[w][k];
        less |= equal & (x < mine[w]);
        equal &= x == mine[w];
    }
    for (u64 w = W; MORE && equal && a < p.rows && b < p.rows && w < p.words; w++) {
        const u64 x = p.keys[w * p.capacity + a], y = p.keys[w * p.capacity + b];
        less |= x < y;
        equal &= x == y;
    }
    return less | (equal & (a < b));
}

// rank_words is rank_rows for keys of W words, or with MORE of more than W. Behind the last
// row stand keys that no row comes after.
template <int W, bool MORE> DEVICE void rank_words(const Params& p, u64 (*keys)[T], u32* places) {
    const u32 lane = threadIdx.x & 31, warp = threadIdx.x / 32;
    for (u64 tile = (u64)blockIdx.x * 32; tile < p.rows; tile += (u64)gridDim.x * 32) {
        const u64 i = tile + lane, mine_at = i < p.rows ? i : 0;
        u64 mine[W];
        for (int w = 0; w < W; w++) mine[w] = w < p.words ? p.keys[w * p.capacity + mine_at] : 0;
        if (warp == 0) places[lane] = 0;
        u32 place = 0;
        for (u64 from = 0; from < p.rows; from += T) {
            const u64 at = from + threadIdx.x;
            __syncthreads();
            for (int w = 0; w < W; w++) keys[w][threadIdx.x] = at >= p.rows ? ~0ull : w < p.words ? p.keys[w * p.capacity + at] : 0;
            __syncthreads();
            _Pragma("unroll 8") for (int k = 0; k < 32; k++) place += before<W, MORE>(p, keys, warp * 32 + k, from + warp * 32 + k, mine, i);
        }
        atomicAdd(places + lane, place);
        __syncthreads();
        if (warp == 0 && i < p.rows) p.out_rows[places[lane]] = (u32)i;
        __syncthreads();
    }
}

// rank_rows orders few rows: each counts those that come before it. A block takes
// as many rows as a warp has lanes, and each of its warps compares them with some of
// all rows, of whose keys the first words are brought to shared memory.
extern "C" __global__ __launch_bounds__(T) void rank_rows(const Params p) {
    __shared__ u64 keys[KEPT][T];
    __shared__ u32 places[32];
    if (p.words == 1) {
        rank_words<1, false>(p, keys, places);
    } else if (p.words == 2) {
        rank_words<2, false>(p, keys, places);
    } else if (p.words <= KEPT) {
        rank_words<KEPT, false>(p, keys, places);
    } else {
        rank_words<KEPT, true>(p, keys, places);
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

// Digits of a word are sorted by in one sweep over the rows each (Adinets and Merrill,
// "Onesweep", 2022). A digit begins at the lowest bit in which keys differ that no digit before
// it has; they differ in the word at hand.
constexpr int WORD_DIGITS = 8;

// histograms counts the rows by each digit of a word.
extern "C" __global__ __launch_bounds__(T) void histograms(const Params p) {
    __shared__ u32 counts[WORD_DIGITS * DIGITS];
    for (u32 c = threadIdx.x; c < WORD_DIGITS * DIGITS; c += T) counts[c] = 0;
    __syncthreads();
    const u64 differing = p.spread[p.word];
    for (u64 i = (u64)blockIdx.x * T + threadIdx.x; i < p.rows; i += (u64)gridDim.x * T) {
        const u64 key = p.keys[p.word * p.capacity + i];
        u32* digit = counts;
        for (u64 bits = differing; bits != 0; digit += DIGITS) {
            const int shift = __ffsll((i64)bits) - 1;
            bits &= ~((u64)(DIGITS - 1) << shift);
            atomicAdd(digit + digit_of(key, shift), 1u);
        }
    }
    __syncthreads();
    for (u32 c = threadIdx.x; c < WORD_DIGITS * DIGITS; c += T) {
        if (counts[c]) atomicAdd(p.counts + c, counts[c]);
    }
}

// Tiles of a sweep are taken in order; that the rows of a digit before a tile are counted, its word
// for the digit says: 1 in bit 62 where it counts the tile's alone, and in bit 63 where it counts
// those before it too.
constexpr u64 COUNTED = 1ull << 62, COUNTED_ALL = 1ull << 63;

// rows_before publishes how many rows of a digit a tile has, and returns how many those before
// it have. It looks at LOOKS of them at a time.
template <int LOOKS> DEVICE u32 rows_before(u64* tiles, u64 tile, u32 digit, u32 rows) {
    volatile u64* const counts = tiles + digit;
    u64 before = 0;
    if (tile > 0) counts[tile * DIGITS] = COUNTED | rows;
    for (u64 t = tile; t > 0;) {
        u64 had[LOOKS];
        _Pragma("unroll") for (int i = 0; i < LOOKS; i++) had[i] = t > i ? counts[(t - 1 - i) * DIGITS] : COUNTED_ALL;
        _Pragma("unroll") for (int i = 0; i < LOOKS; i++) {
            if (t == 0 || had[i] == 0) break;
            before += had[i] & COUNTED - 1;
            t = had[i] & COUNTED_ALL ? 0 : t - 1;
        }
    }
    counts[tile * DIGITS] = COUNTED_ALL | before + rows;
    return (u32)before;
}

// SweptTile is what a block has in shared memory of a tile: SWEPT rows of each thread.
template <int SWEPT> struct SweptTile {
    u64 keys[SWEPT * T], ticket;
    u32 warps[WARPS][DIGITS];
    u32 first[DIGITS];  // where the tile's rows of a digit go, less where they stand in keys
    u32 scratch[WARPS];
};

// sweep_rows moves the rows to where their digits go; rows of one digit keep their order. Without
// keys that come with the rows they are fetched. A thread has SWEPT rows of a tile.
template <int SWEPT, int LOOKS> DEVICE void sweep_rows(const Params& p, SweptTile<SWEPT>& of) {
    static_assert(T == DIGITS, "each thread has a digit");
    constexpr u64 SWEPT_TILE = SWEPT * T;
    u32* const rows = (u32*)of.keys;
    const u32 lane = threadIdx.x & 31, warp = threadIdx.x / 32;
    u32 total;
    const u32 begins = block_scan<u32>(p.counts[p.digit * DIGITS + threadIdx.x], of.scratch, total);
    for (;;) {
        __syncthreads();
        if (threadIdx.x == 0) of.ticket = atomicAdd(p.tiles, 1ull);
        __syncthreads();
        const u64 tile = of.ticket, start = tile * SWEPT_TILE;
        if (start >= p.rows) return;
        const u32 n = (u32)min(SWEPT_TILE, p.rows - start);
        u64 key[SWEPT];
        u32 row[SWEPT], place[SWEPT];
        const u32 at = warp * 32 * SWEPT + lane;
        _Pragma("unroll") for (int k = 0; k < SWEPT; k++) {
            const u32 i = at + k * 32;
            row[k] = i >= n ? 0 : p.in_rows ? p.in_rows[start + i] : (u32)start + i;
        }
        // What lies behind the last row comes last.
        _Pragma("unroll") for (int k = 0; k < SWEPT; k++) {
            const u32 i = at + k * 32;
            key[k] = i >= n ? ~0ull : p.in_keys ? p.in_keys[start + i] : p.keys[p.word * p.capacity + row[k]];
        }
        rank_digits(key, SWEPT, p.shift, of.warps[warp], place);
        __syncthreads();
        u32 mine = 0;
        for (int w = 0; w < WARPS; w++) mine += of.warps[w][threadIdx.x];
        const u32 local = block_scan<u32>(mine, of.scratch, total);
        of.first[threadIdx.x] = begins + rows_before<LOOKS>(p.tiles + 1, tile, threadIdx.x, mine) - local;
        for (u32 w = 0, next = local; w < WARPS; w++) {
            const u32 has = of.warps[w][threadIdx.x];
            of.warps[w][threadIdx.x] = next;
            next += has;
        }
        __syncthreads();
        _Pragma("unroll") for (int k = 0; k < SWEPT; k++) {
            place[k] += of.warps[warp][digit_of(key[k], p.shift)];
            of.keys[place[k]] = key[k];
        }
        __syncthreads();
        u32 to[SWEPT];
        _Pragma("unroll") for (int k = 0; k < SWEPT; k++) {
            const u32 i = k * T + threadIdx.x;
            key[k] = of.keys[i];
            to[k] = of.first[digit_of(key[k], p.shift)] + i;
            if (i < n) p.out_keys[to[k]] = key[k];
        }
        __syncthreads();
        _Pragma("unroll") for (int k = 0; k < SWEPT; k++) rows[place[k]] = row[k];
        __syncthreads();
        _Pragma("unroll") for (int k = 0; k < SWEPT; k++) {
            const u32 i = k * T + threadIdx.x;
            if (i < n) p.out_rows[to[k]] = rows[i];
        }
    }
}

// sweep is for many rows, sweep_few where there are so few that all blocks have some only of small tiles. Those
// count their rows at the same time, so that many have to be looked at.
extern "C" __global__ __launch_bounds__(T) void sweep(const Params p) {
    __shared__ SweptTile<16> of;
    sweep_rows<16, 1>(p, of);
}
extern "C" __global__ __launch_bounds__(T) void sweep_few(const Params p) {
    __shared__ SweptTile<4> of;
    sweep_rows<4, 8>(p, of);
}

// in_place numbers the rows: their keys do not differ.
extern "C" __global__ __launch_bounds__(T) void in_place(const Params p) {
    for (u64 i = (u64)blockIdx.x * T + threadIdx.x; i < p.rows; i += (u64)gridDim.x * T) p.out_rows[i] = (u32)i;
}
