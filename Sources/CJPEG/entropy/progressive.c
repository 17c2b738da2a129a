#include "progressive.h"

#include <stdlib.h>
#include <string.h>

#include "progressive_blocks.h"

// The entropy decoder of progressive Huffman-coded files, in place of libjpeg's (jdphuff.c); it is set up anew for each scan.

static boolean decode_dc(j_decompress_ptr cinfo, JBLOCKROW *blocks) {
    cjpeg_progressive *state = ((cjpeg_decoder *)cinfo)->progressive;
    int has_restarted;
    if (!cjpeg_prepare_mcu(cinfo, &state->entropy, &has_restarted)) return FALSE;
    if (has_restarted) memset(state->last_dc, 0, sizeof state->last_dc);
    if (cinfo->entropy->insufficient_data) {
        state->entropy.restart_in--;
        return TRUE;
    }
    uint32_t last_dc[MAX_COMPS_IN_SCAN];
    memcpy(last_dc, state->last_dc, sizeof last_dc);
    source source = {cinfo, &state->entropy, reader(&state->entropy), 0};
    int is_complete = cinfo->Ah ? refine_dc(&source, blocks, 0) : first_dc(&source, state, last_dc, blocks, 0);
    if (!is_complete || !settle(&state->entropy, &source.bits)) {
        if (cjpeg_awaits_bytes(cinfo, &state->entropy)) return FALSE;
        memcpy(last_dc, state->last_dc, sizeof last_dc);
        cjpeg_compact(&state->entropy);
        source.bit = state->entropy.bit;
        if (!(cinfo->Ah ? refine_dc(&source, blocks, 1) : first_dc(&source, state, last_dc, blocks, 1))) return FALSE;
        cjpeg_settle_carefully(&state->entropy, source.bit);
    }
    memcpy(state->last_dc, last_dc, sizeof last_dc);
    state->entropy.restart_in--;
    return TRUE;
}

// Decodes a block; 0: bytes are missing, and nothing has changed.
INLINE int decode_ac_block(
    j_decompress_ptr cinfo, cjpeg_progressive *state, JBLOCKROW coefficients, uint64_t *known, int is_first) {
    JCOEF *block = *coefficients;
    uint32_t to_end = state->blocks_to_end;
    uint64_t before = *known;
    // What bits that are not there have put into the block must go again. Other attempts that fail have read what is there,
    // and a further one writes the same.
    int may_run_out = cjpeg_entropy_ahead(&state->entropy) < MCU_BYTES;
    JBLOCK saved;
    if (may_run_out) memcpy(saved, block, sizeof saved);
    source source = {cinfo, &state->entropy, reader(&state->entropy), 0};
    // A damaged script may have a band's first scan twice. What an attempt that is forgotten has put over known coefficients
    // could not be taken back: there are none without care then.
    int is_complete = 0;
    if (!is_first || !(before & cjpeg_band(cinfo->Ss, cinfo->Se)))
        is_complete = is_first ? first_ac(&source, state, block, known, &to_end, 0)
                               : refine_ac(&source, state, block, known, &to_end, 0);
    if (!is_complete || !settle(&state->entropy, &source.bits)) {
        if (may_run_out) memcpy(block, saved, sizeof saved);
        *known = before;
        if (cjpeg_awaits_bytes(cinfo, &state->entropy)) return 0;
        to_end = state->blocks_to_end;
        cjpeg_compact(&state->entropy);
        source.bit = state->entropy.bit;
        if (!(is_first ? first_ac(&source, state, block, known, &to_end, 1)
                       : refine_ac(&source, state, block, known, &to_end, 1))) {
            if (may_run_out) memcpy(block, saved, sizeof saved);
            return 0;
        }
        cjpeg_settle_carefully(&state->entropy, source.bit);
    }
    state->blocks_to_end = to_end;
    return 1;
}

// Counts what a block has brought of a suspect.
static void count_energy(cjpeg_suspect *suspect, const JCOEF *block, uint64_t brought) {
    double energy = 0;
    for (; brought; brought &= brought - 1) {
        double coefficient = block[cjpeg_natural_order[__builtin_ctzll(brought)]];
        energy += coefficient * coefficient;
    }
    suspect->energy += energy * suspect->unit;
}

static boolean decode_ac(j_decompress_ptr cinfo, JBLOCKROW *blocks) {
    cjpeg_decoder *decoder = (cjpeg_decoder *)cinfo;
    cjpeg_progressive *state = decoder->progressive;
    int has_restarted;
    if (!cjpeg_prepare_mcu(cinfo, &state->entropy, &has_restarted)) return FALSE;
    if (has_restarted) state->blocks_to_end = 0;
    int component = cinfo->cur_comp_info[0]->component_index;
    uint64_t nothing = 0, *known = &nothing;
    if (state->known[component]) {
        if (state->block >= state->known_count[component])
            cjpeg_fail(decoder, CJPEG_FAILURE_CORRUPT, "more blocks than the component has");
        known = &state->known[component][state->block];
    }
    if (cinfo->entropy->insufficient_data) {
        state->block++;
        state->entropy.restart_in--;
        return TRUE;
    }
    // Within a run of blocks without codes there are correction bits at most.
    if (state->blocks_to_end && (!cinfo->Ah || !(*known & cjpeg_band(cinfo->Ss, cinfo->Se)))) {
        state->blocks_to_end--;
    } else if (!(cinfo->Ah ? decode_ac_block(cinfo, state, *blocks, known, 0)
                           : decode_ac_block(cinfo, state, *blocks, known, 1))) {
        return FALSE;
    } else if (decoder->choice.suspect.is_under_way) {
        // Nothing is known of its band from before: it is thinned.
        count_energy(&decoder->choice.suspect, **blocks, *known & cjpeg_band(cinfo->Ss, cinfo->Se));
    }
    state->block++;
    state->entropy.restart_in--;
    return TRUE;
}

static void build(cjpeg_decoder *decoder, cjpeg_huffman *table, JHUFF_TBL *const *tables, int index) {
    // libjpeg has looked at them by now (start_pass_phuff_decoder).
    if (index < 0 || index >= NUM_HUFF_TBLS || !tables[index] || !cjpeg_huffman_build(table, tables[index]))
        cjpeg_fail(decoder, CJPEG_FAILURE_CORRUPT, "a Huffman table that codes cannot be read with");
}

static void *allocate_table(cjpeg_decoder *decoder, size_t size) {
    void *table = malloc(size);
    if (!table) cjpeg_fail(decoder, CJPEG_FAILURE_MEMORY, "no memory for decoding tables");
    return table;
}

static void build_dc(cjpeg_decoder *decoder, cjpeg_progressive *state) {
    const struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    unsigned built = 0;
    for (int i = 0; i < cinfo->comps_in_scan; i++) {
        int index = cinfo->cur_comp_info[i]->dc_tbl_no & (NUM_HUFF_TBLS - 1);
        if (!state->dc_tables[index]) state->dc_tables[index] = allocate_table(decoder, sizeof(cjpeg_dc_codes));
        cjpeg_dc_codes *codes = state->dc_tables[index];
        state->dc[i] = codes;
        if ((built >> index) & 1) continue;
        built |= 1u << index;
        build(decoder, &codes->table, cinfo->dc_huff_tbl_ptrs, cinfo->cur_comp_info[i]->dc_tbl_no);
        cjpeg_huffman_build_differences(&codes->table, codes->differences);
    }
}

static void build_ac(cjpeg_decoder *decoder, cjpeg_progressive *state) {
    const struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    if (!state->ac) state->ac = allocate_table(decoder, sizeof(cjpeg_ac_codes));
    build(decoder, &state->ac->table, cinfo->ac_huff_tbl_ptrs, cinfo->cur_comp_info[0]->ac_tbl_no);
    cjpeg_huffman_build_values(&state->ac->table, state->ac->values);
}

int cjpeg_decodes_progressive(const cjpeg_decoder *decoder) {
    const struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    if (!cjpeg_is_selective(decoder) || cinfo->data_precision != 8) return 0;
    if (decoder->is_trial) return 1;
    // The tables of ten scans would take a small picture longer than its decode.
    const jpeg_component_info *first = &cinfo->comp_info[0];
    return (uint64_t)first->width_in_blocks * first->height_in_blocks >= 1024;
}

void cjpeg_begin_progressive(cjpeg_decoder *decoder) {
    j_decompress_ptr cinfo = &decoder->cinfo;
    if (!cjpeg_decodes_progressive(decoder)) return;
    cjpeg_progressive *state = decoder->progressive;
    if (!state) {
        state = decoder->progressive = calloc(1, sizeof *state);
        if (!state) cjpeg_fail(decoder, CJPEG_FAILURE_MEMORY, "no memory for decoding tables");
    }
    state->entropy.bit = state->entropy.count = 0;
    memset(state->entropy.buffer, 0, MCU_BYTES);
    state->entropy.restart_in = (int)cinfo->restart_interval;
    memset(state->last_dc, 0, sizeof state->last_dc);
    state->blocks_to_end = 0;
    state->block = 0;
    if (cinfo->Ss == 0) {
        if (!cinfo->Ah) build_dc(decoder, state);
        cinfo->entropy->decode_mcu = decode_dc;
        return;
    }
    const jpeg_component_info *component = cinfo->cur_comp_info[0];
    build_ac(decoder, state);
    int index = component->component_index;
    // Refinements of what is thinned are left out.
    if (!state->known[index] && (cjpeg_band_of_scan(decoder) & ~decoder->choice.thinned[index])) {
        size_t count = (size_t)component->width_in_blocks * component->height_in_blocks;
        state->known[index] = cjpeg_reserve(decoder, count, sizeof(uint64_t));
        state->known_count[index] = count;
    }
    cinfo->entropy->decode_mcu = decode_ac;
}

size_t cjpeg_blocks_decoded(const cjpeg_decoder *decoder) {
    return decoder->progressive ? decoder->progressive->block : 0;
}

size_t cjpeg_progressive_ahead(const cjpeg_decoder *decoder) {
    return decoder->progressive ? cjpeg_entropy_ahead(&decoder->progressive->entropy) : 0;
}

void cjpeg_drop_ahead(cjpeg_decoder *decoder) {
    if (decoder->progressive) decoder->progressive->entropy.bit = decoder->progressive->entropy.count = 0;
}

void cjpeg_release_progressive(cjpeg_decoder *decoder) {
    cjpeg_progressive *state = decoder->progressive;
    if (!state) return;
    for (int i = 0; i < MAX_COMPONENTS; i++) free(state->known[i]);
    for (int i = 0; i < NUM_HUFF_TBLS; i++) free(state->dc_tables[i]);
    free(state->ac);
    free(state);
    decoder->progressive = NULL;
}
