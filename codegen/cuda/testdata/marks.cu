struct Params {
    u64* error_0;  // the first error
    u64 copies_1;  // replicas of each cell
    u64 cells_2;  // cells
    u64* mark_full_3;  // not 0 where a set of values was full
    i64 rows_4;  // rows of rows
    const u8* __restrict__ data_5;  // k_0
    const u32* __restrict__ data_6;  // v_1
    i64 base_7;  // minimum of k_0
    const u32* __restrict__ valid_8;  // validity of k_0
    i64 base_9;  // minimum of v_1
    i64 mark_lo_10;  // minimum of k_0
    i64 mark_lo_11;  // minimum of v_1
    u32* marked_12;  // values of v_1 with their groups
    u64 mark_buckets_13;  // buckets of them
    i64 key_lo_14;  // minimum of k_0
    u64 key_card_15;  // values of k_0, NULL included
    u64 key_stride_16;  // cells between two values of k_0
    u64* state_17;  // count values_3
    u64* state_18;  // count_star n_4
    u64* additions_19;  // rows that were added, and additions that were made of them
    u64* count_20;  // rows of the sink
    u64 skip_21;  // rows at the beginning that are not written
    u64 capacity_22;  // rows for which there is room
    u8* out_data_23;  // result k_0
    u32* out_valid_24;  // validity of result k_0
    i64 out_base_25;  // minimum of result k_0
    i64* out_data_26;  // result values_3
    i64* out_data_27;  // result n_4
};

// scan rows
// aggregate by k_0
//   values_3 = count distinct v_1
//   n_4 = count_star

// accumulates the rows in the cells of their groups
extern "C" __global__ __launch_bounds__(T) void scan_aggregate(const Params p) {
    const u32 copy = (blockIdx.x * WARPS + threadIdx.x / 32) % (u32)p.copies_1 * (u32)p.cells_2;  // the first cell of a replica of all
    u32 added = 0, made = 0;  // rows, and additions that are left of them
    u32 unmarked = *(volatile u64*)p.mark_full_3 != 0;
    // scan rows
    for (i64 tile = (i64)blockIdx.x * TILE; !some_thread(unmarked != 0, false) && tile < p.rows_4; tile += (i64)gridDim.x * TILE) {
        __syncwarp();  // lanes that have parted in the tile before go on together
        const i64 first = tile + threadIdx.x * 4;
        u32 active = rows_from(first, p.rows_4);
        u32 k_0_raw[R / 4] = {};
        u32x4 v_1_raw[R / 4] = {};
        fetch(active, first, k_0_raw, p.data_5, v_1_raw, p.data_6);
        i32 k_0[R];
        decode(k_0, k_0_raw, p.base_7);
        u32 k_0_null = load_nulls(active, first, p.valid_8);
        i32 v_1[R];
        decode(v_1, v_1_raw, p.base_9);
        u32 new0 = active;
        u64 values_t1[R];
        ROWS if (bit(new0, r)) {
            const u64 part0 = bit(k_0_null, r) ? 201ull : (u64)((u64)(i64)k_0[r] - (u64)p.mark_lo_10);
            const u64 part1 = (u64)(i64)v_1[r] - (u64)p.mark_lo_11;
            values_t1[r] = part0 << 0 | part1 << 8;
        }
        new0 = mark_new<28>(p.marked_12, p.mark_buckets_13, new0, values_t1, p.mark_full_3, unmarked);
        u32 cell[R];
        ROWS {
            cell[r] = 0;
            cell[r] += (bit(k_0_null, r) ? (u32)p.key_card_15 - 1 : (u32)((i64)k_0[r] - p.key_lo_14)) * (u32)p.key_stride_16;
        }
        Peers peers = {nullptr};
        find_peers(peers, active, cell);
        added += __popc(active), made += __popc(peers.leads);
        // count values_3
        {
            u32 rows = active & new0;
            ROWS {
                u32 v_t2 = {};
                if (gather_ones(peers, r, bit(rows, r), v_t2)) {
                    Sum::add(v_t2, copy + cell[r], p.state_17);
                }
            }
        }
        // count_star n_4
        {
            u32 rows = active;
            ROWS {
                u32 v_t3 = {};
                if (gather_ones(peers, r, bit(rows, r), v_t3)) {
                    Sum::add(v_t3, copy + cell[r], p.state_18);
                }
            }
        }
    }
    const u64 all_added = warp_sum((u64)added), all_made = warp_sum((u64)made);
    if (threadIdx.x % 32 == 0) {
        atomicAdd(p.additions_19, all_added);
        atomicAdd(p.additions_19 + 1, all_made);
    }
}

// adds the replicas of cells up
extern "C" __global__ __launch_bounds__(T) void compact(const Params p) {
    for (u64 from = p.cells_2 + (u64)blockIdx.x * T + threadIdx.x; from < p.cells_2 * p.copies_1; from += (u64)gridDim.x * T) {
        const u64 cell = from % p.cells_2;
        merge<Sum>(from, cell, p.state_17);
        merge<Sum>(from, cell, p.state_18);
    }
}

// writes the groups
extern "C" __global__ __launch_bounds__(T) void finish(const Params p) {
    __shared__ u32 scratch[WARPS];
    __shared__ u64 block_place;
    for (u64 tile = (u64)blockIdx.x * TILE; tile < p.cells_2; tile += (u64)gridDim.x * TILE) {
        u32 active = 0;
        ROWS {
            const u64 cell = tile + r * T + threadIdx.x;
            set(active, r, cell < p.cells_2 && p.state_17[cell] != 0);
        }
        u64 place = place_rows(scratch, block_place, active, p.count_20, p.skip_21, p.capacity_22);
        _Pragma("unroll 1") for (int r = 0; r < R; r++) {
            const u32 lanes = __ballot_sync(~0u, bit(active, r));
            if (bit(active, r)) {
                const u64 to = place + lanes_before(lanes);
                const u64 cell = tile + r * T + threadIdx.x;
                {
                    const int r = 0;
                    const u32 part_t1 = (u32)cell / (u32)p.key_stride_16 % (u32)p.key_card_15;
                    const i32 k_0[1] = {(i32)((i64)(part_t1 + (u64)p.key_lo_14))};
                    const u32 k_0_null = part_t1 == p.key_card_15 - 1;
                    set_bits(lanes, p.out_valid_24, to, !bit(k_0_null, r));
                    p.out_data_23[to] = (u8)((i64)k_0[r] - p.out_base_25);
                    const i64 values_3[1] = {(i64)((i64)p.state_17[cell])};
                    p.out_data_26[to] = values_3[r];
                    const i64 n_4[1] = {(i64)((i64)p.state_18[cell])};
                    p.out_data_27[to] = n_4[r];
                }
            }
            place += __popc(lanes);
        }
    }
}
