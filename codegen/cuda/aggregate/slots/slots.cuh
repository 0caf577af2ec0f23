// A block first
// accumulates in shared memory, in homes: those of the cells from first on, or those
// that cells are given as they come. Each home has copies, so that the lanes of a warp
// whose rows are in one group do not wait for each other. Rows whose cell finds its
// home taken go to global memory.
//
// An array of shared memory is a plane of 32-bit words, one for each copy of each
// home; wider numbers take several planes one after the other.
struct Homes {
    u32* words;   // the planes
    u32* tags;    // where tagged: cell plus one that has the home, 0 for none
    bool tagged;  // cells share homes
    u32 span;     // words of a plane, an even number
    u32 count;    // of homes, a power of two where tagged
    u32 copies;   // of each home, a power of two
    u32 first;    // the first cell whose rows count; not tagged: that of the first home
    u64* keys;    // of a table of groups: the keys whose cells have the homes
};

// clear empties the homes of a block; all threads take part.
DEVICE void clear(const Homes& h, u32 words) {
    for (u32 i = threadIdx.x; i < words; i += T) h.words[i] = 0;
    __syncthreads();
}

// copy_of is the place of a thread's copy of a home.
DEVICE u32 copy_of(const Homes& h, u32 home) { return home * h.copies + (threadIdx.x & (h.copies - 1)); }

// locate finds where a row of a cell goes that shares its home with others: true for a
// place in the planes, which at becomes, false for global memory, at being the cell.
DEVICE bool locate(const Homes& h, u32 cell, u32& at) {
    u32 home = cell & (h.count - 1);
    at = cell;
    u32 had = atomicCAS(h.tags + home, 0u, cell + 1);
    if (had != 0 && had != cell + 1) return false;
    at = copy_of(h, home);
    return true;
}

// local_add adds v to the number of N words at w, whose words lie span apart. What
// a word carries over goes to the next one: whoever adds later finds the sum.
template <int N> DEVICE void local_add(u32* w, u32 span, const u32 (&v)[N]) {
    u32 carry = 0;
    _Pragma("unroll") for (int i = 0; i < N; i++) {
        u64 x = (u64)v[i] + carry;
        carry = (u32)(x >> 32);
        if ((u32)x == 0) continue;
        u32 had = atomicAdd(w + i * (u64)span, (u32)x);
        carry += had > ~(u32)x;
    }
}
DEVICE void local_add(u32* w, u32 span, u64 v) {
    const u32 words[2] = {(u32)v, (u32)(v >> 32)};
    local_add<2>(w, span, words);
}
DEVICE void local_add(u32* w, u32 span, const Wide& v) {
    u32 words[6];
    _Pragma("unroll") for (int i = 0; i < 6; i++) words[i] = (u32)(v.word[i / 2] >> 32 * (i % 2));
    local_add<6>(w, span, words);
}
DEVICE u64 local_word(const u32* w, u32 span) { return w[0] | (u64)w[span] << 32; }
