// What threads do together: barriers of a block and operations of a warp.
#include "scheduler.h"

#include <bit>

namespace {

// Says at once where a thread waits, before another fiber runs.
void wait_at(State state, int kind, int line, const char *function) {
    self->state = state;
    self->kind = kind;
    self->line = line;
    self->function = function;
}

// The barrier's answer for the whole block, by kind.
uint64_t barrier_result(const Block *b, int kind) { return kind == 0 ? 0 : (uint64_t)b->predicates[kind - 1]; }

// Checks that the first thread that came waits at the same barrier.
void check_barrier(const Block *b) {
    const Thread *t = b->first;
    if (t->line != self->line || t->kind != self->kind)
        fail("threads of block %u wait at different barriers: thread %u in %s, line %d, thread %u in %s, line %d",
             b->index, t->index, t->function, t->line, self->index, self->function, self->line);
}

enum WarpKind { Sync, Shuffle, ShuffleUp, ShuffleDown, ShuffleXor, Ballot, Any, All, MatchAny };

// The lane that a shuffle reads, or the lane itself where that is outside.
unsigned source_lane(const Thread *t) {
    int lane = (int)(t->index % warp_lanes), base = lane & -t->width, source = lane;
    switch (t->kind) {
    case Shuffle: return (unsigned)(base + (t->argument & (t->width - 1)));
    case ShuffleUp: source = lane - t->argument; return (unsigned)(source < base ? lane : source);
    case ShuffleDown: source = lane + t->argument; return (unsigned)(source >= base + t->width ? lane : source);
    default: source = lane ^ t->argument; return (unsigned)(source >= base + t->width ? lane : source);
    }
}

// Calls f with the number of each lane of a mask.
template <class F>
void each_lane(unsigned mask, F f) {
    for (; mask != 0; mask &= mask - 1) f((unsigned)std::countr_zero(mask));
}

// The lanes of t's mask whose value is that of t.
unsigned equal_lanes(const Thread *lanes, const Thread *t) {
    unsigned equal = 0;
    each_lane(t->mask, [&](unsigned lane) { equal |= (lanes[lane].value == t->value ? 1u : 0u) << lane; });
    return equal;
}

// Computes what a warp operation gives lane t; votes are the lanes whose value is not 0.
uint64_t warp_result(const Thread *lanes, const Thread *t, unsigned votes) {
    switch (t->kind) {
    case Sync: return 0;
    case Ballot: return votes;
    case Any: return votes != 0;
    case All: return votes == t->mask;
    case MatchAny: return equal_lanes(lanes, t);
    }
    unsigned source = source_lane(t);
    // What a lane that does not take part would give is undefined.
    return (t->mask >> source & 1) != 0 ? lanes[source].value : 0xDEADBEEFDEADBEEFULL;
}

// Fails where a lane that self waits for waits for self at another operation.
void check_lane(const Thread *t) {
    if (t->line == self->line && t->kind == self->kind && t->mask == self->mask) return;
    if ((t->mask >> self->index % warp_lanes & 1) == 0) return; // it comes later
    fail("lanes of a warp of block %u wait for each other at different operations: thread %u in %s, line %d, "
         "mask %08x, thread %u in %s, line %d, mask %08x",
         self->block->index, t->index, t->function, t->line, t->mask, self->index, self->function, self->line,
         self->mask);
}

// Reports whether all lanes that self names have come, or fails where they cannot come
// any more. Until the last one has come, only the first is looked at: if it goes on for
// ever without, the threads wait for each other.
bool warp_complete(const Thread *lanes, const Warp &warp) {
    if (unsigned gone = self->mask & warp.gone)
        fail("%s, line %d: thread %u of block %u waits for lane %d of its warp, which has ended", self->function,
             self->line, self->index, self->block->index, std::countr_zero(gone));
    unsigned come = self->mask & warp.waiting;
    if (come != self->mask) {
        check_lane(&lanes[std::countr_zero(come)]);
        return false;
    }
    bool complete = true;
    each_lane(come, [&](unsigned lane) {
        check_lane(&lanes[lane]);
        complete &= lanes[lane].mask == self->mask && lanes[lane].line == self->line && lanes[lane].kind == self->kind;
    });
    return complete;
}

} // namespace

extern "C" uint64_t cubeloom_barrier(int kind, int predicate, int line, const char *function) {
    Block *b = self->block;
    if (b->arrived == 0) {
        b->first = self;
        b->predicates[0] = b->predicates[2] = 0;
        b->predicates[1] = 1;
    }
    wait_at(State::AtBarrier, kind, line, function);
    check_barrier(b);
    b->predicates[0] += predicate != 0;
    b->predicates[1] &= predicate != 0;
    b->predicates[2] |= predicate != 0;
    if (++b->arrived + b->ended == b->thread_count) {
        if (b->ended > 0)
            fail("%u threads of block %u wait at the barrier in %s, line %d, that %u threads never reach: they have ended",
                 b->arrived, b->index, function, line, b->ended);
        uint64_t result = barrier_result(b, kind);
        b->arrived = 0;
        for (unsigned i = 0; i < b->thread_count; i++) {
            b->threads[i].result = result;
            make_ready(&b->threads[i]);
        }
        note_progress();
    }
    schedule();
    return self->result;
}

extern "C" uint64_t cubeloom_warp(int kind, unsigned mask, uint64_t value, int argument, int width, int line,
                                  const char *function) {
    unsigned lane = self->index % warp_lanes;
    if ((mask >> lane & 1) == 0)
        fail("%s, line %d: thread %u of block %u is not in the mask %08x that it gives", function, line, self->index,
             self->block->index, mask);
    if (width < 1 || width > 32 || !std::has_single_bit((unsigned)width))
        fail("%s, line %d: %d is not the width of a part of a warp", function, line, width);
    wait_at(State::AtWarp, kind, line, function);
    self->mask = mask;
    self->value = value;
    self->argument = argument;
    self->width = width;
    Thread *lanes = self->block->threads + self->index / warp_lanes * warp_lanes;
    Warp &warp = self->block->warps[self->index / warp_lanes];
    warp.waiting |= 1u << lane;
    if (!warp_complete(lanes, warp)) {
        schedule();
        return self->result;
    }
    unsigned votes = 0;
    each_lane(mask, [&](unsigned i) { votes |= (lanes[i].value != 0 ? 1u : 0u) << i; });
    each_lane(mask, [&](unsigned i) { lanes[i].result = warp_result(lanes, &lanes[i], votes); });
    each_lane(mask, [&](unsigned i) { make_ready(&lanes[i]); });
    warp.waiting &= ~mask;
    note_progress();
    schedule();
    return self->result;
}
