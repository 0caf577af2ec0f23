struct Params {
    u64* error_0;  // the first error
    i64 param_1;  // constant v0
    i64 rows_2;  // rows of date
    const u8* __restrict__ data_3;  // d_year_2
    i64 base_4;  // minimum of d_year_2
    const u16* __restrict__ data_5;  // d_datekey_1
    i64 base_6;  // minimum of d_datekey_1
    i64 table_lo_7;  // table_lo of key d_datekey_1
    i64 table_extent_8;  // table_extent of key d_datekey_1
    u32* table_slots_9;  // cells that have a row
    u64* count_10;  // rows of the sink
    u64* duplicates_11;  // rows of keys found before
    u64* keyless_12;  // rows without a key
    u64* key_bounds_13;  // bounds of key d_datekey_1
};

// scan date
// v3 = eq d_year_2 v0
// filter v3
// build by d_datekey_1 of

// writes the payload of each row to the cell of its key
extern "C" __global__ __launch_bounds__(T) void scan_build(const Params p) {
    const i32 v0 = (i32)p.param_1;
    __shared__ u64 scratch[WARPS];
    u64 count = 0;
    u32 duplicates = 0, keyless = 0;
    __shared__ u64 warp_bounds[2 * WARPS];
    KeyBounds bounds0;
    // scan date
    for (i64 tile = (i64)blockIdx.x * TILE; tile < p.rows_2; tile += (i64)gridDim.x * TILE) {
        __syncwarp();  // lanes that have parted in the tile before go on together
        const i64 first = tile + threadIdx.x * 4;
        u32 active = rows_from(first, p.rows_2);
        u32 d_year_2_raw[R / 4] = {};
        fetch(active, first, d_year_2_raw, p.data_3);
        u32 pass_t1 = 0;
        QUADS pass_t1 |= quad((reach(d_year_2_raw[q], at_least((i64)v0, p.base_4)) & ~reach(d_year_2_raw[q], above((i64)v0, p.base_4)))) << 4 * q;
        active &= pass_t1;  // filters
        u32x2 d_datekey_1_raw[R / 4] = {};
        fetch(active, first, d_datekey_1_raw, p.data_5);
        i32 d_datekey_1[R];
        decode(d_datekey_1, d_datekey_1_raw, p.base_6);
        count += __popc(active);
        u32 keyed = active;
        ROWS if (bit(keyed, r)) bounds0.take(d_datekey_1[r]);
        u32 cell[R];
        ROWS cell[r] = Cell<u32>{bit(keyed, r)}.key((u32)d_datekey_1[r], p.table_lo_7, p.table_extent_8).among(keyed, r);
        keyless += __popc(active & ~keyed);
        duplicates += claim(keyed, cell, p.table_slots_9);
    }
    add_count(scratch, count, p.count_10);
    add_warp_count(duplicates, p.duplicates_11);
    add_warp_count(keyless, p.keyless_12);
    bounds0.add(warp_bounds, p.key_bounds_13);
}
