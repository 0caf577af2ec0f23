// Rows with matches wait in shared memory, side by side, and the threads of the block take
// their matches evenly: which row a match is of is found by a search among the numbers of
// matches before each row. start[i] are those before row i, from[i] leads from there to
// where its matches lie.

// MAX_DEALT is how many matches of a row are dealt out at a time.
constexpr u32 MAX_DEALT = 1u << 20;

// stage gives rows places among the STAGED that may wait, as far as there are any: place,
// of the rows that it returns. Their matches from at on are dealt out; how many are left is
// counted down. All threads of the block take part; scratch is for block_scan.
template <u32 STAGED> DEVICE u32 stage(u32* start, u32* from, u64* scratch, u32 pending, u32 (&at)[R], u32 (&left)[R], u32 (&place)[R], u32& rows) {
    u32 count = 0;
    u64 sum = 0;
    ROWS if (bit(pending, r)) {
        count++;
        sum += left[r] < MAX_DEALT ? left[r] : MAX_DEALT;
    }
    u64 all;
    const u64 before = block_scan<u64>((u64)count << 40 | sum, scratch, all);
    u32 row = (u32)(before >> 40), begin = (u32)before, staged = 0;
    if (threadIdx.x == 0) start[0] = 0;
    ROWS if (bit(pending, r)) {
        if (row < STAGED) {
            const u32 n = left[r] < MAX_DEALT ? left[r] : MAX_DEALT;
            place[r] = row;
            from[row] = at[r] - begin;
            begin += n;
            start[row + 1] = begin;
            at[r] += n;
            left[r] -= n;
            staged |= 1u << r;
        }
        row++;
    }
    rows = (u32)(all >> 40) < STAGED ? (u32)(all >> 40) : STAGED;
    return staged;
}

// row_of_match returns the row of lo to hi that has a match; those of lo do not lie behind it.
DEVICE u32 row_of_match(const u32* start, u32 lo, u32 hi, u32 match) {
    while (hi - lo > 1) {
        const u32 mid = (lo + hi) / 2;
        if (start[mid] <= match) {
            lo = mid;
        } else {
            hi = mid;
        }
    }
    return lo;
}

// Dealing is how matches are dealt out: a warp takes a part of them, 32 beside each other
// at a time.
struct Dealing {
    u32 next, end;  // matches of the lane: the next one, and the end of the warp's part
    u32 row, rows;  // row of the one before, and number of rows
    u32 behind;     // the first match of the row after it
    u32 origin;     // leads from its matches to where they lie
    bool few;       // rows have few matches
};

// deal begins to deal out the matches from first to last, of rows that wait. It takes
// as many iterations for every warp.
DEVICE Dealing deal(const u32* start, u32 rows, u32 first, u32 last, u32& iterations) {
    const u32 each = ((last - first + WARPS - 1) / WARPS + 31) & ~31u;
    const u32 begin = first + threadIdx.x / 32 * each;
    iterations = (each + 32 * R - 1) / (32 * R);
    Dealing d;
    d.next = begin + (threadIdx.x & 31);
    d.end = begin + each < last ? begin + each : last;
    d.row = d.next < d.end ? row_of_match(start, 0, rows, d.next) : 0;
    d.rows = rows;
    d.behind = d.origin = 0;
    d.few = (last - first) / 8 < rows;
    return d;
}

// take takes a thread's next matches, and returns which of them there are.
DEVICE u32 take(Dealing& d, const u32* start, const u32* from, u32 (&row)[R], u32 (&at)[R]) {
    u32 taken = 0;
    ROWS {
        row[r] = at[r] = 0;
        if (d.next < d.end) {
            if (d.next >= d.behind) {
                if (d.few) {  // each row has a match: the row is none of the 33 behind
                    d.row = row_of_match(start, d.row, d.row + 33 < d.rows ? d.row + 33 : d.rows, d.next);
                } else {
                    while (start[d.row + 1] <= d.next) d.row++;
                }
                d.behind = start[d.row + 1];
                d.origin = from[d.row];
            }
            row[r] = d.row;
            at[r] = d.origin + d.next;
            taken |= 1u << r;
        }
        d.next += 32;
    }
    return taken;
}
