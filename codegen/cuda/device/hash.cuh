// Hashing.

// spread has each bit of a key change bits in both halves, and mix all 64 of them.
DEVICE u64 spread(u64 k) {
    k = (k ^ k >> 32) * 0xd6e8feb86659fd93ull;
    return k ^ k >> 32;
}
DEVICE u64 mix(u64 k) { return spread((k ^ k >> 32) * 0xd6e8feb86659fd93ull); }

// WordKey compares the words of keys as they are: bits is what a word gives to the
// hash of its key, and WORDS says that equal keys have equal words.
struct WordKey {
    static constexpr bool WORDS = true;
    static DEVICE bool counts(int) { return true; }
    static DEVICE u64 bits(int, u64 word) { return word; }
    static DEVICE bool same(int, u64 a, u64 b) { return a == b; }
};
