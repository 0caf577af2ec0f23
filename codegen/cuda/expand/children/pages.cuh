// A page of rows waits in global memory until all of its matches are counted, for one kernel
// that is launched for it.

// MAX_PAGED is how many matches a page has at most.
constexpr u32 MAX_PAGED = 1u << 31;

// REFUSED_PAGES, in place of the number of a page, are all whose kernel was refused.
constexpr u64 REFUSED_PAGES = ~0ull;

// append_rows adds a number to what each of n rows has, and writes it behind others, all threads of the block taking part.
DEVICE void append_rows(u32* to, const u32* from, u32 n, u32 more) {
    for (u32 i = threadIdx.x; i < n; i += T) to[i] = from[i] + more;
}

extern "C" __global__ void start_segment(u64* counts) {
    counts[SEGMENT]++;
    counts[LEFT] = counts[READY] = 0;
}
