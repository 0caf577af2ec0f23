struct Params {
    u64* error_0;  // the first error
    i64 param_1;  // constant v0
    u64 slots_2;  // slots in shared memory
    u64 replicas_3;  // replicas of each slot
    u64 owned_4;  // 1 where cells share slots
    i64 rows_5;  // rows of cells
    const u8* __restrict__ data_6;  // component_2
    i64 base_7;  // minimum of component_2
    i64 table_lo_8;  // table_lo of key component_2
    i64 table_extent_9;  // table_extent of key component_2
    const u64* __restrict__ table_slots_10;  // runs of components
    const u16* __restrict__ data_11;  // value_3
    i64 base_12;  // minimum of value_3
    const u8* __restrict__ data_13;  // region_1
    i64 base_14;  // minimum of region_1
    i64 table_lo_15;  // table_lo of key region_1
    i64 table_extent_16;  // table_extent of key region_1
    const u64* __restrict__ table_slots_17;  // runs of regions
    i64 table_base_18;  // minimum of weight_5
    const u8* __restrict__ table_data_19;  // weight_5
    i64 table_base_20;  // minimum of machine_4
    const u8* __restrict__ table_data_21;  // machine_4
    i64 key_lo_22;  // minimum of machine_4
    u64 key_card_23;  // values of machine_4, NULL included
    u64 key_stride_24;  // cells between two values of machine_4
    i64 table_base_25;  // minimum of group_7
    const u8* __restrict__ table_data_26;  // group_7
    i64 key_lo_27;  // minimum of group_7
    u64 key_card_28;  // values of group_7, NULL included
    u64 key_stride_29;  // cells between two values of group_7
    u64* state_30;  // sum total_9
    u32* state_31;  // whether a group has had a row (1)
    u64 cells_32;  // cells
    u64* count_33;  // rows of the sink
    u64 skip_34;  // rows at the beginning that are not written
    u64 capacity_35;  // rows for which there is room
    u8* out_data_36;  // result group_7
    i64 out_base_37;  // minimum of result group_7
    u8* out_data_38;  // result machine_4
    i64 out_base_39;  // minimum of result machine_4
    i64* out_data_40;  // result total_9
};

// scan cells
// probe inner components by component_2 for machine_4 weight_5
// v6 = mul value_3 v0
// probe inner regions by region_1 for group_7
// v8 = mul v6 weight_5
// aggregate by group_7 machine_4
//   total_9 = sum v8

// accumulates the rows in the cells of their groups
extern "C" __global__ __launch_bounds__(T) void scan_probe2_aggregate(const Params p) {
    const i32 v0 = (i32)p.param_1;
    extern __shared__ u32 shared_words[];
    const u32 stride = (u32)(p.slots_2 * p.replicas_3);
    const u32 planes = 3;
    u32* const owners = shared_words + planes * stride;
    const Slots slots = {shared_words, owners, p.owned_4 != 0, stride, stride, (u32)p.slots_2, (u32)p.replicas_3, 0};
    clear(slots, planes * stride + (u32)(p.owned_4 * p.slots_2));
    // scan cells
    for (i64 tile = (i64)blockIdx.x * TILE; tile < p.rows_5; tile += (i64)gridDim.x * TILE) {
        __syncwarp();  // lanes that have parted in the tile before go on together
        const i64 first = tile + threadIdx.x * 4;
        u32 active = rows_from(first, p.rows_5);
        u32 component_2_raw[R / 4] = {};
        fetch(active, first, component_2_raw, p.data_6);
        i32 component_2[R];
        decode(component_2, component_2_raw, p.base_7);
        // probe inner components
        u32 found_t2 = active;
        u32 at_t1[R];
        ROWS at_t1[r] = Cell<u32>{bit(found_t2, r)}.key((u32)component_2[r], p.table_lo_8, p.table_extent_9).among(found_t2, r);
        u32 end_t3[R];
        found_t2 = find_dense(found_t2, p.table_slots_10, at_t1, end_t3);
        active &= found_t2;
        u32x2 value_3_raw[R / 4] = {};
        fetch(active, first, value_3_raw, p.data_11);
        i32 value_3[R];
        decode(value_3, value_3_raw, p.base_12);
        i32 v6[R];
        ROWS v6[r] = mul(value_3[r], v0);
        u32 region_1_raw[R / 4] = {};
        fetch(active, first, region_1_raw, p.data_13);
        i32 region_1[R];
        decode(region_1, region_1_raw, p.base_14);
        // probe inner regions
        u32 found_t5 = active;
        u32 at_t4[R];
        ROWS at_t4[r] = Cell<u32>{bit(found_t5, r)}.key((u32)region_1[r], p.table_lo_15, p.table_extent_16).among(found_t5, r);
        u32 end_t6[R];
        found_t5 = find_dense(found_t5, p.table_slots_17, at_t4, end_t6);
        active &= found_t5;
        u32 left_t7[R];
        ROWS left_t7[r] = bit(found_t2 & active, r) ? end_t3[r] - at_t1[r] + 1 : 0;
        struct Staged_staged_t8 {
            u32 start[1025], from[1024];
            i32 v6[1024];
            u32 at_t4[1024];
            u32 end_t6[1024];
        };
        __shared__ Staged_staged_t8 staged_t8;
        __shared__ u64 staged_t8_scratch[WARPS];
        u32 pending_t9 = 0;
        ROWS set(pending_t9, r, left_t7[r] > 0);
        while (__syncthreads_or(pending_t9)) {
            u32 place[R], rows;
            const u32 waiting = stage<1024>(staged_t8.start, staged_t8.from, staged_t8_scratch, pending_t9, at_t1, left_t7, place, rows);
            ROWS if (bit(waiting, r)) {
                staged_t8.v6[place[r]] = v6[r];
                staged_t8.at_t4[place[r]] = at_t4[r];
                staged_t8.end_t6[place[r]] = end_t6[r];
                if (left_t7[r] == 0) pending_t9 &= ~(1u << r);
            }
            __syncthreads();
            u32 iterations;
            Dealing dealing = deal(staged_t8.start, rows, 0, staged_t8.start[rows], iterations);
            for (u32 i = 0; i < iterations; i++) {
                u32 row_t10[R], at_t11[R];
                u32 active = take(dealing, staged_t8.start, staged_t8.from, row_t10, at_t11);
                i32 v6[R];
                ROWS v6[r] = staged_t8.v6[row_t10[r]];
                u32 at_t4[R], end_t6[R];
                ROWS {
                    at_t4[r] = staged_t8.at_t4[row_t10[r]];
                    end_t6[r] = staged_t8.end_t6[row_t10[r]];
                }
                u32 pair_t12 = active;
                active = pair_t12;
                u32 at_t13[R];
                ROWS at_t13[r] = at_t4[r];
                const u32 found_t14 = active;
                active &= found_t14;
                i32 weight_5[R];  // of components
                const u32 live_t15 = active & pair_t12;
                ROWS weight_5[r] = bit(live_t15, r) ? (i32)(p.table_base_18 + p.table_data_19[at_t11[r] - 1]) : 0;
                i32 v8[R];
                ROWS v8[r] = mul(v6[r], weight_5[r]);
                i32 machine_4[R];  // of components
                const u32 live_t17 = active & pair_t12;
                ROWS machine_4[r] = bit(live_t17, r) ? (i32)(p.table_base_20 + p.table_data_21[at_t11[r] - 1]) : 0;
                u32 part_t16[R];  // of the cell
                ROWS {
                    part_t16[r] = 0;
                    part_t16[r] += (u32)((i64)machine_4[r] - p.key_lo_22) * (u32)p.key_stride_24;
                }
                u32 pending_t18 = active;
                while (__any_sync(~0u, pending_t18)) {
                    u32 active = pending_t18;
                    u32 pair_t19 = active;
                    active = pair_t19;
                    i32 group_7[R];  // of regions
                    const u32 live_t20 = active & pair_t19;
                    ROWS group_7[r] = bit(live_t20, r) ? (i32)(p.table_base_25 + p.table_data_26[at_t13[r] - 1]) : 0;
                    u32 cell[R];
                    ROWS {
                        cell[r] = part_t16[r];
                        cell[r] += (u32)((i64)group_7[r] - p.key_lo_27) * (u32)p.key_stride_29;
                    }
                    u32 at[R];  // where in the slots
                    ROWS at[r] = replica_of(slots, cell[r] - slots.first);
                    // sum total_9
                    {
                        u32 rows = active;
                        ROWS if (bit(rows, r)) {
                            const u32 v_t21 = (u64)(i64)v8[r];
                            add_small(slots, 0, at[r], (u32)v_t21);
                        }
                    }
                    {
                        const u32 rows = active;
                        ROWS if (bit(rows, r)) {
                            const u32 v_t22 = 1;
                            add<Flag>(slots, 2, at[r], v_t22);
                        }
                    }
                    ROWS if (at_t13[r]++ >= end_t6[r]) pending_t18 &= ~(1u << r);
                }
            }
        }
    }
    __syncthreads();
    for (u32 slot = threadIdx.x; slot < slots.count; slot += T) {
        const u32 owner = slots.owned ? slots.owners[slot] : slots.first + slot + 1;
        if (owner == 0) continue;
        const u32 cell = owner - 1;
        flush<Sum>(slots, 0, slot, cell, p.state_30);
        flush<Flag>(slots, 2, slot, cell, p.state_31);
    }
}

// writes the groups
extern "C" __global__ __launch_bounds__(T) void finish(const Params p) {
    const i32 v0 = (i32)p.param_1;
    __shared__ u32 scratch[WARPS];
    __shared__ u64 block_place;
    for (u64 tile = (u64)blockIdx.x * TILE; tile < p.cells_32; tile += (u64)gridDim.x * TILE) {
        u32 active = 0;
        ROWS {
            const u64 cell = tile + r * T + threadIdx.x;
            set(active, r, cell < p.cells_32 && p.state_31[cell] != 0);
        }
        u64 place = place_rows(scratch, block_place, active, p.count_33, p.skip_34, p.capacity_35);
        _Pragma("unroll 1") for (int r = 0; r < R; r++) {
            const u32 lanes = __ballot_sync(~0u, bit(active, r));
            if (bit(active, r)) {
                const u64 to = place + lanes_before(lanes);
                const u64 cell = tile + r * T + threadIdx.x;
                {
                    const int r = 0;
                    const u32 part_t1 = (u32)cell / (u32)p.key_stride_29 % (u32)p.key_card_28;
                    const i32 group_7[1] = {(i32)((i64)(part_t1 + (u64)p.key_lo_27))};
                    p.out_data_36[to] = (u8)((i64)group_7[r] - p.out_base_37);
                    const u32 part_t2 = (u32)cell / (u32)p.key_stride_24 % (u32)p.key_card_23;
                    const i32 machine_4[1] = {(i32)((i64)(part_t2 + (u64)p.key_lo_22))};
                    p.out_data_38[to] = (u8)((i64)machine_4[r] - p.out_base_39);
                    const i64 total_9[1] = {(i64)((i64)p.state_30[cell])};
                    p.out_data_40[to] = total_9[r];
                }
            }
            place += __popc(lanes);
        }
    }
}
