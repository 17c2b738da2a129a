#include "CRows.h"

#include <string.h>

// Vectors of 32 bytes, for which processors without them take two of 16.
typedef int16_t lanes __attribute__((vector_size(16), aligned(2)));
typedef int16_t lanes16 __attribute__((vector_size(32), aligned(16)));
typedef int16_t loose16 __attribute__((vector_size(32), aligned(2)));
typedef int32_t sums8 __attribute__((vector_size(32), aligned(16)));
typedef int32_t sums16 __attribute__((vector_size(64)));
typedef uint8_t bytes8 __attribute__((vector_size(8)));

// Macros, as a function would need the vectors of each kind.
#define load16(samples) (*(const loose16 *)(samples))
#define put16(samples, sums) (*(loose16 *)(samples) = (sums))
#define both(one, other)                                                                                           \
    __builtin_shufflevector(                                                                                       \
        *(const lanes *)(one), *(const lanes *)(other), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)

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

// Sums as bytes.
#define bytes(sums)                                                                                                \
    __builtin_convertvector(                                                                                       \
        __builtin_elementwise_min(__builtin_elementwise_max((sums), (sums8){0}), (sums8){0} + 255), bytes8)

// Writes a pixel of each of eight rows. Each fourth byte is overwritten by the next one.
#define put_colour(red, green, blue, outs, at)                                                                     \
    do {                                                                                                           \
        bytes8 first = bytes(red), second = bytes(green), third = bytes(blue);                                     \
        sums8 pixels = (sums8)__builtin_shufflevector(                                                             \
            __builtin_shufflevector(first, second, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15),          \
            __builtin_shufflevector(third, third, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7),                 \
            0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23,                                                \
            8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31);                                         \
        for (int row = 0; row < 8; row++) {                                                                        \
            int32_t pixel = pixels[row];                                                                           \
            memcpy((outs)[row] + (at), &pixel, 4);                                                                 \
        }                                                                                                          \
    } while (0)
#define put_grey(sum, outs, at)                                                                                    \
    do {                                                                                                           \
        bytes8 pixels = bytes(sum);                                                                                \
        for (int row = 0; row < 8; row++) (outs)[row][at] = pixels[row];                                           \
    } while (0)

static long last(const struct crows_taps *taps, long output) {
    return taps->windows[output].first + taps->windows[output].pairs;
}

// The end of the outputs whose windows are gathered together with that of `output`.
static long tile(const struct crows_taps *taps, long output) {
    long start = taps->windows[output].first, end = output + 1;
    while (end < taps->count && last(taps, end) - start <= taps->capacity) end++;
    return end;
}

#define LOOPS(name) name##_plain
#define TARGET
#include "loops.h"
#undef LOOPS
#undef TARGET

#if defined(__x86_64__) && defined(__linux__) && !defined(CROWS_PLAIN)
#define LOOPS(name) name##_wide
#define TARGET __attribute__((target("avx2")))
#include "loops.h"
#define CALL(name, ...) (__builtin_cpu_supports("avx2") ? name##_wide(__VA_ARGS__) : name##_plain(__VA_ARGS__))
#else
#define CALL(name, ...) name##_plain(__VA_ARGS__)
#endif

void crows_load(const uint8_t *samples, int16_t *steps, long count, int is_negated) {
    CALL(load, samples, steps, count, is_negated);
}

void crows_add(const int16_t *rows, long stride, long count, struct crows_sums sums) {
    CALL(add, rows, stride, count, sums);
}

void crows_reduce(const struct crows_taps *taps, const int16_t *const rows[8], void *gathered, uint8_t *const outs[8]) {
    if (taps->channels == 3) {
        CALL(reduce_colour, rows, taps, gathered, outs);
    } else {
        CALL(reduce_grey, rows, taps, gathered, outs);
    }
}
