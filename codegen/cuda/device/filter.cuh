// Filters of keys in shared memory: keys that the table has not are dropped without a look into
// memory that all blocks share.

// bloom_bits are the bits of a key of hash h, and bloom_word the word in which they lie.
DEVICE u32 bloom_bits(u64 h) { return 1u << (h >> 59) | 1u << (h >> 54 & 31); }
DEVICE u64 bloom_word(u64 h, u64 words) { return (h & 0xffffffff) * words >> 32; }

// passes reports whether a key of hash h may be in the table.
DEVICE bool passes(const u32* filter, u64 words, u64 h) {
    const u32 want = bloom_bits(h);
    return (filter[bloom_word(h, words)] & want) == want;
}

// may_have returns those of some rows whose cells may be in the table.
DEVICE u32 may_have(u32 rows, const u32* filter, u64 words, const u32* cell) {
    u32 hit = 0;
    ROWS set(hit, r, bit(rows, r) && passes(filter, words, mix(cell[r])));
    return hit;
}

// fill_bloom adds a key of hash h.
DEVICE void fill_bloom(u32* filter, u64 words, u64 h) { atomicOr(filter + bloom_word(h, words), bloom_bits(h)); }

// take_filter has the block take a filter along. It waits for nobody.
DEVICE void take_filter(u32* to, const u32* from, u64 words) {
    for (u64 i = threadIdx.x; i < words / 4; i += T) ((u32x4*)to)[i] = ((const u32x4*)from)[i];
    for (u64 i = words / 4 * 4 + threadIdx.x; i < words; i += T) to[i] = from[i];
}
