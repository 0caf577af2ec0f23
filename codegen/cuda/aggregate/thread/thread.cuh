// Cells that each thread has in shared memory. The words of a thread lie T apart.
DEVICE void clear_words(u64* words, u32 n) {
    for (u32 w = 0; w < n; w++) words[w * T] = 0;
}

// Bits is a field of a word.
template <int FIRST, int SIZE> struct Bits {
    static DEVICE u64 of(u64 word) { return SIZE == 64 ? word : word >> FIRST & (1ull << SIZE % 64) - 1; }
};

// sum_fields sums fields of a word over threads, for the lanes of a warp: first is where
// that of the first thread lies.
template <int THREADS, typename... F> DEVICE void sum_fields(const u64* words, u32 first, u64 (&sum)[sizeof...(F)]) {
    for (u64& s : sum) s = 0;
    _Pragma("unroll 4") for (u32 t = threadIdx.x % 32; t < THREADS; t += 32) {
        const u64 word = words[first + t];
        int i = 0;
        ((sum[i++] += F::of(word)), ...);
    }
}

// flush adds what the lanes have of a term to a cell.
template <typename X> DEVICE typename X::V term_of(u64 sum) { return sum; }
template <> DEVICE u32 term_of<Flag>(u64) { return 1; }
template <> DEVICE Wide term_of<WideSum>(u64 sum) { return widen((i128)(i64)sum); }
template <typename X, typename... A> DEVICE void flush(u64 sum, u32 cell, A... arrays) {
    sum = warp_sum(sum);
    if (sum && threadIdx.x % 32 == 0) X::add(term_of<X>(sum), cell, arrays...);
}
