// Few rows are ordered by one block. Word w of the key of row i stands in keys[w * capacity + i].
// Where the first words of the keys differ enough, rows are put into buckets by the bits of those, and
// what stands before a row in its bucket is counted. Otherwise rows are sorted as sweeps do: by the
// digits in which their keys differ, least significant first.
constexpr int FEW_TURNS = 8;
constexpr u32 FEW = FEW_TURNS * T;
constexpr int BUCKET_BITS = 11;

// FewRows are rows in an order; of a position with none behind the last one the row means nothing.
struct FewRows {
    u64 keys[FEW];
    u32 counts[WARPS][DIGITS];  // of each warp by digit, or of bucket b at [b % WARPS][b / WARPS]
    u64 bits[WARPS];
    u32 scratch[WARPS];
    u16 order[FEW];
};

// FewTurns are the rows of a thread: so many, from position at on, and every 32nd.
struct FewTurns {
    u64 key[FEW_TURNS];
    u32 row[FEW_TURNS], at;
    int turns;
    DEVICE bool has(int k, u32 rows) const { return k < turns && at + k * 32 < rows; }
};

// load_few loads a word of the keys of a thread's rows, and returns the bits in which those of all differ.
DEVICE u64 load_few(FewRows& few, FewTurns& mine, const u64* word, u32 rows) {
    u64 ones = 0, zeros = 0;
    _Pragma("unroll") for (int k = 0; k < FEW_TURNS; k++) mine.key[k] = mine.has(k, rows) ? word[mine.row[k]] : ~0ull;  // comes last
    _Pragma("unroll") for (int k = 0; k < FEW_TURNS; k++) {
        if (!mine.has(k, rows)) break;
        ones |= mine.key[k];
        zeros |= ~mine.key[k];
    }
    return join_bits(ones, few.bits) & join_bits(zeros, few.bits);
}

// add_before replaces each count by the sum of those before it, of a thread's column of counts after that of
// the thread before.
DEVICE void add_before(FewRows& few) {
    static_assert(T == DIGITS, "each thread has a column");
    u32 rows = 0, total;
    for (int w = 0; w < WARPS; w++) rows += few.counts[w][threadIdx.x];
    u32 next = block_scan<u32>(rows, few.scratch, total);
    for (int w = 0; w < WARPS; w++) {
        const u32 has = few.counts[w][threadIdx.x];
        few.counts[w][threadIdx.x] = next;
        next += has;
    }
    __syncthreads();
}

// sort_digit sorts by a digit the keys and rows of a block's positions.
DEVICE void sort_digit(FewRows& few, FewTurns& mine, u64 shift) {
    u32* const counts = few.counts[threadIdx.x / 32];
    u32 place[FEW_TURNS];
    rank_digits(mine.key, mine.turns, shift, counts, place);
    __syncthreads();
    add_before(few);
    _Pragma("unroll") for (int k = 0; k < FEW_TURNS; k++) {
        if (k >= mine.turns) break;
        const u32 to = place[k] + counts[digit_of(mine.key[k], shift)];
        few.keys[to] = mine.key[k];
        few.order[to] = (u16)mine.row[k];
    }
    __syncthreads();
    _Pragma("unroll") for (int k = 0; k < FEW_TURNS; k++) {
        if (k >= mine.turns) break;
        mine.key[k] = few.keys[mine.at + k * 32];
        mine.row[k] = few.order[mine.at + k * 32];
    }
}

// sort_few orders rows by all digits in which their keys differ.
DEVICE void sort_few(FewRows& few, FewTurns& mine, const u64* keys, u64 capacity, u64 words, u32 rows) {
    for (u64 w = words; w-- > 0;) {
        u64 differing = load_few(few, mine, keys + w * capacity, rows);
        while (differing != 0) {
            const int shift = __ffsll((i64)differing) - 1;
            differing &= ~((u64)(DIGITS - 1) << shift);
            sort_digit(few, mine, shift);
        }
    }
    __syncthreads();
    _Pragma("unroll") for (int k = 0; k < FEW_TURNS; k++) {
        if (k < mine.turns) few.order[mine.at + k * 32] = (u16)mine.row[k];
    }
}

// bucket_count is the count of the bucket of a key.
DEVICE u32& bucket_count(FewRows& few, u32 bucket) { return few.counts[bucket % WARPS][bucket / WARPS]; }

// comes_first reports whether row a comes before row b, whose keys have the same first word.
DEVICE bool comes_first(const u64* keys, u64 capacity, u64 words, u32 a, u32 b) {
    for (u64 w = 1; w < words; w++) {
        const u64 x = keys[w * capacity + a], y = keys[w * capacity + b];
        if (x != y) return x < y;
    }
    return a < b;
}

// fill_buckets puts the keys and rows of all threads into buckets, which begin where their counts then say.
// False: a bucket would have more than so many.
DEVICE bool fill_buckets(FewRows& few, const FewTurns& mine, u32 (&bucket)[FEW_TURNS], u32 rows, u32 most) {
    u32 place[FEW_TURNS];
    bool crowded = false;
    for (int w = 0; w < WARPS; w++) few.counts[w][threadIdx.x] = 0;
    __syncthreads();
    _Pragma("unroll") for (int k = 0; k < FEW_TURNS; k++) {
        if (!mine.has(k, rows)) break;
        place[k] = atomicAdd(&bucket_count(few, bucket[k]), 1u);
        crowded |= place[k] >= most;
    }
    if (__syncthreads_or(crowded)) return false;
    add_before(few);
    _Pragma("unroll") for (int k = 0; k < FEW_TURNS; k++) {
        if (!mine.has(k, rows)) break;
        const u32 to = bucket_count(few, bucket[k]) + place[k];
        few.keys[to] = mine.key[k];
        few.order[to] = (u16)mine.row[k];
    }
    __syncthreads();
    return true;
}

// rank_few orders rows by buckets of the highest bits in which the first words of their keys, which are
// loaded, differ. False: too many have the same of these bits.
DEVICE bool rank_few(FewRows& few, const FewTurns& mine, u64 differing, const u64* keys, u64 capacity, u64 words, u32 rows) {
    constexpr u32 BUCKETS = 1 << BUCKET_BITS, CROWD = 32;
    static_assert(BUCKETS == WARPS * DIGITS, "each bucket has a count");
    const int shift = max(64 - __clzll((i64)differing) - BUCKET_BITS, 0);
    u32 bucket[FEW_TURNS], rank[FEW_TURNS];
    _Pragma("unroll") for (int k = 0; k < FEW_TURNS; k++) bucket[k] = (u32)(mine.key[k] >> shift) % BUCKETS;
    if (!fill_buckets(few, mine, bucket, rows, (u32)(CROWD / words))) return false;
    _Pragma("unroll") for (int k = 0; k < FEW_TURNS; k++) {
        if (!mine.has(k, rows)) break;
        const u32 first = bucket_count(few, bucket[k]), end = bucket[k] + 1 < BUCKETS ? bucket_count(few, bucket[k] + 1) : rows;
        rank[k] = first;
        for (u32 i = first; i < end; i++) {
            const u64 other = few.keys[i];
            rank[k] += other == mine.key[k] ? comes_first(keys, capacity, words, few.order[i], mine.row[k]) : other < mine.key[k];
        }
    }
    __syncthreads();
    _Pragma("unroll") for (int k = 0; k < FEW_TURNS; k++) {
        if (mine.has(k, rows)) few.order[rank[k]] = (u16)mine.row[k];
    }
    return true;
}

// order_few orders so many rows, FEW at most, by keys of so many words, and returns their order.
DEVICE const u16* order_few(FewRows& few, const u64* keys, u64 capacity, u64 words, u32 rows) {
    FewTurns mine;
    mine.turns = (int)((rows + T - 1) / T);
    mine.at = threadIdx.x / 32 * 32 * mine.turns + (threadIdx.x & 31);
    _Pragma("unroll") for (int k = 0; k < FEW_TURNS; k++) mine.row[k] = mine.at + k * 32;
    const u64 differing = words == 0 ? 0 : load_few(few, mine, keys, rows);
    if (differing == 0 || !rank_few(few, mine, differing, keys, capacity, words, rows)) sort_few(few, mine, keys, capacity, words, rows);
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
