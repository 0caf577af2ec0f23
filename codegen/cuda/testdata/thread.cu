struct Params {
    u64* error_0;  // the first error
    i64 param_1;  // constant v0
    u64 cells_2;  // cells
    i64 flush_tiles_3;  // tiles after which the cells are emptied
    i64 rows_4;  // rows of lineitem
    const u16* __restrict__ data_5;  // l_shipdate_6
    const u8* __restrict__ data_6;  // l_discount_5
    const u8* __restrict__ data_7;  // l_returnflag_1
    const u16* __restrict__ data_8;  // l_quantity_3
    i64 base_9;  // minimum of l_shipdate_6
    const u32* __restrict__ data_10;  // l_extendedprice_4
    const u32* __restrict__ data_11;  // l_refund_7
    i64 base_12;  // minimum of l_extendedprice_4
    i64 base_13;  // minimum of l_discount_5
    const u32* __restrict__ valid_14;  // validity of l_discount_5
    i64 base_15;  // minimum of l_returnflag_1
    const u32* __restrict__ data_16;  // l_open_2
    i64 base_17;  // minimum of l_quantity_3
    i64 base_18;  // minimum of l_refund_7
    const u32* __restrict__ valid_19;  // validity of l_refund_7
    i64 key_lo_20;  // minimum of l_returnflag_1
    u64 key_card_21;  // values of l_returnflag_1, NULL included
    u64 key_stride_22;  // cells between two values of l_returnflag_1
    i64 key_lo_23;  // minimum of l_open_2
    u64 key_card_24;  // values of l_open_2, NULL included
    u64 key_stride_25;  // cells between two values of l_open_2
    u64* state_26;  // sum quantity_10
    u64* state_27;  // sum discount_11
    u64* state_28;  // count_star n_14
    u64* state_29;  // sum less_12
    u64* state_30;  // sum less_12
    u64* state_31;  // sum less_12
    u64* state_32;  // sum refund_13
    u64* state_33;  // count discounts_15
    u32* state_34;  // whether a group has had a row (1)
    u32* state_35;  // whether a group has had a row (3)
    u32* state_36;  // whether a group has had a row (7)
    u64 last_37;  // cells whose groups the last block writes; 0: it does not
    u64* ended_38;  // blocks that have ended
    u64 capacity_39;  // rows for which there is room
    u8* out_data_40;  // result l_returnflag_1
    i64 out_base_41;  // minimum of result l_returnflag_1
    u32* out_data_42;  // result l_open_2
    i64* out_data_43;  // result quantity_10
    i64* out_data_44;  // result discount_11
    u32* out_valid_45;  // validity of result discount_11
    u64* out_data_46;  // result less_12
    u32* out_valid_47;  // validity of result less_12
    i64* out_data_48;  // result refund_13
    u32* out_valid_49;  // validity of result refund_13
    i64* out_data_50;  // result n_14
    i64* out_data_51;  // result discounts_15
    u64* count_52;  // rows of the sink
};

// scan lineitem
// v8 = le l_shipdate_6 v0
// filter v8
// v9 = mul l_extendedprice_4 l_discount_5
// aggregate by l_returnflag_1 l_open_2
//   quantity_10 = sum l_quantity_3
//   discount_11 = sum l_discount_5 filter l_open_2
//   less_12 = sum v9
//   refund_13 = sum l_refund_7
//   n_14 = count_star
//   discounts_15 = count l_discount_5

// accumulates the rows in cells that each thread has of its own, for few groups
extern "C" __global__ __launch_bounds__(T) void scan_aggregate_thread(const Params p) {
    const i32 v0 = (i32)p.param_1;
    extern __shared__ u64 thread_words[];
    const u32 words = (u32)p.cells_2 * 4;  // of a thread
    u64* const mine = thread_words + threadIdx.x;  // the first; the others lie T apart
    clear_words(mine, words);
    for (i64 from = (i64)blockIdx.x * TILE; from < p.rows_4; from += p.flush_tiles_3 * gridDim.x * TILE) {
        i64 done = 0;
        // scan lineitem
        for (i64 tile = from; done++ < p.flush_tiles_3 && tile < p.rows_4; tile += (i64)gridDim.x * TILE) {
            __syncwarp();  // lanes that have parted in the tile before go on together
            const i64 first = tile + threadIdx.x * 4;
            u32 active = rows_from(first, p.rows_4);
            u32x2 l_shipdate_6_raw[R / 4] = {};
            u32 l_discount_5_raw[R / 4] = {};
            u32 l_returnflag_1_raw[R / 4] = {};
            u32x2 l_quantity_3_raw[R / 4] = {};
            fetch(active, first, l_shipdate_6_raw, p.data_5, l_discount_5_raw, p.data_6, l_returnflag_1_raw, p.data_7, l_quantity_3_raw, p.data_8);
            i32 l_shipdate_6[R];
            decode(l_shipdate_6, l_shipdate_6_raw, p.base_9);
            u32 v8 = 0;
            ROWS set(v8, r, l_shipdate_6[r] <= v0);
            active &= v8;  // filter
            u32x4 l_extendedprice_4_raw[R / 4] = {};
            u32x4 l_refund_7_raw[R / 4] = {};
            fetch(active, first, l_extendedprice_4_raw, p.data_10, l_refund_7_raw, p.data_11);
            i32 l_extendedprice_4[R];
            decode(l_extendedprice_4, l_extendedprice_4_raw, p.base_12);
            i32 l_discount_5[R];
            decode(l_discount_5, l_discount_5_raw, p.base_13);
            u32 l_discount_5_null = load_nulls(active, first, p.valid_14);
            i32 v9[R];
            u32 v9_null = l_discount_5_null;
            ROWS v9[r] = mul((i64)l_extendedprice_4[r], (i64)l_discount_5[r]);
            i32 l_returnflag_1[R];
            decode(l_returnflag_1, l_returnflag_1_raw, p.base_15);
            u32 l_open_2 = load_bits(active, first, p.data_16);
            i32 l_quantity_3[R];
            decode(l_quantity_3, l_quantity_3_raw, p.base_17);
            i32 l_refund_7[R];
            decode(l_refund_7, l_refund_7_raw, p.base_18);
            u32 l_refund_7_null = load_nulls(active, first, p.valid_19);
            u32 cell[R];
            ROWS {
                cell[r] = 0;
                cell[r] += (u32)((i64)l_returnflag_1[r] - p.key_lo_20) * (u32)p.key_stride_22;
                cell[r] += (u32)((i64)bit(l_open_2, r) - p.key_lo_23) * (u32)p.key_stride_25;
            }
            const u32 rows_t1 = active & ~l_discount_5_null & l_open_2;
            const u32 rows_t2 = active & ~v9_null;
            const u32 rows_t3 = active & ~l_refund_7_null;
            const u32 rows_t4 = active & ~l_discount_5_null;
            ROWS if (bit(active, r)) {
                u64* const at = mine + cell[r] * 4 * T;
                at[0 * T] += (u32)(i64)l_quantity_3[r] | (u64)((bit(rows_t1, r) ? (u32)(i64)l_discount_5[r] : 0) + (1u << 16)) << 32;
                at[1 * T] += (bit(rows_t2, r) ? (u64)(i64)(i64)v9[r] : 0);
                at[2 * T] += (bit(rows_t3, r) ? (u64)(i64)(i64)l_refund_7[r] : 0);
                at[3 * T] += (bit(rows_t4, r) ? 1u : 0) + ((bit(rows_t1, r) ? 1u : 0) << 13) | (u64)((bit(rows_t2, r) ? 1u : 0) + ((bit(rows_t3, r) ? 1u : 0) << 13)) << 32;
            }
        }
        __syncthreads();
        for (u32 cell = threadIdx.x / 32; cell < words / 4; cell += WARPS) {
            {
                u64 sum[3];
                sum_fields<T, Bits<0, 25>, Bits<32, 16>, Bits<48, 13>>(thread_words, (cell * 4 + 0) * T, sum);
                flush<Sum>(sum[0], cell, p.state_26);
                flush<Sum>(sum[1], cell, p.state_27);
                flush<Sum>(sum[2], cell, p.state_28);
            }
            {
                u64 sum[1];
                sum_fields<T, Bits<0, 64>>(thread_words, (cell * 4 + 1) * T, sum);
                flush<WideSum>(sum[0], cell, p.state_29, p.state_30, p.state_31);
            }
            {
                u64 sum[1];
                sum_fields<T, Bits<0, 64>>(thread_words, (cell * 4 + 2) * T, sum);
                flush<Sum>(sum[0], cell, p.state_32);
            }
            {
                u64 sum[4];
                sum_fields<T, Bits<0, 13>, Bits<13, 13>, Bits<32, 13>, Bits<45, 13>>(thread_words, (cell * 4 + 3) * T, sum);
                flush<Sum>(sum[0], cell, p.state_33);
                flush<Flag>(sum[1], cell, p.state_34);
                flush<Flag>(sum[2], cell, p.state_35);
                flush<Flag>(sum[3], cell, p.state_36);
            }
        }
        __syncthreads();
        clear_words(mine, words);
    }
    if (p.last_37 > 0 && is_last(p.ended_38)) {
        __shared__ u32 scratch[WARPS];
        u64 written = 0;
        for (u64 tile = 0; tile < p.last_37; tile += T) {
            const u64 cell = tile + threadIdx.x;
            const u32 active = cell < p.last_37 && p.state_26[cell] != 0;
            const u64 place = own_places<u32>(scratch, written, active), capacity = p.capacity_39;
            if (!active || place >= capacity) continue;
            const int r = 0;
            const u32 part_t5 = (u32)cell / (u32)p.key_stride_22 % (u32)p.key_card_21;
            const i32 l_returnflag_1[1] = {(i32)((i64)(part_t5 + (u64)p.key_lo_20))};
            p.out_data_40[place] = (u8)((i64)l_returnflag_1[r] - p.out_base_41);
            const u32 part_t6 = (u32)cell / (u32)p.key_stride_25 % (u32)p.key_card_24;
            const u32 l_open_2 = (u32)((i64)(part_t6 + (u64)p.key_lo_23)) & 1;
            if (bit(l_open_2, r)) set_bit(p.out_data_42, place);
            const i64 quantity_10[1] = {(i64)((i64)p.state_26[cell])};
            p.out_data_43[place] = quantity_10[r];
            const i64 discount_11[1] = {(i64)((i64)p.state_27[cell])};
            const u32 discount_11_null = p.state_34[cell] == 0;
            if (!bit(discount_11_null, r)) set_bit(p.out_valid_45, place);
            p.out_data_44[place] = discount_11[r];
            const Wide sum_t7 = WideSum::of(cell, p.state_29, p.state_30, p.state_31);
            if (!fits_i128(sum_t7)) raise(p.error_0, 6, 0);
            const i128 sum_t8 = narrow(sum_t7);
            if (magnitude(sum_t8) >= (u128)pow10<i128>(38)) raise(p.error_0, 6, 0);
            const i128 less_12[1] = {(i128)(sum_t8)};
            const u32 less_12_null = p.state_35[cell] == 0;
            if (!bit(less_12_null, r)) set_bit(p.out_valid_47, place);
            put_i128(p.out_data_46, place, less_12[r]);
            const i64 refund_13[1] = {(i64)((i64)p.state_32[cell])};
            const u32 refund_13_null = p.state_36[cell] == 0;
            if (!bit(refund_13_null, r)) set_bit(p.out_valid_49, place);
            p.out_data_48[place] = refund_13[r];
            const i64 n_14[1] = {(i64)((i64)p.state_28[cell])};
            p.out_data_50[place] = n_14[r];
            const i64 discounts_15[1] = {(i64)((i64)p.state_33[cell])};
            p.out_data_51[place] = discounts_15[r];
        }
        if (threadIdx.x == 0) atomicAdd(p.count_52, written);
    }
}
