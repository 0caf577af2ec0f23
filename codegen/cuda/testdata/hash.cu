struct Params {
    u64* error_0;  // the first error
    u64 slots_1;  // slots in shared memory
    u64 replicas_2;  // replicas of each slot
    u32* group_state_3;  // which slots are in use
    u64 cells_4;  // cells
    u64* group_keys_5;  // keys of the groups by slot
    i64 rows_6;  // rows of lineorder
    const i64* __restrict__ data_7;  // k_0
    const u32* __restrict__ data_8;  // p_brand1_1
    const f64* __restrict__ data_9;  // x_2
    const u32* __restrict__ valid_10;  // validity of k_0
    i64 base_11;  // minimum of p_brand1_1
    const u32* __restrict__ valid_12;  // validity of p_brand1_1
    const u32* __restrict__ valid_13;  // validity of x_2
    const u64* __restrict__ data_14;  // wide_3
    f64* state_15;  // sum sum_4
    u64* state_16;  // sum total_5
    u64* state_17;  // sum total_5
    u64* state_18;  // sum total_5
    u64* state_19;  // min least_6
    u32* state_20;  // whether a group has had a row (0)
    u64* group_count_21;  // groups in the table; whether it was full; tiles and rows of a warp of each block, and those of the rows with a slot
    u64 last_22;  // cells whose groups the last block writes; 0: it does not
    u64* ended_23;  // blocks that have ended
    u64 capacity_24;  // rows for which there is room
    i64* out_data_25;  // result k_0
    u32* out_valid_26;  // validity of result k_0
    u32* out_data_27;  // result p_brand1_1
    u32* out_valid_28;  // validity of result p_brand1_1
    i64 out_base_29;  // minimum of result p_brand1_1
    f64* out_data_30;  // result x_2
    u32* out_valid_31;  // validity of result x_2
    f64* out_data_32;  // result sum_4
    u32* out_valid_33;  // validity of result sum_4
    u64* out_data_34;  // result total_5
    f64* out_data_35;  // result least_6
    u32* out_valid_36;  // validity of result least_6
    u64* count_37;  // rows of the sink
    u64 skip_38;  // rows at the beginning that are not written
};

// scan lineorder
// aggregate by k_0 p_brand1_1 x_2
//   sum_4 = sum x_2
//   total_5 = sum wide_3
//   least_6 = min x_2

// accumulates the rows in the cells of their groups
extern "C" __global__ __launch_bounds__(T) void scan_aggregate(const Params p) {
    extern __shared__ u32 shared_words[];
    const u32 stride = (u32)(p.slots_1 * p.replicas_2);
    const u32 planes = 11;
    u32* const owners = shared_words + planes * stride;
    const Slots slots = {shared_words, owners, true, stride, stride, (u32)p.slots_1, (u32)p.replicas_2, 0};
    const Table table = {p.group_keys_5, p.group_state_3, p.cells_4 - 1};
    u32 new_groups = 0, lost = 0, tiles = 0, rows_seen = 0;
    clear(slots, planes * stride + (u32)p.slots_1);
    // scan lineorder
    for (i64 tile = (i64)blockIdx.x * TILE; has_room(lost, false, tiles) && tile < p.rows_6; tile += (i64)gridDim.x * TILE) {
        __syncwarp();  // lanes that have parted in the tile before go on together
        const i64 first = tile + threadIdx.x * 4;
        u32 active = rows_from(first, p.rows_6);
        u64x4 k_0_raw[R / 4] = {};
        u32x4 p_brand1_1_raw[R / 4] = {};
        u64x4 x_2_raw[R / 4] = {};
        fetch(active, first, k_0_raw, p.data_7, p_brand1_1_raw, p.data_8, x_2_raw, p.data_9);
        i64 k_0[R];
        decode(k_0, k_0_raw);
        u32 k_0_null = load_nulls(active, first, p.valid_10);
        u32 p_brand1_1[R];
        decode(p_brand1_1, p_brand1_1_raw, p.base_11);
        u32 p_brand1_1_null = load_nulls(active, first, p.valid_12);
        f64 x_2[R];
        decode(x_2, x_2_raw);
        u32 x_2_null = load_nulls(active, first, p.valid_13);
        i128 wide_3[R] = {};
        load_words(active, first, wide_3, p.data_14);
        u32 cell[R], at[R], local = 0;  // at: where in the slots, or the cell
        ROWS if (bit(active, r)) {
            const u64 part0 = bit(k_0_null, r) ? 0ull : (u64)(k_0[r]);
            const u64 part1 = bit(p_brand1_1_null, r) ? 2147483648ull : (u64)(p_brand1_1[r]);
            const u64 part2 = bit(x_2_null, r) ? 18446744073709551614ull : (u64)(key_bits(x_2[r]));
            const u64 key[4] = {part0 << 0, part1 << 0, part2 << 0, (u64)bit(k_0_null, r) << 0};
            cell[r] = find_group<4>(table, key, hash_key<4>(key), new_groups);
            if (cell[r] == NOWHERE) {
                lost++;
                active &= ~(1u << r);
            }
        }
        ROWS if (bit(active, r)) set(local, r, locate(slots, cell[r], at[r]));
        // sum sum_4
        {
            u32 rows = active & ~x_2_null;
            ROWS if (bit(rows & local, r)) {
                const f64 v_t1 = x_2[r];
                add<FloatSum>(slots, 0, at[r], v_t1);
            }
            if (rows & ~local) {
                ROWS if (bit(rows & ~local, r)) {
                    const f64 v_t2 = x_2[r];
                    FloatSum::add(v_t2, at[r], p.state_15);
                }
            }
        }
        // sum total_5
        {
            u32 rows = active;
            ROWS if (bit(rows & local, r)) {
                const Wide v_t3 = widen((i128)wide_3[r]);
                add<WideSum>(slots, 2, at[r], v_t3);
            }
            if (rows & ~local) {
                ROWS if (bit(rows & ~local, r)) {
                    const Wide v_t4 = widen((i128)wide_3[r]);
                    WideSum::add(v_t4, at[r], p.state_16, p.state_17, p.state_18);
                }
            }
        }
        // min least_6
        {
            u32 rows = active & ~x_2_null;
            ROWS if (bit(rows & local, r)) {
                const u64 v_t5 = ~rank(x_2[r]);
                add<MaxRank<u64>>(slots, 8, at[r], v_t5);
            }
            if (rows & ~local) {
                ROWS if (bit(rows & ~local, r)) {
                    const u64 v_t6 = ~rank(x_2[r]);
                    MaxRank<u64>::add(v_t6, at[r], p.state_19);
                }
            }
        }
        {
            const u32 rows = active & ~x_2_null;
            ROWS if (bit(rows & local, r)) {
                const u32 v_t7 = 1;
                add<Flag>(slots, 10, at[r], v_t7);
            }
            if (rows & ~local) {
                ROWS if (bit(rows & ~local, r)) {
                    const u32 v_t8 = 1;
                    Flag::add(v_t8, at[r], p.state_20);
                }
            }
        }
    }
    const bool was_full = *(volatile u64*)(p.group_count_21 + 1) != 0;
    __syncthreads();
    for (u32 slot = threadIdx.x; slot < slots.count; slot += T) {
        const u32 owner = slots.owned ? slots.owners[slot] : slots.first + slot + 1;
        if (owner == 0) continue;
        const u32 cell = owner - 1;
        flush<FloatSum>(slots, 0, slot, cell, p.state_15);
        flush<WideSum>(slots, 2, slot, cell, p.state_16, p.state_17, p.state_18);
        flush<MaxRank<u64>>(slots, 8, slot, cell, p.state_19);
        flush<Flag>(slots, 10, slot, cell, p.state_20);
    }
    rows_seen = tiles * R;
    if (lost) atomicMax(p.group_count_21 + 1, 1ull);
    new_groups = warp_scan(new_groups);
    if ((threadIdx.x & 31) == 31 && new_groups) atomicAdd(p.group_count_21, (u64)new_groups);
    rows_seen = warp_sum(rows_seen);
    lost = warp_sum(lost);
    if (threadIdx.x == 0) {
        atomicAdd(p.group_count_21 + 2, (u64)tiles);
        atomicAdd(p.group_count_21 + 3, (u64)rows_seen);
        atomicAdd(p.group_count_21 + 4, (u64)(rows_seen - min(lost, rows_seen)));
    }
    if (p.last_22 > 0 && is_last(p.ended_23, lost != 0 || was_full)) {
        __shared__ u32 scratch[WARPS];
        u64 written = 0;
        for (u64 tile = 0; tile < p.last_22; tile += T) {
            const u64 cell = tile + threadIdx.x;
            const u32 active = cell < p.last_22 && p.group_state_3[cell] != 0;
            const u64 place = own_places<u32>(scratch, written, active), capacity = p.capacity_24;
            if (!active || place >= capacity) continue;
            const int r = 0;
            const u64* const key_t9 = p.group_keys_5 + cell * 4;
            const u64 part_t10 = key_t9[0];
            const i64 k_0[1] = {(i64)(part_t10)};
            const u32 k_0_null = key_t9[3] >> 0 & 1;
            if (!bit(k_0_null, r)) set_bit(p.out_valid_26, place);
            p.out_data_25[place] = k_0[r];
            const u64* const key_t11 = p.group_keys_5 + cell * 4;
            const u64 part_t12 = key_t11[1] >> 0 & 0xffffffffull;
            const u32 p_brand1_1[1] = {(u32)(part_t12)};
            const u32 p_brand1_1_null = part_t12 == 2147483648ull;
            if (!bit(p_brand1_1_null, r)) set_bit(p.out_valid_28, place);
            p.out_data_27[place] = (u32)((i64)p_brand1_1[r] - p.out_base_29);
            const u64* const key_t13 = p.group_keys_5 + cell * 4;
            const u64 part_t14 = key_t13[2];
            const f64 x_2[1] = {(f64)(__longlong_as_double((i64)part_t14))};
            const u32 x_2_null = part_t14 == 18446744073709551614ull;
            if (!bit(x_2_null, r)) set_bit(p.out_valid_31, place);
            p.out_data_30[place] = x_2[r];
            if (p.state_15[cell] - p.state_15[cell] != 0) raise(p.error_0, 17, 0);
            const f64 sum_4[1] = {(f64)(p.state_15[cell])};
            const u32 sum_4_null = p.state_20[cell] == 0;
            if (!bit(sum_4_null, r)) set_bit(p.out_valid_33, place);
            p.out_data_32[place] = sum_4[r];
            const Wide sum_t15 = WideSum::of(cell, p.state_16, p.state_17, p.state_18);
            if (!fits_i128(sum_t15)) raise(p.error_0, 6, 0);
            const i128 sum_t16 = narrow(sum_t15);
            if (magnitude(sum_t16) >= (u128)pow10<i128>(38)) raise(p.error_0, 6, 0);
            const i128 total_5[1] = {(i128)(sum_t16)};
            put_i128(p.out_data_34, place, total_5[r]);
            f64 value_t17;
            unrank(~p.state_19[cell], value_t17);
            const f64 least_6[1] = {(f64)(value_t17)};
            const u32 least_6_null = p.state_20[cell] == 0;
            if (!bit(least_6_null, r)) set_bit(p.out_valid_36, place);
            p.out_data_35[place] = least_6[r];
        }
        if (threadIdx.x == 0) atomicAdd(p.count_37, written);
    }
}

// writes the groups
extern "C" __global__ __launch_bounds__(T) void finish(const Params p) {
    __shared__ u32 scratch[WARPS];
    __shared__ u64 block_place;
    for (u64 tile = (u64)blockIdx.x * TILE; tile < p.cells_4; tile += (u64)gridDim.x * TILE) {
        u32 active = 0;
        ROWS {
            const u64 cell = tile + r * T + threadIdx.x;
            set(active, r, cell < p.cells_4 && p.group_state_3[cell] != 0);
        }
        u64 place = place_rows(scratch, block_place, active, p.count_37, p.skip_38, p.capacity_24);
        _Pragma("unroll 1") for (int r = 0; r < R; r++) {
            const u32 lanes = __ballot_sync(~0u, bit(active, r));
            if (bit(active, r)) {
                const u64 to = place + lanes_before(lanes);
                const u64 cell = tile + r * T + threadIdx.x;
                {
                    const int r = 0;
                    const u64* const key_t1 = p.group_keys_5 + cell * 4;
                    const u64 part_t2 = key_t1[0];
                    const i64 k_0[1] = {(i64)(part_t2)};
                    const u32 k_0_null = key_t1[3] >> 0 & 1;
                    set_bits(lanes, p.out_valid_26, to, !bit(k_0_null, r));
                    p.out_data_25[to] = k_0[r];
                    const u64* const key_t3 = p.group_keys_5 + cell * 4;
                    const u64 part_t4 = key_t3[1] >> 0 & 0xffffffffull;
                    const u32 p_brand1_1[1] = {(u32)(part_t4)};
                    const u32 p_brand1_1_null = part_t4 == 2147483648ull;
                    set_bits(lanes, p.out_valid_28, to, !bit(p_brand1_1_null, r));
                    p.out_data_27[to] = (u32)((i64)p_brand1_1[r] - p.out_base_29);
                    const u64* const key_t5 = p.group_keys_5 + cell * 4;
                    const u64 part_t6 = key_t5[2];
                    const f64 x_2[1] = {(f64)(__longlong_as_double((i64)part_t6))};
                    const u32 x_2_null = part_t6 == 18446744073709551614ull;
                    set_bits(lanes, p.out_valid_31, to, !bit(x_2_null, r));
                    p.out_data_30[to] = x_2[r];
                    if (p.state_15[cell] - p.state_15[cell] != 0) raise(p.error_0, 17, 0);
                    const f64 sum_4[1] = {(f64)(p.state_15[cell])};
                    const u32 sum_4_null = p.state_20[cell] == 0;
                    set_bits(lanes, p.out_valid_33, to, !bit(sum_4_null, r));
                    p.out_data_32[to] = sum_4[r];
                    const Wide sum_t7 = WideSum::of(cell, p.state_16, p.state_17, p.state_18);
                    if (!fits_i128(sum_t7)) raise(p.error_0, 6, 0);
                    const i128 sum_t8 = narrow(sum_t7);
                    if (magnitude(sum_t8) >= (u128)pow10<i128>(38)) raise(p.error_0, 6, 0);
                    const i128 total_5[1] = {(i128)(sum_t8)};
                    put_i128(p.out_data_34, to, total_5[r]);
                    f64 value_t9;
                    unrank(~p.state_19[cell], value_t9);
                    const f64 least_6[1] = {(f64)(value_t9)};
                    const u32 least_6_null = p.state_20[cell] == 0;
                    set_bits(lanes, p.out_valid_36, to, !bit(least_6_null, r));
                    p.out_data_35[to] = least_6[r];
                }
            }
            place += __popc(lanes);
        }
    }
}
