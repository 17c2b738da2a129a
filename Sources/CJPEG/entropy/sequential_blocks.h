#pragma once

#include "entropy.h"

#include <jerror.h>

// The blocks of a sequential file, with and without care (entropy.h).

typedef struct cjpeg_block {
    int component;  // of the scan
    int ac_table;
    const cjpeg_huffman *dc, *ac;
    const cjpeg_value *differences;
    const cjpeg_skip *skips;    // AC coefficients are passed over,
    const cjpeg_value *values;  // or decoded; the other may be missing
} cjpeg_block;

struct cjpeg_sequential {
    cjpeg_entropy entropy;
    uint32_t last_dc[MAX_COMPS_IN_SCAN];
    int block_count;
    JDIMENSION column, first_column, last_column;  // of MCUs: the next one, and those that are looked at
    JDIMENSION first_row;                          // of iMCU rows: the first one that is looked at
    int is_above;                                  // that row has not come yet: `transforms` wait
    inverse_DCT_method_ptr transforms[MAX_COMPONENTS];
    cjpeg_block blocks[D_MAX_BLOCKS_IN_MCU];
    cjpeg_huffman *dc[NUM_HUFF_TBLS], *ac[NUM_HUFF_TBLS];
    cjpeg_value *differences[NUM_HUFF_TBLS];
    cjpeg_skip *skips[NUM_HUFF_TBLS];
    cjpeg_value *values[NUM_HUFF_TBLS];
};

// MARK: An MCU at full speed

// One AC code. Gives the place after it, DCTSIZE2 or more at the block's end, or -1 for a bad code.
INLINE int take_coefficient(bit_reader *bits, const cjpeg_huffman *table, int place, JCOEF *block) {
    int symbol = take_code(bits, table);
    if (symbol < 0) return -1;
    int run = symbol >> 4, size = symbol & 15;
    if (size == 0) return run == 15 ? place + 16 : DCTSIZE2;
    int value = cjpeg_extend(take_bits(bits, (unsigned)size), size);
    place += run;
    if (block) block[cjpeg_natural_order[place]] = (JCOEF)value;
    return place + 1;
}

// Takes the codes of one look if the block goes on after them.
INLINE int pass_over(bit_reader *bits, const cjpeg_skip *skips, unsigned *skip, int *place) {
    *skip = skips[look(bits)];
    int next = *place + (int)(*skip >> CJPEG_SKIP_SHIFT);
    if (next >= DCTSIZE2) return 0;
    take(bits, *skip & 63);
    *place = next;
    return 1;
}

// Passes over a block's AC coefficients; 0: a bad code.
INLINE int skip_ac(bit_reader *bits, const cjpeg_huffman *table, const cjpeg_skip *skips) {
    int place = 1;
    for (;;) {
        unsigned skip;
        refill(bits);
        if (pass_over(bits, skips, &skip, &place) && pass_over(bits, skips, &skip, &place) &&
            pass_over(bits, skips, &skip, &place))
            continue;
        int next = place + (int)(skip >> CJPEG_SKIP_SHIFT);
        // From 64 to 127 with the block's end among the codes. Otherwise it ends before the last of them, or has a long code.
        if (next < 2 * DCTSIZE2 && (skip >> CJPEG_SKIP_SHIFT) >= CJPEG_SKIP_END) {
            take(bits, skip & 63);
            return 1;
        }
        refill(bits);
        place = take_coefficient(bits, table, place, NULL);
        if (place < 0) return 0;
        if (place >= DCTSIZE2) return 1;
    }
}

// As take_coefficient, by one look where the code and its value are short: CJPEG_VALUE_LOOK_BITS at most. After another one there
// are as many bits as after a refill.
INLINE int take_value(
    bit_reader *bits, const cjpeg_huffman *table, const cjpeg_value *values, int place, JCOEF *block) {
    cjpeg_value value = values[look_for_value(bits)];
    if (!value.bits) {
        refill(bits);
        place = take_coefficient(bits, table, place, block);
        refill(bits);
        return place;
    }
    take(bits, value.bits);
    if (value.run == CJPEG_RUN_END) return DCTSIZE2;
    place += value.run;
    block[cjpeg_natural_order[place]] = value.value;
    return place + 1;
}

// Decodes a block's AC coefficients; 0: a bad code.
INLINE int decode_ac(bit_reader *bits, const cjpeg_huffman *table, const cjpeg_value *values, JCOEF *block) {
    int place = 1;
    for (;;) {
        refill(bits);
        for (int i = 0; i < 4; i++) {
            place = take_value(bits, table, values, place, block);
            if (place < 0) return 0;
            if (place >= DCTSIZE2) return 1;
        }
    }
}

// 0: bits that are not there were taken, or a bad code came up; nothing but coefficients has changed.
static int decode_quickly(cjpeg_sequential *state, uint32_t *last_dc, JBLOCKROW *blocks) {
    bit_reader bits = reader(&state->entropy);
    for (int i = 0; i < state->block_count; i++) {
        const cjpeg_block *block = &state->blocks[i];
        refill(&bits);
        cjpeg_value difference = block->differences[bits.window >> (64 - CJPEG_DC_LOOK_BITS)];
        if (difference.bits) {
            take(&bits, difference.bits);
            last_dc[block->component] += (uint32_t)difference.value;
        } else {
            int size = take_code(&bits, block->dc);
            if (size < 0 || size > 15) return 0;
            if (size) last_dc[block->component] += (uint32_t)cjpeg_extend(take_bits(&bits, (unsigned)size), size);
        }
        JCOEF *coefficients = blocks ? *blocks[i] : NULL;
        if (coefficients) coefficients[0] = (JCOEF)last_dc[block->component];
        int is_good = block->values && coefficients ? decode_ac(&bits, block->ac, block->values, coefficients)
                                                    : skip_ac(&bits, block->ac, block->skips);
        if (!is_good) return 0;
    }
    return settle(&state->entropy, &bits);
}

// MARK: An MCU with care

// A value of `size` bits; 0: bytes are missing.
static int careful_value(j_decompress_ptr cinfo, cjpeg_sequential *state, int size, size_t *bit, int *value) {
    *value = 0;
    if (size == 0) return 1;
    if (!cjpeg_need(cinfo, &state->entropy, *bit, size)) return 0;
    *value = cjpeg_extend(cjpeg_peek(&state->entropy, *bit, size), size);
    *bit += (size_t)size;
    return 1;
}

static int decode_carefully(
    j_decompress_ptr cinfo, cjpeg_sequential *state, uint32_t *last_dc, JBLOCKROW *blocks) {
    cjpeg_compact(&state->entropy);
    size_t bit = state->entropy.bit;
    for (int i = 0; i < state->block_count; i++) {
        const cjpeg_block *block = &state->blocks[i];
        JCOEF *coefficients = blocks ? *blocks[i] : NULL;
        // What the attempt before this one has left.
        if (coefficients) memset(coefficients, 0, sizeof(JBLOCK));
        int value, size = cjpeg_careful_symbol(cinfo, &state->entropy, block->dc, &bit);
        // libjpeg has looked at the table by now (jpeg_make_d_derived_tbl).
        if (size > 15) cjpeg_fail((cjpeg_decoder *)cinfo, CJPEG_FAILURE_CORRUPT, "a difference of too many bits");
        if (size < 0 || !careful_value(cinfo, state, size, &bit, &value)) return 0;
        last_dc[block->component] += (uint32_t)value;
        if (coefficients) coefficients[0] = (JCOEF)last_dc[block->component];
        for (int place = 1; place < DCTSIZE2; place++) {
            int symbol = cjpeg_careful_symbol(cinfo, &state->entropy, block->ac, &bit);
            if (symbol < 0 || !careful_value(cinfo, state, symbol & 15, &bit, &value)) return 0;
            if ((symbol & 15) == 0 && symbol >> 4 != 15) break;
            place += symbol >> 4;
            if (coefficients && block->values && symbol & 15) coefficients[cjpeg_natural_order[place]] = (JCOEF)value;
        }
    }
    cjpeg_settle_carefully(&state->entropy, bit);
    return 1;
}
