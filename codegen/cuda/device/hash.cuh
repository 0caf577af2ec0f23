// Hashing.

// mix spreads the bits of a key over all 64.
DEVICE u64 mix(u64 k) {
    k = (k ^ k >> 32) * 0xd6e8feb86659fd93ull;
    k = (k ^ k >> 32) * 0xd6e8feb86659fd93ull;
    return k ^ k >> 32;
}
