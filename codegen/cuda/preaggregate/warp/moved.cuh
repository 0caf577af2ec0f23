// moved is a number as another lane has it: from gives each of its 32-bit words.
template <typename F> DEVICE u32 moved(const F& from, u32 v) { return from(v); }
template <typename F> DEVICE u64 moved(const F& from, u64 v) {
    const u32 low = from((u32)v);
    return low | (u64)from((u32)(v >> 32)) << 32;
}
template <typename F> DEVICE f64 moved(const F& from, f64 v) { return __longlong_as_double((i64)moved(from, (u64)__double_as_longlong(v))); }
template <typename F> DEVICE Wide moved(const F& from, Wide v) {
    _Pragma("unroll") for (int i = 0; i < 3; i++) v.word[i] = moved(from, v.word[i]);
    return v;
}

// Shuffled moves words from a lane.
struct Shuffled {
    int lane;
    DEVICE u32 operator()(u32 v) const { return __shfl_sync(~0u, v, lane); }
};
