// Rows wait in shared memory until there is one for each row that a warp holds: those that are
// left behind a filter or a probe are packed.

// PACKED rows are taken at a time, and PACK_ROOM may wait. Where more than PACK_DENSE of a warp's
// rows are left it does not pay to have them wait.
constexpr u32 PACKED = 32 * R, PACK_ROOM = PACKED + 32, PACK_DENSE = PACKED / 4 * 3;

// lanes_of notes by row which lanes have it among some, and returns how many rows they are.
DEVICE u32 lanes_of(u32 rows, u32 (&lanes)[R]) {
    u32 all = 0;
    ROWS {
        lanes[r] = __ballot_sync(~0u, bit(rows, r));
        all += __popc(lanes[r]);
    }
    return all;
}

// place_of_lane is the place of the lane's row behind those that wait, of the lanes that have one.
DEVICE u32 place_of_lane(u32 waiting, u32 lanes) { return waiting + __popc(lanes & ((1u << (threadIdx.x & 31)) - 1)); }

// packed_rows is the mask of the lane's rows of so many that the warp takes.
DEVICE u32 packed_rows(u32 rows) {
    u32 mask = 0;
    ROWS set(mask, r, 32 * r + (threadIdx.x & 31) < rows);
    return mask;
}
