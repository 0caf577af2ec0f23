struct Params {
    u64* error_0;  // the first error
    i64 rows_1;  // rows of orders
    const u8* __restrict__ data_2;  // priority_2
    const i64* __restrict__ data_3;  // price_0
    i64 base_4;  // minimum of priority_2
    const u32* __restrict__ valid_5;  // validity of price_0
    const Text* __restrict__ data_6;  // comment_1
    u64 capacity_7;  // rows for which there is room
    u64* count_8;  // rows of the sink
    u64 skip_9;  // rows at the beginning that are not written
    u8* out_data_10;  // result priority_2
    i64 out_base_11;  // minimum of result priority_2
    i64* out_data_12;  // result price_0
    u32* out_valid_13;  // validity of result price_0
    u64* sort_keys_14;  // words of the keys
    u64 text_words_15;  // words of a text in a key
    i64 key_lo_16;  // minimum of priority_2
};

// scan orders
// sort priority_2 price_0 by price_0 desc, comment_1, priority_2

// writes the rows that remain and their keys
extern "C" __global__ __launch_bounds__(T) void scan_collect(const Params p) {
    __shared__ u32 scratch[WARPS];
    __shared__ u64 block_place;
    // scan orders
    for (i64 tile = (i64)blockIdx.x * TILE; tile < p.rows_1; tile += (i64)gridDim.x * TILE) {
        __syncwarp();  // lanes that have parted in the tile before go on together
        const i64 first = tile + threadIdx.x * 4;
        u32 active = rows_from(first, p.rows_1);
        u32 priority_2_raw[R / 4] = {};
        u64x4 price_0_raw[R / 4] = {};
        fetch(active, first, priority_2_raw, p.data_2, price_0_raw, p.data_3);
        i32 priority_2[R];
        decode(priority_2, priority_2_raw, p.base_4);
        i64 price_0[R];
        decode(price_0, price_0_raw);
        u32 price_0_null = load_nulls(active, first, p.valid_5);
        Text comment_1[R] = {};
        ROWS if (bit(active, r)) comment_1[r] = p.data_6[row_of(first, r)];
        const u64 capacity = p.capacity_7;
        u64 place = place_rows(scratch, block_place, active, p.count_8, p.skip_9, p.capacity_7);
        ROWS {
            const u32 lanes = __ballot_sync(~0u, bit(active, r));
            if (bit(active, r)) {
                const u64 to = place + lanes_before(lanes);
                p.out_data_10[to] = (u8)((i64)priority_2[r] - p.out_base_11);
                set_bits(lanes, p.out_valid_13, to, !bit(price_0_null, r));
                p.out_data_12[to] = price_0[r];
                p.sort_keys_14[0 * capacity + to] = (u64)!bit(price_0_null, r) << 0;
                p.sort_keys_14[1 * capacity + to] = (u64)(bit(price_0_null, r) ? 0ull : (~(rank(price_0[r])) & 0xffffffffffffffffull)) << 0;
                for (u64 w = 0; w < p.text_words_15; w++) {
                    p.sort_keys_14[(2 + w) * capacity + to] = (u64)word_of_text(comment_1[r], w) << 0;
                }
                p.sort_keys_14[(2 + 1 * p.text_words_15) * capacity + to] = (u64)((u64)priority_2[r] - (u64)p.key_lo_16) << 0;
            }
            place += __popc(lanes);
        }
    }
}
