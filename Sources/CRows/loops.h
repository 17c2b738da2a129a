// Included once for each kind of vectors: LOOPS(name) names a function of that kind, TARGET is its attribute.

TARGET static void LOOPS(load)(
    const uint8_t *restrict samples, long row_bytes, long rows, int16_t *restrict steps, long stride, long count) {
    for (long row = 0; row < rows; row++, samples += row_bytes, steps += stride) {
        int16_t step = row % 2 ? -128 : 128;
        for (long index = 0; index < count; index++) steps[index] = (int16_t)((samples[index] - 128) * step);
    }
}

// Inlined where the numbers are known, so that no loop over rows is left.
TARGET __attribute__((always_inline)) static inline void LOOPS(add_rows)(
    const int16_t *restrict rows, long stride, long count, int16_t *restrict out, const int16_t *each,
    const int number, const int is_fresh) {
    lanes16 weights[8];
    for (int row = 0; row < number; row++) weights[row] = (lanes16){0} + each[row];
#pragma clang loop unroll_count(2)
    for (long at = 0; at < count; at += 16) {
        lanes16 sum = is_fresh ? (lanes16){0} : load16(out + at);
#pragma clang loop unroll(full)
        for (int row = 0; row < number; row += 2) {
            sum += upper(load16(rows + at + row * stride), weights[row]);
            sum -= upper(load16(rows + at + (row + 1) * stride), weights[row + 1]);
        }
        put16(out + at, sum);
    }
}

TARGET static void LOOPS(add)(
    const int16_t *rows, long stride, long count, int16_t *sums, const int16_t *weights, long number, int is_fresh) {
#define ADD(known)                                                                                                 \
    case known:                                                                                                    \
        if (is_fresh) {                                                                                            \
            LOOPS(add_rows)(rows, stride, count, sums, weights, known, 1);                                         \
        } else {                                                                                                   \
            LOOPS(add_rows)(rows, stride, count, sums, weights, known, 0);                                         \
        }                                                                                                          \
        break;
    switch (number) {
        ADD(2)
        ADD(4)
        ADD(6)
        ADD(8)
    }
#undef ADD
}

// Eight rows, side by side: of each pair of pixels and each channel, what the eight rows have.
TARGET __attribute__((always_inline)) static inline void LOOPS(gather)(
    const int16_t *const rows[8], long first, long count, lanes16 *restrict out, const int channels) {
    // Of grey, four pairs at a time.
    for (long pair = 0; pair < count; pair += channels == 3 ? 1 : 4) {
        long at = 2 * channels * (first + pair);
        sums8 line[4];
        for (int row = 0; row < 4; row++) {
            const int16_t *one = rows[row] + at, *other = rows[row + 4] + at;
            line[row] = (sums8)(channels == 3 ? pixels(one, other) : both(one, other));
        }
        sums8 upper01 = leading(line[0], line[1]), upper23 = leading(line[2], line[3]);
        sums8 lower01 = trailing(line[0], line[1]), lower23 = trailing(line[2], line[3]);
        out[channels * pair] = (lanes16)leading_pairs(upper01, upper23);
        out[channels * pair + 1] = (lanes16)trailing_pairs(upper01, upper23);
        out[channels * pair + 2] = (lanes16)leading_pairs(lower01, lower23);
        if (channels == 1) out[channels * pair + 3] = (lanes16)trailing_pairs(lower01, lower23);
    }
}

// Not inlined further: eight rows and a reduction are more than a processor has registers for.
TARGET __attribute__((noinline)) static void LOOPS(gather_colour)(
    const int16_t *const rows[8], long first, long count, lanes16 *restrict out) {
    LOOPS(gather)(rows, first, count, out, 3);
}

TARGET __attribute__((noinline)) static void LOOPS(gather_grey)(
    const int16_t *const rows[8], long first, long count, lanes16 *restrict out) {
    LOOPS(gather)(rows, first, count, out, 1);
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

// Adds what a pair of pixels is to an output's samples.
#define ADD_PAIR(index)                                                                                            \
    if (index < pairs) {                                                                                           \
        lanes16 two = (lanes16)((sums8){0} + weight[index]);                                                       \
        for (int channel = 0; channel < channels; channel++)                                                       \
            sums[channel] += products(at[channels * (index) + channel], two);                                      \
    }

// Inlined where the numbers of channels and pairs are known, so that no loop over them is left.
TARGET __attribute__((always_inline)) static inline void LOOPS(reduce)(
    const int16_t *const rows[8], const struct crows_taps *taps, lanes16 *restrict gathered, uint8_t *restrict out,
    long stride, const int channels, const long pairs) {
    const int32_t shift = taps->shift, *weight = taps->weights;
    // A half, and a 64th for what weights in fixed point lack of their sum: halves, the means of two levels by turns, all
    // go up then, where some of a flat area's would go down.
    const sums8 half = (sums8){0} + ((128 << shift) + (1 << (shift - 1)) + (1 << (shift - 6)));
    // The samples of 16 pixels, which make whole vectors of bytes.
    sums8 made[48], *next = made, *const whole = made + 16 * channels;
    for (long output = 0, end; output < taps->count; output = end) {
        long start = taps->firsts[output];
        end = tile(taps, output);
        (channels == 3 ? LOOPS(gather_colour) : LOOPS(gather_grey))(
            rows, start, taps->firsts[end - 1] + pairs - start, gathered);
        for (; output < end; output++) {
            const lanes16 *at = gathered + channels * (taps->firsts[output] - start);
            sums8 sums[3] = {half, half, half};
            // Written out, as the compiler does not unroll a loop of vectors that are as wide as this.
            ADD_PAIR(0)
            ADD_PAIR(1)
            ADD_PAIR(2)
            ADD_PAIR(3)
            ADD_PAIR(4)
            ADD_PAIR(5)
            ADD_PAIR(6)
            for (long pair = 7; pair < pairs; pair++) ADD_PAIR(pair)
            weight += pairs;
            for (int channel = 0; channel < channels; channel++) *next++ = sums[channel] >> shift;
            if (next < whole) continue;
            for (next = made; next < whole; next += 16, out += 16) LOOPS(put)(next, out, stride);
            next = made;
        }
    }
    const sums8 *rest = made;
    for (; rest + 16 <= next; rest += 16, out += 16) LOOPS(put)(rest, out, stride);
    for (; rest < next; rest++, out++) {
        sums8 last = levels(*rest);
        for (int row = 0; row < 8; row++) out[row * stride] = (uint8_t)last[row];
    }
}

#undef ADD_PAIR

// Five to seven pairs are those of a picture reduced by up to 2.
TARGET static void LOOPS(reduce_colour)(
    const int16_t *const rows[8], const struct crows_taps *taps, void *gathered, uint8_t *out, long stride) {
    switch (taps->pairs) {
    case 5: LOOPS(reduce)(rows, taps, gathered, out, stride, 3, 5); break;
    case 6: LOOPS(reduce)(rows, taps, gathered, out, stride, 3, 6); break;
    case 7: LOOPS(reduce)(rows, taps, gathered, out, stride, 3, 7); break;
    default: LOOPS(reduce)(rows, taps, gathered, out, stride, 3, taps->pairs); break;
    }
}

TARGET static void LOOPS(reduce_grey)(
    const int16_t *const rows[8], const struct crows_taps *taps, void *gathered, uint8_t *out, long stride) {
    LOOPS(reduce)(rows, taps, gathered, out, stride, 1, taps->pairs);
}
