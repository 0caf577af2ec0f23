// Pages. Where a block has fewer slots than there are cells, those cells of a page that lie
// side by side take a frame of slots together, when the first row of one of them comes and
// as long as there are frames: cells that have rows often lie together, though they are few
// of all. The rows of other pages go to global memory.
constexpr u32 NO_FRAME = ~0u;
struct Pages {
    u32* firsts;  // by page: its first slot plus one, 0 for none yet, or NO_FRAME
    u32* owners;  // by frame: its page plus one, 0 for none
    u32* taken;   // number of frames that pages have asked for
    u32 shift;    // two to it are the cells of a page
    u32 within;   // the bits of a cell in its page
    u32 frames;   // of the block
};

// pages_of lays so many pages out, behind the planes of so many slots. page is the number
// of their cells, a power of two; 0 where there are none.
DEVICE Pages pages_of(u32* words, u32 page, u32 pages, u32 slots) {
    if (page == 0) return {words, words, words, 0, 0, 0};
    const u32 shift = 31 - __clz(page), frames = slots >> shift;
    return {words, words + pages, words + pages + frames, shift, page - 1, frames};
}

// take_frame gives a page a frame, and returns what firsts then has. While another thread
// does so the page has none.
DEVICE u32 take_frame(const Pages& p, u32 page) {
    const u32 had = atomicCAS(p.firsts + page, 0u, NO_FRAME);
    if (had != 0) return had;
    const u32 frame = atomicAdd(p.taken, 1u);
    if (frame >= p.frames) return NO_FRAME;
    p.owners[frame] = page + 1;
    atomicExch(p.firsts + page, (frame << p.shift) + 1);
    return (frame << p.shift) + 1;
}

// locate finds the place in the planes of a cell that has one.
DEVICE bool locate(const Slots& h, const Pages& p, u32 cell, u32& at) {
    const u32 offset = cell - h.first, page = offset >> p.shift;
    u32 first = *(volatile u32*)(p.firsts + page);
    if (first + 1 <= 1) {  // none yet, or none
        if (first == 0) first = take_frame(p, page);
        if (first == NO_FRAME) return false;
    }
    at = first + (offset & p.within) - 1;
    return true;
}

// owner_of is the cell that has a slot, plus one, or 0.
DEVICE u32 owner_of(const Slots& h, const Pages& p, u32 slot) {
    const u32 page = p.owners[slot >> p.shift];
    return page == 0 ? 0 : h.first + ((page - 1) << p.shift | slot & p.within) + 1;
}
