#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "decoder_internal.h"

// After jconfig.h, which says which messages there are.
#include <jerror.h>

_Noreturn void cjpeg_fail(cjpeg_decoder *decoder, cjpeg_failure failure, const char *message) {
    decoder->failure = failure;
    strncpy(decoder->message, message, sizeof decoder->message - 1);
    longjmp(decoder->exit, 1);
}

static cjpeg_failure failure_for(const cjpeg_decoder *decoder, int code) {
    switch (code) {
    case JERR_OUT_OF_MEMORY:
    case JERR_NO_BACKING_STORE:
        return CJPEG_FAILURE_MEMORY;
    case JERR_ARITH_NOTIMPL:
    case JERR_BAD_PRECISION:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_COMPONENT_COUNT:
    case JERR_CCIR601_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_SOF_UNSUPPORTED:
    case JERR_IMAGE_TOO_BIG:
        return CJPEG_FAILURE_UNSUPPORTED;
    default:
        return decoder->has_faked_end ? CJPEG_FAILURE_TRUNCATED : CJPEG_FAILURE_CORRUPT;
    }
}

static void error_exit(j_common_ptr cinfo) {
    cjpeg_decoder *decoder = (cjpeg_decoder *)cinfo;
    // The source stands in front of the header still, as if it had been suspended there.
    decoder->awaits_height = cinfo->err->msg_code == JERR_EMPTY_IMAGE && cjpeg_lacks_height(decoder);
    if (decoder->awaits_height) longjmp(decoder->exit, 1);
    cinfo->err->format_message(cinfo, decoder->message);
    decoder->failure = failure_for(decoder, cinfo->err->msg_code);
    longjmp(decoder->exit, 1);
}

// Warnings that mean lost pixels end the decode at once: going on would only paint grey, at a bomb's price.
static void emit_message(j_common_ptr cinfo, int level) {
    if (level >= 0) return;
    cinfo->err->num_warnings++;
    switch (cinfo->err->msg_code) {
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_ARITH_BAD_CODE:
    case JWRN_JPEG_EOF:
        error_exit(cinfo);
        break;
    default:
        break;
    }
}

static void output_message(j_common_ptr cinfo) { (void)cinfo; }

cjpeg_decoder *cjpeg_decoder_create(size_t metadata_limit) {
    cjpeg_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    decoder->metadata_limit = metadata_limit;
    decoder->cinfo.err = jpeg_std_error(&decoder->errors);
    decoder->errors.error_exit = error_exit;
    decoder->errors.emit_message = emit_message;
    decoder->errors.output_message = output_message;
    if (setjmp(decoder->exit)) {
        jpeg_destroy_decompress(&decoder->cinfo);
        free(decoder);
        return NULL;
    }
    jpeg_create_decompress(&decoder->cinfo);
    cjpeg_install_source(decoder);
    cjpeg_install_metadata(decoder);
    return decoder;
}

void cjpeg_decoder_destroy(cjpeg_decoder *decoder) {
    if (!decoder) return;
    if (!setjmp(decoder->exit)) jpeg_destroy_decompress(&decoder->cinfo);
    cjpeg_release_metadata(decoder);
    cjpeg_release_sequential(decoder);
    cjpeg_release_progressive(decoder);
    cjpeg_release_coefficients(decoder);
    free(decoder->held);
    free(decoder);
}

cjpeg_status cjpeg_read_header(cjpeg_decoder *decoder) {
    if (setjmp(decoder->exit)) return decoder->awaits_height && !decoder->failure ? CJPEG_NEEDS_BYTES : CJPEG_FAILED;
    if (decoder->awaits_height && !cjpeg_find_height(decoder)) return CJPEG_NEEDS_BYTES;
    return jpeg_read_header(&decoder->cinfo, TRUE) == JPEG_HEADER_OK ? CJPEG_OK : CJPEG_NEEDS_BYTES;
}

static cjpeg_pixels pixels_for(J_COLOR_SPACE space) {
    switch (space) {
    case JCS_GRAYSCALE:
        return CJPEG_PIXELS_GREY;
    case JCS_YCbCr:
    case JCS_RGB:
        return CJPEG_PIXELS_RGB;
    case JCS_CMYK:
    case JCS_YCCK:
        return CJPEG_PIXELS_CMYK;
    default:
        return CJPEG_PIXELS_UNSUPPORTED;
    }
}

static uint64_t round_up(uint64_t value, uint64_t multiple) { return (value + multiple - 1) / multiple * multiple; }

void cjpeg_get_info(const cjpeg_decoder *decoder, cjpeg_info *info) {
    const struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    memset(info, 0, sizeof *info);
    info->width = cinfo->image_width;
    info->height = cinfo->image_height;
    info->components = cinfo->num_components;
    info->pixels = pixels_for(cinfo->jpeg_color_space);
    info->has_multiple_scans = jpeg_has_multiple_scans((j_decompress_ptr)cinfo);
    info->is_progressive = cinfo->progressive_mode;
    info->is_arithmetic = cinfo->arith_code;
    info->block_rows = cinfo->max_v_samp_factor * DCTSIZE;
    if (cinfo->saw_JFIF_marker) {
        info->density_unit = cinfo->density_unit;
        info->density_x = cinfo->X_density;
        info->density_y = cinfo->Y_density;
    }
    info->colour_across = info->colour_down = 1;
    for (int i = 0; i < cinfo->num_components; i++) {
        const jpeg_component_info *component = &cinfo->comp_info[i];
        int across_each = cinfo->max_h_samp_factor / component->h_samp_factor;
        int down_each = cinfo->max_v_samp_factor / component->v_samp_factor;
        if (across_each > info->colour_across) info->colour_across = across_each;
        if (down_each > info->colour_down) info->colour_down = down_each;
        // As jdcoefct.c sizes its arrays: whole MCUs each way.
        uint64_t across = round_up(component->width_in_blocks, (uint64_t)component->h_samp_factor);
        uint64_t down = round_up(component->height_in_blocks, (uint64_t)component->v_samp_factor);
        info->coefficient_bytes += across * down * sizeof(JBLOCK);
        // And which of them are not zero (progressive.c).
        if (cinfo->progressive_mode && !cinfo->arith_code) info->coefficient_bytes += across * down * sizeof(uint64_t);
        // Sample rows: one iMCU row and its context, up to 5 row groups, at most 8 samples per block each way.
        info->row_bytes += across * DCTSIZE * (uint64_t)component->v_samp_factor * DCTSIZE * 5;
    }
    info->row_bytes += (uint64_t)cinfo->image_width * 4 * 16;
}

cjpeg_status cjpeg_start(cjpeg_decoder *decoder, int scale, size_t memory_limit, size_t coefficient_limit) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    if (setjmp(decoder->exit)) return CJPEG_FAILED;
    if (!decoder->is_started) {
        switch (pixels_for(cinfo->jpeg_color_space)) {
        case CJPEG_PIXELS_GREY:
            cinfo->out_color_space = JCS_GRAYSCALE;
            break;
        case CJPEG_PIXELS_CMYK:
            cinfo->out_color_space = JCS_CMYK;
            break;
        default:
            cinfo->out_color_space = JCS_RGB;
            break;
        }
        cinfo->scale_num = (unsigned)scale;
        cinfo->scale_denom = 8;
        cinfo->buffered_image = jpeg_has_multiple_scans(cinfo);
        // At 1/8 there is one sample per block: smoothing would cost five times the pass and show nothing.
        if (scale == 1) cinfo->do_block_smoothing = FALSE;
        cinfo->mem->max_memory_to_use = memory_limit > LONG_MAX ? LONG_MAX : (long)memory_limit;
        if (decoder->keeps_visible) cjpeg_install_coefficients(decoder, coefficient_limit);
        if (decoder->keeps_little && cinfo->progressive_mode && !cinfo->arith_code) {
            // Smoothing looks at rows beyond those that it has asked for; nobody would see it at such a scale.
            cinfo->do_block_smoothing = FALSE;
            cjpeg_install_coefficients(decoder, coefficient_limit);
        }
        decoder->is_started = 1;
    }
    if (!jpeg_start_decompress(cinfo)) return CJPEG_NEEDS_BYTES;
    cjpeg_install_sequential(decoder);
    return CJPEG_OK;
}

const char *cjpeg_message(const cjpeg_decoder *decoder) { return decoder->message; }
cjpeg_failure cjpeg_failure_kind(const cjpeg_decoder *decoder) { return decoder->failure; }
