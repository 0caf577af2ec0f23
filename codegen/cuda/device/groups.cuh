// A table of groups: open addressing over keys of W words in global memory, never
// more than half full. A slot is a group's cell.
constexpr u32 NOWHERE = ~0u;
constexpr u64 FREE = ~0ull;

// longest is how many slots are looked at before the table counts as full.
constexpr int LONGEST = 1024;

// find_group gives the slot of a key of one word, which is not FREE, taking one
// where there is none and counting it in fresh; NOWHERE where the table is full.
DEVICE u32 find_group(u64* keys, u64 mask, u64 key, u32& fresh) {
    u64 slot = mix(key) & mask;
    for (int i = 0; i < LONGEST; i++, slot = (slot + 1) & mask) {
        u64 had = *(volatile u64*)(keys + slot);
        if (had == FREE) {
            had = atomicCAS(keys + slot, FREE, key);
            fresh += had == FREE;
            if (had == FREE) return (u32)slot;
        }
        if (had == key) return (u32)slot;
    }
    return NOWHERE;
}

// The same of several words. state says of each slot whether it is free (0), being
// written (1) or in use (2).
template <int W, typename K = WordKey> DEVICE u32 find_group(u64* keys, u32* state, u64 mask, const u64 (&key)[W], u32& fresh) {
    u64 hash = 0;
    _Pragma("unroll") for (int w = 0; w < W; w++) hash = mix(hash ^ K::bits(w, key[w]));
    u64 slot = hash & mask;
    for (int i = 0; i < LONGEST;) {
        u32 had = *(volatile u32*)(state + slot);
        if (had == 0) had = atomicCAS(state + slot, 0u, 1u);
        if (had == 0) {
            _Pragma("unroll") for (int w = 0; w < W; w++) *(volatile u64*)(keys + slot * W + w) = key[w];
            __threadfence();
            atomicExch(state + slot, 2u);
            fresh++;
            return (u32)slot;
        }
        if (had == 1) continue;
        __threadfence();
        bool same = true;
        _Pragma("unroll") for (int w = 0; w < W; w++) same = same && K::same(w, key[w], *(volatile u64*)(keys + slot * W + w));
        if (same) return (u32)slot;
        slot = (slot + 1) & mask;
        i++;
    }
    return NOWHERE;
}

// key_bits of a double precision number are equal where the numbers are.
DEVICE u64 key_bits(f64 v) { return v == 0 ? 0 : v != v ? 0x7ff8000000000001ull : (u64)__double_as_longlong(v); }
