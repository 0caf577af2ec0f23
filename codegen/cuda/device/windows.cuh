// Windows. Rows are numbered in the order of their partitions, and of the order within.

// A block takes so many of them at a time, T after T.
constexpr u64 ORDERED_TILE = 8 * T;
#define ORDERED for (u64 step = 0; step < ORDERED_TILE; step += T) \
    if (const u64 i = tile * ORDERED_TILE + step + threadIdx.x; true)

// Span is the rows lo … hi − 1.
struct Span {
    u64 lo, hi;
};

// The marks of rows: how they differ from the row before.
constexpr u8 PEER = 0, NEW_PEERS = 1, NEW_PARTITION = 2;

// Keys are those of all rows: see order.cuh. The first of their words, and those bits of
// the next, are the partition's.
struct Keys {
    const u64* words;
    u64 capacity, count, partition, bits;
};
DEVICE u8 mark_of(const Keys& k, const u32* order, u64 i) {
    if (i == 0) return NEW_PARTITION;
    const u32 a = order[i - 1], b = order[i];
    for (u64 w = 0; w < k.count; w++) {
        const u64 differs = k.words[w * k.capacity + a] ^ k.words[w * k.capacity + b];
        if (differs) return w < k.partition || w == k.partition && differs & k.bits ? NEW_PARTITION : NEW_PEERS;
    }
    return PEER;
}

// begun has what begins with a row: a group of peers in the low half, a partition in the
// high one.
DEVICE u64 begun(u8 mark) { return (u64)(mark == NEW_PARTITION) << 32 | (mark != PEER); }

// mark_rows marks the rows of a tile, and counts what begins in it.
DEVICE void mark_rows(u64* scratch, const Keys& keys, const u32* order, u64 n, u64 tile, u8* marks, u64* counts) {
    u64 mine = 0, total;
    ORDERED if (i < n) {
        const u8 mark = marks[i] = mark_of(keys, order, i);
        mine += begun(mark);
    }
    block_scan<u64>(mine, scratch, total);
    if (threadIdx.x == 0) counts[tile] = total;
}

// Groups are partitions or groups of peers: the number of that of each row, the first row
// of each, and behind the last the number of rows.
struct Groups {
    u32* of;
    u32* starts;
};

// number_rows numbers the partitions and groups of peers of a tile, before which so many
// begin. Groups of peers may be none's.
DEVICE void number_rows(u64* scratch, const u8* marks, u64 n, u64 tile, u64 before, const Groups& partitions, const Groups& peers) {
    ORDERED {
        const u8 mark = i < n ? marks[i] : PEER;
        u64 total;
        const u64 up_to = before + block_scan<u64>(begun(mark), scratch, total) + begun(mark);
        before += total;
        if (i >= n) continue;
        const u32 partition = (u32)(up_to >> 32) - 1, group = (u32)up_to - 1;
        partitions.of[i] = partition;
        if (mark == NEW_PARTITION) partitions.starts[partition] = (u32)i;
        if (i == n - 1) partitions.starts[partition + 1] = (u32)n;
        if (!peers.of) continue;
        peers.of[i] = group;
        if (mark != PEER) peers.starts[group] = (u32)i;
        if (i == n - 1) peers.starts[group + 1] = (u32)n;
    }
}

// span_of is the partition, or the peers, of a row.
DEVICE Span span_of(const u32* of, const u32* starts, u64 i) { return {starts[of[i]], starts[of[i] + 1]}; }

// within is at + distance + past, or the nearest place in a span.
DEVICE u64 within(const Span& s, u64 at, i64 distance, i64 past) {
    const i64 size = (i64)(s.hi - s.lo), by = distance < -size - 1 ? -size - 1 : distance > size + 1 ? size + 1 : distance;
    const i64 to = (i64)at + by + past;
    return to < (i64)s.lo ? s.lo : to > (i64)s.hi ? s.hi : (u64)to;
}

// groups_of are the groups of peers that a partition has, and peers_within is where the
// one begins that is so far from a row's: groups are bounded as rows are.
DEVICE Span groups_of(const Span& partition, const u32* of) { return {of[partition.lo], (u64)of[partition.hi - 1] + 1}; }
DEVICE u64 peers_within(const Span& partition, const u32* of, const u32* starts, u64 i, i64 distance, i64 past) {
    return starts[within(groups_of(partition, of), of[i], distance, past)];
}

// Parts are those of a frame, in order: what is excluded may divide it.
struct Parts {
    Span part[3];
};
DEVICE Span common(const Span& a, const Span& b) { return {max(a.lo, b.lo), min(a.hi, b.hi)}; }
// without leaves the rows of out away, but for those of kept.
DEVICE Parts without(const Span& frame, const Span& out, const Span& kept) {
    return {common(frame, {frame.lo, out.lo}), common(frame, kept), common(frame, {out.hi, frame.hi})};
}
DEVICE Parts whole(const Span& frame) { return {frame, {0, 0}, {0, 0}}; }

// first_of is row skip of the rows of a frame, and last_of the last one; n where there is none.
DEVICE u64 first_of(const Parts& f, u64 skip, u64 n) {
    for (int k = 0; k < 3; k++) {
        const u64 rows = f.part[k].hi > f.part[k].lo ? f.part[k].hi - f.part[k].lo : 0;
        if (skip < rows) return f.part[k].lo + skip;
        skip -= rows;
    }
    return n;
}
DEVICE u64 last_of(const Parts& f, u64 n) {
    for (int k = 2; k >= 0; k--) {
        if (f.part[k].hi > f.part[k].lo) return f.part[k].hi - 1;
    }
    return n;
}

// ntile_of is in which of so many parts of n rows, the first ones larger by one where they
// cannot be equal, row at is.
DEVICE i32 ntile_of(u64 n, u64 at, i32 parts) {
    const u64 size = n / (u32)parts, larger = n % (u32)parts, border = larger * (size + 1);
    return (i32)(at < border ? at / (size + 1) : larger + (at - border) / size) + 1;
}

// Sure is a state of state.cuh, or num.cuh, that nothing can go wrong with, and Failing one
// that keeps what has gone wrong with the sums that it is made of.
template <typename S> struct Sure : S {
    DEVICE void merge(const Sure& o) {
        u32 none = 0;
        S::merge(o, none);
    }
    DEVICE u32 failed() const { return 0; }
};
template <typename S> struct Failing : S {
    u32 fail;
    DEVICE void start() { S::start(), fail = 0; }
    DEVICE void merge(const Failing& o) {
        fail |= o.fail;
        S::merge(o, fail);
    }
    DEVICE u32 failed() const { return fail; }
};

// from_lane is the state of the lane d below.
template <typename S> DEVICE S from_lane(const S& s, int d) {
    static_assert(sizeof(S) % 4 == 0, "a state is of whole words");
    S other;
    for (u64 w = 0; w < sizeof(S) / 4; w++) ((u32*)&other)[w] = __shfl_up_sync(~0u, ((const u32*)&s)[w], d);
    return other;
}

// Left are the states of the last rows of the warps of a block, and whether a partition
// begins in one.
template <typename S> struct Left {
    S state[WARPS];
    u32 begins[WARPS];
};

// scan_states merges into the state of each thread those of the threads before, from the
// last on at which a partition begins, if it begins at none itself. before is the state of
// what comes before the block's rows, and afterwards of what comes before the next ones.
template <typename S> DEVICE void scan_states(S& s, bool& begins, S& before, Left<S>& left) {
    const int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
    for (int d = 1; d < 32; d *= 2) {
        S other = from_lane(s, d);
        const bool other_begins = __shfl_up_sync(~0u, (u32)begins, d);
        if (lane < d) continue;
        if (!begins) {
            other.merge(s);
            s = other;
        }
        begins |= other_begins;
    }
    __syncthreads();
    if (lane == 31) {
        left.state[warp] = s;
        left.begins[warp] = begins;
    }
    __syncthreads();
    for (int w = 0; w < WARPS; w++) {
        if (w == warp && !begins) {
            S all = before;
            all.merge(s);
            s = all;
        }
        if (left.begins[w]) before = left.state[w];
        else before.merge(left.state[w]);
    }
}

// reduce_tile sets to the state of the rows of a tile from the last on at which a partition
// begins, and begins to whether one does.
template <typename S, typename Take>
DEVICE void reduce_tile(S* scratch, u32& last, const u8* marks, u64 n, u64 tile, S& to, u32& begins, Take take) {
    __syncthreads();
    if (threadIdx.x == 0) last = 0;
    __syncthreads();
    ORDERED if (i < n && marks[i] == NEW_PARTITION) atomicMax(&last, (u32)(step + threadIdx.x) + 1);
    __syncthreads();
    S s;
    s.start();
    ORDERED if (i < n && step + threadIdx.x + 1 >= last) s.merge(take(i));
    for (int half = T / 2; half > 0; half /= 2) {
        __syncthreads();
        if ((int)threadIdx.x >= half && (int)threadIdx.x < 2 * half) scratch[threadIdx.x - half] = s;
        __syncthreads();
        if ((int)threadIdx.x < half) s.merge(scratch[threadIdx.x]);
    }
    if (threadIdx.x != 0) return;
    to = s;
    begins = last != 0;
}

// run_tiles replaces the states of the tiles by those of the last rows of each; one block
// does it.
template <typename S> DEVICE void run_tiles(Left<S>& left, S* states, const u32* begins, u64 tiles) {
    S before;
    before.start();
    for (u64 from = 0; from < tiles; from += T) {
        const u64 tile = from + threadIdx.x;
        S s;
        s.start();
        if (tile < tiles) s = states[tile];
        bool is = tile < tiles && begins[tile];
        scan_states(s, is, before, left);
        if (tile < tiles) states[tile] = s;
    }
}

// run_rows sets the states of the rows of a tile to those of their partition up to them, or with
// the numbers of their partitions the states of those; tiles are those of the last rows of each
// tile.
template <typename S, typename Take>
DEVICE void run_rows(Left<S>& left, const u8* marks, u64 n, u64 tile, const S* tiles, S* states, const u32* partitions, Take take) {
    S before;
    before.start();
    if (tile > 0) before = tiles[tile - 1];
    ORDERED {
        S s;
        s.start();
        if (i < n) s.merge(take(i));
        bool begins = i < n && marks[i] == NEW_PARTITION;
        scan_states(s, begins, before, left);
        if (i >= n) continue;
        if (!partitions) states[i] = s;
        else if (i + 1 == n || marks[i + 1] == NEW_PARTITION) states[partitions[i]] = s;
    }
}

// Nodes are a binary tree: node k is made of 2k and 2k + 1, and that of row i is n + i.
// Frames are covered by two of each level at most.
template <typename S> DEVICE void join_nodes(S* nodes, u64 k) {
    S s = nodes[2 * k];
    s.merge(nodes[2 * k + 1]);
    nodes[k] = s;
}
template <typename S> DEVICE void cover(S& s, const S* nodes, u64 n, const Span& f) {
    if (f.lo >= f.hi) return;
    for (u64 l = f.lo + n, r = f.hi + n; l < r; l /= 2, r /= 2) {
        if (l & 1) s.merge(nodes[l++]);
        if (r & 1) s.merge(nodes[--r]);
    }
}
