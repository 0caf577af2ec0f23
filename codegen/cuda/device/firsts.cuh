// The first rows of partitions. Of each partition the FIRST least words of the order that have
// come are kept, ascending: no row behind the last of them is among the first. Words are all
// ones where there is none yet.
struct Firsts {
    u64* partitions;  // of each place, all ones for none; null: a partition's word is its place
    u64* words;       // FIRST of each place
    u64 mask;         // places less one
};
constexpr u64 UNPLACED = ~0ull;
constexpr int PLACES_TRIED = 8;

// place_of is where a partition has its place, which it takes with TAKES where there is none
// yet. Where all that are tried are taken no row of it is left out.
template <bool TAKES> DEVICE u64 place_of(const Firsts& f, u64 partition) {
    if (!f.partitions) return partition;
    if (partition == UNPLACED) return UNPLACED;
    u64 at = mix(partition) & f.mask;
    for (int i = 0; i < PLACES_TRIED; i++, at = (at + 1) & f.mask) {
        u64 had = *(volatile u64*)(f.partitions + at);
        if (had == UNPLACED && !TAKES) break;
        if (had == UNPLACED) {
            had = atomicCAS(f.partitions + at, UNPLACED, partition);
            if (had == UNPLACED) return at;
        }
        if (had == partition) return at;
    }
    return UNPLACED;
}

// keep_first keeps a word among the first of its partition: of each pair the greater one goes on
// to the next place.
template <int FIRST> DEVICE void keep_first(const Firsts& f, u64 partition, u64 word) {
    const u64 at = place_of<true>(f, partition);
    if (at == UNPLACED) return;
    u64* const words = f.words + at * FIRST;
    if (word >= *(volatile u64*)(words + FIRST - 1)) return;
    int i = 0;
    while (i < FIRST - 1 && *(volatile u64*)(words + i) <= word) i++;
    for (; i < FIRST && word != UNPLACED; i++) {
        const u64 had = atomicMin(words + i, word);
        if (had > word) word = had;
    }
}

// is_first reports whether a row may be among the first: its word is not behind the last one.
template <int FIRST> DEVICE bool is_first(const Firsts& f, u64 partition, u64 word) {
    const u64 at = place_of<false>(f, partition);
    return at == UNPLACED || word <= f.words[at * FIRST + FIRST - 1];
}
