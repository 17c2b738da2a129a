#include "CAllocations.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

static atomic_long count;
// Counting takes as long as a good part of an allocation: what is timed is not counted.
static atomic_bool is_counting;

#ifdef __GLIBC__
// The program's own definitions win over the C library's, which go by these names too.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t members, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static void counted(void) {
    if (atomic_load_explicit(&is_counting, memory_order_relaxed))
        atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
}

void *malloc(size_t size) {
    counted();
    return __libc_malloc(size);
}

void *calloc(size_t members, size_t size) {
    counted();
    return __libc_calloc(members, size);
}

void *realloc(void *block, size_t size) {
    counted();
    return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    counted();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    counted();
    *block = __libc_memalign(alignment, size);
    return *block ? 0 : ENOMEM;
}
#endif

void begin_counting_allocations(void) {
    atomic_store(&count, 0);
    atomic_store(&is_counting, true);
}

long end_counting_allocations(void) {
    atomic_store(&is_counting, false);
    return atomic_load(&count);
}

long bytes_allocated(void) {
#ifdef __GLIBC__
    struct mallinfo2 info = mallinfo2();
    return (long)(info.uordblks + info.hblkhd);
#else
    return 0;
#endif
}

void give_back_free_memory(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

void keep_free_memory(void) {
#ifdef __GLIBC__
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    mallopt(M_MMAP_THRESHOLD, 1 << 25);
    mallopt(M_ARENA_MAX, 1);
#endif
}

void join_free_memory(void) {
#ifdef __GLIBC__
    free(__libc_malloc(1 << 16));
#endif
}

long opaque(long value) { return value; }
