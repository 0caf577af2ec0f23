// Hashing.

// mix spreads the bits of a key over all 64.
DEVICE u64 mix(u64 k) {
    k = (k ^ k >> 32) * 0xd6e8feb86659fd93ull;
    k = (k ^ k >> 32) * 0xd6e8feb86659fd93ull;
    return k ^ k >> 32;
}

// WordKey compares the words of keys as they are: bits is what a word gives to the
// hash of its key.
struct WordKey {
    static DEVICE u64 bits(int, u64 word) { return word; }
    static DEVICE bool same(int, u64 a, u64 b) { return a == b; }
};
