// same_cell finds all lanes with the cell.
DEVICE u32 same_cell(u32*, bool there, u32 cell) {
    const u32 lanes = __match_any_sync(~0u, there ? cell : ~0u);  // no cell has that number
    return there ? lanes : 1u << (threadIdx.x & 31);
}
