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

// gather copies rows in an order. Bitmaps of the destination are zeros before.
extern "C" __global__ __launch_bounds__(T) void gather(const GatherParams p) {
    for (u64 i = (u64)blockIdx.x * T + threadIdx.x; i < p.rows; i += (u64)gridDim.x * T) {
        const u64 row = p.order[i];
        for (u64 k = 0; k < p.columns; k++) {
            const GatherColumn& c = p.column[k];
            if (c.from_valid && bit_at(c.from_valid, row)) set_bit(c.to_valid, i);
            switch (c.width) {
            case 0:
                if (bit_at((const u32*)c.from, row)) set_bit((u32*)c.to, i);
                break;
            case 1: copy<u8>(c, row, i); break;
            case 2: copy<u16>(c, row, i); break;
            case 4: copy<u32>(c, row, i); break;
            case 8: copy<u64>(c, row, i); break;
            default:
                for (u64 w = 0; w < c.width / 8; w++) ((u64*)c.to)[i * (c.width / 8) + w] = ((const u64*)c.from)[row * (c.width / 8) + w];
            }
        }
    }
}
