#include "../include/CJPEG.h"

#include <string.h>

// Colours of samples that are reduced before they are converted to RGB: what is beyond 0 to 255 is cut off first, and what is left is
// converted last.
//
// Pixels are worked on in segments of 64, sixteen at once: those of even columns in one vector and those of odd ones in another, so that the
// samples of colour that are as many are one vector. Luma is in 32nds of a level.

#define SEGMENT 64
#define LEVEL 32
#define WHOLE (255 * LEVEL)
// A row in which no sample is beyond by more than this is left as it is.
#define SLACK (2 * LEVEL)

typedef int16_t eight __attribute__((vector_size(16)));
typedef int32_t wide_eight __attribute__((vector_size(32)));
typedef uint8_t eight_bytes __attribute__((vector_size(8)));
typedef uint8_t sixteen_bytes __attribute__((vector_size(16)));

// Sixteen pixels.
typedef struct pixels {
    eight even, odd;
} pixels;

static inline eight load(const int16_t *from) {
    eight values;
    memcpy(&values, from, sizeof values);
    return values;
}

static inline eight load_bytes(const uint8_t *from) {
    eight_bytes values;
    memcpy(&values, from, sizeof values);
    return __builtin_convertvector(values, eight);
}

static inline pixels load_pixels(const uint8_t *from) {
    sixteen_bytes values;
    memcpy(&values, from, sizeof values);
    eight_bytes even = __builtin_shufflevector(values, values, 0, 2, 4, 6, 8, 10, 12, 14);
    eight_bytes odd = __builtin_shufflevector(values, values, 1, 3, 5, 7, 9, 11, 13, 15);
    return (pixels){__builtin_convertvector(even, eight), __builtin_convertvector(odd, eight)};
}

static inline eight product(eight values, int factor) {
    return __builtin_convertvector((__builtin_convertvector(values, wide_eight) * factor) >> 16, eight);
}

static inline eight least_of(eight a, eight b) { return __builtin_elementwise_min(a, b); }
static inline eight most_of(eight a, eight b) { return __builtin_elementwise_max(a, b); }
static inline eight cut(eight values) { return least_of(most_of(values, (eight){0}), (eight){0} + WHOLE); }

// MARK: Where

typedef struct extremes {
    int least, most;
} extremes;

static extremes find_extremes(const uint8_t *first, size_t stride, int rows, int count) {
    uint8_t least[SEGMENT], most[SEGMENT], low = 255, high = 0;
    memset(least, 255, sizeof least);
    memset(most, 0, sizeof most);
    for (int row = 0; row < rows; row++) {
        const uint8_t *line = first + (size_t)row * stride;
        for (int i = 0; i < count; i++) {
            least[i] = line[i] < least[i] ? line[i] : least[i];
            most[i] = line[i] > most[i] ? line[i] : most[i];
        }
    }
    for (int i = 0; i < SEGMENT; i++) {
        low = least[i] < low ? least[i] : low;
        high = most[i] > high ? most[i] : high;
    }
    return (extremes){low, high};
}

static int greatest(int a, int b, int c) { return a > b ? (a > c ? a : c) : b > c ? b : c; }

// Whether colours made of any luma and any colours of a segment would be beyond by more than the slack.
static int may_exceed(extremes luma, extremes blue, extremes red) {
    int high_blue = blue.most - 128, low_blue = blue.least - 128, high_red = red.most - 128, low_red = red.least - 128;
    // In 256ths of a level.
    int top = greatest(359 * high_red, 454 * high_blue, -88 * low_blue - 183 * low_red);
    int bottom = greatest(-359 * low_red, -454 * low_blue, 88 * high_blue + 183 * high_red);
    // A level less than what a row must exceed: so no row is left as it is because of those around it.
    int slack = 256 * (SLACK / LEVEL - 1);
    return 256 * (luma.most - 255) + top > slack || bottom - 256 * luma.least > slack;
}

// MARK: How much

// A row of a colour as it is stored, with a neighbour on either side: three quarters of one row and a quarter of another, from the middle on,
// times 4.
static void mix(const uint8_t *near, const uint8_t *far, int count, int16_t *out) {
    for (int i = 0; i < count; i += 8) {
        eight mixed = load_bytes(near + i) * 3 + load_bytes(far + i) - 512;
        memcpy(out + i, &mixed, sizeof mixed);
    }
}

// Sixteen pixels of it at luma's size, times 128.
static inline pixels enlarge(const cjpeg_clip *clip, const int16_t *mixed, int x) {
    if (clip->across == 1) {
        eight first = load(mixed + x), second = load(mixed + x + 8);
        return (pixels){
            __builtin_shufflevector(first, second, 0, 2, 4, 6, 8, 10, 12, 14) << 5,
            __builtin_shufflevector(first, second, 1, 3, 5, 7, 9, 11, 13, 15) << 5};
    }
    eight middle = load(mixed + x / 2 + 1);
    if (!clip->is_smooth) return (pixels){middle << 5, middle << 5};
    return (pixels){(middle * 3 + load(mixed + x / 2)) << 3, (middle * 3 + load(mixed + x / 2 + 2)) << 3};
}

typedef struct colours {
    eight red, green, blue;
} colours;

static inline colours convert(eight luma, eight blue, eight red) {
    eight y = luma * LEVEL;
    return (colours){y + product(red, 22970), y + product(blue, -5638) + product(red, -11700), y + product(blue, 29032)};
}

static inline eight most_beyond(colours values) {
    eight high = most_of(most_of(values.red, values.green), values.blue);
    eight low = least_of(least_of(values.red, values.green), values.blue);
    return most_of(high - WHOLE, -low);
}

static int exceeds(const cjpeg_clip *clip, const uint8_t *luma, const int16_t *blue, const int16_t *red) {
    eight most = {0};
    for (int x = 0; x < SEGMENT; x += 16) {
        pixels y = load_pixels(luma + x), b = enlarge(clip, blue, x), r = enlarge(clip, red, x);
        most = most_of(most, most_beyond(convert(y.even, b.even, r.even)));
        most = most_of(most, most_beyond(convert(y.odd, b.odd, r.odd)));
    }
    return __builtin_reduce_max(most) > SLACK;
}

// The moves of eight pixels to where they are once their colours have been cut off. Luma's is part of the others'.
static inline colours moves(eight luma, eight blue, eight red, eight *moved) {
    colours values = convert(luma, blue, red);
    eight dr = cut(values.red) - values.red, dg = cut(values.green) - values.green, db = cut(values.blue) - values.blue;
    eight move = product(dr, 19595) + product(dg * 2, 19235) + product(db, 7471);
    *moved = cut(luma * LEVEL + move + LEVEL / 2) >> 5;
    return (colours){.blue = product((db - move) * 2, 18492), .red = product((dr - move) * 2, 23372)};
}

// Moves a row's luma, and adds up what its colours are to be moved by.
static void move_row(
    const cjpeg_clip *clip, uint8_t *luma, const int16_t *blue, const int16_t *red, pixels *blue_moves, pixels *red_moves) {
    for (int x = 0; x < SEGMENT; x += 16, blue_moves++, red_moves++) {
        pixels y = load_pixels(luma + x), b = enlarge(clip, blue, x), r = enlarge(clip, red, x), moved;
        colours even = moves(y.even, b.even, r.even, &moved.even), odd = moves(y.odd, b.odd, r.odd, &moved.odd);
        blue_moves->even += even.blue;
        blue_moves->odd += odd.blue;
        red_moves->even += even.red;
        red_moves->odd += odd.red;
        eight_bytes first = __builtin_convertvector(moved.even, eight_bytes);
        eight_bytes second = __builtin_convertvector(moved.odd, eight_bytes);
        sixteen_bytes all = __builtin_shufflevector(first, second, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
        memcpy(luma + x, &all, sizeof all);
    }
}

static inline void move_eight(uint8_t *colour, eight sums, int shift) {
    eight moved = load_bytes(colour) + ((sums + (int16_t)(1 << (shift - 1))) >> shift);
    eight_bytes values = __builtin_convertvector(least_of(most_of(moved, (eight){0}), (eight){0} + 255), eight_bytes);
    memcpy(colour, &values, sizeof values);
}

// Moves a row of a colour by the mean of its pixels' moves.
static void move_colour(uint8_t *colour, const pixels *moves, int across, int shift) {
    for (int i = 0; i < SEGMENT / 16; i++) {
        if (across == 2) {
            move_eight(colour + 8 * i, moves[i].even + moves[i].odd, shift);
        } else {
            move_eight(colour + 16 * i, __builtin_shufflevector(moves[i].even, moves[i].odd, 0, 8, 1, 9, 2, 10, 3, 11), shift);
            move_eight(colour + 16 * i + 8, __builtin_shufflevector(moves[i].even, moves[i].odd, 4, 12, 5, 13, 6, 14, 7, 15), shift);
        }
    }
}

static void clip_segment(const cjpeg_clip *clip, size_t x) {
    size_t column = x / (size_t)clip->across;
    int is_wide = clip->across == 1, count = is_wide ? SEGMENT : SEGMENT / 2 + 2;
    int shift = 5 + !is_wide + (clip->down == 2);
    int16_t mixed_blue[SEGMENT + 16], mixed_red[SEGMENT + 16];
    for (int first = 0; first < clip->rows; first += clip->down) {
        size_t offset = (size_t)(first / clip->down) * clip->colour_stride + column;
        const uint8_t *blue = clip->blue + offset - !is_wide, *red = clip->red + offset - !is_wide;
        pixels blue_moves[SEGMENT / 16] = {0}, red_moves[SEGMENT / 16] = {0};
        int has_moved = 0;
        for (int row = first; row < first + clip->down && row < clip->rows; row++) {
            ptrdiff_t far = clip->down == 1 || !clip->is_smooth ? 0 : (ptrdiff_t)clip->colour_stride * (row & 1 ? 1 : -1);
            mix(blue, blue + far, count, mixed_blue);
            mix(red, red + far, count, mixed_red);
            uint8_t *luma = clip->luma + (size_t)row * clip->luma_stride + x;
            if (!exceeds(clip, luma, mixed_blue, mixed_red)) continue;
            move_row(clip, luma, mixed_blue, mixed_red, blue_moves, red_moves);
            has_moved = 1;
        }
        if (!has_moved) continue;
        move_colour(clip->clipped_blue + offset, blue_moves, clip->across, shift);
        move_colour(clip->clipped_red + offset, red_moves, clip->across, shift);
    }
}

void cjpeg_clip_colours(const cjpeg_clip *clip) {
    // With the neighbours from which colours are interpolated.
    int reach = clip->across == 2, context = clip->down == 2;
    int rows = (clip->rows + clip->down - 1) / clip->down + 2 * context;
    for (size_t x = 0; x < clip->width; x += SEGMENT) {
        size_t first = x / (size_t)clip->across - (size_t)reach - (context ? clip->colour_stride : 0);
        int count = clip->width - x < SEGMENT ? (int)(clip->width - x) : SEGMENT;
        extremes luma = find_extremes(clip->luma + x, clip->luma_stride, clip->rows, count);
        count = (count + clip->across - 1) / clip->across + 2 * reach;
        extremes blue = find_extremes(clip->blue + first, clip->colour_stride, rows, count);
        extremes red = find_extremes(clip->red + first, clip->colour_stride, rows, count);
        if (may_exceed(luma, blue, red)) clip_segment(clip, x);
    }
}

// MARK: Out

typedef int32_t four_sums __attribute__((vector_size(16)));

void cjpeg_weigh(
    const int16_t *line, const cjpeg_window *windows, const int16_t *weights, size_t stride, float step, float *out, size_t width) {
    for (size_t x = 0; x < width; x++, weights += stride) {
        const int16_t *samples = line + windows[x].first;
        four_sums sums = {0};
        for (uint32_t i = 0; i < windows[x].count; i += 8) {
            wide_eight products = __builtin_convertvector(load(samples + i), wide_eight) * __builtin_convertvector(load(weights + i), wide_eight);
            sums += __builtin_shufflevector(products, products, 0, 2, 4, 6) + __builtin_shufflevector(products, products, 1, 3, 5, 7);
        }
        out[x] = (float)(sums[0] + sums[1] + sums[2] + sums[3]) * step + 128;
    }
}

typedef float four __attribute__((vector_size(16)));
typedef uint32_t four_words __attribute__((vector_size(16)));

static inline four load_four(const float *from) {
    four values;
    memcpy(&values, from, sizeof values);
    return values;
}

static inline four_words samples(four values) {
    four whole = __builtin_elementwise_min(__builtin_elementwise_max(values, (four){0}), (four){0} + 255);
    return (four_words)__builtin_convertvector(whole + 0.5f, __attribute__((vector_size(16))) int32_t);
}

void cjpeg_convert(const float *luma, const float *blue, const float *red, uint8_t *out, size_t width) {
    for (size_t x = 0; x < width; x += 4) {
        four y = load_four(luma + x), b = load_four(blue + x) - 128, r = load_four(red + x) - 128;
        four_words words = samples(y + r * 1.402f) | samples(y - b * 0.344136f - r * 0.714136f) << 8 | samples(y + b * 1.772f) << 16;
        uint32_t pixels[4];
        memcpy(pixels, &words, sizeof pixels);
        for (size_t i = 0; i < 4; i++) memcpy(out + 3 * (x + i), &pixels[i], 4);
    }
}
