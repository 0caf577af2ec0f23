// The machine that emulated kernels run on: blocks of threads, each thread a
// fiber with a stack of its own, all on one thread of the operating system.
// Which fiber goes on is chosen at random wherever one waits, and now and then
// between any two basic blocks of the kernel's code.
#pragma once
#include <cstddef>
#include <cstdint>

struct Dim {
    unsigned x, y, z;
};
extern "C" Dim threadIdx, blockIdx, blockDim, gridDim;

enum class State { Ready, AtBarrier, AtWarp, Ended };

struct Block;

struct Thread {
    void *stack;
    void *stack_pointer; // while another fiber runs
    Block *block;
    unsigned index; // threadIdx.x
    State state;
    // What it waits for, and where in the source.
    int kind;
    int line;
    const char *function;
    // Of a warp operation.
    unsigned mask;
    int argument, width;
    uint64_t value, result;
    int last_error; // of its launches, until it asks
};

struct Launch {
    void (*run)(const void *params);
    const void *params;
    unsigned grid, threads;
    size_t dynamic_shared;
    char *static_shared; // the section of the module, or null
    size_t static_size;
};

struct Grid;

constexpr unsigned warp_lanes = 32;

// The lanes of a warp, as bits.
struct Warp {
    unsigned ready;   // that can go on
    unsigned waiting; // at an operation
    unsigned gone;    // that have ended, or never were
};

// One of the blocks that run at the same time.
struct Block {
    Grid *grid;
    unsigned index; // blockIdx.x
    Thread *threads;
    unsigned ready_count; // threads that can go on
    unsigned warp;        // whose lanes go on for a while
    unsigned thread_count;
    unsigned ended;
    bool active;
    // The barrier.
    unsigned arrived;
    const Thread *first; // of those that have arrived
    int predicates[3]; // count, and, or
    Warp *warps;
    // Shared memory while another block runs.
    char *saved_static, *saved_dynamic;
};

extern Thread *self;

struct Limits {
    unsigned pool;    // launches by kernels that are pending at a time
    int64_t patience; // basic blocks that may pass without progress
};

// Runs one launch to its end, with the launches that it makes.
void run_launch(const Launch &l, const Limits &limits, uint64_t seed);
// Says what memory of a block or of a thread a pointer leads into, or gives null.
const char *private_memory(const char *p);
// A number below n, by the seed.
unsigned random_below(unsigned n);
// How many launches the kernels of the last one have made, and how many of theirs were
// refused since the pool was full.
struct Launched {
    uint64_t done, refused;
};
Launched launched_by_kernels();
// Lets another fiber go on; returns when this one may.
void schedule();
// Makes a waiting thread able to go on.
inline void make_ready(Thread *t) {
    t->state = State::Ready;
    t->block->warps[t->index / warp_lanes].ready |= 1u << t->index % warp_lanes;
    t->block->ready_count++;
}
// Says that the kernel goes forward, so that it does not count as one that spins: a thread
// has ended, or threads that waited for each other have met.
void note_progress();
// Ends the process with a message.
[[noreturn]] void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

constexpr size_t max_shared = 232448; // bytes that one block can have
constexpr unsigned max_threads = 1024;
