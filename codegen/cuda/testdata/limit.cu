struct Params {
    u64* error_0;  // the first error
    i64 param_1;  // constant v0
    u64* count_2;  // rows of the sink
    u64 enough_3;  // rows after which no more are wanted
    u64* tile_records_4;  // records of the tiles
    i64 rows_5;  // rows of t
    const u32* __restrict__ data_6;  // ok_4
    const u32* __restrict__ valid_7;  // validity of ok_4
    const u32* __restrict__ data_8;  // a_1
    i64 base_9;  // minimum of a_1
    const u32* __restrict__ valid_10;  // validity of a_1
    const f64* __restrict__ data_11;  // f_3
    const u16* __restrict__ data_12;  // c_5
    const i64* __restrict__ data_13;  // b_2
    const u32* __restrict__ valid_14;  // validity of f_3
    const u64* __restrict__ data_15;  // d_6
    i64 base_16;  // minimum of c_5
    const i32* __restrict__ rank_17;  // ranks of the codes of c_5
    u64 capacity_18;  // rows for which there is room
    u64 skip_19;  // rows at the beginning that are not written
    u32* out_data_20;  // result q_8
    u32* out_valid_21;  // validity of result q_8
    i64 out_base_22;  // minimum of result q_8
    i64* out_data_23;  // result b_2
    f64* out_data_24;  // result v13
    u32* out_valid_25;  // validity of result v13
    u32* out_data_26;  // result v12
    u32* out_valid_27;  // validity of result v12
    u16* out_data_28;  // result c_5
    i64 out_base_29;  // minimum of result c_5
    u64* out_data_30;  // result v14
    u32* out_data_31;  // result v15
    i64* out_data_32;  // result v16
    u32* out_valid_33;  // validity of result v16
    u16* out_data_34;  // result v17
    i64 out_base_35;  // minimum of result v17
};

// scan t
// filter ok_4
// v7 = gt a_1 v0
// q_8 = if v7
//   v9 = div v0 a_1
//   yield v9
// else
//   v10 = neg a_1
//   yield v10
// v11 = in q_8 v0 a_1
// v12 = or v7 v11
// v13 = mul f_3 f_3
// v14 = rescale d_6
// v15 = distinct q_8 a_1
// v16 = convert f_3
// v17 = rank c_5
// materialize q_8 b_2 v13 v12 c_5 v14 v15 v16 v17

// writes the rows that remain in the order of the source
extern "C" __global__ __launch_bounds__(T) void scan_materialize(const Params p) {
    const i32 v0 = (i32)p.param_1;
    __shared__ u64 scratch[WARPS];
    __shared__ Placed looked;
    // scan t
    __shared__ u64 ticket;
    for (;;) {
        __syncthreads();
        if (threadIdx.x == 0) ticket = *(volatile u64*)p.count_2 < p.enough_3 && true ? atomicAdd(p.tile_records_4, 1ull) : (u64)p.rows_5;
        __syncthreads();
        const i64 tile = (i64)ticket * TILE;
        if (tile >= p.rows_5) break;
        __syncwarp();  // lanes that have parted in the tile before go on together
        const i64 first = tile + threadIdx.x * 4;
        u32 active = rows_from(first, p.rows_5);
        u32 ok_4 = load_bits(active, first, p.data_6);
        u32 ok_4_null = load_nulls(active, first, p.valid_7);
        active &= ok_4 & ~ok_4_null;  // filter
        u32x4 a_1_raw[R / 4] = {};
        fetch(active, first, a_1_raw, p.data_8);
        i32 a_1[R];
        decode(a_1, a_1_raw, p.base_9);
        u32 a_1_null = load_nulls(active, first, p.valid_10);
        u32 v7 = 0;
        u32 v7_null = a_1_null;
        ROWS set(v7, r, a_1[r] > v0);
        const u32 outer_t1 = active, taken_t2 = active & (v7 & ~v7_null);  // if
        i32 q_8[R];
        u32 q_8_null;
        active = taken_t2;
        {
            i32 v9[R];
            u32 v9_null = a_1_null;
            ROWS v9[r] = quotient(v0, a_1[r]);
            u32 bad_t3 = 0;
            ROWS set(bad_t3, r, a_1[r] == 0);
            if (bad_t3 & active & ~a_1_null) raise(p.error_0, 4, 0);
            u32 bad_t4 = 0;
            ROWS set(bad_t4, r, div_overflows(v0, a_1[r]));
            if (bad_t4 & active & ~a_1_null) raise(p.error_0, 1, 0);
            ROWS q_8[r] = v9[r];
            q_8_null = v9_null;
        }
        active = outer_t1 & ~taken_t2;
        {
            i32 v10[R];
            u32 v10_null = a_1_null;
            u32 bad_t5 = 0;
            ROWS set(bad_t5, r, neg_overflows(a_1[r], v10[r]));
            if (bad_t5 & active & ~a_1_null) raise(p.error_0, 1, 1);
            ROWS if (!bit(taken_t2, r)) q_8[r] = v10[r];
            q_8_null = q_8_null & taken_t2 | v10_null & ~taken_t2;
        }
        active = outer_t1;
        u64x4 f_3_raw[R / 4] = {};
        u32x2 c_5_raw[R / 4] = {};
        u64x4 b_2_raw[R / 4] = {};
        fetch(active, first, f_3_raw, p.data_11, c_5_raw, p.data_12, b_2_raw, p.data_13);
        u32 v11 = 0;
        u32 same_t6 = 0;
        ROWS set(same_t6, r, q_8[r] == v0);
        v11 |= same_t6;
        u32 same_t7 = 0;
        ROWS set(same_t7, r, q_8[r] == a_1[r]);
        v11 |= same_t7 & ~a_1_null;
        u32 v11_null = q_8_null | ~v11 & (a_1_null);
        const u32 v12 = v7 | v11;
        u32 v12_null = (v7_null | v11_null) & ~(v7 & ~v7_null) & ~(v11 & ~v11_null);
        f64 f_3[R];
        decode(f_3, f_3_raw);
        u32 f_3_null = load_nulls(active, first, p.valid_14);
        f64 v13[R];
        u32 v13_null = f_3_null | f_3_null;
        ROWS v13[r] = f_3[r] * f_3[r];
        u32 bad_t8 = 0;
        ROWS set(bad_t8, r, overflowed(v13[r], f_3[r], f_3[r]));
        if (bad_t8 & active & ~(f_3_null | f_3_null)) raise(p.error_0, 7, 2);
        u32 bad_t9 = 0;
        ROWS set(bad_t9, r, v13[r] == 0 && f_3[r] != 0 && f_3[r] != 0);
        if (bad_t9 & active & ~(f_3_null | f_3_null)) raise(p.error_0, 8, 2);
        i128 d_6[R] = {};
        load_words(active, first, d_6, p.data_15);
        i128 v14[R];
        ROWS v14[r] = divide_round(d_6[r], pow10<i128>(2));
        u32 differ_t10 = 0;
        ROWS set(differ_t10, r, q_8[r] != a_1[r]);
        const u32 v15 = (differ_t10) & ~q_8_null & ~a_1_null | (q_8_null ^ a_1_null);
        i64 v16[R];
        u32 v16_null = f_3_null;
        ROWS v16[r] = round_in(f_3[r], -9223372036854775808.0, 9223372036854775808.0) ? (i64)rint(f_3[r]) : 0;
        u32 bad_t11 = 0;
        ROWS set(bad_t11, r, !round_in(f_3[r], -9223372036854775808.0, 9223372036854775808.0));
        if (bad_t11 & active & ~f_3_null) raise(p.error_0, 1, 3);
        u32 c_5[R];
        decode(c_5, c_5_raw, p.base_16);
        const u32 live_t12 = active;
        i32 v17[R];
        ROWS v17[r] = bit(live_t12, r) ? p.rank_17[c_5[r]] : 0;
        i64 b_2[R];
        decode(b_2, b_2_raw);
        const u64 capacity = p.capacity_18;
        u64 places[R / 4];
        place_in_order(scratch, looked, active, p.tile_records_4, tile / TILE, tile + TILE >= p.rows_5, p.enough_3, p.count_2, places);
        QUADS places[q] -= p.skip_19;
        ROWS if (bit(active, r)) {
            const u64 to = places[r / 4]++;
            if (to < capacity) {
                if (!bit(q_8_null, r)) set_bit(p.out_valid_21, to);
                p.out_data_20[to] = (u32)((i64)q_8[r] - p.out_base_22);
                p.out_data_23[to] = b_2[r];
                if (!bit(v13_null, r)) set_bit(p.out_valid_25, to);
                p.out_data_24[to] = v13[r];
                if (!bit(v12_null, r)) set_bit(p.out_valid_27, to);
                if (bit(v12, r) && !bit(v12_null, r)) set_bit(p.out_data_26, to);
                p.out_data_28[to] = (u16)((i64)c_5[r] - p.out_base_29);
                put_i128(p.out_data_30, to, v14[r]);
                if (bit(v15, r)) set_bit(p.out_data_31, to);
                if (!bit(v16_null, r)) set_bit(p.out_valid_33, to);
                p.out_data_32[to] = v16[r];
                p.out_data_34[to] = (u16)((i64)v17[r] - p.out_base_35);
            }
        }
    }
}
