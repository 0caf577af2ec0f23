struct Params {
    u64* error_0;  // the first error
    u64 packed_at_1;  // words before the rows that wait
    u64 filter_at_2;  // words before the filter of parts
    const u32* __restrict__ table_slots_3;  // filter of parts
    u64 filter_words_4;  // words of the filter of parts
    u64 slots_5;  // slots in shared memory
    u64 replicas_6;  // replicas of each slot
    u64 owned_7;  // 1 where cells share slots
    i64 rows_8;  // rows of facts
    const u8* __restrict__ data_9;  // rate_5
    const u32* __restrict__ data_10;  // revenue_2
    const u32* __restrict__ data_11;  // part_0
    i64 base_12;  // minimum of revenue_2
    i64 base_13;  // minimum of rate_5
    const u32* __restrict__ valid_14;  // validity of rate_5
    i64 base_15;  // minimum of part_0
    i64 table_lo_16;  // table_lo of key part_0
    i64 table_extent_17;  // table_extent of key part_0
    i64 base_18;  // minimum of supplier_1
    const u32* __restrict__ data_19;  // supplier_1
    i64 table_lo_20;  // table_lo of key supplier_1
    i64 table_extent_21;  // table_extent of key supplier_1
    const u32* __restrict__ table_slots_22;  // cells of suppliers
    i64 table_base_23;  // minimum of brand_3
    const u8* __restrict__ table_data_24;  // brand_3
    i64 key_lo_25;  // minimum of brand_3
    u64 key_card_26;  // values of brand_3, NULL included
    u64 key_stride_27;  // cells between two values of brand_3
    u64* state_28;  // sum revenue_4
    u32* state_29;  // whether a group has had a row (0)
    u32* state_30;  // whether a group has had a row (2)
    u64 last_31;  // cells whose groups the last block writes; 0: it does not
    u64* ended_32;  // blocks that have ended
    u64 capacity_33;  // rows for which there is room
    u8* out_data_34;  // result brand_3
    i64 out_base_35;  // minimum of result brand_3
    i64* out_data_36;  // result revenue_4
    u32* out_valid_37;  // validity of result revenue_4
    u64* count_38;  // rows of the sink
};

// scan facts
// v6 = mul revenue_2 rate_5
// probe inner parts by part_0 for brand_3
// probe inner suppliers by supplier_1
// aggregate by brand_3
//   revenue_4 = sum v6

// accumulates the rows in the cells of their groups
extern "C" __global__ __launch_bounds__(T) void scan_probe2_aggregate(const Params p) {
    extern __shared__ __align__(16) u32 shared_room[];
    u32* const packed = shared_room + p.packed_at_1 + threadIdx.x / 32 * (PACK_ROOM * 5);
    u32 waiting = 0;
    u32* const filter1 = shared_room + p.filter_at_2;
    take_filter(filter1, p.table_slots_3, p.filter_words_4);
    __syncthreads();
    extern __shared__ u32 shared_words[];
    const u32 stride = (u32)(p.slots_5 * p.replicas_6);
    const u32 planes = 4;
    u32* const owners = shared_words + planes * stride;
    const Slots slots = {shared_words, owners, p.owned_7 != 0, stride, stride, (u32)p.slots_5, (u32)p.replicas_6, 0};
    clear(slots, planes * stride + (u32)(p.owned_7 * p.slots_5));
    // scan facts
    bool more = true;
    u32 v5_next[R / 4] = {};
    fetch(rows_from((i64)blockIdx.x * TILE + threadIdx.x * 4, p.rows_8), (i64)blockIdx.x * TILE + threadIdx.x * 4, v5_next, p.data_9);
    for (i64 tile = (i64)blockIdx.x * TILE; more; tile += (i64)gridDim.x * TILE) {
        more = tile < p.rows_8;
        __syncwarp();  // lanes that have parted in the tile before go on together
        const i64 first = tile + threadIdx.x * 4;
        u32 active = rows_from(first, (more ? p.rows_8 : 0));
        u32 rate_5_raw[R / 4] = {};
        QUADS rate_5_raw[q] = v5_next[q];
        const i64 next_first = first + (i64)gridDim.x * TILE;
        fetch(rows_from(next_first, p.rows_8), next_first, v5_next, p.data_9);
        u32x4 revenue_2_raw[R / 4] = {};
        u32x4 part_0_raw[R / 4] = {};
        fetch(active, first, revenue_2_raw, p.data_10, part_0_raw, p.data_11);
        i32 revenue_2[R];
        decode(revenue_2, revenue_2_raw, p.base_12);
        i32 rate_5[R];
        decode(rate_5, rate_5_raw, p.base_13);
        u32 rate_5_null = load_nulls(active, first, p.valid_14);
        i64 v6[R];
        u32 v6_null = rate_5_null;
        ROWS v6[r] = mul((i64)revenue_2[r], (i64)rate_5[r]);
        i32 part_0[R];
        decode(part_0, part_0_raw, p.base_15);
        // probe inner parts
        u32 found_t2 = active;
        u32 at_t1[R];
        ROWS at_t1[r] = Cell<u32>{bit(found_t2, r)}.key((u32)part_0[r], p.table_lo_16, p.table_extent_17).among(found_t2, r);
        found_t2 = present(found_t2, filter1, at_t1);
        active &= found_t2;
        // packs rows
        i64* const waiting_t5 = (i64*)(packed + PACK_ROOM * 1);
        u32* const waiting_t6 = (u32*)(packed + PACK_ROOM * 3);
        u32* const waiting_t7 = (u32*)(packed + PACK_ROOM * 4);
        const u32 left_t3 = active;
        u32 lanes[R];
        const bool direct = lanes_of(left_t3, lanes) > PACK_DENSE;
        for (;;) {
            ROWS if (!direct && lanes[r] != 0 && waiting < PACKED) {
                if (bit(left_t3, r)) {
                    const u32 to = place_of_lane(waiting, lanes[r]);
                    packed[to] = (u32)row_of(first, r);
                    waiting_t5[to] = v6[r];
                    waiting_t6[to] = 0 | (u32)bit(v6_null, r) << 0;
                    waiting_t7[to] = at_t1[r];
                }
                waiting += __popc(lanes[r]);
                lanes[r] = 0;
            }
            if (!direct && waiting < PACKED && (more || waiting == 0)) break;
            __syncwarp();
            u32 active = direct ? left_t3 : packed_rows(waiting);
            if (!direct) waiting -= waiting < PACKED ? waiting : PACKED;
            const u32 from = waiting + (threadIdx.x & 31);
            u32 row_t4[R];
            ROWS row_t4[r] = direct ? (u32)row_of(first, r) : packed[from + 32 * r];
            i64 waiting_t5_kept[R];
            ROWS if (direct) waiting_t5_kept[r] = v6[r]; else waiting_t5_kept[r] = waiting_t5[from + 32 * r];
            u32 waiting_t6_kept[R];
            ROWS if (direct) waiting_t6_kept[r] = 0 | (u32)bit(v6_null, r) << 0; else waiting_t6_kept[r] = waiting_t6[from + 32 * r];
            u32 waiting_t7_kept[R];
            ROWS if (direct) waiting_t7_kept[r] = at_t1[r]; else waiting_t7_kept[r] = waiting_t7[from + 32 * r];
            i64 v6[R];
            ROWS v6[r] = waiting_t5_kept[r];
            u32 v6_null = 0;
            ROWS set(v6_null, r, bit(active, r) && waiting_t6_kept[r] >> 0 & 1);
            u32 at_t1[R];
            ROWS at_t1[r] = waiting_t7_kept[r];
            const u32 found_t2 = active;
            __syncwarp();
            i32 supplier_1[R];
            ROWS supplier_1[r] = bit(active, r) ? (i32)(i32)(p.base_18 + p.data_19[row_t4[r]]) : 0;
            // probe inner suppliers
            u32 found_t9 = active;
            u32 at_t8[R];
            ROWS at_t8[r] = Cell<u32>{bit(found_t9, r)}.key((u32)supplier_1[r], p.table_lo_20, p.table_extent_21).among(found_t9, r);
            found_t9 = present(found_t9, p.table_slots_22, at_t8);
            active &= found_t9;
            i32 brand_3[R];  // of parts
            const u32 live_t10 = active & found_t2;
            ROWS brand_3[r] = bit(live_t10, r) ? (i32)(p.table_base_23 + p.table_data_24[at_t1[r]]) : 0;
            u32 cell[R];
            ROWS {
                cell[r] = 0;
                cell[r] += (u32)((i64)brand_3[r] - p.key_lo_25) * (u32)p.key_stride_27;
            }
            u32 at[R];  // where in the slots
            ROWS at[r] = replica_of(slots, cell[r] - slots.first);
            // sum revenue_4
            {
                u32 rows = active & ~v6_null;
                ROWS if (bit(rows, r)) {
                    const u64 v_t11 = (u64)(i64)v6[r];
                    add<Sum>(slots, 0, at[r], v_t11);
                }
            }
            {
                const u32 rows = active & ~v6_null;
                ROWS if (bit(rows, r)) {
                    const u32 v_t12 = 1;
                    add<Flag>(slots, 2, at[r], v_t12);
                }
            }
            {
                const u32 rows = active;
                ROWS if (bit(rows, r)) {
                    const u32 v_t13 = 1;
                    add<Flag>(slots, 3, at[r], v_t13);
                }
            }
            if (direct) break;
        }
    }
    __syncthreads();
    for (u32 slot = threadIdx.x; slot < slots.count; slot += T) {
        const u32 owner = slots.owned ? slots.owners[slot] : slots.first + slot + 1;
        if (owner == 0) continue;
        const u32 cell = owner - 1;
        flush<Sum>(slots, 0, slot, cell, p.state_28);
        flush<Flag>(slots, 2, slot, cell, p.state_29);
        flush<Flag>(slots, 3, slot, cell, p.state_30);
    }
    if (p.last_31 > 0 && is_last(p.ended_32)) {
        __shared__ u32 scratch[WARPS];
        u64 written = 0;
        for (u64 tile = 0; tile < p.last_31; tile += T) {
            const u64 cell = tile + threadIdx.x;
            const u32 active = cell < p.last_31 && p.state_30[cell] != 0;
            const u64 place = own_places<u32>(scratch, written, active), capacity = p.capacity_33;
            if (!active || place >= capacity) continue;
            const int r = 0;
            const u32 part_t14 = (u32)cell / (u32)p.key_stride_27 % (u32)p.key_card_26;
            const i32 brand_3[1] = {(i32)((i64)(part_t14 + (u64)p.key_lo_25))};
            p.out_data_34[place] = (u8)((i64)brand_3[r] - p.out_base_35);
            const i64 revenue_4[1] = {(i64)((i64)p.state_28[cell])};
            const u32 revenue_4_null = p.state_29[cell] == 0;
            if (!bit(revenue_4_null, r)) set_bit(p.out_valid_37, place);
            p.out_data_36[place] = revenue_4[r];
        }
        if (threadIdx.x == 0) atomicAdd(p.count_38, written);
    }
}
