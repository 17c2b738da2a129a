#include <string.h>

#include "decoder_internal.h"

// What a scale and a reduction show of a progressive file: which frequencies, and which scans may be left out.

static const uint8_t zigzag_column[64] = {
    0, 1, 0, 0, 1, 2, 3, 2, 1, 0, 0, 1, 2, 3, 4, 5, 4, 3, 2, 1, 0, 0, 1, 2, 3, 4, 5, 6, 7, 6, 5, 4,
    3, 2, 1, 0, 1, 2, 3, 4, 5, 6, 7, 7, 6, 5, 4, 3, 2, 3, 4, 5, 6, 7, 7, 6, 5, 4, 5, 6, 7, 7, 6, 7};
static const uint8_t zigzag_row[64] = {
    0, 0, 1, 2, 1, 0, 0, 1, 2, 3, 4, 3, 2, 1, 0, 0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1, 0, 0, 1, 2, 3,
    4, 5, 6, 7, 7, 6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6, 7, 7, 6, 5, 4, 3, 4, 5, 6, 7, 7, 6, 5, 6, 7, 7};

// The frequencies each way that an inverse transform to `size` samples looks at, a bit each.
//
// The lowest `size`. But libjpeg-turbo's transforms to 2 and 4 are its transform to 8 cut short (jidctred.c): to 2 it leaves
// out 2, 4 and 6, to 4 only 4.
static unsigned visible_lines(int size) {
    return size == 2 ? 0xAB : size == 4 ? 0xEF : size >= DCTSIZE ? 0xFF : (1u << size) - 1;
}

int cjpeg_is_visible(const jpeg_component_info *component, int coefficient) {
    unsigned lines = visible_lines(cjpeg_scaled_size(component));
    return (lines >> zigzag_column[coefficient]) & (lines >> zigzag_row[coefficient]) & 1;
}

static uint64_t visible_frequencies(const jpeg_component_info *component) {
    uint64_t visible = 0;
    for (int k = 0; k < DCTSIZE2; k++) visible |= (uint64_t)cjpeg_is_visible(component, k) << k;
    return visible;
}

static size_t blocks_of(const jpeg_component_info *component) {
    // As jdcoefct.c sizes its arrays: whole MCUs each way.
    size_t h = (size_t)component->h_samp_factor, v = (size_t)component->v_samp_factor;
    return (component->width_in_blocks + h - 1) / h * h * ((component->height_in_blocks + v - 1) / v * v);
}

uint64_t cjpeg_visible_bytes(cjpeg_decoder *decoder, int scale) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    if (!cjpeg_decodes_progressive(decoder)) return 0;
    if (setjmp(decoder->exit)) return 0;
    cinfo->scale_num = (unsigned)scale;
    cinfo->scale_denom = 8;
    jpeg_calc_output_dimensions(cinfo);
    uint64_t visible = 0;
    for (int i = 0; i < cinfo->num_components; i++) {
        const jpeg_component_info *component = &cinfo->comp_info[i];
        uint64_t blocks = blocks_of(component);
        visible += blocks * sizeof(JCOEF) * (uint64_t)__builtin_popcountll(visible_frequencies(component));
        // And which of them are not zero (progressive.c).
        if (cjpeg_scaled_size(component) > 1) visible += blocks * sizeof(uint64_t);
    }
    return visible;
}

void cjpeg_set_visible_only(cjpeg_decoder *decoder, int keeps_visible) {
    decoder->is_visible_only = 1;
    decoder->keeps_visible = keeps_visible;
}

int cjpeg_shows_all(const cjpeg_decoder *decoder) {
    const struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    if (!decoder->is_visible_only || !cinfo->progressive_mode || !cinfo->coef_bits) return 0;
    int is_more_to_come = 0;
    for (int i = 0; i < cinfo->num_components; i++) {
        for (int k = 0; k < DCTSIZE2; k++) {
            if (cinfo->coef_bits[i][k] == 0) continue;
            if (cjpeg_is_visible(&cinfo->comp_info[i], k)) return 0;
            is_more_to_come = 1;
        }
    }
    // If nothing is missing at all, the file's end is next.
    return is_more_to_come;
}

void cjpeg_set_reduction(cjpeg_decoder *decoder, double ratio, int keeps_little) {
    decoder->reduction = ratio;
    decoder->keeps_little = keeps_little;
}

// Pixels stored of a component per pixel wanted, along the side that is reduced less.
static double reduction_of(const cjpeg_decoder *decoder, const jpeg_component_info *component) {
    const struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    double across = (double)cinfo->max_h_samp_factor / component->h_samp_factor;
    double down = (double)cinfo->max_v_samp_factor / component->v_samp_factor;
    return decoder->reduction / (down > across ? down : across);
}

static int is_subsampled_colour(const cjpeg_decoder *decoder, const jpeg_component_info *component) {
    const struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    return component->component_index > 0 && cinfo->num_components == 3 &&
           cinfo->max_h_samp_factor >= 2 * component->h_samp_factor &&
           cinfo->max_v_samp_factor >= 2 * component->v_samp_factor;
}

// Whether little more than the first bits of a component's lowest frequencies shows, given the scan just begun.
//
// A frequency of u/16 cycles per sample lies far beyond what the reduction lets through once a pixel wanted spans most of
// two blocks; there, only the first bits of the lowest two frequencies each way matter (54 dB at 256 from 12 megapixels).
// A colour component stored at half size may lose as much sooner. A coarse quantisation makes missing bits large.
static int shows_little(const cjpeg_decoder *decoder, const jpeg_component_info *component) {
    const struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    double least = is_subsampled_colour(decoder, component) ? 6 : 14;
    if (reduction_of(decoder, component) < least || !component->quant_table) return 0;
    // quantval[1] and [8], row by row, are those of the lowest frequency each way. What a band of first bits loses, its component's
    // refinements lose too: both are judged by the bits that would be missing.
    const UINT16 *steps = component->quant_table->quantval;
    int bits = cinfo->Ah > 0 ? cinfo->Ah : cinfo->Al;
    return (steps[1] > steps[8] ? steps[1] : steps[8]) << bits <= 40;
}

// Only AC scans, which have one component each. A transform of one sample per block looks at none of them, and where a
// pixel wanted spans two blocks of a colour component stored at half size, none of its frequencies shows.
int cjpeg_can_leave_out(const cjpeg_decoder *decoder) {
    const struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    if (!cinfo->progressive_mode || cinfo->arith_code || cinfo->Ss == 0 || cinfo->comps_in_scan != 1) return 0;
    const jpeg_component_info *component = cinfo->cur_comp_info[0];
    if (!component || component->component_index < 0 || component->component_index >= 32) return 0;
    // A refinement presupposes what came before it.
    if (cinfo->Ah > 0 && ((decoder->is_thinned >> component->component_index) & 1)) return 1;
    if (decoder->is_visible_only && cjpeg_scaled_size(component) == 1) return 1;
    if (decoder->reduction <= 0) return 0;
    if (cjpeg_scaled_size(component) == 1) return 1;
    if (is_subsampled_colour(decoder, component) && reduction_of(decoder, component) >= 16) return 1;
    // Of first bits, those of a band that begins beyond the lowest two frequencies each way.
    return shows_little(decoder, component) && (cinfo->Ah > 0 || cinfo->Ss > 4);
}

uint64_t cjpeg_kept_frequencies(cjpeg_decoder *decoder, const jpeg_component_info *component) {
    if (decoder->keeps_visible) return visible_frequencies(component);
    if (decoder->cinfo.Ss == 0 || decoder->cinfo.Ah > 0 || !shows_little(decoder, component)) return ~(uint64_t)0;
    // Its refinements would look at what is not kept; they are left out.
    decoder->is_thinned |= 1u << component->component_index;
    int size = cjpeg_scaled_size(component) < 3 ? cjpeg_scaled_size(component) : 3;
    uint64_t kept = 0;
    for (int k = 0; k < DCTSIZE2; k++)
        if (zigzag_column[k] < size && zigzag_row[k] < size) kept |= (uint64_t)1 << k;
    return kept;
}
