// Few rows are ordered by one block, as sweeps do: by the digits in which their keys differ, least
// significant first. Word w of the key of row i stands in keys[w * capacity + i].
constexpr int FEW_TURNS = 8;
constexpr u32 FEW = FEW_TURNS * T;

// FewRows are rows in an order; of a position with none behind the last one the row means nothing.
struct FewRows {
    u64 keys[FEW];
    u32 warps[WARPS][DIGITS];
    u64 bits[WARPS];
    u32 scratch[WARPS];
    u16 order[FEW];
};

// sort_digit sorts by a digit the keys and rows of a block's positions, so many of each lane, of
// which a thread has those from at on, and every 32nd.
DEVICE void sort_digit(FewRows& few, u64 (&key)[FEW_TURNS], u32 (&row)[FEW_TURNS], int turns, u32 at, u64 shift) {
    static_assert(T == DIGITS, "each thread has a digit");
    u32* const mine = few.warps[threadIdx.x / 32];
    u32 place[FEW_TURNS], rows = 0, total;
    rank_digits(key, turns, shift, mine, place);
    __syncthreads();
    for (int w = 0; w < WARPS; w++) rows += few.warps[w][threadIdx.x];
    u32 next = block_scan<u32>(rows, few.scratch, total);
    for (int w = 0; w < WARPS; w++) {
        const u32 has = few.warps[w][threadIdx.x];
        few.warps[w][threadIdx.x] = next;
        next += has;
    }
    __syncthreads();
    _Pragma("unroll") for (int k = 0; k < FEW_TURNS; k++) {
        if (k >= turns) break;
        const u32 to = place[k] + mine[digit_of(key[k], shift)];
        few.keys[to] = key[k];
        few.order[to] = (u16)row[k];
    }
    __syncthreads();
    _Pragma("unroll") for (int k = 0; k < FEW_TURNS; k++) {
        if (k >= turns) break;
        key[k] = few.keys[at + k * 32];
        row[k] = few.order[at + k * 32];
    }
}

// order_few orders so many rows, FEW at most, by keys of so many words, and returns their order.
DEVICE const u16* order_few(FewRows& few, const u64* keys, u64 capacity, u64 words, u32 rows) {
    const int turns = (int)((rows + T - 1) / T);
    const u32 at = threadIdx.x / 32 * 32 * turns + (threadIdx.x & 31);
    u32 row[FEW_TURNS];
    _Pragma("unroll") for (int k = 0; k < FEW_TURNS; k++) row[k] = at + k * 32;
    for (u64 w = words; w-- > 0;) {
        u64 key[FEW_TURNS], ones = 0, zeros = 0;
        _Pragma("unroll") for (int k = 0; k < FEW_TURNS; k++) {
            key[k] = k < turns && at + k * 32 < rows ? keys[w * capacity + row[k]] : ~0ull;  // comes last
        }
        _Pragma("unroll") for (int k = 0; k < FEW_TURNS; k++) {
            if (k >= turns || at + k * 32 >= rows) break;
            ones |= key[k];
            zeros |= ~key[k];
        }
        u64 differing = join_bits(ones, few.bits) & join_bits(zeros, few.bits);
        while (differing != 0) {
            const int shift = __ffsll((i64)differing) - 1;
            differing &= ~((u64)(DIGITS - 1) << shift);
            sort_digit(few, key, row, turns, at, shift);
        }
    }
    __syncthreads();
    _Pragma("unroll") for (int k = 0; k < FEW_TURNS; k++) {
        if (k < turns) few.order[at + k * 32] = (u16)row[k];
    }
    __syncthreads();
    return few.order;
}

// first_few is the first of so many rows whose value of a column a thread copies, with every T-th behind
// it: where a warp copies all of them, each has columns of its own.
DEVICE u32 first_few(u32 column, u32 rows) {
    return rows > 32 ? threadIdx.x : threadIdx.x / 32 == column % WARPS ? threadIdx.x & 31 : rows;
}

// gather_few copies so many elements of a column in an order, which are on their way all at the same time.
template <typename V> DEVICE void gather_few(u32 column, V* to, const V* from, const u16* order, u32 rows) {
    const u32 first = first_few(column, rows);
    V v[FEW_TURNS];
    _Pragma("unroll") for (int k = 0; k < FEW_TURNS; k++) {
        if (const u32 i = first + k * T; i < rows) v[k] = from[order[i]];
    }
    _Pragma("unroll") for (int k = 0; k < FEW_TURNS; k++) {
        if (const u32 i = first + k * T; i < rows) to[i] = v[k];
    }
}
