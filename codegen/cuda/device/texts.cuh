// The text of a group is kept as the word that refers to it, 0 for none yet: the empty
// text, whose word that is, is EMPTY.
constexpr u64 EMPTY = ~0ull;
DEVICE u64 kept_word(Text t) { return t.word ? t.word : EMPTY; }
DEVICE Text kept_text(u64 word) { return {word == EMPTY ? 0 : word}; }

// take_text keeps a text where there is none, or where it comes before the one that is
// kept (ORDER -1) or behind it (1).
template <int ORDER> DEVICE_CALL void take_text(u64* at, u64 word) {
    u64 had = *(volatile u64*)at;
    while (had != word && (had == 0 || ORDER * compare_text(kept_text(word), kept_text(had)) > 0)) {
        const u64 now = atomicCAS(at, had, word);
        if (now == had) return;
        had = now;
    }
}

// Kept is the term of such a text.
template <int ORDER> struct Kept {
    typedef u64 V;
    static DEVICE V join(V a, V b) {
        if (a == 0 || b == 0) return a | b;
        return ORDER * compare_text(kept_text(b), kept_text(a)) > 0 ? b : a;
    }
    template <typename A> static DEVICE void add(V v, u64 cell, A a) { take_text<ORDER>(a + cell, v); }
    template <typename A> static DEVICE V of(u64 cell, A a) { return a[cell]; }
};
