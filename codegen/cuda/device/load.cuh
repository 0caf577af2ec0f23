// Loads of a quad of a column. Columns are padded to whole quads, so that the last
// one may be read beyond the last row.
struct alignas(8) u32x2 { u32 x, y; };
struct alignas(16) u32x4 { u32 x, y, z, w; };
struct alignas(16) u64x2 { u64 x, y; };

template <typename V> DEVICE void load_u8(V* v, const u8* data, i64 row, u64 base) {
    u32 w = *(const u32*)(data + row);
    v[0] = (V)(i64)(base + (w & 0xff));
    v[1] = (V)(i64)(base + (w >> 8 & 0xff));
    v[2] = (V)(i64)(base + (w >> 16 & 0xff));
    v[3] = (V)(i64)(base + (w >> 24));
}

template <typename V> DEVICE void load_u16(V* v, const u16* data, i64 row, u64 base) {
    u32x2 w = *(const u32x2*)(data + row);
    v[0] = (V)(i64)(base + (w.x & 0xffff));
    v[1] = (V)(i64)(base + (w.x >> 16));
    v[2] = (V)(i64)(base + (w.y & 0xffff));
    v[3] = (V)(i64)(base + (w.y >> 16));
}

template <typename V> DEVICE void load_u32(V* v, const u32* data, i64 row, u64 base) {
    u32x4 w = *(const u32x4*)(data + row);
    v[0] = (V)(i64)(base + w.x);
    v[1] = (V)(i64)(base + w.y);
    v[2] = (V)(i64)(base + w.z);
    v[3] = (V)(i64)(base + w.w);
}

template <typename V> DEVICE void load_i64(V* v, const i64* data, i64 row) {
    u64x2 a = *(const u64x2*)(data + row), b = *(const u64x2*)(data + row + 2);
    v[0] = (V)a.x;
    v[1] = (V)a.y;
    v[2] = (V)b.x;
    v[3] = (V)b.y;
}

DEVICE void load_f64(f64* v, const f64* data, i64 row) {
    i64 bits[4];
    load_i64(bits, (const i64*)data, row);
    for (int i = 0; i < 4; i++) v[i] = __longlong_as_double(bits[i]);
}

DEVICE i128 wide(u64 lo, u64 hi) { return (i128)((u128)hi << 64 | lo); }

DEVICE void load_i128(i128* v, const u64* data, i64 row) {
    for (int i = 0; i < 4; i++) {
        u64x2 w = *(const u64x2*)(data + 2 * (row + i));
        v[i] = wide(w.x, w.y);
    }
}

// load_bits gives the bits of a quad of a bitmap.
DEVICE u32 load_bits(const u32* words, i64 row) { return words[row >> 5] >> (row & 31) & 15; }

// bit_at is one bit of a bitmap.
DEVICE bool bit_at(const u32* words, u64 i) { return words[i >> 5] >> (i & 31) & 1; }
DEVICE void set_bit(u32* words, u64 i) { atomicOr(words + (i >> 5), 1u << (i & 31)); }

// The values of single rows.
DEVICE i128 get_i128(const u64* data, u64 i) { return wide(data[2 * i], data[2 * i + 1]); }
DEVICE void put_i128(u64* data, u64 i, i128 v) {
    data[2 * i] = (u64)v;
    data[2 * i + 1] = (u64)((u128)v >> 64);
}
