#pragma once

/// Begins to count how often this process asks for memory, on all threads: malloc, calloc, realloc and their aligned kin.
void begin_counting_allocations(void);

/// Ends that, and returns how often it has.
long end_counting_allocations(void);

/// The bytes that this process has allocated and not freed; 0 where the C library does not tell.
long bytes_allocated(void);

/// Gives memory that is not in use back to the system.
void give_back_free_memory(void);

/// From now on keeps memory that is not in use, all of it in one place, for the next who asks.
void keep_free_memory(void);

/// Joins the small pieces of memory that are not in use: the next who asks for a large one would have to.
void join_free_memory(void);

/// Returns its argument; the optimiser does not know that.
long opaque(long value);
