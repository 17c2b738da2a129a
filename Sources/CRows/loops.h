// Included once for each kind of vectors: LOOPS(name) names a function of that kind, TARGET is its attribute.

TARGET static void LOOPS(load)(
    const uint8_t *restrict samples, int16_t *restrict steps, long count, int is_negated) {
    int16_t step = is_negated ? -128 : 128;
    for (long index = 0; index < count; index++) steps[index] = (int16_t)((samples[index] - 128) * step);
}

// Adds `count` rows from the first one on, of which every other one is negated.
#define ADD_ROWS(number)                                                                                           \
    TARGET static void LOOPS(add##number)(                                                                         \
        const int16_t *restrict rows, long stride, long count, struct crows_sums sums) {                          \
        lanes16 weights[number], kept = (lanes16){0} + (int16_t)(sums.is_fresh ? 0 : -1);                          \
        for (int row = 0; row < number; row++) weights[row] = (lanes16){0} + sums.weights[row];                    \
        int16_t *restrict out = sums.samples;                                                                      \
        for (long at = 0; at < count; at += 16) {                                                                  \
            lanes16 sum = load16(out + at) & kept;                                                                 \
            _Pragma("clang loop unroll(full)") for (int row = 0; row < number; row += 2) {                         \
                sum += upper(load16(rows + at + row * stride), weights[row]);                                      \
                sum -= upper(load16(rows + at + (row + 1) * stride), weights[row + 1]);                            \
            }                                                                                                      \
            put16(out + at, sum);                                                                                  \
        }                                                                                                          \
    }
ADD_ROWS(2)
ADD_ROWS(4)
ADD_ROWS(6)
ADD_ROWS(8)
#undef ADD_ROWS

TARGET static void LOOPS(add)(const int16_t *rows, long stride, long count, struct crows_sums sums) {
    switch (sums.rows) {
    case 2: LOOPS(add2)(rows, stride, count, sums); break;
    case 4: LOOPS(add4)(rows, stride, count, sums); break;
    case 6: LOOPS(add6)(rows, stride, count, sums); break;
    case 8: LOOPS(add8)(rows, stride, count, sums); break;
    }
}

// Eight rows, side by side: of each pair of pixels and each channel, what the eight rows have.
TARGET static inline void LOOPS(gather)(
    const int16_t *const restrict rows[8], long first, long count, int channels, lanes16 *restrict out) {
    // Of grey, four pairs at a time.
    for (long pair = 0; pair < count; pair += channels == 3 ? 1 : 4) {
        long at = 2 * channels * (first + pair);
        sums8 line[4];
        for (int row = 0; row < 4; row++) {
            lanes16 samples = both(rows[row] + at, rows[row + 4] + at);
            if (channels == 3) {
                lanes16 next = both(rows[row] + at + 3, rows[row + 4] + at + 3);
                samples = __builtin_shufflevector(
                    samples, next, 0, 16, 1, 17, 2, 18, 3, 19, 8, 24, 9, 25, 10, 26, 11, 27);
            }
            line[row] = (sums8)samples;
        }
        sums8 upper01 = leading(line[0], line[1]), upper23 = leading(line[2], line[3]);
        sums8 lower01 = trailing(line[0], line[1]), lower23 = trailing(line[2], line[3]);
        out[channels * pair] = (lanes16)leading_pairs(upper01, upper23);
        out[channels * pair + 1] = (lanes16)trailing_pairs(upper01, upper23);
        out[channels * pair + 2] = (lanes16)leading_pairs(lower01, lower23);
        if (channels == 1) out[channels * pair + 3] = (lanes16)trailing_pairs(lower01, lower23);
    }
}

// Writes 16 samples of each of eight rows.
TARGET static inline void LOOPS(put)(const sums8 *restrict samples, uint8_t *restrict out, long stride) {
    sums8 fours[4];
#pragma clang loop unroll(full)
    for (int index = 0; index < 4; index++) {
        bytes32 all = packed(samples + 4 * index);
        fours[index] = (sums8)__builtin_shufflevector(
            all, all, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15,
            16, 20, 24, 28, 17, 21, 25, 29, 18, 22, 26, 30, 19, 23, 27, 31);
    }
    sums8 upper01 = leading(fours[0], fours[1]), upper23 = leading(fours[2], fours[3]);
    sums8 lower01 = trailing(fours[0], fours[1]), lower23 = trailing(fours[2], fours[3]);
    sums8 rows[4] = {
        leading_pairs(upper01, upper23), trailing_pairs(upper01, upper23),
        leading_pairs(lower01, lower23), trailing_pairs(lower01, lower23)};
#pragma clang loop unroll(full)
    for (int row = 0; row < 4; row++) {
        memcpy(out + row * stride, &rows[row], 16);
        memcpy(out + (row + 4) * stride, (const char *)&rows[row] + 16, 16);
    }
}

// Inlined where the number of channels is known, so that no loop over them is left.
TARGET __attribute__((always_inline)) static inline void LOOPS(reduce)(
    const int16_t *const rows[8], const struct crows_taps *taps, lanes16 *restrict gathered, uint8_t *restrict out,
    long stride, const int channels) {
    const int32_t shift = taps->shift, *weights = taps->weights;
    const long pairs = taps->pairs;
    // A half, and a 64th for what weights in fixed point lack of their sum: halves, the means of two levels by turns, all go up then, where some of
    // a flat area's would go down.
    const sums8 half = (sums8){0} + ((128 << shift) + (1 << (shift - 1)) + (1 << (shift - 6)));
    // The samples that have not been written yet: fewer than 16, and those of a pixel.
    sums8 made[18];
    int count = 0;
    uint8_t *place = out;
    for (long output = 0, end; output < taps->count; output = end) {
        long start = taps->firsts[output];
        end = tile(taps, output);
        LOOPS(gather)(rows, start, taps->firsts[end - 1] + pairs - start, channels, gathered);
        for (; output < end; output++) {
            const lanes16 *at = gathered + channels * (taps->firsts[output] - start);
            const int32_t *weight = weights + output * pairs;
            sums8 sums[3] = {half, half, half};
#pragma clang loop unroll_count(2)
            for (long pair = 0; pair < pairs; pair++, at += channels) {
                lanes16 two = (lanes16)((sums8){0} + weight[pair]);
                for (int channel = 0; channel < channels; channel++) sums[channel] += products(at[channel], two);
            }
            for (int channel = 0; channel < channels; channel++) made[count++] = sums[channel] >> shift;
            if (count < 16) continue;
            LOOPS(put)(made, place, stride);
            place += 16;
            count -= 16;
            for (int index = 0; index < count; index++) made[index] = made[16 + index];
        }
    }
    for (int index = 0; index < count; index++) {
        sums8 rest = levels(made[index]);
        for (int row = 0; row < 8; row++) place[row * stride + index] = (uint8_t)rest[row];
    }
}

TARGET static void LOOPS(reduce_colour)(
    const int16_t *const rows[8], const struct crows_taps *taps, void *gathered, uint8_t *out, long stride) {
    LOOPS(reduce)(rows, taps, gathered, out, stride, 3);
}

TARGET static void LOOPS(reduce_grey)(
    const int16_t *const rows[8], const struct crows_taps *taps, void *gathered, uint8_t *out, long stride) {
    LOOPS(reduce)(rows, taps, gathered, out, stride, 1);
}
