#include "visible.h"

#include "../entropy/progressive.h"

// The frequencies of a block that a scale's transforms look at.

static const uint8_t zigzag_column[DCTSIZE2] = {
    0, 1, 0, 0, 1, 2, 3, 2, 1, 0, 0, 1, 2, 3, 4, 5, 4, 3, 2, 1, 0, 0, 1, 2, 3, 4, 5, 6, 7, 6, 5, 4,
    3, 2, 1, 0, 1, 2, 3, 4, 5, 6, 7, 7, 6, 5, 4, 3, 2, 3, 4, 5, 6, 7, 7, 6, 5, 4, 5, 6, 7, 7, 6, 7};
static const uint8_t zigzag_row[DCTSIZE2] = {
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

uint64_t cjpeg_visible_frequencies(const jpeg_component_info *component) {
    uint64_t visible = 0;
    for (int k = 0; k < DCTSIZE2; k++) visible |= (uint64_t)cjpeg_is_visible(component, k) << k;
    return visible;
}

uint64_t cjpeg_lowest_frequencies(int size) {
    uint64_t lowest = 0;
    for (int k = 0; k < DCTSIZE2; k++) lowest |= (uint64_t)(zigzag_column[k] < size && zigzag_row[k] < size) << k;
    return lowest;
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
        visible += blocks * sizeof(JCOEF) * (uint64_t)__builtin_popcountll(cjpeg_visible_frequencies(component));
        // And which of them are not zero (progressive.c).
        if (cjpeg_scaled_size(component) > 1) visible += blocks * sizeof(uint64_t);
    }
    return visible;
}
