// Keys with texts.
DEVICE_CALL u64 hash_text(Text t) {
    const u8* const at = bytes_of(t);
    u64 h = size_of(t), part = 0;
    for (u32 i = 0; i < size_of(t); i++) {
        part = part << 8 | letter(at[i], case_of(t));
        if ((i & 7) == 7) {
            h = mix(h ^ part);
            part = 0;
        }
    }
    return mix(h ^ part);
}

// TextKey is WordKey of keys some words of which, those of MASK, refer to texts.
template <u64 MASK> struct TextKey {
    static constexpr bool WORDS = false;
    static DEVICE bool counts(int) { return true; }
    static DEVICE u64 bits(int w, u64 word) { return MASK >> w & 1 ? hash_text(Text{word}) : word; }
    static DEVICE bool same(int w, u64 a, u64 b) { return a == b || (MASK >> w & 1 && same_text(Text{a}, Text{b})); }
};
