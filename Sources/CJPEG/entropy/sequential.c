#include "sequential.h"

#include <stdlib.h>
#include <string.h>

#include "sequential_blocks.h"

// The entropy decoder of sequential Huffman-coded files with one scan, in place of libjpeg's.
//
// A transform of one sample per block looks at the DC coefficient only: the codes of the AC coefficients are then passed
// over, several at once (0.6 of the time). Elsewhere a code and its value are looked up together (0.8). Everything else is
// libjpeg's: markers, transforms, upsampling and colour, and so is the contract (jdhuff.c): a call decodes one MCU, or
// changes nothing and gives FALSE when bytes are missing.

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
    // Without data a block is zeros, as libjpeg has made it.
    if (!cinfo->entropy->insufficient_data && !decode_quickly(state, last_dc, blocks)) {
        if (cjpeg_awaits_bytes(cinfo, &state->entropy)) return FALSE;
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

// Sees to it that a block's AC coefficients can be passed over; 0: memory is short.
static int skips(cjpeg_sequential *state, cjpeg_block *block) {
    int ac = block->ac_table;
    if (!state->skips[ac]) {
        state->skips[ac] = malloc(CJPEG_LOOK_COUNT * sizeof(cjpeg_skip));
        if (!state->skips[ac]) return 0;
        cjpeg_huffman_build_skips(block->ac, state->skips[ac]);
    }
    block->skips = state->skips[ac];
    return 1;
}

static int skips_all(cjpeg_sequential *state) {
    for (int i = 0; i < state->block_count; i++)
        if (!skips(state, &state->blocks[i])) return 0;
    return 1;
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
        block->ac_table = ac;
        block->ac = huffman(&state->ac[ac], cinfo->ac_huff_tbl_ptrs[ac]);
        if (!block->dc || !block->ac) return 0;
        if (!state->differences[dc]) {
            state->differences[dc] = malloc((1 << CJPEG_DC_LOOK_BITS) * sizeof(cjpeg_value));
            if (!state->differences[dc]) return 0;
            cjpeg_huffman_build_differences(block->dc, state->differences[dc]);
        }
        block->differences = state->differences[dc];
        if (!component->component_needed || cjpeg_scaled_size(component) == 1) {
            if (!skips(state, block)) return 0;
            continue;
        }
        if (!state->values[ac]) {
            state->values[ac] = malloc((1 << CJPEG_VALUE_LOOK_BITS) * sizeof(cjpeg_value));
            if (!state->values[ac]) return 0;
            cjpeg_huffman_build_values(block->ac, state->values[ac]);
        }
        block->values = state->values[ac];
    }
    return 1;
}

void cjpeg_install_sequential(cjpeg_decoder *decoder) {
    j_decompress_ptr cinfo = &decoder->cinfo;
    if (!decoder->works_inside || decoder->sequential || cinfo->progressive_mode || cinfo->arith_code || cinfo->buffered_image ||
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
    if (!decoder->sequential || !skips_all(decoder->sequential)) return;
    decoder->sequential->first_column = first;
    decoder->sequential->last_column = last;
}

int cjpeg_crop_rows_sequential(cjpeg_decoder *decoder, JDIMENSION first_row) {
    cjpeg_sequential *state = decoder->sequential;
    struct jpeg_inverse_dct *idct = decoder->cinfo.idct;
    if (!state || state->is_above || decoder->cinfo.input_iMCU_row >= first_row || !skips_all(state)) return 0;
    state->first_row = first_row;
    state->is_above = 1;
    memcpy(state->transforms, idct->inverse_DCT, sizeof state->transforms);
    for (int i = 0; i < MAX_COMPONENTS; i++) idct->inverse_DCT[i] = transform_nothing;
    return 1;
}

size_t cjpeg_sequential_ahead(const cjpeg_decoder *decoder) {
    return decoder->sequential ? cjpeg_entropy_ahead(&decoder->sequential->entropy) : 0;
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
