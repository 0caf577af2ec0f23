struct Params {
    u64* error_0;  // the first error
    u64 cells_1;  // cells
    u64* group_keys_2;  // keys of the groups by slot
    i64 rows_3;  // rows of r
    const i64* __restrict__ data_4;  // g_0
    const u8* __restrict__ data_5;  // v_1
    const u32* __restrict__ valid_6;  // validity of g_0
    i64 base_7;  // minimum of v_1
    i64 key_lo_8;  // minimum of g_0
    u64* state_9;  // sum sum_2
    u64* state_10;  // count_star n_3
    u64* group_count_11;  // groups in the table; whether it was full; tiles and rows of a warp of each block, and those of the rows with a slot
    u64* count_12;  // rows of the sink
    u64 skip_13;  // rows at the beginning that are not written
    u64 capacity_14;  // rows for which there is room
    i64* out_data_15;  // result g_0
    u32* out_valid_16;  // validity of result g_0
    u32* out_data_17;  // result sum_2
    i64 out_base_18;  // minimum of result sum_2
    i64* out_data_19;  // result n_3
};

// scan r
// aggregate by g_0
//   sum_2 = sum v_1
//   n_3 = count_star

// accumulates the rows in the cells of their groups
extern "C" __global__ __launch_bounds__(T) void scan_aggregate(const Params p) {
    const TableOf<4> table = {p.group_keys_2, nullptr, p.cells_1 - 1};
    u32 new_groups = 0, lost = 0, tiles = 0, rows_seen = 0;
    // scan r
    for (i64 tile = (i64)blockIdx.x * TILE; has_room(lost, false, tiles) && tile < p.rows_3; tile += (i64)gridDim.x * TILE) {
        __syncwarp();  // lanes that have parted in the tile before go on together
        const i64 first = tile + threadIdx.x * 4;
        u32 active = rows_from(first, p.rows_3);
        u64x4 g_0_raw[R / 4] = {};
        u32 v_1_raw[R / 4] = {};
        fetch(active, first, g_0_raw, p.data_4, v_1_raw, p.data_5);
        i64 g_0[R];
        decode(g_0, g_0_raw);
        u32 g_0_null = load_nulls(active, first, p.valid_6);
        i32 v_1[R];
        decode(v_1, v_1_raw, p.base_7);
        u32 cell[R];
        u64 key[R][1];
        ROWS if (bit(active, r)) {
            const u64 part0 = bit(g_0_null, r) ? 1000000000001ull : (u64)((u64)(i64)g_0[r] - (u64)p.key_lo_8);
            key[r][0] = part0 << 0;
        }
        const u32 found = find_words<1>(table, active, key, cell, new_groups);
        lost += __popc(active & ~found);
        active = found;
        // sum sum_2
        {
            u32 rows = active;
            ROWS if (bit(rows, r)) {
                const u32 v_t1 = (u64)(i64)v_1[r];
                NarrowSum::add(v_t1, cell[r], strided<4>(p.state_9));
            }
        }
        // count_star n_3
        {
            u32 rows = active;
            ROWS if (bit(rows, r)) {
                const u32 v_t2 = 1;
                NarrowSum::add(v_t2, cell[r], strided<4>(p.state_10));
            }
        }
    }
    rows_seen = tiles * R;
    if (lost) atomicMax(p.group_count_11 + 1, 1ull);
    new_groups = warp_scan(new_groups);
    if ((threadIdx.x & 31) == 31 && new_groups) atomicAdd(p.group_count_11, (u64)new_groups);
    rows_seen = warp_sum(rows_seen);
    lost = warp_sum(lost);
    if (threadIdx.x == 0) {
        atomicAdd(p.group_count_11 + 2, (u64)tiles);
        atomicAdd(p.group_count_11 + 3, (u64)rows_seen);
        atomicAdd(p.group_count_11 + 4, (u64)(rows_seen - min(lost, rows_seen)));
    }
}

// writes the groups
extern "C" __global__ __launch_bounds__(T) void finish(const Params p) {
    __shared__ u32 scratch[WARPS];
    __shared__ u64 block_place;
    for (u64 tile = (u64)blockIdx.x * TILE; tile < p.cells_1; tile += (u64)gridDim.x * TILE) {
        u32 active = 0;
        ROWS {
            const u64 cell = tile + r * T + threadIdx.x;
            set(active, r, cell < p.cells_1 && ~p.group_keys_2[cell * 4] != FREE);
        }
        u64 place = place_rows(scratch, block_place, active, p.count_12, p.skip_13, p.capacity_14);
        _Pragma("unroll 1") for (int r = 0; r < R; r++) {
            const u32 lanes = __ballot_sync(~0u, bit(active, r));
            if (bit(active, r)) {
                const u64 to = place + lanes_before(lanes);
                const u64 cell = tile + r * T + threadIdx.x;
                {
                    const int r = 0;
                    const u64 key_t1[1] = {~p.group_keys_2[cell * 4]};
                    const u64 part_t2 = key_t1[0] >> 0 & 0xffffffffffull;
                    const i64 g_0[1] = {(i64)((i64)(part_t2 + (u64)p.key_lo_8))};
                    const u32 g_0_null = part_t2 == 1000000000001ull;
                    set_bits(lanes, p.out_valid_16, to, !bit(g_0_null, r));
                    p.out_data_15[to] = g_0[r];
                    const i64 sum_2[1] = {(i64)((i64)strided<4>(p.state_9)[cell])};
                    p.out_data_17[to] = (u32)((i64)sum_2[r] - p.out_base_18);
                    const i64 n_3[1] = {(i64)((i64)strided<4>(p.state_10)[cell])};
                    p.out_data_19[to] = n_3[r];
                }
            }
            place += __popc(lanes);
        }
    }
}
