// Grids and what they launch: children, which run beside their parent, and tails, which
// run one after the other when the parent and its children have ended.
#pragma once
#include "scheduler.h"

#include <deque>
#include <vector>

struct Grid {
    Launch launch;
    Grid *parent;                  // null: launched by the host
    std::vector<unsigned> waiting; // blocks that have not started, in random order
    unsigned running;              // blocks that have started and not ended
    unsigned unfinished;           // children, and the tail that has started
    std::vector<Grid *> held;      // children that start when the last block has ended
    std::deque<Grid *> tails;
};

// Makes a grid whose blocks wait.
Grid *new_grid(const Launch &l, Grid *parent);
// Notes that a block of g has ended: may start grids, and frees those that are complete.
void end_block(Grid *g);
// Starts with nothing launched, and room for so many pending launches.
void open_pool(unsigned size);
// Makes the blocks of a grid able to start.
void start_grid(Grid *g);
