// What generated CUDA source may use of CUDA, for a C++ compiler. Included
// before the source; everything that involves other threads is a call into the
// machine (scheduler.h). No headers are included, so that it compiles quickly.
#pragma once
#define CUBELOOM_EMULATED 1

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
// A static array in the section of its source, CUBELOOM_SHARED, which the machine fills
// with garbage when a block starts and exchanges when it turns to another block. The
// declaration of dynamic shared memory is rewritten before compiling.
#define __shared__ static __attribute__((section(CUBELOOM_SHARED)))

typedef decltype(sizeof(0)) size_t;

struct cubeloom_dim {
    unsigned x, y, z;
};
extern "C" {
extern cubeloom_dim threadIdx, blockIdx, blockDim, gridDim;
unsigned long long cubeloom_barrier(int kind, int predicate, int line, const char *function);
unsigned long long cubeloom_warp(int kind, unsigned mask, unsigned long long value, int argument, int width, int line,
                                 const char *function);
void *cubeloom_dynamic_shared();
void cubeloom_trap(int line, const char *function);
}
static const int warpSize = 32;

// Where a call stands, as default arguments of what is named in errors.
#define CUBELOOM_HERE int line = __builtin_LINE(), const char *function = __builtin_FUNCTION()

// Barriers of a block.
inline void __syncthreads(CUBELOOM_HERE) { cubeloom_barrier(0, 0, line, function); }
inline int __syncthreads_count(int p, CUBELOOM_HERE) { return (int)cubeloom_barrier(1, p, line, function); }
inline int __syncthreads_and(int p, CUBELOOM_HERE) { return (int)cubeloom_barrier(2, p, line, function); }
inline int __syncthreads_or(int p, CUBELOOM_HERE) { return (int)cubeloom_barrier(3, p, line, function); }
inline void __trap(CUBELOOM_HERE) { cubeloom_trap(line, function); }

// Warps. Values travel as 64-bit words.
template <class T>
inline unsigned long long cubeloom_bits(T v) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "shuffles take 32 and 64 bits");
    unsigned long long bits = 0;
    __builtin_memcpy(&bits, &v, sizeof v);
    return bits;
}
template <class T>
inline T cubeloom_value(unsigned long long bits) {
    T v;
    __builtin_memcpy(&v, &bits, sizeof v);
    return v;
}
inline void __syncwarp(unsigned mask = 0xffffffffu, CUBELOOM_HERE) { cubeloom_warp(0, mask, 0, 0, 32, line, function); }
template <class T>
inline T __shfl_sync(unsigned mask, T v, int lane, int width = 32, CUBELOOM_HERE) {
    return cubeloom_value<T>(cubeloom_warp(1, mask, cubeloom_bits(v), lane, width, line, function));
}
template <class T>
inline T __shfl_up_sync(unsigned mask, T v, unsigned delta, int width = 32, CUBELOOM_HERE) {
    return cubeloom_value<T>(cubeloom_warp(2, mask, cubeloom_bits(v), (int)delta, width, line, function));
}
template <class T>
inline T __shfl_down_sync(unsigned mask, T v, unsigned delta, int width = 32, CUBELOOM_HERE) {
    return cubeloom_value<T>(cubeloom_warp(3, mask, cubeloom_bits(v), (int)delta, width, line, function));
}
template <class T>
inline T __shfl_xor_sync(unsigned mask, T v, int lanes, int width = 32, CUBELOOM_HERE) {
    return cubeloom_value<T>(cubeloom_warp(4, mask, cubeloom_bits(v), lanes, width, line, function));
}
inline unsigned __ballot_sync(unsigned mask, int p, CUBELOOM_HERE) {
    return (unsigned)cubeloom_warp(5, mask, p != 0, 0, 32, line, function);
}
inline int __any_sync(unsigned mask, int p, CUBELOOM_HERE) {
    return (int)cubeloom_warp(6, mask, p != 0, 0, 32, line, function);
}
inline int __all_sync(unsigned mask, int p, CUBELOOM_HERE) {
    return (int)cubeloom_warp(7, mask, p != 0, 0, 32, line, function);
}
template <class T>
inline unsigned __match_any_sync(unsigned mask, T v, CUBELOOM_HERE) {
    return (unsigned)cubeloom_warp(8, mask, cubeloom_bits(v), 0, 32, line, function);
}
// Threads of a warp need not run together; here each runs alone.
inline unsigned __activemask() { return 1u << (threadIdx.x & 31); }

// Bits.
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned)x); }
inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)(((unsigned __int128)a * b) >> 64);
}
inline long long __mul64hi(long long a, long long b) { return (long long)(((__int128)a * b) >> 64); }
inline float __int_as_float(int v) { return cubeloom_value<float>((unsigned)v); }
inline float __uint_as_float(unsigned v) { return cubeloom_value<float>(v); }
inline int __float_as_int(float v) { return (int)cubeloom_bits(v); }
inline unsigned __float_as_uint(float v) { return (unsigned)cubeloom_bits(v); }
inline double __longlong_as_double(long long v) { return cubeloom_value<double>((unsigned long long)v); }
inline long long __double_as_longlong(double v) { return (long long)cubeloom_bits(v); }

// Memory.
inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_block() { __threadfence(); }
inline void __nanosleep(unsigned) {}
template <class T>
inline T __ldg(const T *p) { return *p; }
template <class T>
inline T __ldcg(const T *p) { return *p; }

// Atomics on 32 and 64 bits, and addition of doubles.
#define CUBELOOM_EXTREME(T, name, better)                                                                         \
    inline T name(T *p, T v) {                                                                                    \
        T old = __atomic_load_n(p, __ATOMIC_RELAXED);                                                             \
        while (v better old && !__atomic_compare_exchange_n(p, &old, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) \
            ;                                                                                                     \
        return old;                                                                                               \
    }
#define CUBELOOM_ATOMICS(T)                                                                              \
    inline T atomicAdd(T *p, T v) { return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST); }                 \
    inline T atomicExch(T *p, T v) { return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST); }               \
    inline T atomicCAS(T *p, T compare, T v) {                                                           \
        __atomic_compare_exchange_n(p, &compare, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);          \
        return compare;                                                                                  \
    }
#define CUBELOOM_BITWISE(T)                                                               \
    inline T atomicAnd(T *p, T v) { return __atomic_fetch_and(p, v, __ATOMIC_SEQ_CST); }  \
    inline T atomicOr(T *p, T v) { return __atomic_fetch_or(p, v, __ATOMIC_SEQ_CST); }    \
    inline T atomicXor(T *p, T v) { return __atomic_fetch_xor(p, v, __ATOMIC_SEQ_CST); }
CUBELOOM_ATOMICS(int)
CUBELOOM_ATOMICS(unsigned)
CUBELOOM_ATOMICS(unsigned long long)
CUBELOOM_BITWISE(int)
CUBELOOM_BITWISE(unsigned)
CUBELOOM_BITWISE(unsigned long long)
CUBELOOM_EXTREME(int, atomicMin, <)
CUBELOOM_EXTREME(int, atomicMax, >)
CUBELOOM_EXTREME(unsigned, atomicMin, <)
CUBELOOM_EXTREME(unsigned, atomicMax, >)
CUBELOOM_EXTREME(long long, atomicMin, <)
CUBELOOM_EXTREME(long long, atomicMax, >)
CUBELOOM_EXTREME(unsigned long long, atomicMin, <)
CUBELOOM_EXTREME(unsigned long long, atomicMax, >)
inline double atomicAdd(double *p, double v) {
    unsigned long long *word = (unsigned long long *)p, old = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(word, &old, cubeloom_bits(cubeloom_value<double>(old) + v), false,
                                        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        ;
    return cubeloom_value<double>(old);
}

// Numbers.
extern "C" {
double sqrt(double) noexcept;
double exp(double) noexcept;
double log(double) noexcept;
double log10(double) noexcept;
double pow(double, double) noexcept;
double floor(double) noexcept;
double ceil(double) noexcept;
double trunc(double) noexcept;
double rint(double) noexcept;
double fabs(double) noexcept;
double fmod(double, double) noexcept;
double round(double) noexcept;
double fma(double, double, double) noexcept;
double frexp(double, int *) noexcept;
double ldexp(double, int) noexcept;
double copysign(double, double) noexcept;
}
inline bool isnan(double v) { return __builtin_isnan(v); }
inline bool isinf(double v) { return __builtin_isinf(v); }
inline bool isfinite(double v) { return __builtin_isfinite(v); }
inline bool signbit(double v) { return __builtin_signbit(v); }
#define CUBELOOM_MINMAX(T)                             \
    inline T min(T a, T b) { return b < a ? b : a; }   \
    inline T max(T a, T b) { return a < b ? b : a; }
CUBELOOM_MINMAX(int)
CUBELOOM_MINMAX(unsigned)
CUBELOOM_MINMAX(long)
CUBELOOM_MINMAX(unsigned long)
CUBELOOM_MINMAX(long long)
CUBELOOM_MINMAX(unsigned long long)

// Vectors, with the alignment that loads of them need.
#define CUBELOOM_VECTOR2(T, name)                       \
    struct __align__(2 * sizeof(T)) name { T x, y; };   \
    inline name make_##name(T x, T y) { return {x, y}; }
#define CUBELOOM_VECTOR4(T, name, alignment)                   \
    struct __align__(alignment) name { T x, y, z, w; };        \
    inline name make_##name(T x, T y, T z, T w) { return {x, y, z, w}; }
CUBELOOM_VECTOR2(unsigned char, uchar2)
CUBELOOM_VECTOR2(unsigned short, ushort2)
CUBELOOM_VECTOR2(int, int2)
CUBELOOM_VECTOR2(unsigned, uint2)
CUBELOOM_VECTOR2(long long, longlong2)
CUBELOOM_VECTOR2(unsigned long long, ulonglong2)
CUBELOOM_VECTOR2(double, double2)
CUBELOOM_VECTOR4(unsigned char, uchar4, 4)
CUBELOOM_VECTOR4(unsigned short, ushort4, 8)
CUBELOOM_VECTOR4(int, int4, 16)
CUBELOOM_VECTOR4(unsigned, uint4, 16)

// The parameters of a kernel as one block of bytes.
template <class... P>
struct cubeloom_params;
template <class P>
struct cubeloom_params<P> {
    P first;
    template <class Kernel, class... Before>
    void call(Kernel kernel, const Before &...before) const { kernel(before..., first); }
};
template <class P, class... More>
struct cubeloom_params<P, More...> {
    P first;
    cubeloom_params<More...> more;
    template <class Kernel, class... Before>
    void call(Kernel kernel, const Before &...before) const { more.call(kernel, before..., first); }
};

// Launches by the device. What stands between <<< and >>> is rewritten before compiling
// into arguments of CUBELOOM_LAUNCH, which gives what takes the kernel's.
typedef int cudaError_t;
typedef struct CUstream_st *cudaStream_t;
enum : int { cudaSuccess = 0, cudaErrorInvalidConfiguration = 9, cudaErrorLaunchPendingCountExceeded = 69 };
#define cudaStreamTailLaunch ((cudaStream_t)3)
#define cudaStreamFireAndForget ((cudaStream_t)4)
extern "C" {
void cubeloom_launch_kernel(void (*run)(const void *), const void *params, size_t size, const char *name, unsigned grid,
                            unsigned threads, size_t shared, unsigned long long stream, int line, const char *function);
int cubeloom_last_error();
}
inline cudaError_t cudaGetLastError() { return cubeloom_last_error(); }
template <auto kernel>
struct cubeloom_call;
template <class... P, void (*kernel)(P...)>
struct cubeloom_call<kernel> {
    static const unsigned size = sizeof(cubeloom_params<P...>);
    static void run(const void *params) { ((const cubeloom_params<P...> *)params)->call(kernel); }

    const char *name;
    unsigned grid, threads;
    size_t shared;
    cudaStream_t stream;
    cubeloom_call(const char *name, unsigned grid, unsigned threads, size_t shared = 0, cudaStream_t stream = nullptr)
        : name(name), grid(grid), threads(threads), shared(shared), stream(stream) {}
    void operator()(P... values, CUBELOOM_HERE) const {
        const cubeloom_params<P...> params = {values...};
        cubeloom_launch_kernel(&run, &params, size, name, grid, threads, shared, (unsigned long long)stream, line, function);
    }
};
#define CUBELOOM_LAUNCH(name, ...) cubeloom_call<&name>(#name, __VA_ARGS__)

// How the machine finds and calls a kernel of the source with a key.
struct cubeloom_entry {
    void (*run)(const void *params);
    unsigned size; // bytes of the parameters
};
#define CUBELOOM_ENTRY(key, name)                                                               \
    extern "C" {                                                                                \
    __attribute__((visibility("default"))) cubeloom_entry cubeloom_entry_##key##_##name = {     \
        &cubeloom_call<&name>::run, cubeloom_call<&name>::size};                                \
    }

// Where the static shared memory of a source lies; there is none where the
// linker has not made the section.
#define CUBELOOM_SHARED_BOUNDS(key)                                                                               \
    extern "C" {                                                                                                  \
    extern char __start_cubeloom_shared_##key[] __attribute__((weak, visibility("hidden")));                      \
    extern char __stop_cubeloom_shared_##key[] __attribute__((weak, visibility("hidden")));                       \
    __attribute__((visibility("default"))) char *cubeloom_shared_begin_##key = __start_cubeloom_shared_##key;     \
    __attribute__((visibility("default"))) char *cubeloom_shared_end_##key = __stop_cubeloom_shared_##key;        \
    }
