// Selection within segments: the words of rows lie side by side by segment, and of each segment
// two are wanted, that of a place in their order and the same or the next one. A warp takes a
// segment of few words, a block one of more, and all blocks one of many.
constexpr u64 FEW_WORDS = 32, MANY_WORDS = 1 << 15;  // up to which a warp, and a block, takes one
constexpr u64 CHUNK_WORDS = 16 * T;  // that a block takes of many
constexpr int SELECT_DIGITS = 256;

// Selected is how far the selection in a segment has come: the bits that are known of the word
// wanted, and which they are; the place among the words that have them, and the number of these;
// whether the next word is wanted too (1), or that one again (0).
struct Selected {
    u64 bits, known, at, count, next;
    DEVICE bool has(u64 word) const { return ((word ^ bits) & known) == 0; }
    // take goes on to a digit that some words have, behind those that others before it have.
    DEVICE void take(u64 digit, int shift, u64 before, u64 has) {
        bits |= digit << shift;
        known |= (u64)(SELECT_DIGITS - 1) << shift;
        at -= before;
        count = has;
    }
};

// wanted_at begins a fraction of the way through n words, from the last on back where DESCENDING
// says so.
template <bool DESCENDING> DEVICE Selected wanted_at(f64 fraction, u64 n) {
    if (n == 0) return {0, 0, 0, 0, 0};
    const f64 at = fraction * (f64)(n - 1);
    const u64 before = (u64)at, next = at > (f64)before;
    return {0, 0, DESCENDING ? n - 1 - before - next : before, n, next};
}

// wanted_first is the first value at or behind a fraction of the way through n words.
template <bool DESCENDING> DEVICE Selected wanted_first(f64 fraction, u64 n) {
    if (n == 0) return {0, 0, 0, 0, 0};
    const u64 at = max((u64)ceil(fraction * (f64)n), (u64)1) - 1;
    return {0, 0, DESCENDING ? n - 1 - at : at, n, 0};
}

// select_few is done by a warp.
DEVICE void select_few(const u64* words, u64 n, const Selected& s, u64* picked) {
    const u32 lane = threadIdx.x & 31;
    const u64 word = lane < n ? words[lane] : ~0ull;
    u64 before = 0;
    for (u32 l = 0; l < 32; l++) {
        const u64 other = __shfl_sync(~0u, word, (int)l);
        before += other < word || other == word && l < lane;
    }
    if (before == s.at) picked[0] = word;
    if (before == s.at + s.next) picked[1] = word;
}

// Selecting is what the threads of a block share.
struct Selecting {
    u32 counts[SELECT_DIGITS];
    u32 scratch[WARPS];
    Selected selected;
    u64 word;
};

// choose_digit has the digit with the place that is wanted taken: those before it have fewer
// words, by counts.
DEVICE void choose_digit(Selecting& s, u32 count, int shift) {
    static_assert(T == SELECT_DIGITS, "each thread has a digit");
    u32 total;
    const u64 before = block_scan<u32>(count, s.scratch, total), at = s.selected.at;
    __syncthreads();
    if (at >= before && at < before + count) s.selected.take(threadIdx.x, shift, before, count);
    __syncthreads();
}

// select_more is done by a block. It begins with the highest bit in which words differ, and ends
// where one word is left.
DEVICE void select_more(Selecting& s, const u64* words, u64 n, const Selected& wanted, u64* picked) {
    __syncthreads();
    if (threadIdx.x == 0) s.word = 0;
    __syncthreads();
    u64 differs = 0;
    for (u64 i = threadIdx.x; i < n; i += T) differs |= words[i] ^ words[0];
    for (int d = 16; d > 0; d /= 2) differs |= __shfl_xor_sync(~0u, differs, d);
    if ((threadIdx.x & 31) == 0 && differs) atomicOr(&s.word, differs);
    __syncthreads();
    int shift = s.word ? 64 - __clzll((i64)s.word) : 0;
    if (threadIdx.x == 0) {
        const u64 same = shift == 64 ? 0 : ~0ull << shift;
        s.selected = {words[0] & same, same, wanted.at, n, wanted.next};
    }
    __syncthreads();
    while (shift > 0 && s.selected.count > 1) {
        shift = shift < 8 ? 0 : shift - 8;
        s.counts[threadIdx.x] = 0;
        __syncthreads();
        for (u64 i = threadIdx.x; i < n; i += T) {
            if (s.selected.has(words[i])) atomicAdd(&s.counts[words[i] >> shift & SELECT_DIGITS - 1], 1u);
        }
        __syncthreads();
        choose_digit(s, s.counts[threadIdx.x], shift);
    }
    // What is left are equal words, or one of which not all bits are known.
    for (u64 i = threadIdx.x; i < n; i += T) {
        if (s.selected.has(words[i])) picked[0] = picked[1] = words[i];
    }
    __syncthreads();
    if (!wanted.next || s.selected.at + 1 < s.selected.count) return;
    const u64 first = picked[0];
    if (threadIdx.x == 0) s.word = ~0ull;
    __syncthreads();
    for (u64 i = threadIdx.x; i < n; i += T) {
        if (words[i] > first && words[i] < *(volatile u64*)&s.word) atomicMin(&s.word, words[i]);
    }
    __syncthreads();
    if (threadIdx.x == 0) picked[1] = s.word;
}

// Many are the segments that all blocks take together: which they are, how far each has come,
// and how many of its words have each digit.
struct Many {
    const u32* segments;
    u64 number;
    Selected* selected;
    u32* counts;
};

// each_chunk calls do with segment, and the first and the last of its rows of a chunk: chunks of
// all segments are dealt out evenly.
template <typename Do> DEVICE void each_chunk(const Many& m, const u32* starts, Do each) {
    u64 chunk = 0;
    for (u64 k = 0; k < m.number; k++) {
        const u64 lo = starts[m.segments[k]], hi = starts[m.segments[k] + 1];
        const u64 end = chunk + (hi - lo + CHUNK_WORDS - 1) / CHUNK_WORDS;
        const u64 mine = chunk + (blockIdx.x + gridDim.x - chunk % gridDim.x) % gridDim.x;
        for (u64 c = mine; c < end; c += gridDim.x) {
            const u64 from = lo + (c - chunk) * CHUNK_WORDS;
            each(k, from, min(from + CHUNK_WORDS, hi));
        }
        chunk = end;
    }
}

// count_many counts the digits of words that may be wanted.
DEVICE void count_many(Selecting& s, const Many& m, const u32* starts, const u64* words, int shift) {
    each_chunk(m, starts, [&](u64 k, u64 from, u64 to) {
        __syncthreads();
        s.counts[threadIdx.x] = 0;
        if (threadIdx.x == 0) s.selected = m.selected[k];
        __syncthreads();
        for (u64 i = from + threadIdx.x; i < to; i += T) {
            if (s.selected.has(words[i])) atomicAdd(&s.counts[words[i] >> shift & SELECT_DIGITS - 1], 1u);
        }
        __syncthreads();
        if (s.counts[threadIdx.x]) atomicAdd(m.counts + k * SELECT_DIGITS + threadIdx.x, s.counts[threadIdx.x]);
    });
}

// choose_many goes on by a digit, and clears the counts. With the last digit picked gets the word,
// twice where it is the next one too, and all ones for the next one otherwise.
DEVICE void choose_many(Selecting& s, const Many& m, int shift, u64* picked) {
    for (u64 k = blockIdx.x; k < m.number; k += gridDim.x) {
        __syncthreads();
        if (threadIdx.x == 0) s.selected = m.selected[k];
        __syncthreads();
        u32* const count = m.counts + k * SELECT_DIGITS + threadIdx.x;
        choose_digit(s, *count, shift);
        *count = 0;
        if (threadIdx.x != 0) continue;
        m.selected[k] = s.selected;
        if (shift > 0) continue;
        u64* const two = picked + 2 * (u64)m.segments[k];
        two[0] = s.selected.bits;
        two[1] = s.selected.next && s.selected.at + 1 >= s.selected.count ? ~0ull : s.selected.bits;
    }
}

// pick_next finds the words behind those found, where they are wanted and still open.
DEVICE void pick_next(const Many& m, const u32* starts, const u64* words, u64* picked) {
    each_chunk(m, starts, [&](u64 k, u64 from, u64 to) {
        u64* const two = picked + 2 * (u64)m.segments[k];
        const u64 first = two[0];
        if (*(volatile u64*)(two + 1) == first) return;
        for (u64 i = from + threadIdx.x; i < to; i += T) {
            if (words[i] > first && words[i] < *(volatile u64*)(two + 1)) atomicMin(two + 1, words[i]);
        }
    });
}
