// Comparisons of columns of bytes with constants, four rows at a time. The flag of
// a byte is its highest bit.
constexpr u32 FLAGS = 0x80808080u;

// Bound is the smallest byte that reaches it, four times; flags is 0 where none does.
struct Bound {
    u32 bytes, flags;
};
DEVICE Bound bound(u64 v) { return {(u32)(v & 0xff) * 0x01010101u, v > 0xff ? 0u : FLAGS}; }

// at_least is for values of v and more, above for those of more than v; a byte's value
// is that much more than base.
DEVICE Bound at_least(i64 v, i64 base) { return bound(v <= base ? 0 : min((u64)v - (u64)base, 256ull)); }
DEVICE Bound above(i64 v, i64 base) { return bound(v < base ? 0 : min((u64)v - (u64)base, 255ull) + 1); }

// reach flags the bytes that reach a bound.
DEVICE u32 reach(u32 bytes, const Bound& b) {
    const u32 low = (bytes | FLAGS) - (b.bytes & ~FLAGS);  // the flag: the other seven bits reach it
    return ((bytes & ~b.bytes) | (~(bytes ^ b.bytes) & low)) & b.flags;
}

// quad makes of four flags the bits of four rows.
DEVICE u32 quad(u32 flags) { return (flags >> 7 & 0x01010101u) * 0x01020408u >> 24; }
