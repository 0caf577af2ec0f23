// Loads of the columns of a tile, quad by quad, where a quad has an active row. Columns
// are padded to whole quads, so that the last one may be read beyond the last row.
struct alignas(8) u32x2 { u32 x, y; };
struct alignas(16) u32x4 { u32 x, y, z, w; };
struct alignas(16) u64x2 { u64 x, y; };
struct u64x4 { u64x2 a, b; };

// LOADED goes over the quads that have an active row, the first of which is row.
#define LOADED QUADS if (const i64 row = first + q * QUAD_STRIDE; active >> 4 * q & 15)

DEVICE void fetch_quad(u32& raw, const u8* data, i64 row) { raw = *(const u32*)(data + row); }
DEVICE void fetch_quad(u32x2& raw, const u16* data, i64 row) { raw = *(const u32x2*)(data + row); }
DEVICE void fetch_quad(u32x4& raw, const u32* data, i64 row) { raw = *(const u32x4*)(data + row); }
DEVICE void fetch_quad(u64x4& raw, const void* data, i64 row) {
    raw.a = *(const u64x2*)((const u64*)data + row);
    raw.b = *(const u64x2*)((const u64*)data + row + 2);
}
template <typename Q, typename E, typename... Others> DEVICE void fetch_quads(int q, i64 row, Q* raw, const E* data, Others... others) {
    fetch_quad(raw[q], data, row);
    if constexpr (sizeof...(others) > 0) fetch_quads(q, row, others...);
}

// fetch loads the bits of columns into registers, and decode makes values of those of one:
// the fetches of a tile are all under way before the first value is needed. Each column is
// where its bits go and where they lie.
template <typename... Columns> DEVICE void fetch(u32 active, i64 first, Columns... columns) {
    LOADED fetch_quads(q, row, columns...);
}

template <typename V> DEVICE V offset_from(u64 base, u32 difference) { return (V)(i64)(base + difference); }
template <typename V> DEVICE void decode_quad(V* v, u32 raw, u64 base) {
    for (int i = 0; i < 4; i++) v[i] = offset_from<V>(base, raw >> 8 * i & 0xff);
}
template <typename V> DEVICE void decode_quad(V* v, const u32x2& raw, u64 base) {
    v[0] = offset_from<V>(base, raw.x & 0xffff);
    v[1] = offset_from<V>(base, raw.x >> 16);
    v[2] = offset_from<V>(base, raw.y & 0xffff);
    v[3] = offset_from<V>(base, raw.y >> 16);
}
template <typename V> DEVICE void decode_quad(V* v, const u32x4& raw, u64 base) {
    v[0] = offset_from<V>(base, raw.x);
    v[1] = offset_from<V>(base, raw.y);
    v[2] = offset_from<V>(base, raw.z);
    v[3] = offset_from<V>(base, raw.w);
}
template <typename V> DEVICE V of_bits(u64 bits) { return (V)(i64)bits; }  // with the sign of 64 bits
template <> DEVICE f64 of_bits<f64>(u64 bits) { return __longlong_as_double((i64)bits); }
template <typename V> DEVICE void decode_quad(V* v, const u64x4& raw) {
    v[0] = of_bits<V>(raw.a.x);
    v[1] = of_bits<V>(raw.a.y);
    v[2] = of_bits<V>(raw.b.x);
    v[3] = of_bits<V>(raw.b.y);
}

template <typename V, typename Q, typename... Base> DEVICE void decode(V* v, const Q* raw, Base... base) {
    QUADS decode_quad(v + 4 * q, raw[q], base...);
}

DEVICE i128 wide(u64 lo, u64 hi) { return (i128)((u128)hi << 64 | lo); }

DEVICE void load_quad(i128* v, const u64* data, i64 row) {
    for (int i = 0; i < 4; i++) {
        u64x2 w = *(const u64x2*)(data + 2 * (row + i));
        v[i] = wide(w.x, w.y);
    }
}

// load_words loads the values of a column that takes several words each.
template <typename V> DEVICE void load_words(u32 active, i64 first, V* v, const u64* data) {
    LOADED load_quad(v + 4 * q, data, row);
}

// load_bits returns the bits of a bitmap, and load_nulls those that are not set.
DEVICE u32 load_bits(u32 active, i64 first, const u32* words) {
    u32 bits = 0;
    LOADED bits |= (words[row >> 5] >> (row & 31) & 15) << 4 * q;
    return bits;
}
DEVICE u32 load_nulls(u32 active, i64 first, const u32* words) {
    u32 bits = 0;
    LOADED bits |= (~(words[row >> 5] >> (row & 31)) & 15) << 4 * q;
    return bits;
}

// bit_at is one bit of a bitmap.
DEVICE bool bit_at(const u32* words, u64 i) { return words[i >> 5] >> (i & 31) & 1; }
DEVICE void set_bit(u32* words, u64 i) { atomicOr(words + (i >> 5), 1u << (i & 31)); }

// set_bits sets the bits of a bitmap at the places of some lanes of a warp, which follow each other,
// where b holds. All of these lanes call it.
DEVICE void set_bits(u32 lanes, u32* words, u64 place, bool b) {
    const u32 set = __ballot_sync(lanes, b);
    if ((threadIdx.x & 31) != __ffs((int)lanes) - 1) return;
    u64 bits = set;
    if (set == lanes) {
        bits = (1ull << __popc(lanes)) - 1;
    } else if (lanes != ~0u) {
        bits = 0;
        u32 at = 0;
        for (u32 left = lanes; left != 0; left &= left - 1) bits |= (u64)(set >> (__ffs((int)left) - 1) & 1) << at++;
    }
    bits <<= place & 31;
    if ((u32)bits) atomicOr(words + (place >> 5), (u32)bits);
    if (bits >> 32) atomicOr(words + (place >> 5) + 1, (u32)(bits >> 32));
}

// The values of single rows.
DEVICE i128 get_i128(const u64* data, u64 i) { return wide(data[2 * i], data[2 * i + 1]); }
DEVICE void put_i128(u64* data, u64 i, i128 v) {
    data[2 * i] = (u64)v;
    data[2 * i + 1] = (u64)((u128)v >> 64);
}

// move_words copies an element of W words.
template <int W> DEVICE void move_words(u64* out, u64 to, const u64* from, u64 row) {
    for (int w = 0; w < W; w++) out[to * W + w] = from[row * W + w];
}
