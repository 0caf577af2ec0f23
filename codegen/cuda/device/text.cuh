// Text. A value refers to bytes in device memory: their address in the low 47 bits
// of a word, their number in the 15 above, and how letters are read in the last two.
// The word 0 is an empty text; rows that are NULL or do not count have it, so that
// every value may be read.
struct Text {
    u64 word;
};
DEVICE Text text_of(const u8* at, u64 size) { return {size ? (u64)at | size << 47 : 0}; }
DEVICE const u8* bytes_of(Text t) { return (const u8*)(t.word & (1ull << 47) - 1); }
DEVICE u32 size_of(Text t) { return (u32)(t.word >> 47) & 0x7fff; }

// The cases of letters: as they lie, all small, or all large. Only texts all of whose
// characters are ASCII are read in another than theirs.
constexpr u32 LOWER = 1, UPPER = 2;
DEVICE u32 case_of(Text t) { return (u32)(t.word >> 62); }
DEVICE Text in_case(Text t, u32 letters) { return {t.word ? t.word & ~(3ull << 62) | (u64)letters << 62 : 0}; }

// letter is a byte of a text whose letters are read so.
DEVICE u8 letter(u8 b, u32 letters) {
    return letters && (u32)(b - (letters == LOWER ? 'A' : 'a')) < 26 ? b ^ 0x20 : b;
}

DEVICE_CALL bool is_ascii(Text t) {
    const u8* const at = bytes_of(t);
    u32 all = 0;
    for (u32 i = 0; i < size_of(t); i++) all |= at[i];
    return all < 0x80;
}

// text_at is a text of a column that has offsets and bytes.
DEVICE Text text_at(const u32* offsets, const u8* bytes, u64 row) {
    const u32 from = offsets[row];
    return text_of(bytes + from, offsets[row + 1] - from);
}

// compare_text returns the order of two texts by their bytes: below 0, 0 or above.
DEVICE_CALL i32 compare_text(Text a, Text b) {
    if (a.word == b.word) return 0;
    const u8 *x = bytes_of(a), *y = bytes_of(b);
    const u32 n = size_of(a) < size_of(b) ? size_of(a) : size_of(b), as = case_of(a), bs = case_of(b);
    for (u32 i = 0; i < n; i++) {
        const i32 difference = (i32)letter(x[i], as) - (i32)letter(y[i], bs);
        if (difference) return difference;
    }
    return (i32)size_of(a) - (i32)size_of(b);
}

DEVICE bool less(const Text& a, const Text& b) { return compare_text(a, b) < 0; }

DEVICE bool same_text(Text a, Text b) {
    return a.word == b.word || size_of(a) == size_of(b) && compare_text(a, b) == 0;
}

// word_of_text returns bytes 8w to 8w + 7 with the first one highest, zeros after the
// end: words in whose order, one after the other, texts are ordered.
DEVICE u64 word_of_text(Text t, u64 w) {
    const u8* const at = bytes_of(t);
    u64 word = 0;
    for (u64 i = 8 * w; i < 8 * w + 8; i++) word = word << 8 | (i < size_of(t) ? letter(at[i], case_of(t)) : 0);
    return word;
}

// same_text with the first words of the texts, where one is compared with several: bytes are read only of texts that
// are longer than a word and begin with the same one.
DEVICE bool same_text(Text a, u64 a_word, Text b, u64 b_word) {
    return a_word == b_word && size_of(a) == size_of(b) && (size_of(a) <= 8 || compare_text(a, b) == 0);
}

// next_char returns where the character at at ends.
DEVICE const u8* next_char(const u8* at, const u8* end) {
    do at++;
    while (at < end && (*at & 0xc0) == 0x80);
    return at;
}

// chars_on returns what lies n characters behind at, at most end.
DEVICE const u8* chars_on(const u8* at, const u8* end, i64 n) {
    if (n >= end - at) return end;
    for (; n > 0 && at < end; n--) at = next_char(at, end);
    return at;
}

// length_of is the number of characters.
DEVICE_CALL i32 length_of(Text t) {
    const u8* const at = bytes_of(t);
    i32 n = 0;
    for (u32 i = 0; i < size_of(t); i++) n += (at[i] & 0xc0) != 0x80;
    return n;
}

// substring returns the characters at the places start to start + length - 1, of
// which those below 1 do not exist.
DEVICE_CALL Text substring(Text t, i64 start, i64 length) {
    const u8 *at = bytes_of(t), *const end = at + size_of(t);
    i64 stop = start + length;
    if (stop <= 1) return Text{0};
    if (start < 1) start = 1;
    at = chars_on(at, end, start - 1);
    return in_case(text_of(at, chars_on(at, end, stop - start) - at), case_of(t));
}
DEVICE Text substring(Text t, i64 start) { return substring(t, start, 1ll << 40); }

// left and right are the first and the last n characters, or all but the last and
// the first -n.
DEVICE Text left(Text t, i64 n) { return substring(t, 1, n < 0 ? n + length_of(t) : n); }
DEVICE Text right(Text t, i64 n) {
    i64 skipped = n < 0 ? -n : length_of(t) - n;
    return substring(t, skipped < 0 ? 1 : skipped + 1);
}
