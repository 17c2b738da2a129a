#pragma once

// The inner loops of the resampler for samples of 8 bits: weighted sums in fixed point of 16 bits (FixedRows and
// FixedTaps in ImageCodecs say what the numbers stand for). In C, as they are compiled for wider vectors too, which are
// used where the processor has them, and as Swift may make calls of a vector's conversions. The results are the same to
// the bit.

#include <stdint.h>

/// Rows of samples, `row_bytes` from each other, as rows of steps of 1/128, `stride` of them from each other: counted from
/// the middle grey, and every other row, from the second on, negated.
void crows_load(const uint8_t *samples, long row_bytes, long rows, int16_t *steps, long stride, long count);

/// Adds rows, `stride` samples from each other, weighted, to one row of sums. Of every product the upper half counts;
/// those of every other row, from the second on, are subtracted.
///
/// Nothing of it is a structure: one of this size is passed through memory, where it is read before it is there.
///
/// - Parameters:
///   - count: of samples; it is rounded up to a multiple of 16.
///   - number: of rows: 2, 4, 6 or 8.
///   - is_fresh: whether there is nothing yet that is added to.
void crows_add(
    const int16_t *rows, long stride, long count, int16_t *sums, const int16_t *weights, long number, int is_fresh);

/// The weights along a row.
struct crows_taps {
    /// Of each output, the first pair of pixels that it is made of.
    const int32_t *firsts;
    /// The number of outputs.
    long count;
    /// The number of pairs that each is made of. For all the same: a processor foresees where such a loop ends.
    long pairs;
    /// Of each output, as many pairs of weights of 16 bits.
    const void *weights;
    /// One or three.
    int channels;
    /// From a sum of products to a level.
    int32_t shift;
    /// The number of pairs that are gathered at once; at least those of one output.
    long capacity;
};

/// Reduces eight rows of sums.
///
/// It reads up to eight samples beyond the last pair.
///
/// - Parameters:
///   - gathered: room for vectors of 32 bytes: one for each channel of the pairs gathered at once, and three more.
///   - out: the first of eight rows, `stride` bytes from each other.
void crows_reduce(
    const struct crows_taps *taps, const int16_t *const rows[8], void *gathered, uint8_t *out, long stride);
