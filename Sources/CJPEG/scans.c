#include "decoder_internal.h"

// What is known of the scans of a file with several of them.

static const uint8_t zigzag_column[64] = {
    0, 1, 0, 0, 1, 2, 3, 2, 1, 0, 0, 1, 2, 3, 4, 5, 4, 3, 2, 1, 0, 0, 1, 2, 3, 4, 5, 6, 7, 6, 5, 4,
    3, 2, 1, 0, 1, 2, 3, 4, 5, 6, 7, 7, 6, 5, 4, 3, 2, 3, 4, 5, 6, 7, 7, 6, 5, 4, 5, 6, 7, 7, 6, 7};
static const uint8_t zigzag_row[64] = {
    0, 0, 1, 2, 1, 0, 0, 1, 2, 3, 4, 3, 2, 1, 0, 0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1, 0, 0, 1, 2, 3,
    4, 5, 6, 7, 7, 6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6, 7, 7, 6, 5, 4, 3, 4, 5, 6, 7, 7, 6, 5, 6, 7, 7};

static int scaled_size(const jpeg_component_info *component) {
#if JPEG_LIB_VERSION >= 70
    return component->DCT_h_scaled_size;
#else
    return component->DCT_scaled_size;
#endif
}

// An n × n inverse transform looks only at the n × n lowest frequencies.
static int is_visible(const jpeg_component_info *component, int coefficient) {
    int size = scaled_size(component);
    return zigzag_column[coefficient] < size && zigzag_row[coefficient] < size;
}

void cjpeg_note_scan(cjpeg_decoder *decoder) {
    const struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    int visible = 0;
    for (int i = 0; i < cinfo->comps_in_scan; i++) {
        const jpeg_component_info *component = cinfo->cur_comp_info[i];
        if (!component) continue;
        if (component->component_index >= 0 && component->component_index < 32)
            decoder->components_seen |= 1u << component->component_index;
        if (!cinfo->progressive_mode) visible = 1;
        for (int k = cinfo->Ss; k <= cinfo->Se && k < DCTSIZE2 && !visible; k++) visible = is_visible(component, k);
    }
    decoder->current_scan_is_visible = visible;
}

int cjpeg_scans_started(const cjpeg_decoder *decoder) { return decoder->cinfo.input_scan_number; }

int cjpeg_scans_complete(const cjpeg_decoder *decoder) {
    return decoder->has_reached_end ? decoder->cinfo.input_scan_number : decoder->cinfo.input_scan_number - 1;
}

int cjpeg_last_visible_scan(const cjpeg_decoder *decoder) { return decoder->last_visible_scan; }

double cjpeg_completeness(const cjpeg_decoder *decoder) {
    const struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    double known = 0, wanted = 0;
    for (int i = 0; i < cinfo->num_components; i++) {
        if (!cinfo->coef_bits) {
            wanted += 1;
            known += (decoder->components_seen >> i) & 1;
            continue;
        }
        for (int k = 0; k < DCTSIZE2; k++) {
            if (!is_visible(&cinfo->comp_info[i], k)) continue;
            int missing_bits = cinfo->coef_bits[i][k];
            wanted += 1;
            if (missing_bits >= 0) known += 1.0 / (1 + missing_bits);
        }
    }
    return wanted > 0 ? known / wanted : 0;
}

int cjpeg_is_complete(const cjpeg_decoder *decoder) {
    const struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    for (int i = 0; i < cinfo->num_components; i++) {
        if (!((decoder->components_seen >> i) & 1)) return 0;
        // With its end marker there, a file may leave frequencies out; without it, they were cut off.
        if (!decoder->has_faked_end || !cinfo->coef_bits) continue;
        for (int k = 0; k < DCTSIZE2; k++)
            if (cinfo->coef_bits[i][k] != 0) return 0;
    }
    return 1;
}

cjpeg_status cjpeg_start_output(cjpeg_decoder *decoder, int scan) {
    if (setjmp(decoder->exit)) return CJPEG_FAILED;
    return jpeg_start_output(&decoder->cinfo, scan) ? CJPEG_OK : CJPEG_NEEDS_BYTES;
}

cjpeg_status cjpeg_finish_output(cjpeg_decoder *decoder) {
    if (setjmp(decoder->exit)) return CJPEG_FAILED;
    return jpeg_finish_output(&decoder->cinfo) ? CJPEG_OK : CJPEG_NEEDS_BYTES;
}
