// Rows wait in shared memory until there is one for each row that a warp holds: those that are
// left behind a filter or a probe are packed.

// PACKED rows are taken at a time, and PACK_ROOM may wait.
constexpr u32 PACKED = 32 * R, PACK_ROOM = PACKED + 32;

// place_of_lane is the place of the lane's row behind those that wait, of the lanes that have one.
DEVICE u32 place_of_lane(u32 waiting, u32 lanes) { return waiting + __popc(lanes & ((1u << (threadIdx.x & 31)) - 1)); }

// packed_rows is the mask of the lane's rows of so many that the warp takes.
DEVICE u32 packed_rows(u32 rows) {
    u32 mask = 0;
    ROWS set(mask, r, 32 * r + (threadIdx.x & 31) < rows);
    return mask;
}
