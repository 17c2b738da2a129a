#include <string.h>

#include "../entropy/progressive.h"
#include "../shim/internals.h"
#include "../shim/source.h"
#include "choice.h"
#include "planes.h"
#include "visible.h"

// The scans of a file that has several of them, from its first to its last, and the output passes between them.

// As after a scan that has been read: an output pass would otherwise wait for its rows.
static void end_scan(j_decompress_ptr cinfo) {
    cinfo->input_iMCU_row = cinfo->total_iMCU_rows;
    cinfo->inputctl->finish_input_pass(cinfo);
}

// Passes over the entropy-coded data of the scan just begun; 0: bytes are missing.
static int leave_out_scan(cjpeg_decoder *decoder) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    struct jpeg_source_mgr *source = cinfo->src;
    // A scan of which some has been decoded may have been read up to a marker.
    int marker = cinfo->unread_marker;
    if (marker >= JPEG_RST0 && marker <= JPEG_RST0 + 7) marker = cinfo->unread_marker = 0;
    while (marker == 0) {
        const JOCTET *next = memchr(source->next_input_byte, 0xFF, source->bytes_in_buffer);
        size_t passed = next ? (size_t)(next - source->next_input_byte) : source->bytes_in_buffer;
        source->next_input_byte += passed;
        source->bytes_in_buffer -= passed;
        if (source->bytes_in_buffer < 2) {
            if (!decoder->has_ended) return 0;
            break;  // all that is to be shown is there
        }
        JOCTET code = source->next_input_byte[1];
        if (code != 0 && code != 0xFF && !(code >= JPEG_RST0 && code <= JPEG_RST0 + 7)) break;
        passed = code == 0xFF ? 1 : 2;
        source->next_input_byte += passed;
        source->bytes_in_buffer -= passed;
    }
    decoder->choice.is_left_out = 0;
    end_scan(cinfo);
    return 1;
}

// Begins the scan whose header has just been read, as it is chosen.
static void begin_scan(cjpeg_decoder *decoder) {
    const struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    for (int i = 0; i < cinfo->comps_in_scan; i++) decoder->components_seen |= 1u << cinfo->cur_comp_info[i]->component_index;
    cjpeg_choose(decoder);
    if (decoder->choice.is_left_out) return;
    cjpeg_begin_progressive(decoder);
    cjpeg_begin_planes(decoder);
}

static cjpeg_status end_early(cjpeg_decoder *decoder) {
    decoder->has_reached_end = decoder->has_ended_early = 1;
    // Smoothing would otherwise read on after a scan of DC, for rows below those that it makes (jdcoefct.c).
    decoder->cinfo.inputctl->eoi_reached = TRUE;
    return CJPEG_END;
}

cjpeg_status cjpeg_consume(cjpeg_decoder *decoder) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    if (decoder->has_reached_end) return CJPEG_END;
    if (setjmp(decoder->exit)) return CJPEG_FAILED;
    if (decoder->components_seen == 0) begin_scan(decoder);
    if (decoder->choice.is_left_out && !leave_out_scan(decoder)) return CJPEG_NEEDS_BYTES;
    switch (jpeg_consume_input(cinfo)) {
    case JPEG_SUSPENDED:
        return CJPEG_NEEDS_BYTES;
    case JPEG_REACHED_EOI:
        decoder->has_reached_end = 1;
        if (decoder->choice.is_visible) decoder->last_visible_scan = cinfo->input_scan_number;
        return CJPEG_END;
    case JPEG_REACHED_SOS:
        if (decoder->choice.is_visible) decoder->last_visible_scan = cinfo->input_scan_number - 1;
        begin_scan(decoder);
        if (!decoder->choice.is_left_out || !cjpeg_shows_all(decoder)) return CJPEG_SCAN_COMPLETE;
        end_scan(cinfo);
        return end_early(decoder);
    case JPEG_SCAN_COMPLETED:
        if (!cjpeg_shows_all(decoder)) return CJPEG_OK;
        decoder->last_visible_scan = cinfo->input_scan_number;
        return end_early(decoder);
    default:
        cjpeg_count_overrun(decoder, (uint64_t)cinfo->image_width * 8);
        if (!cjpeg_choose_again(decoder)) return CJPEG_OK;
        cjpeg_drop_ahead(decoder);
        if (!cjpeg_shows_all(decoder)) return CJPEG_OK;
        end_scan(cinfo);
        return end_early(decoder);
    }
}

int cjpeg_scans_started(const cjpeg_decoder *decoder) { return decoder->cinfo.input_scan_number; }

int cjpeg_scans_complete(const cjpeg_decoder *decoder) {
    return decoder->has_reached_end ? decoder->cinfo.input_scan_number : decoder->cinfo.input_scan_number - 1;
}

int cjpeg_ended_early(const cjpeg_decoder *decoder) { return decoder->has_ended_early; }

int cjpeg_last_visible_scan(const cjpeg_decoder *decoder) { return decoder->last_visible_scan; }

// How many coefficients of a component that show are known, in parts of them, and how many there are.
static void count_known(const cjpeg_decoder *decoder, int component, double *known, double *wanted) {
    const struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    if (!cinfo->coef_bits) {
        *wanted += 1;
        *known += (decoder->components_seen >> component) & 1;
        return;
    }
    for (int k = 0; k < DCTSIZE2; k++) {
        if (!cjpeg_is_visible(&cinfo->comp_info[component], k)) continue;
        int missing_bits = cinfo->coef_bits[component][k];
        *wanted += 1;
        if (missing_bits >= 0) *known += 1.0 / (1 + missing_bits);
    }
}

double cjpeg_completeness(const cjpeg_decoder *decoder) {
    double known = 0, wanted = 0;
    for (int i = 0; i < decoder->cinfo.num_components; i++) count_known(decoder, i, &known, &wanted);
    return wanted > 0 ? known / wanted : 0;
}

double cjpeg_least_completeness(const cjpeg_decoder *decoder) {
    double least = 1;
    for (int i = 0; i < decoder->cinfo.num_components; i++) {
        double known = 0, wanted = 0;
        count_known(decoder, i, &known, &wanted);
        if (wanted > 0 && known / wanted < least) least = known / wanted;
    }
    return least;
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

// Whether a pass over what is there of a scan smooths it: estimates the lowest frequencies that are not known from the blocks around.
static int is_smooth(const cjpeg_decoder *decoder, int scan) {
    const struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    // At 1/8 there is one sample per block: it would cost five times the pass and show nothing. Where little is kept, it would look at
    // rows beyond those that it has asked for, and nobody would see it at such a scale.
    if (!cinfo->coef_bits || cinfo->scale_num == 1 || decoder->wish.kept == CJPEG_KEPT_SHOWN) return 0;
    // Beside rows of first bits of DC that have not been read yet, libjpeg-turbo 2.1.5 makes a row of whatever lies in memory.
    if (cinfo->input_scan_number > scan && cinfo->Ss == 0 && cinfo->Ah == 0 &&
        cinfo->input_iMCU_row < cinfo->total_iMCU_rows)
        return 0;
    for (int i = 0; i < cinfo->num_components; i++)
        for (int k = 1; k < 10; k++)
            if (cinfo->coef_bits[i][k] != 0) return 1;
    return 0;
}

cjpeg_status cjpeg_start_output(cjpeg_decoder *decoder, int scan) {
    if (setjmp(decoder->exit)) return CJPEG_FAILED;
    decoder->cinfo.do_block_smoothing = is_smooth(decoder, scan);
    decoder->smoothing_margin = decoder->cinfo.do_block_smoothing ? 2 : 0;
    if (!jpeg_start_output(&decoder->cinfo, scan)) return CJPEG_NEEDS_BYTES;
    cjpeg_begin_planes_output(decoder);
    return CJPEG_OK;
}

cjpeg_status cjpeg_finish_output(cjpeg_decoder *decoder) {
    if (setjmp(decoder->exit)) return CJPEG_FAILED;
    return jpeg_finish_output(&decoder->cinfo) ? CJPEG_OK : CJPEG_NEEDS_BYTES;
}
