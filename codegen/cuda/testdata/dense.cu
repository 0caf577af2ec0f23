struct Params {
    u64* error_0;  // the first error
    u64 slots_1;  // slots in shared memory
    u64 replicas_2;  // replicas of each slot
    u64 owned_3;  // 1 where cells share slots
    u64 first_cell_4;  // first cell whose rows count
    i64 rows_5;  // rows of lineorder
    const u8* __restrict__ data_6;  // d_year_0
    const u32* __restrict__ data_7;  // p_brand1_1
    const u32* __restrict__ data_8;  // lo_revenue_2
    const i64* __restrict__ data_9;  // lo_tax_3
    i64 base_10;  // minimum of d_year_0
    const u32* __restrict__ valid_11;  // validity of d_year_0
    i64 base_12;  // minimum of p_brand1_1
    i64 base_13;  // minimum of lo_revenue_2
    const u32* __restrict__ valid_14;  // validity of lo_tax_3
    const u32* __restrict__ data_15;  // lo_ok_4
    i64 key_lo_16;  // minimum of d_year_0
    u64 key_card_17;  // values of d_year_0, NULL included
    u64 key_stride_18;  // cells between two values of d_year_0
    i64 key_lo_19;  // minimum of p_brand1_1
    u64 key_card_20;  // values of p_brand1_1, NULL included
    u64 key_stride_21;  // cells between two values of p_brand1_1
    u64 range_cells_22;  // cells whose rows count
    u64 cells_23;  // cells
    u64* state_24;  // sum sum_5
    u64* state_25;  // sum tax_6
    u64* state_26;  // sum tax_6
    u64* state_27;  // sum tax_6
    u64* state_28;  // count_star n_7
    u64* state_29;  // max most_tax_8
    u32* state_30;  // bool_and all_ok_9
    u32* state_31;  // whether a group has had a row (1)
    u32* state_32;  // whether a group has had a row (6)
    u64 last_33;  // cells whose groups the last block writes; 0: it does not
    u64* ended_34;  // blocks that have ended
    u64 capacity_35;  // rows for which there is room
    u8* out_data_36;  // result d_year_0
    u32* out_valid_37;  // validity of result d_year_0
    i64 out_base_38;  // minimum of result d_year_0
    u32* out_data_39;  // result p_brand1_1
    i64 out_base_40;  // minimum of result p_brand1_1
    i64* out_data_41;  // result sum_5
    i64* out_data_42;  // result tax_6
    u32* out_valid_43;  // validity of result tax_6
    i64* out_data_44;  // result n_7
    i64* out_data_45;  // result most_tax_8
    u32* out_valid_46;  // validity of result most_tax_8
    u32* out_data_47;  // result all_ok_9
    u64* count_48;  // rows of the sink
    u64 skip_49;  // rows at the beginning that are not written
};

// scan lineorder
// aggregate by d_year_0 p_brand1_1
//   sum_5 = sum lo_revenue_2
//   tax_6 = sum lo_tax_3 filter lo_ok_4
//   n_7 = count_star
//   most_tax_8 = max lo_tax_3
//   all_ok_9 = bool_and lo_ok_4

// accumulates the rows in the cells of their groups
extern "C" __global__ __launch_bounds__(T) void scan_aggregate(const Params p) {
    extern __shared__ u32 shared_words[];
    const u32 stride = (u32)(p.slots_1 * p.replicas_2);
    const u32 planes = 15;
    u32* const owners = shared_words + planes * stride;
    const Slots slots = {shared_words, owners, p.owned_3 != 0, stride, stride, (u32)p.slots_1, (u32)p.replicas_2, (u32)p.first_cell_4};
    clear(slots, planes * stride + (u32)(p.owned_3 * p.slots_1));
    // scan lineorder
    for (i64 tile = (i64)blockIdx.x * TILE; tile < p.rows_5; tile += (i64)gridDim.x * TILE) {
        __syncwarp();  // lanes that have parted in the tile before go on together
        const i64 first = tile + threadIdx.x * 4;
        u32 active = rows_from(first, p.rows_5);
        u32 d_year_0_raw[R / 4] = {};
        u32x4 p_brand1_1_raw[R / 4] = {};
        u32x4 lo_revenue_2_raw[R / 4] = {};
        u64x4 lo_tax_3_raw[R / 4] = {};
        fetch(active, first, d_year_0_raw, p.data_6, p_brand1_1_raw, p.data_7, lo_revenue_2_raw, p.data_8, lo_tax_3_raw, p.data_9);
        i32 d_year_0[R];
        decode(d_year_0, d_year_0_raw, p.base_10);
        u32 d_year_0_null = load_nulls(active, first, p.valid_11);
        u32 p_brand1_1[R];
        decode(p_brand1_1, p_brand1_1_raw, p.base_12);
        i32 lo_revenue_2[R];
        decode(lo_revenue_2, lo_revenue_2_raw, p.base_13);
        i64 lo_tax_3[R];
        decode(lo_tax_3, lo_tax_3_raw);
        u32 lo_tax_3_null = load_nulls(active, first, p.valid_14);
        u32 lo_ok_4 = load_bits(active, first, p.data_15);
        u32 cell[R];
        ROWS {
            cell[r] = 0;
            cell[r] += (bit(d_year_0_null, r) ? (u32)p.key_card_17 - 1 : (u32)((i64)d_year_0[r] - p.key_lo_16)) * (u32)p.key_stride_18;
            cell[r] += (u32)((i64)p_brand1_1[r] - p.key_lo_19) * (u32)p.key_stride_21;
        }
        if (p.range_cells_22 != p.cells_23) {
            u32 in_range = 0;
            ROWS set(in_range, r, cell[r] - slots.first < (u32)p.range_cells_22);
            active &= in_range;
        }
        u32 at[R], local = 0;  // where in the slots, or the cell
        if (slots.owned) {
            ROWS if (bit(active, r)) set(local, r, locate(slots, cell[r], at[r]));
        } else {
            ROWS at[r] = replica_of(slots, cell[r] - slots.first);
            local = active;
        }
        // sum sum_5
        {
            u32 rows = active;
            u32 v_t1[R];
            ROWS v_t1[r] = (u32)((u64)(i64)lo_revenue_2[r]);
            add_small(slots, 0, rows & local, at, v_t1);
            if (rows & ~local) {
                ROWS if (bit(rows & ~local, r)) {
                    const u32 v_t2 = (u64)(i64)lo_revenue_2[r];
                    Sum::add(v_t2, at[r], p.state_24);
                }
            }
        }
        // sum tax_6
        {
            u32 rows = active & ~lo_tax_3_null & lo_ok_4;
            ROWS if (bit(rows & local, r)) {
                const Wide v_t3 = widen((i128)lo_tax_3[r]);
                add<WideSum>(slots, 2, at[r], v_t3);
            }
            if (rows & ~local) {
                ROWS if (bit(rows & ~local, r)) {
                    const Wide v_t4 = widen((i128)lo_tax_3[r]);
                    WideSum::add(v_t4, at[r], p.state_25, p.state_26, p.state_27);
                }
            }
        }
        // count_star n_7
        {
            u32 rows = active;
            u32 v_t5[R];
            ROWS v_t5[r] = (u32)(1);
            add_small(slots, 8, rows & local, at, v_t5);
            if (rows & ~local) {
                ROWS if (bit(rows & ~local, r)) {
                    const u32 v_t6 = 1;
                    Sum::add(v_t6, at[r], p.state_28);
                }
            }
        }
        // max most_tax_8
        {
            u32 rows = active & ~lo_tax_3_null;
            ROWS if (bit(rows & local, r)) {
                const u64 v_t7 = rank(lo_tax_3[r]);
                add<MaxRank<u64>>(slots, 10, at[r], v_t7);
            }
            if (rows & ~local) {
                ROWS if (bit(rows & ~local, r)) {
                    const u64 v_t8 = rank(lo_tax_3[r]);
                    MaxRank<u64>::add(v_t8, at[r], p.state_29);
                }
            }
        }
        // bool_and all_ok_9
        {
            u32 rows = active;
            ROWS if (bit(rows & local, r)) {
                const u32 v_t9 = ~rank((u32)bit(lo_ok_4, r));
                add<MaxRank<u32>>(slots, 12, at[r], v_t9);
            }
            if (rows & ~local) {
                ROWS if (bit(rows & ~local, r)) {
                    const u32 v_t10 = ~rank((u32)bit(lo_ok_4, r));
                    MaxRank<u32>::add(v_t10, at[r], p.state_30);
                }
            }
        }
        {
            const u32 rows = active & ~lo_tax_3_null & lo_ok_4;
            ROWS if (bit(rows & local, r)) {
                const u32 v_t11 = 1;
                add<Flag>(slots, 13, at[r], v_t11);
            }
            if (rows & ~local) {
                ROWS if (bit(rows & ~local, r)) {
                    const u32 v_t12 = 1;
                    Flag::add(v_t12, at[r], p.state_31);
                }
            }
        }
        {
            const u32 rows = active & ~lo_tax_3_null;
            ROWS if (bit(rows & local, r)) {
                const u32 v_t13 = 1;
                add<Flag>(slots, 14, at[r], v_t13);
            }
            if (rows & ~local) {
                ROWS if (bit(rows & ~local, r)) {
                    const u32 v_t14 = 1;
                    Flag::add(v_t14, at[r], p.state_32);
                }
            }
        }
    }
    __syncthreads();
    for (u32 slot = threadIdx.x; slot < slots.count; slot += T) {
        const u32 owner = slots.owned ? slots.owners[slot] : slots.first + slot + 1;
        if (owner == 0) continue;
        const u32 cell = owner - 1;
        flush<Sum>(slots, 0, slot, cell, p.state_24);
        flush<WideSum>(slots, 2, slot, cell, p.state_25, p.state_26, p.state_27);
        flush<Sum>(slots, 8, slot, cell, p.state_28);
        flush<MaxRank<u64>>(slots, 10, slot, cell, p.state_29);
        flush<MaxRank<u32>>(slots, 12, slot, cell, p.state_30);
        flush<Flag>(slots, 13, slot, cell, p.state_31);
        flush<Flag>(slots, 14, slot, cell, p.state_32);
    }
    if (p.last_33 > 0 && is_last(p.ended_34)) {
        __shared__ u32 scratch[WARPS];
        u64 written = 0;
        for (u64 tile = 0; tile < p.last_33; tile += T) {
            const u64 cell = tile + threadIdx.x;
            const u32 active = cell < p.last_33 && p.state_24[cell] != 0;
            const u64 place = own_places<u32>(scratch, written, active), capacity = p.capacity_35;
            if (!active || place >= capacity) continue;
            const int r = 0;
            const u32 part_t15 = (u32)cell / (u32)p.key_stride_18 % (u32)p.key_card_17;
            const i32 d_year_0[1] = {(i32)((i64)(part_t15 + (u64)p.key_lo_16))};
            const u32 d_year_0_null = part_t15 == p.key_card_17 - 1;
            if (!bit(d_year_0_null, r)) set_bit(p.out_valid_37, place);
            p.out_data_36[place] = (u8)((i64)d_year_0[r] - p.out_base_38);
            const u32 part_t16 = (u32)cell / (u32)p.key_stride_21 % (u32)p.key_card_20;
            const u32 p_brand1_1[1] = {(u32)((i64)(part_t16 + (u64)p.key_lo_19))};
            p.out_data_39[place] = (u32)((i64)p_brand1_1[r] - p.out_base_40);
            const i64 sum_5[1] = {(i64)((i64)p.state_24[cell])};
            p.out_data_41[place] = sum_5[r];
            const Wide sum_t17 = WideSum::of(cell, p.state_25, p.state_26, p.state_27);
            if (!fits_i128(sum_t17)) raise(p.error_0, 6, 0);
            const i128 sum_t18 = narrow(sum_t17);
            if ((i64)sum_t18 != sum_t18) raise(p.error_0, 1, 0);
            const i64 tax_6[1] = {(i64)(sum_t18)};
            const u32 tax_6_null = p.state_31[cell] == 0;
            if (!bit(tax_6_null, r)) set_bit(p.out_valid_43, place);
            p.out_data_42[place] = tax_6[r];
            const i64 n_7[1] = {(i64)((i64)p.state_28[cell])};
            p.out_data_44[place] = n_7[r];
            i64 value_t19;
            unrank(p.state_29[cell], value_t19);
            const i64 most_tax_8[1] = {(i64)(value_t19)};
            const u32 most_tax_8_null = p.state_32[cell] == 0;
            if (!bit(most_tax_8_null, r)) set_bit(p.out_valid_46, place);
            p.out_data_45[place] = most_tax_8[r];
            const u32 value_t20 = (~p.state_30[cell]) & 1;
            const u32 all_ok_9 = (u32)(value_t20) & 1;
            if (bit(all_ok_9, r)) set_bit(p.out_data_47, place);
        }
        if (threadIdx.x == 0) atomicAdd(p.count_48, written);
    }
}

// writes the groups
extern "C" __global__ __launch_bounds__(T) void finish(const Params p) {
    __shared__ u32 scratch[WARPS];
    __shared__ u64 block_place;
    for (u64 tile = (u64)blockIdx.x * TILE; tile < p.cells_23; tile += (u64)gridDim.x * TILE) {
        u32 active = 0;
        ROWS {
            const u64 cell = tile + r * T + threadIdx.x;
            set(active, r, cell < p.cells_23 && p.state_24[cell] != 0);
        }
        u64 place = place_rows(scratch, block_place, active, p.count_48, p.skip_49, p.capacity_35);
        _Pragma("unroll 1") for (int r = 0; r < R; r++) {
            const u32 lanes = __ballot_sync(~0u, bit(active, r));
            if (bit(active, r)) {
                const u64 to = place + lanes_before(lanes);
                const u64 cell = tile + r * T + threadIdx.x;
                {
                    const int r = 0;
                    const u32 part_t1 = (u32)cell / (u32)p.key_stride_18 % (u32)p.key_card_17;
                    const i32 d_year_0[1] = {(i32)((i64)(part_t1 + (u64)p.key_lo_16))};
                    const u32 d_year_0_null = part_t1 == p.key_card_17 - 1;
                    set_bits(lanes, p.out_valid_37, to, !bit(d_year_0_null, r));
                    p.out_data_36[to] = (u8)((i64)d_year_0[r] - p.out_base_38);
                    const u32 part_t2 = (u32)cell / (u32)p.key_stride_21 % (u32)p.key_card_20;
                    const u32 p_brand1_1[1] = {(u32)((i64)(part_t2 + (u64)p.key_lo_19))};
                    p.out_data_39[to] = (u32)((i64)p_brand1_1[r] - p.out_base_40);
                    const i64 sum_5[1] = {(i64)((i64)p.state_24[cell])};
                    p.out_data_41[to] = sum_5[r];
                    const Wide sum_t3 = WideSum::of(cell, p.state_25, p.state_26, p.state_27);
                    if (!fits_i128(sum_t3)) raise(p.error_0, 6, 0);
                    const i128 sum_t4 = narrow(sum_t3);
                    if ((i64)sum_t4 != sum_t4) raise(p.error_0, 1, 0);
                    const i64 tax_6[1] = {(i64)(sum_t4)};
                    const u32 tax_6_null = p.state_31[cell] == 0;
                    set_bits(lanes, p.out_valid_43, to, !bit(tax_6_null, r));
                    p.out_data_42[to] = tax_6[r];
                    const i64 n_7[1] = {(i64)((i64)p.state_28[cell])};
                    p.out_data_44[to] = n_7[r];
                    i64 value_t5;
                    unrank(p.state_29[cell], value_t5);
                    const i64 most_tax_8[1] = {(i64)(value_t5)};
                    const u32 most_tax_8_null = p.state_32[cell] == 0;
                    set_bits(lanes, p.out_valid_46, to, !bit(most_tax_8_null, r));
                    p.out_data_45[to] = most_tax_8[r];
                    const u32 value_t6 = (~p.state_30[cell]) & 1;
                    const u32 all_ok_9 = (u32)(value_t6) & 1;
                    set_bits(lanes, p.out_data_47, to, bit(all_ok_9, r));
                }
            }
            place += __popc(lanes);
        }
    }
}
