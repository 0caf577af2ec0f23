// Gathering of rows of columns.
struct GatherColumn {
    const u8* from;
    const u32* from_valid;
    u8* to;
    u32* to_valid;
    u64 width;  // bytes of a value; 0: bits
};
struct GatherParams {
    const u32* order;
    u64 rows;
    u64 columns;
    GatherColumn column[16];
};

template <typename V> DEVICE void copy(const GatherColumn& c, u64 from, u64 to) { ((V*)c.to)[to] = ((const V*)c.from)[from]; }

// gather_value copies row to place i; places of the lanes that call it follow each other.
DEVICE void gather_value(const GatherColumn& c, u32 lanes, u64 row, u64 i) {
    if (c.from_valid) set_bits(lanes, c.to_valid, i, bit_at(c.from_valid, row));
    switch (c.width) {
    case 0: set_bits(lanes, (u32*)c.to, i, bit_at((const u32*)c.from, row)); break;
    case 1: copy<u8>(c, row, i); break;
    case 2: copy<u16>(c, row, i); break;
    case 4: copy<u32>(c, row, i); break;
    case 8: copy<u64>(c, row, i); break;
    default:
        for (u64 w = 0; w < c.width / 8; w++) ((u64*)c.to)[i * (c.width / 8) + w] = ((const u64*)c.from)[row * (c.width / 8) + w];
    }
}

// gather copies rows in an order, those of a single warp column by column in all
// warps. Bitmaps of the destination are zeros before.
extern "C" __global__ __launch_bounds__(T) void gather(const GatherParams p) {
    if (p.rows <= 32) {
        const u64 i = threadIdx.x & 31;
        const u32 lanes = __ballot_sync(~0u, i < p.rows);
        if (blockIdx.x > 0 || i >= p.rows) return;
        for (u64 k = threadIdx.x / 32; k < p.columns; k += WARPS) gather_value(p.column[k], lanes, p.order[i], i);
        return;
    }
    for (u64 from = (u64)blockIdx.x * T; from < p.rows; from += (u64)gridDim.x * T) {
        const u64 i = from + threadIdx.x;
        const u32 lanes = __ballot_sync(~0u, i < p.rows);
        if (i >= p.rows) return;
        const u64 row = p.order[i];
        for (u64 k = 0; k < p.columns; k++) gather_value(p.column[k], lanes, row, i);
    }
}

// Appending of rows to columns of another encoding. A column without from is the
// same value in every row.
struct AppendColumn {
    const u8* from;
    const u32* from_valid;
    u64 from_width;  // bytes of a value; 0: bits; 5: offsets of texts
    u64 from_base;   // added to values of less than 8 bytes; of texts their bytes
    u8* to;
    u32* to_valid;  // null: no value is NULL
    u64 to_width;
    u64 to_base;
    u64 null;      // without from: 1 where the value is NULL
    u64 value[3];  // without from: its words
};
struct AppendParams {
    u64 rows;
    u64 first;  // the row of the destination that the first one becomes
    u64 columns;
    AppendColumn column[16];
};

// first_word returns the first word of a value; an integer of less than 128 bits has no other.
DEVICE u64 first_word(const AppendColumn& c, u64 row) {
    if (!c.from) return c.value[0];
    switch (c.from_width) {
    case 0: return bit_at((const u32*)c.from, row);
    case 1: return c.from[row] + c.from_base;
    case 2: return ((const u16*)c.from)[row] + c.from_base;
    case 4: return ((const u32*)c.from)[row] + c.from_base;
    case 5: return text_at((const u32*)c.from, (const u8*)c.from_base, row).word;
    }
    return ((const u64*)c.from)[row * (c.from_width / 8)];
}

// next_word returns word w of a value, after the first, which has the sign where there is no other.
DEVICE u64 next_word(const AppendColumn& c, u64 row, u64 w, u64 first) {
    if (!c.from) return c.value[w];
    if (c.from_width <= 8) return w == 1 && c.from_width != 0 && (i64)first < 0 ? ~0ull : 0;
    return ((const u64*)c.from)[row * (c.from_width / 8) + w];
}

extern "C" __global__ __launch_bounds__(T) void append(const AppendParams p) {
    for (u64 from = (u64)blockIdx.x * T; from < p.rows; from += (u64)gridDim.x * T) {
        const u64 i = from + threadIdx.x, to = p.first + i;
        const u32 lanes = __ballot_sync(~0u, i < p.rows);
        if (i >= p.rows) return;
        for (u64 k = 0; k < p.columns; k++) {
            const AppendColumn& c = p.column[k];
            const bool valid = c.from ? !c.from_valid || bit_at(c.from_valid, i) : !c.null;
            const u64 v = valid ? first_word(c, i) : 0;
            if (c.to_valid) set_bits(lanes, c.to_valid, to, valid);
            if (c.to_width == 0) set_bits(lanes, (u32*)c.to, to, v != 0);
            if (!valid) continue;
            switch (c.to_width) {
            case 0: break;
            case 1: c.to[to] = (u8)(v - c.to_base); break;
            case 2: ((u16*)c.to)[to] = (u16)(v - c.to_base); break;
            case 4: ((u32*)c.to)[to] = (u32)(v - c.to_base); break;
            default: {
                u64* const words = (u64*)c.to + to * (c.to_width / 8);
                words[0] = v;
                for (u64 w = 1; w < c.to_width / 8; w++) words[w] = next_word(c, i, w, v);
            }
            }
        }
    }
}

// Copying of texts to one place: a warp copies one after the other.
struct CopyTextsParams {
    const Text* texts;
    const u64* ends;  // where each ends in to
    u8* to;
    u64 rows;
};
extern "C" __global__ __launch_bounds__(T) void copy_texts(const CopyTextsParams p) {
    const u64 warps = (u64)gridDim.x * (T / 32);
    for (u64 row = ((u64)blockIdx.x * T + threadIdx.x) / 32; row < p.rows; row += warps) {
        const u64 from = row ? p.ends[row - 1] : 0, size = p.ends[row] - from;
        const u8* const text = bytes_of(p.texts[row]);
        const u32 letters = case_of(p.texts[row]);
        for (u64 i = threadIdx.x & 31; i < size; i += 32) p.to[from + i] = letter(text[i], letters);
    }
}
