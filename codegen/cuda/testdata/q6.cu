struct Params {
    u64* error_0;  // the first error
    i64 param_1;  // constant v0
    i64 param_2;  // constant v1
    u64 param_null_3;  // constant v1
    i64 rows_4;  // rows of lineitem
    const u16* __restrict__ data_5;  // l_shipdate_6
    const u8* __restrict__ data_6;  // l_discount_5
    i64 base_7;  // minimum of l_shipdate_6
    i64 base_8;  // minimum of l_discount_5
    const u8* __restrict__ data_9;  // l_returnflag_7
    i64 base_10;  // minimum of l_returnflag_7
    const u32* __restrict__ map_data_11;  // of each l_returnflag_7
    const u32* __restrict__ data_12;  // l_extendedprice_4
    i64 base_13;  // minimum of l_extendedprice_4
    const u32* __restrict__ valid_14;  // validity of l_extendedprice_4
    u8* partials_15;  // states of the blocks
    u64 first_block_16;  // blocks of the launches before
    u64 last_17;  // the last block merges those of all; 0: it does not
    u64* ended_18;  // blocks that have ended
    i64* out_data_19;  // result revenue_15
    u32* out_valid_20;  // validity of result revenue_15
    u64* out_data_21;  // result wide_revenue_16
    u32* out_valid_22;  // validity of result wide_revenue_16
    i64* out_data_23;  // result n_17
    u32* out_data_24;  // result first_18
    u32* out_valid_25;  // validity of result first_18
    i64 out_base_26;  // minimum of result first_18
    u64 blocks_27;  // blocks that have aggregated
};

// scan lineitem
// v8 = ge l_shipdate_6 v0
// filter v8
// v9 = lt l_discount_5 v1
// filter v9
// v12 = map l_returnflag_7
// filter v12
// v13 = mul l_extendedprice_4 l_discount_5
// v14 = mul l_extendedprice_4 l_discount_5
// aggregate
//   revenue_15 = sum v13
//   wide_revenue_16 = sum v14
//   n_17 = count_star
//   first_18 = min l_shipdate_6 filter v12

// State is what a thread keeps of all accumulators.
struct State {
    SumWide acc0;
    SumWide acc1;
    Count acc2;
    Min<i32> acc3;
    DEVICE void start() { acc0.start(); acc1.start(); acc2.start(); acc3.start(); }
    DEVICE void merge(const State& o, u32& fail) { acc0.merge(o.acc0, fail); acc1.merge(o.acc1, fail); acc2.merge(o.acc2, fail); acc3.merge(o.acc3, fail); }
};

// aggregates the rows of each block
extern "C" __global__ __launch_bounds__(T) void scan_aggregate(const Params p) {
    const i32 v0 = (i32)p.param_1;
    const i64 v1 = (i64)p.param_2;
    const u32 v1_null = everywhere(p.param_null_3);
    State state;
    state.start();
    u32 fail = 0;
    // scan lineitem
    for (i64 tile = (i64)blockIdx.x * TILE; tile < p.rows_4; tile += (i64)gridDim.x * TILE) {
        __syncwarp();  // lanes that have parted in the tile before go on together
        const i64 first = tile + threadIdx.x * 4;
        u32 active = rows_from(first, p.rows_4);
        u32x2 l_shipdate_6_raw[R / 4] = {};
        u32 l_discount_5_raw[R / 4] = {};
        fetch(active, first, l_shipdate_6_raw, p.data_5, l_discount_5_raw, p.data_6);
        i32 l_shipdate_6[R];
        decode(l_shipdate_6, l_shipdate_6_raw, p.base_7);
        u32 v8 = 0;
        ROWS set(v8, r, l_shipdate_6[r] >= v0);
        active &= v8;  // filter
        i32 l_discount_5[R];
        decode(l_discount_5, l_discount_5_raw, p.base_8);
        u32 v9 = 0;
        u32 v9_null = v1_null;
        ROWS set(v9, r, (i64)l_discount_5[r] < v1);
        active &= v9 & ~v9_null;  // filter
        u32 l_returnflag_7_raw[R / 4] = {};
        fetch(active, first, l_returnflag_7_raw, p.data_9);
        u32 l_returnflag_7[R];
        decode(l_returnflag_7, l_returnflag_7_raw, p.base_10);
        u32 v12 = 0;  // what the host found of each l_returnflag_7
        ROWS {
            if (bit(active, r)) {
                const u32 entry = l_returnflag_7[r] + 1;
                set(v12, r, bit_at(p.map_data_11, entry));
            }
        }
        active &= v12;  // filter
        u32x4 l_extendedprice_4_raw[R / 4] = {};
        fetch(active, first, l_extendedprice_4_raw, p.data_12);
        i32 l_extendedprice_4[R];
        decode(l_extendedprice_4, l_extendedprice_4_raw, p.base_13);
        u32 l_extendedprice_4_null = load_nulls(active, first, p.valid_14);
        i64 v13[R];
        u32 v13_null = l_extendedprice_4_null;
        u32 bad_t1 = 0;
        ROWS set(bad_t1, r, mul_overflows((i64)l_extendedprice_4[r], (i64)l_discount_5[r], v13[r]));
        if (bad_t1 & active & ~l_extendedprice_4_null) raise(p.error_0, 1, 0);
        i128 v14[R];
        u32 v14_null = l_extendedprice_4_null;
        ROWS v14[r] = mul_wide((i64)l_extendedprice_4[r], (i64)l_discount_5[r]);
        // sum revenue_15
        {
            const u32 rows = active & ~v13_null;
            ROWS if (bit(rows, r)) state.acc0.take(v13[r], fail);
            state.acc0.n += __popc(rows);
        }
        // sum wide_revenue_16
        {
            const u32 rows = active & ~v14_null;
            ROWS if (bit(rows, r)) state.acc1.take(v14[r], fail);
            state.acc1.n += __popc(rows);
        }
        // count_star n_17
        {
            const u32 rows = active;
            state.acc2.n += __popc(rows);
        }
        // min first_18
        {
            const u32 rows = active & v12;
            ROWS if (bit(rows, r)) state.acc3.take(l_shipdate_6[r]);
        }
    }
    __shared__ __align__(16) u8 scratch[T / 2 * sizeof(State)];
    merge_block(state, (State*)scratch, fail);
    if (fail & 1) raise(p.error_0, 6, 1);
    if (fail & 2) raise(p.error_0, 7, 1);
    if (threadIdx.x == 0) ((State*)p.partials_15)[p.first_block_16 + blockIdx.x] = state;
    if (p.last_17 > 0 && is_last(p.ended_18)) {
        State state;
        state.start();
        u32 fail = 0;
        _Pragma("unroll 1") for (u64 b = threadIdx.x; b < p.first_block_16 + gridDim.x; b += T) state.merge(((const State*)p.partials_15)[b], fail);
        merge_block(state, (State*)scratch, fail);
        if (fail & 1) raise(p.error_0, 6, 1);
        if (fail & 2) raise(p.error_0, 7, 1);
        if (threadIdx.x == 0) {
            const int r = 0;
            if ((i64)state.acc0.sum != state.acc0.sum) raise(p.error_0, 1, 1);
            const i64 revenue_15[1] = {(i64)state.acc0.sum};
            const u32 revenue_15_null = state.acc0.n == 0;
            if (!bit(revenue_15_null, r)) set_bit(p.out_valid_20, 0);
            p.out_data_19[0] = revenue_15[r];
            if (magnitude(state.acc1.sum) >= (u128)pow10<i128>(38)) raise(p.error_0, 6, 1);
            const i128 wide_revenue_16[1] = {(i128)state.acc1.sum};
            const u32 wide_revenue_16_null = state.acc1.n == 0;
            if (!bit(wide_revenue_16_null, r)) set_bit(p.out_valid_22, 0);
            put_i128(p.out_data_21, 0, wide_revenue_16[r]);
            const i64 n_17[1] = {(i64)state.acc2.n};
            p.out_data_23[0] = n_17[r];
            const i32 first_18[1] = {(i32)state.acc3.v};
            const u32 first_18_null = state.acc3.n == 0;
            if (!bit(first_18_null, r)) set_bit(p.out_valid_25, 0);
            p.out_data_24[0] = (u32)((i64)first_18[r] - p.out_base_26);
        }
    }
}

// merges the blocks' states and writes the row; one block
extern "C" __global__ __launch_bounds__(T) void finish(const Params p) {
    __shared__ __align__(16) u8 scratch[T / 2 * sizeof(State)];
    State state;
    state.start();
    u32 fail = 0;
    _Pragma("unroll 1") for (u64 b = threadIdx.x; b < p.blocks_27; b += T) state.merge(((const State*)p.partials_15)[b], fail);
    merge_block(state, (State*)scratch, fail);
    if (fail & 1) raise(p.error_0, 6, 1);
    if (fail & 2) raise(p.error_0, 7, 1);
    if (threadIdx.x == 0) {
        const int r = 0;
        if ((i64)state.acc0.sum != state.acc0.sum) raise(p.error_0, 1, 1);
        const i64 revenue_15[1] = {(i64)state.acc0.sum};
        const u32 revenue_15_null = state.acc0.n == 0;
        if (!bit(revenue_15_null, r)) set_bit(p.out_valid_20, 0);
        p.out_data_19[0] = revenue_15[r];
        if (magnitude(state.acc1.sum) >= (u128)pow10<i128>(38)) raise(p.error_0, 6, 1);
        const i128 wide_revenue_16[1] = {(i128)state.acc1.sum};
        const u32 wide_revenue_16_null = state.acc1.n == 0;
        if (!bit(wide_revenue_16_null, r)) set_bit(p.out_valid_22, 0);
        put_i128(p.out_data_21, 0, wide_revenue_16[r]);
        const i64 n_17[1] = {(i64)state.acc2.n};
        p.out_data_23[0] = n_17[r];
        const i32 first_18[1] = {(i32)state.acc3.v};
        const u32 first_18_null = state.acc3.n == 0;
        if (!bit(first_18_null, r)) set_bit(p.out_valid_25, 0);
        p.out_data_24[0] = (u32)((i64)first_18[r] - p.out_base_26);
    }
}
