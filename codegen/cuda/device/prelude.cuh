// What every kernel stands on: types, rows in registers, errors.
//
// A thread holds R rows of a tile. A value of the kernel is an array over them;
// what is true or false of a row (a boolean, being NULL, being active) is bit r
// of a 32-bit mask.
typedef signed char i8;
typedef unsigned char u8;
typedef unsigned short u16;
typedef int i32;
typedef unsigned int u32;
typedef long long i64;
typedef unsigned long long u64;
typedef __int128 i128;
typedef unsigned __int128 u128;
typedef double f64;

#define DEVICE __device__ __forceinline__
#define DEVICE_CALL __device__ __noinline__  // of what is long and seldom called
#define ROWS _Pragma("unroll") for (int r = 0; r < R; r++)
#define QUADS _Pragma("unroll") for (int q = 0; q < R / 4; q++)

// ALL is the mask of all rows of a thread.
constexpr u32 ALL = R == 32 ? ~0u : (1u << (R & 31)) - 1u;

// TILE is how many rows a block takes at a time.
constexpr i64 TILE = (i64)T * R;

DEVICE bool bit(u32 mask, int r) { return mask >> r & 1; }

// set sets bit r where b holds. The empty assembly keeps the compiler from seeing
// that the bits of a mask are the outcomes of comparisons: ptxas 12.4 to 13.0 packs
// four of them at a time (P2R), and then takes those of another mask where several
// masks are made of comparisons with one value.
DEVICE void set(u32& mask, int r, bool b) {
    mask |= b ? 1u << r : 0u;
    asm("" : "+r"(mask));
}

// nonzero is the mask of the rows of which a number is not 0.
DEVICE u32 nonzero(const u32* v) {
    u32 mask = 0;
    ROWS set(mask, r, v[r] != 0);
    return mask;
}
DEVICE u32 everywhere(u64 b) { return b ? ALL : 0u; }

// A thread's rows come in quads, four rows of the source one after the other: a
// quad of a narrow column is one load. The quads of a block's threads lie side by
// side, so that a warp reads without gaps. row_of is row r of a thread whose
// first row is first. With SIDE_BY_SIDE the quads of a thread follow each other.
#ifdef SIDE_BY_SIDE
constexpr i64 QUAD_STRIDE = 4;
#else
constexpr i64 QUAD_STRIDE = (i64)T * 4;
#endif
DEVICE i64 row_of(i64 first, int r) { return first + (r / 4) * QUAD_STRIDE + r % 4; }

// rows_from is the mask of a thread's rows that lie before the end of the source.
DEVICE u32 rows_from(i64 first, i64 rows) {
    if (row_of(first, R - 1) < rows) return ALL;
    u32 mask = 0;
    ROWS set(mask, r, row_of(first, r) < rows);
    return mask;
}

// raise records the error of a row unless there is one already: its code, the
// number of the place in the kernel, and a detail.
DEVICE void raise(u64* error, u64 code, u64 site, u64 detail = 0) {
    if (atomicCAS(error, 0ull, code) == 0) {
        error[1] = site;
        error[2] = detail;
    }
}
