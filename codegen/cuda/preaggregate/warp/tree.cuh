// combine joins the numbers of lanes for the first of them, of several sets of lanes at a
// time: each lane takes that of the next one in its set, then every other lane of the set
// is done.
template <typename X> DEVICE typename X::V combine(u32*, u32 lanes, typename X::V v) {
    const int lane = threadIdx.x & 31;
    u32 place = __popc(lanes & ((1u << lane) - 1)), later = lanes & ~((2u << lane) - 1);
    while (__any_sync(~0u, later != 0)) {
        const int next = __ffs((int)later) - 1;
        const typename X::V other = moved(Shuffled{next < 0 ? lane : next}, v);
        if (next >= 0) v = X::join(v, other);
        later &= ~__ballot_sync(~0u, place & 1);
        place >>= 1;
    }
    return v;
}
