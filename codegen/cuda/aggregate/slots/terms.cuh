// The terms of slots, from a plane on: numbers that atomics change as a whole lie side by
// side, and those of sums word by word.
template <typename U> DEVICE U* slot_words(const Slots& h, int plane) { return (U*)(h.words + plane * h.stride); }

template <typename X> struct InSlots {
    typedef typename X::V V;
    static DEVICE void add(const Slots& h, int plane, u32 at, V v) { X::add(v, at, slot_words<V>(h, plane)); }
    static DEVICE V of(const Slots& h, int plane, u32 at) { return X::of(at, slot_words<V>(h, plane)); }
};
template <> struct InSlots<Sum> {
    static DEVICE void add(const Slots& h, int plane, u32 at, u64 v) { local_add(slot_words<u32>(h, plane) + at, h.stride, v); }
    static DEVICE u64 of(const Slots& h, int plane, u32 at) { return local_word(slot_words<u32>(h, plane) + at, h.stride); }
};
template <> struct InSlots<WideSum> {
    static DEVICE void add(const Slots& h, int plane, u32 at, const Wide& v) { local_add(slot_words<u32>(h, plane) + at, h.stride, v); }
    static DEVICE Wide of(const Slots& h, int plane, u32 at) {
        const u32* const w = slot_words<u32>(h, plane) + at;
        return {{local_word(w, h.stride), local_word(w + 2 * h.stride, h.stride), local_word(w + 4 * h.stride, h.stride)}};
    }
};

// add adds to the number of a place in the planes.
template <typename X> DEVICE void add(const Slots& h, int plane, u32 at, const typename X::V& v) { InSlots<X>::add(h, plane, at, v); }

// add_small adds a number of 32 bits to a sum: what its low word carries over is rare.
DEVICE void add_small(const Slots& h, int plane, u32 at, u32 v) {
    u32* const w = slot_words<u32>(h, plane) + at;
    if (atomicAdd(w, v) > ~v) atomicAdd(w + h.stride, 1u);
}

// add_small adds a number of each of some rows. Where no word carries over none waits for what was
// there, and where the rows are all of the thread's none is asked for its bit.
DEVICE void add_small(const Slots& h, int plane, u32 rows, const u32 (&at)[R], const u32 (&v)[R]) {
    u32* const w = slot_words<u32>(h, plane);
    if (!h.fits) {
        ROWS if (bit(rows, r)) add_small(h, plane, at[r], v[r]);
    } else if (rows == ALL) {
        ROWS atomicAdd(w + at[r], v[r]);
    } else {
        ROWS if (bit(rows, r)) atomicAdd(w + at[r], v[r]);
    }
}

// flush adds the numbers of a slot's replicas to that of a cell, whose arrays these are.
template <typename X, typename... A> DEVICE void flush(const Slots& h, int plane, u32 slot, u64 cell, A... arrays) {
    typename X::V v = {};
    for (u32 c = 0; c < h.replicas; c++) v = X::join(v, InSlots<X>::of(h, plane, slot * h.replicas + c));
    if (some(v)) X::add(v, cell, arrays...);
}
