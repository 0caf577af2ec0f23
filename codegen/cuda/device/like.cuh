// LIKE. A pattern is words: whether there is a %, the number of segments, how many parts
// are searched for first with four words for each of two, and the segments: what comes before
// the first %, what after the last, and those between. A segment is its size in words, its
// characters, its parts, and for each of them how many characters of any kind come first, the
// bytes of the text after those, and that text in whole words.
constexpr u32 SEARCHED = 3, SEGMENTS = SEARCHED + 8;
struct Segment {
    const u32* words;
};
DEVICE Segment next_segment(Segment s) { return {s.words + s.words[0]}; }

// match_segment moves at past the segment where it stands there.
DEVICE_CALL bool match_segment(Segment s, const u8*& at, const u8* end, u32 letters) {
    const u8* to = at;
    const u32* part = s.words + 3;
    for (u32 k = 0; k < s.words[2]; k++) {
        for (u32 i = 0; i < part[0]; i++) {
            if (to >= end) return false;
            to = next_char(to, end);
        }
        const u32 size = part[1];
        if (end - to < size) return false;
        const u8* const text = (const u8*)(part + 2);
        for (u32 i = 0; i < size; i++) {
            if (letter(to[i], letters) != text[i]) return false;
        }
        to += size;
        part += 2 + (size + 3) / 4;
    }
    at = to;
    return true;
}

// find_head returns the first place from at on where the bytes of head lie, one to four of them of
// which mask has the bits, or what lies behind them; end where there is none. It reads whole words:
// a place that is no match costs a lane a shift and a comparison, and parts it from no other.
DEVICE const u8* find_head(const u8* at, const u8* end, u32 head, u32 mask) {
    const u64* word = (const u64*)((u64)at & ~7ull);
    if (at >= end) return end;
    u32 wanted = 0xff << ((u64)at & 7);
    for (u64 now = *word; (const u8*)word < end; word++, wanted = 0xff) {
        const u64 next = (const u8*)(word + 1) < end ? word[1] : 0;
        const u64 middle = now >> 32 | next << 32;
        u32 hits = 0;
        _Pragma("unroll") for (int i = 0; i < 4; i++) {
            hits |= (u32)(((u32)(now >> 8 * i) & mask) == head) << i;
            hits |= (u32)(((u32)(middle >> 8 * i) & mask) == head) << (4 + i);
        }
        if (hits &= wanted) {
            const u8* const found = (const u8*)word + (__ffs(hits) - 1);
            return found < end ? found : end;
        }
        now = next;
    }
    return end;
}

// like_text reports whether a text matches a pattern.
DEVICE_CALL bool like_text(Text t, const u32* pattern) {
    const u8 *at = bytes_of(t), *end = at + size_of(t);
    const u32 letters = case_of(t);
    Segment s = {pattern + SEGMENTS};
    if (!match_segment(s, at, end, letters)) return false;
    if (!pattern[0]) return at == end;
    s = next_segment(s);
    const u8* tail = end;
    for (u32 i = 0; i < s.words[1]; i++) {
        if (tail == at) return false;
        do tail--;
        while (tail > at && (*tail & 0xc0) == 0x80);
    }
    end = tail;
    if (!match_segment(s, tail, bytes_of(t) + size_of(t), letters)) return false;
    for (u32 k = 2; k < pattern[1]; k++) {
        s = next_segment(s);
        const bool literal = s.words[3] == 0;
        const u32 size = literal ? s.words[4] : 0, mask = size < 4 ? (1u << 8 * size) - 1 : ~0u;
        const u32 head = literal ? s.words[5] & mask : 0;
        for (;; at = next_char(at, end)) {
            if (literal && !letters) {
                at = find_head(at, end, head, mask);
            } else if (literal) {
                while (at < end && letter(*at, letters) != (u8)head) at++;
            }
            if (match_segment(s, at, end, letters)) break;
            if (at >= end) return false;
        }
    }
    return true;
}

// A part of seven bytes or more has one of four words of it at an address that is a multiple
// of four, wherever it lies: the warp reads the texts of its rows side by side, 16 bytes a lane
// and several steps at a time, and compares words with these.
constexpr u32 STEP_BYTES = 32 * 16, STEPS = 4, MOST_BYTES = 32 * STEP_BYTES;

// Words are those of the two parts.
struct Words {
    u32 one[4], two[4];
};
DEVICE Words searched_words(const u32* pattern) {
    Words w;
    _Pragma("unroll") for (int i = 0; i < 4; i++) w.one[i] = pattern[SEARCHED + i], w.two[i] = pattern[SEARCHED + 4 + i];
    return w;
}

// has_word reports whether one of four words is one of others.
DEVICE bool has_word(const u32x4& read, const u32 (&words)[4]) {
    bool found = false;
    _Pragma("unroll") for (int i = 0; i < 4; i++)
        found = found || read.x == words[i] || read.y == words[i] || read.z == words[i] || read.w == words[i];
    return found;
}

// read_step reads 16 of so many bytes, from a place on: whole words of eight bytes, of each of
// which there are some.
DEVICE u32x4 read_step(const u8* texts, u32 at, u32 bytes) {
    u32x4 read = {0, 0, 0, 0};
    if (at + 8 < bytes) {
        read = *(const u32x4*)(texts + at);
    } else if (at < bytes) {
        const u64 word = *(const u64*)(texts + at);
        read.x = (u32)word, read.y = (u32)(word >> 32);
    }
    return read;
}

// Marks say where texts have a word of each part: lane s has a bit for each lane of step s.
struct Marks {
    u32 one = 0, two = 0;
    // bits returns those of a warp's lanes, step by step, from one on.
    static DEVICE u32 bits(u32 marks, u32 from) {
        const u32 lane = from / 32;
        const u64 low = __shfl_sync(~0u, marks, lane), high = __shfl_sync(~0u, marks, lane < 31 ? lane + 1 : 31);
        return (u32)((high << 32 | low) >> (from & 31));
    }
};
DEVICE Marks mark_texts(const u8* texts, u32 bytes, const Words& words) {
    const u32 lane = threadIdx.x & 31;
    Marks marks;
    for (u32 first = 0; first * STEP_BYTES < bytes; first += STEPS) {
        u32x4 read[STEPS];
        _Pragma("unroll") for (u32 i = 0; i < STEPS; i++) read[i] = read_step(texts, (first + i) * STEP_BYTES + lane * 16, bytes);
        _Pragma("unroll") for (u32 i = 0; i < STEPS; i++) {
            const u32 one = __ballot_sync(~0u, has_word(read[i], words.one)), two = __ballot_sync(~0u, has_word(read[i], words.two));
            if (first + i == lane) marks.one = one, marks.two = two;
        }
    }
    return marks;
}

// Beside are texts of a lane that lie side by side.
struct Beside {
    u64 from = 0, to = 0;
    bool all = true;
    DEVICE void take(Text t) {
        if (t.word == 0) return;
        const u64 at = (u64)bytes_of(t);
        all = all && case_of(t) == 0 && (to == 0 || to == at);
        if (to == 0) from = at;
        to = at + size_of(t);
    }
};

// may_match returns those of some rows of a quad whose texts have a word of each part that is searched
// for. Where the texts of the warp do not lie side by side it returns them all.
DEVICE u32 may_match(const Text* t, u32 rows, const Words& words) {
    Beside own;
    _Pragma("unroll") for (int i = 0; i < 4; i++) {
        if (bit(rows, i)) own.take(t[i]);
    }
    const u32 lanes = __ballot_sync(~0u, own.to != 0);
    if (lanes == 0) return 0;
    const u32 first = __ffs(lanes) - 1;
    const u64 before = __shfl_up_sync(~0u, own.to, 1);
    const u64 texts = __shfl_sync(~0u, own.from, first) & ~15ull;
    const u64 bytes = __shfl_sync(~0u, own.to, 31 - __clz(lanes)) - texts;
    const bool beside = own.to == 0 || own.all && ((threadIdx.x & 31) == first || own.from == before);
    if (!__all_sync(~0u, beside) || bytes > MOST_BYTES) return rows;
    const Marks marks = mark_texts((const u8*)texts, (u32)bytes, words);
    u32 may = 0;
    _Pragma("unroll") for (int i = 0; i < 4; i++) {
        const bool has = bit(rows, i) && t[i].word != 0;
        const u32 at = has ? (u32)((u64)bytes_of(t[i]) - texts) : 0, from = at / 16;
        const u32 more = has ? (at + size_of(t[i]) - 1) / 16 - from : 0, mask = more < 31 ? (2u << more) - 1 : ~0u;
        const u32 one = Marks::bits(marks.one, from) & mask, two = Marks::bits(marks.two, from) & mask;
        if (has && (more > 31 || one && two)) may |= 1u << i;
    }
    return may;
}

// like_texts returns those of some rows whose texts match a pattern. All lanes of the warp take part.
template <int R> DEVICE u32 like_texts(const Text (&t)[R], u32 rows, const u32* pattern) {
    u32 found = 0;
    if (R % 4 != 0 || !pattern[2]) {
        ROWS if (bit(rows, r)) set(found, r, like_text(t[r], pattern));
        return found;
    }
    const Words words = searched_words(pattern);
    u32 left = 0;
    QUADS left |= may_match(t + 4 * q, rows >> 4 * q & 15, words) << 4 * q;
    for (; left; left &= left - 1) {
        const int at = __ffs(left) - 1;
        Text one = t[0];
        ROWS if (r == at) one = t[r];
        if (like_text(one, pattern)) found |= 1u << at;
    }
    return found;
}
