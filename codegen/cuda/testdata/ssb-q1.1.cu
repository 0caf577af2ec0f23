struct Params {
    u64* error_0;  // the first error
    i64 param_1;  // constant v0
    i64 param_2;  // constant v1
    i64 param_3;  // constant v2
    i64 rows_4;  // rows of lineorder
    const u16* __restrict__ data_5;  // lo_orderdate_3
    const u8* __restrict__ data_6;  // lo_discount_6
    const u8* __restrict__ data_7;  // lo_quantity_4
    i64 base_8;  // minimum of lo_discount_6
    i64 base_9;  // minimum of lo_quantity_4
    i64 base_10;  // minimum of lo_orderdate_3
    i64 table_lo_11;  // table_lo of key lo_orderdate_3
    i64 table_extent_12;  // table_extent of key lo_orderdate_3
    const u32* __restrict__ table_slots_13;  // cells of g0_build_date
    const u32* __restrict__ data_14;  // lo_extendedprice_5
    i64 base_15;  // minimum of lo_extendedprice_5
    u8* partials_16;  // states of the blocks
    u64 first_block_17;  // blocks of the launches before
    u64 last_18;  // the last block merges those of all; 0: it does not
    u64* ended_19;  // blocks that have ended
    i64* out_data_20;  // result revenue_11
    u32* out_valid_21;  // validity of result revenue_11
    u64 blocks_22;  // blocks that have aggregated
};

// scan lineorder
// v7 = ge lo_discount_6 v0
// filter v7
// v8 = le lo_discount_6 v1
// filter v8
// v9 = lt lo_quantity_4 v2
// filter v9
// probe inner g0_build_date by lo_orderdate_3
// v10 = mul lo_extendedprice_5 lo_discount_6
// aggregate
//   revenue_11 = sum v10

// State is what a thread keeps of all accumulators.
struct State {
    SumNarrow acc0;
    DEVICE void start() { acc0.start(); }
    DEVICE void merge(const State& o, u32& fail) { acc0.merge(o.acc0, fail); }
};

// aggregates the rows of each block
extern "C" __global__ __launch_bounds__(T) void scan_probe_aggregate(const Params p) {
    const i32 v0 = (i32)p.param_1;
    const i32 v1 = (i32)p.param_2;
    const i32 v2 = (i32)p.param_3;
    State state;
    state.start();
    u32 fail = 0;
    // scan lineorder
    for (i64 tile = (i64)blockIdx.x * TILE; tile < p.rows_4; tile += (i64)gridDim.x * TILE) {
        __syncwarp();  // lanes that have parted in the tile before go on together
        const i64 first = tile + threadIdx.x * 4;
        u32 active = rows_from(first, p.rows_4);
        u32x2 lo_orderdate_3_raw[R / 4] = {};
        u32 lo_discount_6_raw[R / 4] = {};
        u32 lo_quantity_4_raw[R / 4] = {};
        fetch(active, first, lo_orderdate_3_raw, p.data_5, lo_discount_6_raw, p.data_6, lo_quantity_4_raw, p.data_7);
        u32 pass_t1 = 0;
        QUADS pass_t1 |= quad(reach(lo_discount_6_raw[q], at_least((i64)v0, p.base_8)) & ~reach(lo_discount_6_raw[q], above((i64)v1, p.base_8)) & ~reach(lo_quantity_4_raw[q], at_least((i64)v2, p.base_9))) << 4 * q;
        active &= pass_t1;  // filters
        i32 lo_orderdate_3[R];
        decode(lo_orderdate_3, lo_orderdate_3_raw, p.base_10);
        // probe inner g0_build_date
        u32 found_t3 = active;
        u32 at_t2[R];
        ROWS at_t2[r] = Cell<u32>{bit(found_t3, r)}.key((u32)lo_orderdate_3[r], p.table_lo_11, p.table_extent_12).among(found_t3, r);
        found_t3 = present(found_t3, p.table_slots_13, at_t2);
        active &= found_t3;
        u32x4 lo_extendedprice_5_raw[R / 4] = {};
        fetch(active, first, lo_extendedprice_5_raw, p.data_14);
        i32 lo_extendedprice_5[R];
        decode(lo_extendedprice_5, lo_extendedprice_5_raw, p.base_15);
        i32 lo_discount_6[R];
        decode(lo_discount_6, lo_discount_6_raw, p.base_8);
        i32 v10[R];
        ROWS v10[r] = mul(lo_extendedprice_5[r], lo_discount_6[r]);
        // sum revenue_11
        {
            const u32 rows = active;
            ROWS state.acc0.take(bit(rows, r) ? (i64)v10[r] : 0);
            state.acc0.n += __popc(rows);
        }
    }
    __shared__ __align__(16) u8 scratch[T / 2 * sizeof(State)];
    merge_block(state, (State*)scratch, fail);
    if (fail & 1) raise(p.error_0, 6, 0);
    if (fail & 2) raise(p.error_0, 7, 0);
    if (threadIdx.x == 0) ((State*)p.partials_16)[p.first_block_17 + blockIdx.x] = state;
    if (p.last_18 > 0 && is_last(p.ended_19)) {
        State state;
        state.start();
        u32 fail = 0;
        _Pragma("unroll 1") for (u64 b = threadIdx.x; b < p.first_block_17 + gridDim.x; b += T) state.merge(((const State*)p.partials_16)[b], fail);
        merge_block(state, (State*)scratch, fail);
        if (fail & 1) raise(p.error_0, 6, 0);
        if (fail & 2) raise(p.error_0, 7, 0);
        if (threadIdx.x == 0) {
            const int r = 0;
            const i64 revenue_11[1] = {(i64)state.acc0.sum};
            const u32 revenue_11_null = state.acc0.n == 0;
            if (!bit(revenue_11_null, r)) set_bit(p.out_valid_21, 0);
            p.out_data_20[0] = revenue_11[r];
        }
    }
}

// merges the blocks' states and writes the row; one block
extern "C" __global__ __launch_bounds__(T) void finish(const Params p) {
    __shared__ __align__(16) u8 scratch[T / 2 * sizeof(State)];
    State state;
    state.start();
    u32 fail = 0;
    _Pragma("unroll 1") for (u64 b = threadIdx.x; b < p.blocks_22; b += T) state.merge(((const State*)p.partials_16)[b], fail);
    merge_block(state, (State*)scratch, fail);
    if (fail & 1) raise(p.error_0, 6, 0);
    if (fail & 2) raise(p.error_0, 7, 0);
    if (threadIdx.x == 0) {
        const int r = 0;
        const i64 revenue_11[1] = {(i64)state.acc0.sum};
        const u32 revenue_11_null = state.acc0.n == 0;
        if (!bit(revenue_11_null, r)) set_bit(p.out_valid_21, 0);
        p.out_data_20[0] = revenue_11[r];
    }
}
