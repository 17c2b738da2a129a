#include <stdlib.h>
#include <string.h>

#include "entropy.h"

#include <jerror.h>
#include <jpegint.h>

// The entropy decoder of sequential Huffman-coded files with one scan, in place of libjpeg's.
//
// A transform of one sample per block looks at the DC coefficient only: the codes of the AC coefficients are then passed
// over, several at once (0.6 of the time). Elsewhere a code and its value are looked up together (0.8). Everything else is
// libjpeg's: markers, transforms, upsampling and colour, and so is the contract (jdhuff.c): a call decodes one MCU, or
// changes nothing and gives FALSE when bytes are missing.

typedef struct cjpeg_block {
    int component;  // of the scan
    const cjpeg_huffman *dc, *ac;
    const cjpeg_value *differences;
    const cjpeg_skip *skips;    // AC coefficients are passed over
    const cjpeg_value *values;  // or decoded
} cjpeg_block;

struct cjpeg_sequential {
    cjpeg_entropy entropy;  // first: cjpeg_bytes_ahead
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

// As take_coefficient, by one look where the code and its value are short: CJPEG_LOOK_BITS at most. After another one there
// are as many bits as after a refill.
INLINE int take_value(
    bit_reader *bits, const cjpeg_huffman *table, const cjpeg_value *values, int place, JCOEF *block) {
    cjpeg_value value = values[look(bits)];
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
        if (size > 15) cjpeg_warn(cinfo, JWRN_HUFF_BAD_CODE);
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
    state->entropy.bit = bit;
    return 1;
}

// MARK: libjpeg's side

// In place of the inverse transforms above the first row that is looked at.
static void transform_nothing(
    j_decompress_ptr cinfo, jpeg_component_info *component, JCOEFPTR block, JSAMPARRAY rows, JDIMENSION column) {
    (void)cinfo, (void)component, (void)block, (void)rows, (void)column;
}

static void reach_first_row(cjpeg_sequential *state, j_decompress_ptr cinfo) {
    memcpy(cinfo->idct->inverse_DCT, state->transforms, sizeof state->transforms);
    state->is_above = 0;
}

// Aligned, because where its loops lie within cache lines makes a difference of up to a fifth.
__attribute__((aligned(64))) static boolean decode_mcu(j_decompress_ptr cinfo, JBLOCKROW *blocks) {
    cjpeg_sequential *state = ((cjpeg_decoder *)cinfo)->sequential;
    int has_restarted;
    if (!cjpeg_prepare_mcu(cinfo, &state->entropy, &has_restarted)) return FALSE;
    if (has_restarted) memset(state->last_dc, 0, sizeof state->last_dc);
    if (state->is_above && cinfo->input_iMCU_row >= state->first_row) reach_first_row(state, cinfo);
    if (state->is_above || state->column < state->first_column || state->column > state->last_column) blocks = NULL;
    uint32_t last_dc[MAX_COMPS_IN_SCAN];
    memcpy(last_dc, state->last_dc, sizeof last_dc);
    if (!decode_quickly(state, last_dc, blocks)) {
        memcpy(last_dc, state->last_dc, sizeof last_dc);
        if (!decode_carefully(cinfo, state, last_dc, blocks)) return FALSE;
    }
    memcpy(state->last_dc, last_dc, sizeof last_dc);
    state->entropy.restart_in--;
    if (++state->column >= cinfo->MCUs_per_row) state->column = 0;
    return TRUE;
}

// MARK: Setting up

static const cjpeg_huffman *huffman(cjpeg_huffman **slot, const JHUFF_TBL *source) {
    if (!source) return NULL;
    if (*slot) return *slot;
    cjpeg_huffman *table = malloc(sizeof *table);
    if (!table) return NULL;
    if (!cjpeg_huffman_build(table, source)) {
        free(table);
        return NULL;
    }
    return *slot = table;
}

static int set_up(cjpeg_sequential *state, j_decompress_ptr cinfo) {
    state->block_count = cinfo->blocks_in_MCU;
    state->entropy.restart_in = (int)cinfo->restart_interval;
    state->last_column = cinfo->MCUs_per_row;
    for (int i = 0; i < cinfo->blocks_in_MCU; i++) {
        cjpeg_block *block = &state->blocks[i];
        block->component = cinfo->MCU_membership[i];
        if (block->component < 0 || block->component >= cinfo->comps_in_scan) return 0;
        const jpeg_component_info *component = cinfo->cur_comp_info[block->component];
        int dc = component->dc_tbl_no, ac = component->ac_tbl_no;
        if (dc < 0 || dc >= NUM_HUFF_TBLS || ac < 0 || ac >= NUM_HUFF_TBLS) return 0;
        block->dc = huffman(&state->dc[dc], cinfo->dc_huff_tbl_ptrs[dc]);
        block->ac = huffman(&state->ac[ac], cinfo->ac_huff_tbl_ptrs[ac]);
        if (!block->dc || !block->ac) return 0;
        if (!state->differences[dc]) {
            state->differences[dc] = malloc((1 << CJPEG_DC_LOOK_BITS) * sizeof(cjpeg_value));
            if (!state->differences[dc]) return 0;
            cjpeg_huffman_build_differences(block->dc, state->differences[dc]);
        }
        block->differences = state->differences[dc];
        if (!state->skips[ac]) {
            state->skips[ac] = malloc(CJPEG_LOOK_COUNT * sizeof(cjpeg_skip));
            if (!state->skips[ac]) return 0;
            cjpeg_huffman_build_skips(block->ac, state->skips[ac]);
        }
        block->skips = state->skips[ac];
        if (!component->component_needed || cjpeg_scaled_size(component) == 1) continue;
        if (!state->values[ac]) {
            state->values[ac] = malloc(CJPEG_LOOK_COUNT * sizeof(cjpeg_value));
            if (!state->values[ac]) return 0;
            cjpeg_huffman_build_values(block->ac, state->values[ac]);
        }
        block->values = state->values[ac];
    }
    return 1;
}

void cjpeg_install_sequential(cjpeg_decoder *decoder) {
    j_decompress_ptr cinfo = &decoder->cinfo;
    if (decoder->sequential || cinfo->progressive_mode || cinfo->arith_code || cinfo->buffered_image ||
        cinfo->data_precision != 8)
        return;
    decoder->sequential = calloc(1, sizeof *decoder->sequential);
    if (!decoder->sequential) return;
    if (set_up(decoder->sequential, cinfo)) {
        cinfo->entropy->decode_mcu = decode_mcu;
    } else {
        cjpeg_release_sequential(decoder);
    }
}

void cjpeg_crop_sequential(cjpeg_decoder *decoder, JDIMENSION first, JDIMENSION last) {
    if (!decoder->sequential) return;
    decoder->sequential->first_column = first;
    decoder->sequential->last_column = last;
}

int cjpeg_crop_rows_sequential(cjpeg_decoder *decoder, JDIMENSION first_row) {
    cjpeg_sequential *state = decoder->sequential;
    struct jpeg_inverse_dct *idct = decoder->cinfo.idct;
    if (!state || state->is_above || decoder->cinfo.input_iMCU_row >= first_row) return 0;
    state->first_row = first_row;
    state->is_above = 1;
    memcpy(state->transforms, idct->inverse_DCT, sizeof state->transforms);
    for (int i = 0; i < MAX_COMPONENTS; i++) idct->inverse_DCT[i] = transform_nothing;
    return 1;
}

void cjpeg_release_sequential(cjpeg_decoder *decoder) {
    cjpeg_sequential *state = decoder->sequential;
    if (!state) return;
    for (int i = 0; i < NUM_HUFF_TBLS; i++) {
        free(state->dc[i]);
        free(state->ac[i]);
        free(state->differences[i]);
        free(state->skips[i]);
        free(state->values[i]);
    }
    free(state);
    decoder->sequential = NULL;
}
