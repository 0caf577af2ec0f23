// A block accumulates in shared memory first, in slots: those of the cells from first on, or
// those that cells are given as they come. Each slot has replicas, so that the lanes of a
// warp whose rows are in one group do not wait for each other. Rows whose cell finds no slot
// go to global memory.
//
// An array of shared memory is a plane of 32-bit words, one for each replica of each
// slot; wider numbers take several planes one after the other, but for those of which a block
// may need the low words only: their high words are the last planes.
struct Slots {
    u32* words;    // the planes
    u32* owners;   // where owned by cells: cell plus one that has the slot, 0 for none
    bool owned;    // cells share slots
    u32 stride;    // words of a plane, an even number
    u32 high;      // from the low word of a sum to which a row gives 32 bits to its high word; 0: there is none
    u32 count;     // of slots, a power of two where owned
    u32 replicas;  // of each slot, a power of two
    u32 first;     // the first cell whose rows count; not owned: that of the first slot
};

// clear empties the slots of a block: words that are 0, and behind them some that have all
// bits set; all threads take part.
DEVICE void clear(const Slots& h, u32 zeros, u32 ones = 0) {
    for (u32 i = threadIdx.x; i < zeros + ones; i += T) h.words[i] = i < zeros ? 0 : ~0u;
    __syncthreads();
}

// replica_of is the place of a thread's replica of a slot.
DEVICE u32 replica_of(const Slots& h, u32 slot) { return slot * h.replicas + (threadIdx.x & (h.replicas - 1)); }

// SOUGHT is how many slots a cell may have, one after the other.
constexpr u32 SOUGHT = 4;

// locate finds where a row of a cell goes that shares slots with others: true for a
// place in the planes, which at becomes, false for global memory, at being the cell.
DEVICE bool locate(const Slots& h, u32 cell, u32& at) {
    u32 slot = (u32)((u64)(cell * 2654435769u) * h.count >> 32);
    for (u32 i = 0; i < SOUGHT; i++, slot = (slot + 1) & (h.count - 1)) {
        u32 had = *(volatile u32*)(h.owners + slot);
        if (had == 0) {
            had = atomicCAS(h.owners + slot, 0u, cell + 1);
            if (had == 0) had = cell + 1;
        }
        if (had == cell + 1) {
            at = replica_of(h, slot);
            return true;
        }
    }
    at = cell;
    return false;
}

// local_add adds v to the number of N words at w, whose words lie stride apart. What
// a word carries over goes to the next one: who adds later finds the sum.
template <int N> DEVICE void local_add(u32* w, u32 stride, const u32 (&v)[N]) {
    u32 carry = 0;
    _Pragma("unroll") for (int i = 0; i < N; i++) {
        u64 x = (u64)v[i] + carry;
        carry = (u32)(x >> 32);
        if ((u32)x == 0) continue;
        u32 had = atomicAdd(w + i * (u64)stride, (u32)x);
        carry += had > ~(u32)x;
    }
}
DEVICE void local_add(u32* w, u32 stride, u64 v) {
    const u32 words[2] = {(u32)v, (u32)(v >> 32)};
    local_add<2>(w, stride, words);
}
DEVICE void local_add(u32* w, u32 stride, const Wide& v) {
    u32 words[6];
    _Pragma("unroll") for (int i = 0; i < 6; i++) words[i] = (u32)(v.word[i / 2] >> 32 * (i % 2));
    local_add<6>(w, stride, words);
}
DEVICE u64 local_word(const u32* w, u32 stride) { return w[0] | (u64)w[stride] << 32; }
