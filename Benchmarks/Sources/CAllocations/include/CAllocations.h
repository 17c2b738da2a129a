#pragma once

/// How often this process has asked for memory so far, on all threads: malloc, calloc, realloc and their aligned kin.
long allocations_so_far(void);

/// Returns its argument; the optimiser does not know that.
long opaque(long value);
