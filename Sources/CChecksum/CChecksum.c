#include "CChecksum.h"

#include <string.h>

// Vectors of 32 bytes, for which processors without them take two of 16.
typedef uint64_t vector __attribute__((vector_size(32)));

/// Takes a piece into four lanes: each multiplies the halves of what tells it apart from its word, and hands itself and the word on to its
/// neighbour, so that nothing is lost where a half is zero.
#define STEP(lanes, piece)                                                                                         \
    do {                                                                                                           \
        vector word, mixed, sum;                                                                                   \
        memcpy(&word, (piece), sizeof word);                                                                       \
        mixed = (lanes) ^ word;                                                                                    \
        sum = (lanes) + word;                                                                                      \
        (lanes) = (mixed & 0xFFFFFFFF) * (mixed >> 32) + __builtin_shufflevector(sum, sum, 1, 0, 3, 2);            \
    } while (0)

static inline __attribute__((always_inline)) void take(uint64_t *lanes, const unsigned char *bytes, long turns) {
    vector a, b, c, d;
    memcpy(&a, lanes, sizeof a);
    memcpy(&b, lanes + 4, sizeof b);
    memcpy(&c, lanes + 8, sizeof c);
    memcpy(&d, lanes + 12, sizeof d);
    for (long turn = 0; turn < turns; turn++, bytes += CCHECKSUM_TURN) {
        STEP(a, bytes);
        STEP(b, bytes + 32);
        STEP(c, bytes + 64);
        STEP(d, bytes + 96);
    }
    memcpy(lanes, &a, sizeof a);
    memcpy(lanes + 4, &b, sizeof b);
    memcpy(lanes + 8, &c, sizeof c);
    memcpy(lanes + 12, &d, sizeof d);
}

#if defined(__x86_64__) && defined(__linux__)
static __attribute__((target("avx2"))) void take_wide(uint64_t *lanes, const unsigned char *bytes, long turns) {
    take(lanes, bytes, turns);
}
#endif

void cchecksum_take(uint64_t *lanes, const void *bytes, long turns) {
#if defined(__x86_64__) && defined(__linux__)
    if (__builtin_cpu_supports("avx2")) {
        take_wide(lanes, bytes, turns);
        return;
    }
#endif
    cchecksum_take_plain(lanes, bytes, turns);
}

void cchecksum_take_plain(uint64_t *lanes, const void *bytes, long turns) { take(lanes, bytes, turns); }
