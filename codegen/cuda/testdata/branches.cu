struct Params {
    u64* error_0;  // the first error
    i64 param_1;  // constant v0
    i64 param_2;  // constant v11
    i64 rows_3;  // rows of part
    const u8* __restrict__ data_4;  // p_type_5
    const u8* __restrict__ data_5;  // p_size_6
    i64 base_6;  // minimum of p_type_5
    i64 base_7;  // minimum of p_size_6
    const u32* __restrict__ map_data_8;  // of each p_type_5
    const u8* __restrict__ map_state_9;  // states of v10
    const u32* __restrict__ map_data_10;  // of each p_type_5
    const u8* __restrict__ map_state_11;  // states of v17
    const u16* __restrict__ data_12;  // p_partkey_3
    u64* count_13;  // rows of the sink
    u64* count_14;  // rows of the sink
    u64 capacity_15;  // rows for which there is room
    i64 base_16;  // minimum of p_partkey_3
    i64 base_17;  // minimum of p_mfgr_4
    const u8* __restrict__ data_18;  // p_mfgr_4
    u16* out_data_19;  // result p_partkey_3
    i64 out_base_20;  // minimum of result p_partkey_3
    u8* out_data_21;  // result p_mfgr_4
    i64 out_base_22;  // minimum of result p_mfgr_4
    u64 capacity_23;  // rows for which there is room
    u16* out_data_24;  // result p_partkey_3
    i64 out_base_25;  // minimum of result p_partkey_3
};

// scan part
// branch
//   v7 = eq p_size_6 v0
//   filter v7
//   v10 = map p_type_5
//   filter v10
//   materialize p_partkey_3 p_mfgr_4
// branch
//   v14 = eq p_size_6 v11
//   filter v14
//   v17 = map p_type_5
//   filter v17
//   materialize p_partkey_3

// writes the rows that remain in each branch
extern "C" __global__ __launch_bounds__(T) void scan_materialize(const Params p) {
    const i32 v0 = (i32)p.param_1;
    const i32 v11 = (i32)p.param_2;
    __shared__ u32 scratch[2][WARPS];
    __shared__ u64 block_places[2];
    __shared__ u16 listed[1][TILE];
    // scan part
    for (i64 tile = (i64)blockIdx.x * TILE; tile < p.rows_3; tile += (i64)gridDim.x * TILE) {
        __syncwarp();  // lanes that have parted in the tile before go on together
        const i64 first = tile + threadIdx.x * 4;
        u32 active = rows_from(first, p.rows_3);
        u32 p_type_5_raw[R / 4] = {};
        u32 p_size_6_raw[R / 4] = {};
        fetch(active, first, p_type_5_raw, p.data_4, p_size_6_raw, p.data_5);
        u32 p_type_5[R];
        decode(p_type_5, p_type_5_raw, p.base_6);
        i32 p_size_6[R];
        decode(p_size_6, p_size_6_raw, p.base_7);
        const u32 all = active;
        active = all;
        u32 pass_t1 = 0;
        QUADS pass_t1 |= quad((reach(p_size_6_raw[q], at_least((i64)v0, p.base_7)) & ~reach(p_size_6_raw[q], above((i64)v0, p.base_7)))) << 4 * q;
        active &= pass_t1;  // filters
        u32 v10 = 0;  // what the host found of each p_type_5
        ROWS {
            if (bit(active, r)) {
                const u32 entry = p_type_5[r] + 1;
                set(v10, r, bit_at(p.map_data_8, entry));
                const u8 state = p.map_state_9[entry];
                if (state == 2) raise(p.error_0, 5, 0, entry);
            }
        }
        active &= v10;  // filter
        u32 rows0 = active;
        active = all;
        u32 pass_t2 = 0;
        QUADS pass_t2 |= quad((reach(p_size_6_raw[q], at_least((i64)v11, p.base_7)) & ~reach(p_size_6_raw[q], above((i64)v11, p.base_7)))) << 4 * q;
        active &= pass_t2;  // filters
        u32 v17 = 0;  // what the host found of each p_type_5
        ROWS {
            if (bit(active, r)) {
                const u32 entry = p_type_5[r] + 1;
                set(v17, r, bit_at(p.map_data_10, entry));
                const u8 state = p.map_state_11[entry];
                if (state == 2) raise(p.error_0, 5, 1, entry);
            }
        }
        active &= v17;  // filter
        u32 rows1 = active;
        active = rows0 | rows1;
        if (__syncthreads_or(active)) {
            active = rows1;
            u32x2 p_partkey_3_raw[R / 4] = {};
            fetch(active, first, p_partkey_3_raw, p.data_12);
            list_branch(scratch[0], list_of_warp(listed[0]), (u32)(first - tile), rows0);
            count_branch(scratch[1], rows1);
            __syncthreads();
            take_branch(0, scratch[0], block_places[0], p.count_13);
            take_branch(32, scratch[1], block_places[1], p.count_14);
            {
                u32 rows;
                u64 place = place_listed(scratch[0], block_places[0], rows, p.capacity_15);
                constexpr int R = 2;  // of the rows that are listed
                for (u32 from = 0; from < rows; from += 32 * R) {
                    u32 active = 0;
                    i64 row[R];
                    ROWS {
                        const u32 at = from + 32 * r + (threadIdx.x & 31);
                        set(active, r, at < rows);
                        row[r] = tile + (at < rows ? list_of_warp(listed[0])[at] : 0);
                    }
                    i32 p_partkey_3[R];
                    ROWS p_partkey_3[r] = bit(active, r) ? (i32)(i32)(p.base_16 + p.data_12[row[r]]) : 0;
                    u32 p_mfgr_4[R];
                    ROWS p_mfgr_4[r] = bit(active, r) ? (u32)(u32)(p.base_17 + p.data_18[row[r]]) : 0;
                    ROWS {
                        const u32 lanes = __ballot_sync(~0u, bit(active, r));
                        if (bit(active, r)) {
                            const u64 to = place + lanes_before(lanes);
                            p.out_data_19[to] = (u16)((i64)p_partkey_3[r] - p.out_base_20);
                            p.out_data_21[to] = (u8)((i64)p_mfgr_4[r] - p.out_base_22);
                        }
                        place += __popc(lanes);
                    }
                }
            }
            {
                u32 active = rows1;
                u64 place = place_branch(scratch[1], block_places[1], active, p.capacity_23);
                i32 p_partkey_3[R];
                decode(p_partkey_3, p_partkey_3_raw, p.base_16);
                ROWS {
                    const u32 lanes = __ballot_sync(~0u, bit(active, r));
                    if (bit(active, r)) {
                        const u64 to = place + lanes_before(lanes);
                        p.out_data_24[to] = (u16)((i64)p_partkey_3[r] - p.out_base_25);
                    }
                    place += __popc(lanes);
                }
            }
        }
    }
}
