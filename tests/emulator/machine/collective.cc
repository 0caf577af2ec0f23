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

// Checks that the other threads wait at the same barrier.
void check_barrier(const Block *b) {
    for (unsigned i = 0; i < launch_of(self).threads; i++) {
        const Thread *t = &b->threads[i];
        if (t->state == State::AtBarrier && (t->line != self->line || t->kind != self->kind)) {
            fail("threads of block %u wait at different barriers: thread %u in %s, line %d, thread %u in %s, line %d",
                 b->index, t->index, t->function, t->line, self->index, self->function, self->line);
        }
    }
}

enum WarpKind { Sync, Shuffle, ShuffleUp, ShuffleDown, ShuffleXor, Ballot, Any, All, MatchAny };

// The lane that a shuffle reads, or the lane itself where that is outside.
unsigned source_lane(const Thread *t) {
    int lane = (int)(t->index & 31), base = lane & -t->width, source = lane;
    switch (t->kind) {
    case Shuffle: return (unsigned)(base + (t->argument & (t->width - 1)));
    case ShuffleUp: source = lane - t->argument; return (unsigned)(source < base ? lane : source);
    case ShuffleDown: source = lane + t->argument; return (unsigned)(source >= base + t->width ? lane : source);
    default: source = lane ^ t->argument; return (unsigned)(source >= base + t->width ? lane : source);
    }
}

// Computes what a warp operation gives lane t; warp are the 32 lanes.
uint64_t warp_result(const Thread *warp, const Thread *t) {
    unsigned votes = 0, equal = 0;
    for (unsigned lane = 0; lane < 32; lane++) {
        if ((t->mask >> lane & 1) == 0) continue;
        if (warp[lane].value != 0) votes |= 1u << lane;
        if (warp[lane].value == t->value) equal |= 1u << lane;
    }
    switch (t->kind) {
    case Sync: return 0;
    case Ballot: return votes;
    case Any: return votes != 0;
    case All: return votes == t->mask;
    case MatchAny: return equal;
    }
    unsigned source = source_lane(t);
    // What a lane that does not take part would give is undefined.
    return (t->mask >> source & 1) != 0 ? warp[source].value : 0xDEADBEEFDEADBEEFULL;
}

// Tells whether all lanes that self names have come, or fails where they
// cannot come any more.
bool warp_complete(const Thread *warp, unsigned lanes) {
    bool complete = true;
    for (unsigned lane = 0; lane < 32; lane++) {
        if ((self->mask >> lane & 1) == 0) continue;
        const Thread *t = &warp[lane];
        if (lane >= lanes || t->state == State::Ended)
            fail("%s, line %d: thread %u of block %u waits for lane %u of its warp, which has ended", self->function,
                 self->line, self->index, self->block->index, lane);
        if (t->state != State::AtWarp) {
            complete = false;
        } else if (t->line != self->line || t->kind != self->kind || t->mask != self->mask) {
            complete = false; // it comes later, unless it waits for this lane
            if ((t->mask >> (self->index & 31) & 1) == 0) continue;
            fail("lanes of a warp of block %u wait for each other at different operations: thread %u in %s, line %d, "
                 "mask %08x, thread %u in %s, line %d, mask %08x",
                 self->block->index, t->index, t->function, t->line, t->mask, self->index, self->function, self->line,
                 self->mask);
        }
    }
    return complete;
}

} // namespace

extern "C" uint64_t cubeloom_barrier(int kind, int predicate, int line, const char *function) {
    Block *b = self->block;
    if (b->arrived == 0) {
        b->predicates[0] = b->predicates[2] = 0;
        b->predicates[1] = 1;
    }
    wait_at(State::AtBarrier, kind, line, function);
    check_barrier(b);
    b->predicates[0] += predicate != 0;
    b->predicates[1] &= predicate != 0;
    b->predicates[2] |= predicate != 0;
    if (++b->arrived + b->ended == launch_of(self).threads) {
        if (b->ended > 0)
            fail("%u threads of block %u wait at the barrier in %s, line %d, that %u threads never reach: they have ended",
                 b->arrived, b->index, function, line, b->ended);
        uint64_t result = barrier_result(b, kind);
        b->arrived = 0;
        for (unsigned i = 0; i < launch_of(self).threads; i++) {
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
    unsigned lane = self->index & 31;
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
    Thread *warp = self->block->threads + (self->index & ~31u);
    unsigned lanes = launch_of(self).threads - (self->index & ~31u);
    if (!warp_complete(warp, lanes)) {
        schedule();
        return self->result;
    }
    for (unsigned i = 0; i < 32; i++)
        if ((mask >> i & 1) != 0) warp[i].result = warp_result(warp, &warp[i]);
    for (unsigned i = 0; i < 32; i++)
        if ((mask >> i & 1) != 0) make_ready(&warp[i]);
    schedule();
    return self->result;
}
