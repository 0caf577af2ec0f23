struct Params {
    u64* error_0;  // the first error
    u64 filter_at_1;  // words before the filter of parts
    const u32* __restrict__ table_slots_2;  // filter of parts
    u64 filter_words_3;  // words of the filter of parts
    u64 filter_at_4;  // words before the filter of suppliers
    u32* filter_bits_5;  // filter of suppliers
    u64 filter_words_6;  // words of the filter of suppliers
    u64 slots_7;  // slots in shared memory
    u64 replicas_8;  // replicas of each slot
    u64 owned_9;  // 1 where cells share slots
    i64 rows_10;  // rows of facts
    const u32* __restrict__ data_11;  // part_0
    i64 base_12;  // minimum of part_0
    i64 table_lo_13;  // table_lo of key part_0
    i64 table_extent_14;  // table_extent of key part_0
    const u32* __restrict__ data_15;  // supplier_1
    i64 base_16;  // minimum of supplier_1
    i64 table_lo_17;  // table_lo of key supplier_1
    i64 table_extent_18;  // table_extent of key supplier_1
    const u32* __restrict__ table_slots_19;  // cells of suppliers
    const u32* __restrict__ data_20;  // revenue_2
    i64 table_base_21;  // minimum of brand_3
    const u8* __restrict__ table_data_22;  // brand_3
    i64 base_23;  // minimum of revenue_2
    i64 key_lo_24;  // minimum of brand_3
    u64 key_card_25;  // values of brand_3, NULL included
    u64 key_stride_26;  // cells between two values of brand_3
    u64* state_27;  // sum revenue_4
    u64 last_28;  // cells whose groups the last block writes; 0: it does not
    u64* ended_29;  // blocks that have ended
    u64 capacity_30;  // rows for which there is room
    u8* out_data_31;  // result brand_3
    i64 out_base_32;  // minimum of result brand_3
    i64* out_data_33;  // result revenue_4
    u32* out_valid_34;  // validity of result revenue_4
    u64* count_35;  // rows of the sink
    u64 filter_slots_36;  // slots of suppliers
};

// scan facts
// probe inner parts by part_0 for brand_3
// probe inner suppliers by supplier_1
// aggregate by brand_3
//   revenue_4 = sum revenue_2

// accumulates the rows in the cells of their groups
extern "C" __global__ __launch_bounds__(T) void scan_probe2_aggregate(const Params p) {
    extern __shared__ __align__(16) u32 shared_room[];
    u32* const filter1 = shared_room + p.filter_at_1;
    take_filter(filter1, p.table_slots_2, p.filter_words_3);
    u32* const filter2 = shared_room + p.filter_at_4;
    take_filter(filter2, p.filter_bits_5, p.filter_words_6);
    __syncthreads();
    extern __shared__ u32 shared_words[];
    const u32 stride = (u32)(p.slots_7 * p.replicas_8);
    const u32 planes = 2;
    u32* const owners = shared_words + planes * stride;
    const Slots slots = {shared_words, owners, p.owned_9 != 0, stride, stride, (u32)p.slots_7, (u32)p.replicas_8, 0};
    clear(slots, planes * stride + (u32)(p.owned_9 * p.slots_7));
    // scan facts
    for (i64 tile = (i64)blockIdx.x * TILE; tile < p.rows_10; tile += (i64)gridDim.x * TILE) {
        __syncwarp();  // lanes that have parted in the tile before go on together
        const i64 first = tile + threadIdx.x * 4;
        u32 active = rows_from(first, p.rows_10);
        u32x4 part_0_raw[R / 4] = {};
        fetch(active, first, part_0_raw, p.data_11);
        i32 part_0[R];
        decode(part_0, part_0_raw, p.base_12);
        // probe inner parts
        u32 found_t2 = active;
        u32 at_t1[R];
        ROWS at_t1[r] = Cell<u32>{bit(found_t2, r)}.key((u32)part_0[r], p.table_lo_13, p.table_extent_14).among(found_t2, r);
        found_t2 = present(found_t2, filter1, at_t1);
        active &= found_t2;
        u32x4 supplier_1_raw[R / 4] = {};
        fetch(active, first, supplier_1_raw, p.data_15);
        i32 supplier_1[R];
        decode(supplier_1, supplier_1_raw, p.base_16);
        // probe inner suppliers
        u32 found_t4 = active;
        u32 at_t3[R];
        ROWS at_t3[r] = Cell<u32>{bit(found_t4, r)}.key((u32)supplier_1[r], p.table_lo_17, p.table_extent_18).among(found_t4, r);
        found_t4 = may_have(found_t4, filter2, p.filter_words_6, at_t3);
        found_t4 = present(found_t4, p.table_slots_19, at_t3);
        active &= found_t4;
        u32x4 revenue_2_raw[R / 4] = {};
        fetch(active, first, revenue_2_raw, p.data_20);
        i32 brand_3[R];  // of parts
        const u32 live_t5 = active & found_t2;
        ROWS brand_3[r] = bit(live_t5, r) ? (i32)(p.table_base_21 + p.table_data_22[at_t1[r]]) : 0;
        i32 revenue_2[R];
        decode(revenue_2, revenue_2_raw, p.base_23);
        u32 cell[R];
        ROWS {
            cell[r] = 0;
            cell[r] += (u32)((i64)brand_3[r] - p.key_lo_24) * (u32)p.key_stride_26;
        }
        u32 at[R];  // where in the slots
        ROWS at[r] = replica_of(slots, cell[r] - slots.first);
        // sum revenue_4
        {
            u32 rows = active;
            ROWS if (bit(rows, r)) {
                const u32 v_t6 = (u64)(i64)revenue_2[r];
                add_small(slots, 0, at[r], (u32)v_t6);
            }
        }
    }
    __syncthreads();
    for (u32 slot = threadIdx.x; slot < slots.count; slot += T) {
        const u32 owner = slots.owned ? slots.owners[slot] : slots.first + slot + 1;
        if (owner == 0) continue;
        const u32 cell = owner - 1;
        flush<Sum>(slots, 0, slot, cell, p.state_27);
    }
    if (p.last_28 > 0 && is_last(p.ended_29)) {
        __shared__ u32 scratch[WARPS];
        u64 written = 0;
        for (u64 tile = 0; tile < p.last_28; tile += T) {
            const u64 cell = tile + threadIdx.x;
            const u32 active = cell < p.last_28 && p.state_27[cell] != 0;
            const u64 place = own_places<u32>(scratch, written, active), capacity = p.capacity_30;
            if (!active || place >= capacity) continue;
            const int r = 0;
            const u32 part_t7 = (u32)cell / (u32)p.key_stride_26 % (u32)p.key_card_25;
            const i32 brand_3[1] = {(i32)((i64)(part_t7 + (u64)p.key_lo_24))};
            p.out_data_31[place] = (u8)((i64)brand_3[r] - p.out_base_32);
            const i64 revenue_4[1] = {(i64)((i64)p.state_27[cell])};
            const u32 revenue_4_null = 0;
            if (!bit(revenue_4_null, r)) set_bit(p.out_valid_34, place);
            p.out_data_33[place] = revenue_4[r];
        }
        if (threadIdx.x == 0) atomicAdd(p.count_35, written);
    }
}

// makes a filter of the keys of a table
extern "C" __global__ __launch_bounds__(T) void filter2(const Params p) {
    for (u64 word = (u64)blockIdx.x * T + threadIdx.x; 32 * word < p.filter_slots_36; word += (u64)gridDim.x * T) {
        for (u32 found = p.table_slots_19[word]; found != 0; found &= found - 1) {
            const u64 slot = 32 * word + __ffs(found) - 1;
            fill_bloom(p.filter_bits_5, p.filter_words_6, mix((u32)slot));
        }
    }
}
