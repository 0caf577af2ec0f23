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
template <> struct InSlots<NarrowSum> {  // without a high word what is added carries nothing over
    static DEVICE void add(const Slots& h, int plane, u32 at, u64 v) { local_add(slot_words<u32>(h, plane) + at, h.high, v); }
    static DEVICE u64 of(const Slots& h, int plane, u32 at) {
        const u32* const w = slot_words<u32>(h, plane) + at;
        return h.high == 0 ? *w : local_word(w, h.high);
    }
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
    if (atomicAdd(w, v) > ~v) atomicAdd(w + h.high, 1u);
}

// add_small adds a number of each of some rows. Where no word carries over none waits for what was
// there, and where the rows are all of the thread's none is asked for its bit.
DEVICE void add_small(const Slots& h, int plane, u32 rows, const u32 (&at)[R], const u32 (&v)[R]) {
    u32* const w = slot_words<u32>(h, plane);
    if (h.high != 0) {
        ROWS if (bit(rows, r)) add_small(h, plane, at[r], v[r]);
    } else if (rows == ALL) {
        ROWS atomicAdd(w + at[r], v[r]);
    } else {
        ROWS if (bit(rows, r)) atomicAdd(w + at[r], v[r]);
    }
}

// joined is what the replicas of a slot have together. Each lane begins with another replica, since those of
// neighbouring slots lie in the same banks. Where keys own slots those beside a slot are mostly free.
template <typename X> DEVICE typename X::V joined(const Slots& h, int plane, u32 slot) {
    typename X::V v = {};
    _Pragma("unroll 4") for (u32 c = 0; c < h.replicas; c++) {
        v = X::join(v, InSlots<X>::of(h, plane, slot * h.replicas + (c + threadIdx.x & h.replicas - 1)));
    }
    return v;
}
template <> DEVICE u64 joined<NarrowSum>(const Slots& h, int plane, u32 slot) {
    u64 v = 0;
    _Pragma("unroll 4") for (u32 c = 0; c < h.replicas; c++) v += InSlots<NarrowSum>::of(h, plane, slot * h.replicas + c);
    return v;
}

// flush adds the numbers of a slot's replicas to that of a cell, whose arrays these are.
template <typename X, typename... A> DEVICE void flush(const Slots& h, int plane, u32 slot, u64 cell, A... arrays) {
    const typename X::V v = joined<X>(h, plane, slot);
    if (some(v)) X::add(v, cell, arrays...);
}
