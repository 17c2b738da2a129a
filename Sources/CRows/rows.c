#include "CRows.h"

#include <string.h>

// Vectors of 32 bytes, for which processors without them take two of 16.
typedef int16_t lanes __attribute__((vector_size(16), aligned(2)));
typedef int16_t lanes16 __attribute__((vector_size(32), aligned(16)));
typedef int16_t loose16 __attribute__((vector_size(32), aligned(2)));
typedef int32_t sums8 __attribute__((vector_size(32), aligned(16)));
typedef int32_t sums16 __attribute__((vector_size(64)));
typedef int32_t sums32 __attribute__((vector_size(128)));
typedef uint8_t bytes32 __attribute__((vector_size(32), aligned(16)));

// Macros, as a function would need the vectors of each kind.
#define load16(samples) (*(const loose16 *)(samples))
#define put16(samples, sums) (*(loose16 *)(samples) = (sums))
#define both(one, other)                                                                                           \
    __builtin_shufflevector(                                                                                       \
        *(const lanes *)(one), *(const lanes *)(other), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)

// Of two pixels of three channels, from a row and another one: the samples of each channel side by side.
#define pixels(one, other)                                                                                         \
    __builtin_shufflevector(                                                                                       \
        both(one, other), both((one) + 3, (other) + 3), 0, 16, 1, 17, 2, 18, 3, 19, 8, 24, 9, 25, 10, 26, 11, 27)

// Of each half of two vectors of eight the first two by turns, or the last two; and so of pairs.
#define leading(one, other) __builtin_shufflevector(one, other, 0, 8, 1, 9, 4, 12, 5, 13)
#define trailing(one, other) __builtin_shufflevector(one, other, 2, 10, 3, 11, 6, 14, 7, 15)
#define leading_pairs(one, other) __builtin_shufflevector(one, other, 0, 1, 8, 9, 4, 5, 12, 13)
#define trailing_pairs(one, other) __builtin_shufflevector(one, other, 2, 3, 10, 11, 6, 7, 14, 15)

// The upper half of products.
#define upper(a, b)                                                                                                \
    __builtin_convertvector(                                                                                       \
        (__builtin_convertvector((a), sums16) * __builtin_convertvector((b), sums16)) >> 16, lanes16)

// Products, each two added.
#define products(a, b)                                                                                             \
    ({                                                                                                             \
        sums16 all = __builtin_convertvector((a), sums16) * __builtin_convertvector((b), sums16);                  \
        __builtin_shufflevector(all, all, 0, 2, 4, 6, 8, 10, 12, 14)                                               \
            + __builtin_shufflevector(all, all, 1, 3, 5, 7, 9, 11, 13, 15);                                        \
    })

// Sums as levels.
#define levels(sums) __builtin_elementwise_min(__builtin_elementwise_max((sums), (sums8){0}), (sums8){0} + 255)

// The levels of four vectors of sums as bytes: of each half the first one's four, the second one's, and so on.
#define packed(sums)                                                                                               \
    ({                                                                                                             \
        sums8 low[2] = {                                                                                           \
            __builtin_shufflevector((sums)[0], (sums)[1], 0, 1, 2, 3, 8, 9, 10, 11),                               \
            __builtin_shufflevector((sums)[2], (sums)[3], 0, 1, 2, 3, 8, 9, 10, 11)};                              \
        sums8 high[2] = {                                                                                          \
            __builtin_shufflevector((sums)[0], (sums)[1], 4, 5, 6, 7, 12, 13, 14, 15),                             \
            __builtin_shufflevector((sums)[2], (sums)[3], 4, 5, 6, 7, 12, 13, 14, 15)};                            \
        sums32 all = __builtin_shufflevector(                                                                      \
            __builtin_shufflevector(                                                                               \
                levels(low[0]), levels(low[1]), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),             \
            __builtin_shufflevector(                                                                               \
                levels(high[0]), levels(high[1]), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),           \
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,                                                  \
            16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31);                                       \
        __builtin_convertvector(all, bytes32);                                                                     \
    })

// The end of the outputs whose pairs are gathered together with those of `output`.
static long tile(const struct crows_taps *taps, long output) {
    long most = taps->firsts[output] + taps->capacity - taps->pairs, end = output + 1;
    while (end < taps->count && taps->firsts[end] <= most) end++;
    return end;
}

#define LOOPS(name) name##_plain
#define TARGET
#include "loops.h"
#undef LOOPS
#undef TARGET

#if defined(__x86_64__) && defined(__linux__) && !defined(CROWS_PLAIN)
#include <immintrin.h>

// Here one instruction arranges the pixels of both rows, and one packs two vectors and cuts them off to levels as well.
#undef pixels
#define pixels(one, other)                                                                                         \
    ((lanes16)_mm256_shuffle_epi8(                                                                                 \
        (__m256i)both(one, other),                                                                                 \
        (__m256i)(bytes32){0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11, 12, 13, 14, 15,                                   \
                           0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11, 12, 13, 14, 15}))
#undef packed
#define packed(sums)                                                                                               \
    ((bytes32)_mm256_packus_epi16(                                                                                 \
        _mm256_packs_epi32((__m256i)(sums)[0], (__m256i)(sums)[1]),                                                \
        _mm256_packs_epi32((__m256i)(sums)[2], (__m256i)(sums)[3])))

#define LOOPS(name) name##_wide
#define TARGET __attribute__((target("avx2")))
#include "loops.h"
#define CALL(name, ...) (__builtin_cpu_supports("avx2") ? name##_wide(__VA_ARGS__) : name##_plain(__VA_ARGS__))
#else
#define CALL(name, ...) name##_plain(__VA_ARGS__)
#endif

void crows_load(
    const uint8_t *samples, long row_bytes, long rows, int16_t *steps, long stride, long count) {
    CALL(load, samples, row_bytes, rows, steps, stride, count);
}

void crows_add(
    const int16_t *rows, long stride, long count, int16_t *sums, const int16_t *weights, long number, int is_fresh) {
    CALL(add, rows, stride, count, sums, weights, number, is_fresh);
}

void crows_reduce(
    const struct crows_taps *taps, const int16_t *const rows[8], void *gathered, uint8_t *out, long stride) {
    if (taps->channels == 3) {
        CALL(reduce_colour, rows, taps, gathered, out, stride);
    } else {
        CALL(reduce_grey, rows, taps, gathered, out, stride);
    }
}
