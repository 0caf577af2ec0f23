#include "grids.h"

#include <algorithm>
#include <bit>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sanitizer/asan_interface.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef __x86_64__
#error "the emulator switches stacks by code for x86-64"
#endif

Dim threadIdx, blockIdx, blockDim, gridDim;
Thread *self;

namespace {

constexpr unsigned resident_blocks = 3;
// An odd number of pages, or the pages of all stacks would share few entries of the TLB.
constexpr size_t stack_bytes = 65 * 4096;

Block blocks[resident_blocks];
Block *current;                // whose shared memory is in place
std::vector<Grid *> startable; // grids with blocks that have not started
void *main_stack;
uint64_t random_state;

int64_t step_budget;   // basic blocks until the running thread is interrupted
int64_t step_interval; // on average
int64_t steps_left;    // until the kernel counts as one that spins
int64_t patience;      // of steps_left after each progress

// What lies around the dynamic shared memory of the block is poisoned.
constexpr size_t guard_bytes = 256;
alignas(guard_bytes) char guarded_shared[guard_bytes + max_shared + guard_bytes];
char *const dynamic_shared = guarded_shared + guard_bytes;

uint64_t random_word() { // xorshift64*
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return random_state * 0x2545F4914F6CDD1DULL;
}

// Copying and filling that the sanitizer does not look at: shared memory has
// poisoned gaps between its arrays.
void copy_raw(void *dst, const void *src, size_t n) {
    asm volatile("rep movsb" : "+D"(dst), "+S"(src), "+c"(n) : : "memory");
}
void fill_raw(void *dst, unsigned char byte, size_t n) {
    asm volatile("rep stosb" : "+D"(dst), "+c"(n) : "a"(byte) : "memory");
}

extern "C" void cubeloom_switch(void **save, void *load);
asm(R"(
.text
.globl cubeloom_switch
.type cubeloom_switch, @function
cubeloom_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
)");

void new_interval() {
    step_budget = 1 + random_below(2 * (unsigned)step_interval);
}

void switch_to(Thread *next) {
    Thread *old = self;
    self = next;
    threadIdx = {next->index, 0, 0};
    new_interval();
    if (next != old) cubeloom_switch(&old->stack_pointer, next->stack_pointer);
}

// Puts the shared memory of block b in place.
void enter(Block *b) {
    if (current == b) return;
    if (current != nullptr && current->active) {
        const Launch &l = current->grid->launch;
        copy_raw(current->saved_static, l.static_shared, l.static_size);
        copy_raw(current->saved_dynamic, dynamic_shared, l.dynamic_shared);
    }
    const Launch &l = b->grid->launch;
    copy_raw(l.static_shared, b->saved_static, l.static_size);
    copy_raw(dynamic_shared, b->saved_dynamic, l.dynamic_shared);
    __asan_poison_memory_region(guarded_shared, sizeof guarded_shared);
    __asan_unpoison_memory_region(dynamic_shared, l.dynamic_shared);
    current = b;
    blockIdx = {b->index, 0, 0};
    blockDim = {l.threads, 1, 1};
    gridDim = {l.grid, 1, 1};
}

// Lets block b be the next block of a grid.
void start_block(Block *b, Grid *g) {
    const Launch &launch = g->launch;
    b->grid = g;
    b->index = g->waiting.back();
    g->waiting.pop_back();
    g->running++;
    b->active = true;
    b->ended = b->arrived = b->ready_count = b->warp = 0;
    b->predicates[0] = b->predicates[2] = 0;
    b->predicates[1] = 1;
    b->thread_count = launch.threads;
    for (unsigned i = 0; i < max_threads / warp_lanes; i++) {
        unsigned lanes = std::clamp((int)(launch.threads - i * warp_lanes), 0, (int)warp_lanes);
        b->warps[i] = {0, 0, (unsigned)(~uint64_t{0} << lanes)};
    }
    unsigned char garbage = (unsigned char)(0x80 | random_below(128));
    fill_raw(b->saved_static, garbage, launch.static_size);
    fill_raw(b->saved_dynamic, garbage, launch.dynamic_shared);
    for (unsigned i = 0; i < launch.threads; i++) {
        b->threads[i].state = State::Ended;
        b->threads[i].last_error = 0;
        make_ready(&b->threads[i]);
    }
}

// Gives the blocks that have ended work of any grid that has some.
void fill_blocks() {
    for (Block &b : blocks) {
        if (b.active || startable.empty()) continue;
        unsigned i = random_below((unsigned)startable.size());
        Grid *g = startable[i];
        start_block(&b, g);
        if (g->waiting.empty()) startable.erase(startable.begin() + i);
    }
}

void describe(const Thread &t, char *out, size_t n) {
    const char *what = t.state == State::AtBarrier ? "a barrier of the block" : "the other lanes of its warp";
    snprintf(out, n, "thread %u of block %u waits for %s in %s, line %d", t.index, t.block->index, what, t.function,
             t.line);
}

[[noreturn]] void fail_deadlock() {
    unsigned stuck = 0;
    char first[400] = "";
    for (Block &b : blocks) {
        for (unsigned i = 0; b.active && i < b.thread_count; i++) {
            if (b.threads[i].state == State::Ended) continue;
            if (stuck++ == 0) describe(b.threads[i], first, sizeof first);
        }
    }
    fail("%u threads wait for each other for ever; %s", stuck, first);
}

// Chooses the block to go on with: mostly the one whose memory is in place.
Block *choose_block() {
    bool leave = current == nullptr || current->ready_count == 0 || random_below(256) == 0;
    if (!leave) return current;
    unsigned first = random_below(resident_blocks);
    for (unsigned i = 0; i < resident_blocks; i++) {
        Block *b = &blocks[(first + i) % resident_blocks];
        if (b->active && b->ready_count > 0) return b;
    }
    return nullptr;
}

// Chooses the warp to go on with: mostly the same, whose stacks the processor's caches hold.
Warp *choose_warp(Block *b) {
    unsigned warps = (b->thread_count + warp_lanes - 1) / warp_lanes;
    if (random_below(64) == 0) b->warp = random_below(warps);
    while (b->warps[b->warp].ready == 0) b->warp = random_below(warps);
    return &b->warps[b->warp];
}

// Takes a random thread that can go on.
Thread *choose_thread() {
    Block *b = choose_block();
    if (b == nullptr) return nullptr;
    enter(b);
    Warp *warp = choose_warp(b);
    unsigned from = random_below(warp_lanes);
    unsigned lane = (from + (unsigned)std::countr_zero(std::rotr(warp->ready, (int)from))) % warp_lanes;
    warp->ready &= ~(1u << lane);
    b->ready_count--;
    return &b->threads[b->warp * warp_lanes + lane];
}

bool finished() {
    return startable.empty() && std::none_of(blocks, blocks + resident_blocks, [](const Block &b) { return b.active; });
}

// The end of a thread's work on a block. Returns when the fiber has work again.
void end_thread() {
    Block *b = self->block;
    self->state = State::Ended;
    b->warps[self->index / warp_lanes].gone |= 1u << self->index % warp_lanes;
    note_progress();
    unsigned threads = b->thread_count;
    if (++b->ended == threads) {
        b->active = false;
        if (current == b) current = nullptr;
        end_block(b->grid);
        fill_blocks();
    } else if (b->arrived > 0 && b->arrived + b->ended == threads) {
        fail("%u threads of block %u wait at a barrier that %u threads never reach: they have ended", b->arrived,
             b->index, b->ended);
    }
    if (finished()) {
        Thread *old = self;
        self = nullptr;
        cubeloom_switch(&old->stack_pointer, main_stack);
        return;
    }
    schedule();
}

void fiber_main() {
    for (;;) {
        const Launch &l = self->block->grid->launch;
        l.run(l.params);
        end_thread();
    }
}

// Gives a thread a stack with a guard page below it. Stacks begin at different places of
// their pages, so that they do not share few lines of the processor's caches.
void new_fiber(Thread *t) {
    char *stack = (char *)mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED || mprotect(stack, 4096, PROT_NONE) != 0) fail("no memory for the stacks of threads");
    void **top = (void **)(stack + stack_bytes - t->index % 64 * 192) - 8;
    top[6] = (void *)fiber_main; // where the switch returns to, with an aligned stack
    t->stack = stack;
    t->stack_pointer = top;
}

// Makes the resident blocks, once, and stacks for so many threads of each.
void make_blocks(unsigned threads) {
    for (Block &b : blocks) {
        if (b.threads != nullptr) continue;
        b.threads = (Thread *)calloc(max_threads, sizeof(Thread));
        b.warps = (Warp *)calloc(max_threads / warp_lanes, sizeof(Warp));
        b.saved_static = (char *)malloc(max_shared * 4);
        b.saved_dynamic = (char *)malloc(max_shared);
        for (unsigned i = 0; i < max_threads; i++) {
            b.threads[i].block = &b;
            b.threads[i].index = i;
        }
    }
    for (Block &b : blocks)
        for (unsigned i = 0; i < threads; i++)
            if (b.threads[i].stack_pointer == nullptr) new_fiber(&b.threads[i]);
}

} // namespace

unsigned random_below(unsigned n) { return (unsigned)((random_word() >> 32) * n >> 32); }

const char *private_memory(const char *p) {
    const Launch &l = self->block->grid->launch;
    if (p >= guarded_shared && p < guarded_shared + sizeof guarded_shared) return "shared memory";
    if (p >= l.static_shared && p < l.static_shared + l.static_size) return "shared memory";
    const char *stack = (const char *)self->stack;
    return p >= stack && p < stack + stack_bytes ? "local memory" : nullptr;
}

void start_grid(Grid *g) {
    make_blocks(g->launch.threads);
    startable.push_back(g);
    fill_blocks();
}

void schedule() {
    Thread *next = choose_thread();
    if (next == nullptr) fail_deadlock();
    switch_to(next);
}

// The compiler puts a call of this before every basic block of a kernel.
extern "C" void __sanitizer_cov_trace_pc() {
    if (--step_budget > 0 || self == nullptr) return;
    steps_left -= step_interval;
    if (steps_left < 0) fail("thread %u of block %u spins for ever", self->index, self->block->index);
    make_ready(self);
    schedule();
}

void note_progress() { steps_left = patience; }

extern "C" void *cubeloom_dynamic_shared() { return dynamic_shared; }

extern "C" void cubeloom_trap(int line, const char *function) {
    fail("trap in %s, line %d, by thread %u of block %u", function, line, self->index, self->block->index);
}

void run_launch(const Launch &l, const Limits &limits, uint64_t seed) {
    random_state = seed * 0x9E3779B97F4A7C15ULL + 1;
    if (random_state == 0) random_state = 1;
    for (int i = 0; i < 4; i++) random_word();
    // Some launches are interrupted often, most now and then.
    step_interval = random_below(4) == 0 ? 16 : 1024;
    patience = limits.patience;
    note_progress();
    step_budget = INT64_MAX / 2;
    if (l.static_size > max_shared * 4) fail("more static shared memory than a block can have");
    current = nullptr;
    for (Block &b : blocks) {
        b.active = false;
        b.ready_count = 0;
    }
    open_pool(limits.pool);
    start_grid(new_grid(l, nullptr));
    self = choose_thread();
    threadIdx = {self->index, 0, 0};
    new_interval();
    cubeloom_switch(&main_stack, self->stack_pointer);
}
