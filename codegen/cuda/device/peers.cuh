// Warp preaggregation: lanes of a warp whose rows go to one cell have peers. Their numbers
// are joined, and the first of them adds the result. How peers are found (same_cell) and
// joined (combine) is the strategy's. All lanes of the warp take part in both, those
// without a row, too.

// Peers are those of a thread's rows.
struct Peers {
    u32* scratch;  // of the warp in shared memory, where the strategy asks for it
    u32 lanes[R];  // the lanes whose numbers are joined, this one among them
    u32 leads;     // the rows of which this lane adds what is joined
    u32 merging;   // the rows of which some lane of the warp has peers
};

DEVICE void find_peers(Peers& p, u32 active, const u32 (&cell)[R]) {
    const u32 self = 1u << (threadIdx.x & 31);
    p.leads = p.merging = 0;
    ROWS {
        const bool there = bit(active, r);
        p.lanes[r] = same_cell(p.scratch, there, there ? cell[r] : 0);
        set(p.leads, r, there && (p.lanes[r] & (self - 1)) == 0);
        set(p.merging, r, __any_sync(~0u, p.lanes[r] != self));
    }
}

// gather joins the numbers that lanes give to a term and reports whether this one adds
// the result, which v becomes.
template <typename X> DEVICE bool gather(const Peers& p, int r, typename X::V& v) {
    if (bit(p.merging, r)) v = combine<X>(p.scratch, p.lanes[r], v);
    return bit(p.leads, r) && some(v);
}

// gather_ones is the same where each row that counts gives one: number is how many do.
DEVICE bool gather_ones(const Peers& p, int r, bool counts, u32& number) {
    number = __popc(__ballot_sync(~0u, counts) & p.lanes[r]);
    return bit(p.leads, r) && number != 0;
}
