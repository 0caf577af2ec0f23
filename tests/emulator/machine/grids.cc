#include "grids.h"

#include <cstdlib>
#include <cstring>
#include <numeric>
#include <utility>

namespace {

// What CUDA calls the errors of launches.
enum Error { Success = 0, InvalidConfiguration = 9, PendingCountExceeded = 69 };

// What CUDA calls the streams that only a device has.
enum Stream : uint64_t { TailLaunch = 3, FireAndForget = 4 };

unsigned pool_size, pending;
Launched launched;

// Starts the tail of a grid that has ended, or tells its parent that it is complete.
void advance(Grid *g) {
    while (g != nullptr && g->waiting.empty() && g->running == 0 && g->unfinished == 0) {
        if (!g->tails.empty()) {
            Grid *tail = g->tails.front();
            g->tails.pop_front();
            g->unfinished++;
            start_grid(tail);
            return;
        }
        Grid *parent = g->parent;
        if (parent != nullptr) {
            parent->unfinished--;
            pending--;
            free((void *)g->launch.params);
        }
        delete g;
        g = parent;
    }
}

// A pointer into memory of a block or a thread means nothing to another grid.
void check_params(const char *name, const char *params, size_t size, int line, const char *function) {
    for (size_t at = 0; at + 8 <= size; at += 8) {
        uint64_t word;
        memcpy(&word, params + at, 8);
        if (const char *where = private_memory((const char *)word))
            fail("%s, line %d: thread %u of block %u gives kernel %s a pointer into %s", function, line, self->index,
                 self->block->index, name, where);
    }
}

} // namespace

void open_pool(unsigned size) {
    pool_size = size;
    pending = 0;
    launched = {};
}

Launched launched_by_kernels() { return launched; }

Grid *new_grid(const Launch &l, Grid *parent) {
    Grid *g = new Grid{l, parent, {}, 0, 0, {}, {}};
    g->waiting.resize(l.grid);
    std::iota(g->waiting.begin(), g->waiting.end(), 0u);
    for (unsigned i = l.grid; i > 1; i--) std::swap(g->waiting[i - 1], g->waiting[random_below(i)]);
    return g;
}

void end_block(Grid *g) {
    g->running--;
    if (g->waiting.empty() && g->running == 0)
        for (Grid *child : std::exchange(g->held, {})) start_grid(child);
    advance(g);
}

// The launch name<<<grid, threads, shared, stream>>>(params). A child starts at once or
// when its parent has ended, as it happens.
extern "C" void cubeloom_launch_kernel(void (*run)(const void *), const void *params, size_t size, const char *name,
                                       unsigned grid, unsigned threads, size_t shared, uint64_t stream, int line,
                                       const char *function) {
    check_params(name, (const char *)params, size, line, function);
    if (stream != TailLaunch && stream != FireAndForget)
        fail("%s, line %d: kernel %s is launched into a stream that is neither fire-and-forget nor of tail launches",
             function, line, name);
    if (grid < 1 || threads < 1 || threads > max_threads || shared > max_shared) {
        self->last_error = InvalidConfiguration;
        return;
    }
    if (pending == pool_size) {
        self->last_error = PendingCountExceeded;
        launched.refused++;
        return;
    }
    pending++;
    launched.done++;
    Grid *parent = self->block->grid;
    void *copy = malloc(size); // of exactly the parameters' size
    memcpy(copy, params, size);
    Launch l = parent->launch; // the module's shared memory is the same
    l.run = run;
    l.params = copy;
    l.grid = grid;
    l.threads = threads;
    l.dynamic_shared = shared;
    Grid *g = new_grid(l, parent);
    if (stream == TailLaunch) {
        parent->tails.push_back(g);
        return;
    }
    parent->unfinished++;
    if (random_below(2) == 0)
        parent->held.push_back(g);
    else
        start_grid(g);
}

extern "C" int cubeloom_last_error() { return std::exchange(self->last_error, Success); }
