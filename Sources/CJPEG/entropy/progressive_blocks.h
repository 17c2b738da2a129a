#pragma once

#include "entropy.h"

#include <jerror.h>

// The blocks of a progressive file's scans, in the four kinds that there are, each with and without care (entropy.h).
//
// A refinement is read along the coefficients that are not zero yet. Which ones these are is kept as 64 bits a block, so that
// a run of zeros is found, and its correction bits are counted, without a look at the coefficients.

typedef struct cjpeg_dc_codes {
    cjpeg_huffman table;
    cjpeg_value differences[1 << CJPEG_DC_LOOK_BITS];
} cjpeg_dc_codes;

typedef struct cjpeg_ac_codes {
    cjpeg_huffman table;
    cjpeg_value values[1 << CJPEG_VALUE_LOOK_BITS];
} cjpeg_ac_codes;

struct cjpeg_progressive {
    cjpeg_entropy entropy;
    uint32_t last_dc[MAX_COMPS_IN_SCAN];
    uint32_t blocks_to_end;  // the run of blocks that have no more codes in this band
    // Of the scan under way; allocated when a scan first needs them.
    cjpeg_dc_codes *dc_tables[NUM_HUFF_TBLS];
    const cjpeg_dc_codes *dc[MAX_COMPS_IN_SCAN];  // one of those
    cjpeg_ac_codes *ac;
    // Of each component: a word per block, a bit per place in zigzag order.
    uint64_t *known[MAX_COMPONENTS];
    size_t known_count[MAX_COMPONENTS];
    size_t block;  // of an AC scan's component: the next one
};

// MARK: Bits, with or without care

// Where an MCU is being read. Without care a function that gives -1 has come upon a bad code; with care, bytes are missing.
typedef struct source {
    j_decompress_ptr cinfo;
    cjpeg_entropy *entropy;
    bit_reader bits;  // without care
    size_t bit;       // with care
} source;

INLINE int next_symbol(source *source, const cjpeg_huffman *table, int is_careful) {
    if (is_careful) {
        size_t bit = source->bit;
        int symbol = cjpeg_careful_symbol(source->cinfo, source->entropy, table, &bit);
        source->bit = bit;
        return symbol;
    }
    refill(&source->bits);
    return take_code(&source->bits, table);
}

// `count` bits, 1 to 16.
INLINE int next_bits(source *source, int count, int is_careful) {
    if (is_careful) {
        if (!cjpeg_need(source->cinfo, source->entropy, source->bit, count)) return -1;
        int value = (int)cjpeg_peek(source->entropy, source->bit, count);
        source->bit += (size_t)count;
        return value;
    }
    refill(&source->bits);
    return (int)take_bits(&source->bits, (unsigned)count);
}

// A symbol that has no meaning; without care it may come of bits that are not there. 1: the decode goes on all the same.
INLINE int passes_bad_code(source *source, int is_careful) {
    if (is_careful) cjpeg_warn(source->cinfo, JWRN_HUFF_BAD_CODE);
    return is_careful;
}

// MARK: Scans

// A scan's blocks' first bits of DC. Gives 1, or 0 where the functions above give -1; so do the three that follow.
INLINE int first_dc(source *source, cjpeg_progressive *state, uint32_t *last_dc, JBLOCKROW *blocks, int is_careful) {
    j_decompress_ptr cinfo = source->cinfo;
    for (int i = 0; i < cinfo->blocks_in_MCU; i++) {
        int component = cinfo->MCU_membership[i], difference = 0;
        cjpeg_value value = {0, 0, 0};
        if (!is_careful) {
            refill(&source->bits);
            value = state->dc[component]->differences[source->bits.window >> (64 - CJPEG_DC_LOOK_BITS)];
        }
        if (value.bits) {
            take(&source->bits, value.bits);
            difference = value.value;
        } else {
            int size = next_symbol(source, &state->dc[component]->table, is_careful);
            if (size < 0) return 0;
            // libjpeg has looked at the table by now (jpeg_make_d_derived_tbl).
            if (size > 15) cjpeg_fail((cjpeg_decoder *)cinfo, CJPEG_FAILURE_CORRUPT, "a difference of too many bits");
            if (size) {
                int bits = next_bits(source, size, is_careful);
                if (bits < 0) return 0;
                difference = cjpeg_extend((unsigned)bits, size);
            }
        }
        last_dc[component] += (uint32_t)difference;
        (*blocks[i])[0] = (JCOEF)(last_dc[component] << cinfo->Al);
    }
    return 1;
}

INLINE int refine_dc(source *source, JBLOCKROW *blocks, int is_careful) {
    for (int i = 0; i < source->cinfo->blocks_in_MCU; i++) {
        int bit = next_bits(source, 1, is_careful);
        if (bit < 0) return 0;
        if (bit) (*blocks[i])[0] |= (JCOEF)(1 << source->cinfo->Al);
    }
    return 1;
}

// How many blocks a code ends the band of, `run` being that of its symbol; -1 as above.
INLINE int32_t run_of_blocks(source *source, int run, int is_careful) {
    if (run == 0) return 1;
    int more = next_bits(source, run, is_careful);
    return more < 0 ? -1 : (1 << run) + more;
}

INLINE int first_ac(
    source *source, cjpeg_progressive *state, JCOEF *block, uint64_t *known, uint32_t *to_end, int is_careful) {
    int last = source->cinfo->Se, shift = source->cinfo->Al;
    uint64_t brought = 0;
    for (int place = source->cinfo->Ss; place <= last; place++) {
        cjpeg_value value = {0, 0, 0};
        int run, bits;
        if (!is_careful) {
            refill(&source->bits);
            value = state->ac->values[look_for_value(&source->bits)];
        }
        if (value.bits && value.run != CJPEG_RUN_END) {
            take(&source->bits, value.bits);
            run = value.run;
            bits = value.value;
        } else {
            int symbol = next_symbol(source, &state->ac->table, is_careful);
            if (symbol < 0) return 0;
            int size = symbol & 15;
            run = symbol >> 4;
            bits = 0;
            if (size) {
                bits = next_bits(source, size, is_careful);
                if (bits < 0) return 0;
                bits = cjpeg_extend((unsigned)bits, size);
            } else if (run != 15) {
                int32_t count = run_of_blocks(source, run, is_careful);
                if (count < 0) return 0;
                *to_end = (uint32_t)count - 1;
                break;
            }
        }
        place += run;
        if (!bits) continue;
        // Outside the band; with care, as libjpeg does it.
        if (place > last && !is_careful) return 0;
        JCOEF coefficient = (JCOEF)((unsigned)bits << shift);
        block[cjpeg_natural_order[place]] = coefficient;
        if (coefficient) brought |= (uint64_t)1 << (place < 63 ? place : 63);
    }
    *known |= brought;
    return 1;
}

// Reads a correction bit for each of `places`, which are known coefficients. Without care, 16 bits must be there.
INLINE int correct(source *source, JCOEF *block, uint64_t places, int is_careful) {
    int step = 1 << source->cinfo->Al, is_later = 0;
    while (places) {
        int count = __builtin_popcountll(places);
        if (count > 16) count = 16;
        int bits = is_careful || is_later ? next_bits(source, count, is_careful)
                                          : (int)take_bits(&source->bits, (unsigned)count);
        if (bits < 0) return 0;
        is_later = 1;
        while (count--) {
            // Without a branch on a bit, which nobody could foresee. Done already where this is another attempt.
            JCOEF *coefficient = &block[cjpeg_natural_order[__builtin_ctzll(places)]];
            int value = *coefficient, sign = value >> 31;
            int is_due = (bits >> count) & ((value & step) == 0);
            *coefficient = (JCOEF)(value + (((step ^ sign) - sign) & -is_due));
            places &= places - 1;
        }
    }
    return 1;
}

INLINE int refine_ac(
    source *source, cjpeg_progressive *state, JCOEF *block, uint64_t *known, uint32_t *to_end, int is_careful) {
    int last = source->cinfo->Se, place = source->cinfo->Ss, step = 1 << source->cinfo->Al;
    uint64_t brought = 0;
    int is_complete = 0;
    while (*to_end == 0 && place <= last) {
        int run, coefficient;
        cjpeg_value value = {0, 0, 0};
        if (!is_careful) {
            refill(&source->bits);
            value = state->ac->values[look_for_value(&source->bits)];
        }
        // A code with its sign, or that of a run of zeros alone.
        if (value.bits && value.run != CJPEG_RUN_END && value.value >= -1 && value.value <= 1) {
            take(&source->bits, value.bits);
            run = value.run;
            coefficient = value.value * step;
        } else {
            int symbol = next_symbol(source, &state->ac->table, is_careful);
            if (symbol < 0) goto incomplete;
            run = symbol >> 4;
            coefficient = 0;
            if (symbol & 15) {
                if ((symbol & 15) != 1 && !passes_bad_code(source, is_careful)) goto incomplete;
                int sign = next_bits(source, 1, is_careful);
                if (sign < 0) goto incomplete;
                coefficient = sign ? step : -step;
            } else if (run != 15) {
                int32_t count = run_of_blocks(source, run, is_careful);
                if (count < 0) goto incomplete;
                *to_end = (uint32_t)count;
                break;
            }
        }
        // Past `run` zeros to the next one; what is known on the way is corrected.
        uint64_t zeros = ~(*known | brought) & cjpeg_band(place, last);
        // Mostly a few, how many nobody could foresee.
        for (int i = 0; i < 3; i++, run--) zeros &= zeros - (uint64_t)(run > 0);
        for (; run > 0 && zeros; run--) zeros &= zeros - 1;
        int next = zeros ? __builtin_ctzll(zeros) : last + 1;
        if (next > last && coefficient && !is_careful) goto incomplete;
        if (!correct(source, block, (*known | brought) & cjpeg_band(place, next - 1), is_careful)) goto incomplete;
        if (coefficient) {
            block[cjpeg_natural_order[next]] = (JCOEF)coefficient;
            brought |= (uint64_t)1 << (next < 63 ? next : 63);
        }
        place = next + 1;
    }
    if (*to_end > 0) {
        if (!correct(source, block, (*known | brought) & cjpeg_band(place, last), is_careful)) goto incomplete;
        *to_end -= 1;
    }
    is_complete = 1;
incomplete:
    if (is_complete) {
        *known |= brought;
    } else {
        // A further attempt must find zeros where this one has found them.
        for (; brought; brought &= brought - 1) block[cjpeg_natural_order[__builtin_ctzll(brought)]] = 0;
    }
    return is_complete;
}
