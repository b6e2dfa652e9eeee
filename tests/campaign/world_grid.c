#include "world.h"

const struct world_ops world_grid = { .name = "grid" };
