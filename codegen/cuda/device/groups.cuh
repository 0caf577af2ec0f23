// A table of groups: open addressing over keys of W words in global memory, never
// more than half full. A slot is a group's cell.
struct Table {
    u64* keys;
    u32* state;  // of each slot, where W is not 1: see find_group
    u64 mask;    // slots less one
};
constexpr u32 NOWHERE = ~0u;
constexpr u64 FREE = ~0ull;

// longest is how many slots are looked at before the table counts as full.
constexpr int LONGEST = 1024;

template <int W, typename K = WordKey> DEVICE u64 hash_key(const u64 (&key)[W]) {
    u64 hash = 0;
    _Pragma("unroll") for (int w = 0; w < W; w++) hash = mix(hash ^ K::bits(w, key[w]));
    return hash;
}

// find_word returns the slot of a key of one word, which is not FREE, taking one
// where there is none and counting it in new_groups; NOWHERE where the table is full.
DEVICE u32 find_word(const Table& t, u64 key, u64 hash, u32& new_groups) {
    u64 slot = hash & t.mask;
    for (int i = 0; i < LONGEST; i++, slot = (slot + 1) & t.mask) {
        u64 had = *(volatile u64*)(t.keys + slot);
        if (had == FREE) {
            had = atomicCAS(t.keys + slot, FREE, key);
            new_groups += had == FREE;
            if (had == FREE) return (u32)slot;
        }
        if (had == key) return (u32)slot;
    }
    return NOWHERE;
}

// find_group is the same for keys of any number of words. state says of each slot
// whether it is free (0), being written (1) or in use (2).
template <int W, typename K = WordKey> DEVICE u32 find_group(const Table& t, const u64 (&key)[W], u64 hash, u32& new_groups) {
    if (W == 1) return find_word(t, key[0], hash, new_groups);
    u64 slot = hash & t.mask;
    for (int i = 0; i < LONGEST;) {
        u32 had = *(volatile u32*)(t.state + slot);
        if (had == 0) had = atomicCAS(t.state + slot, 0u, 1u);
        if (had == 0) {
            _Pragma("unroll") for (int w = 0; w < W; w++) *(volatile u64*)(t.keys + slot * W + w) = key[w];
            __threadfence();
            atomicExch(t.state + slot, 2u);
            new_groups++;
            return (u32)slot;
        }
        if (had == 1) continue;
        __threadfence();
        bool same = true;
        _Pragma("unroll") for (int w = 0; w < W; w++) same &= K::same(w, key[w], *(volatile u64*)(t.keys + slot * W + w));
        if (same) return (u32)slot;
        slot = (slot + 1) & t.mask;
        i++;
    }
    return NOWHERE;
}

// overflows reports whether the table has been found full, by any block, up to the tile
// before, and counts the tiles for which it has not. known is what the memory said
// then: nobody waits for it. The threads of a warp agree, and with block_wide those of the
// block.
DEVICE bool overflows(const u64* full, u64& known, bool block_wide, u32& tiles) {
    const bool stop = block_wide ? __syncthreads_or(known != 0) : __any_sync(~0u, known != 0);
    tiles += !stop;
    known = *(const volatile u64*)full;
    return stop;
}

// key_bits of a double precision number are equal where the numbers are.
DEVICE u64 key_bits(f64 v) { return v == 0 ? 0 : v != v ? 0x7ff8000000000001ull : (u64)__double_as_longlong(v); }
