#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "decoder_internal.h"

// After jconfig.h, which says which messages there are.
#include <jerror.h>
#include <jpegint.h>

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
    case JWRN_MUST_RESYNC:
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
    if (setjmp(decoder->exit)) return CJPEG_FAILED;
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
    info->is_inverted_cmyk = cinfo->saw_Adobe_marker;
    info->has_multiple_scans = jpeg_has_multiple_scans((j_decompress_ptr)cinfo);
    info->is_progressive = cinfo->progressive_mode;
    info->is_arithmetic = cinfo->arith_code;
    info->block_rows = cinfo->max_v_samp_factor * DCTSIZE;
    if (cinfo->saw_JFIF_marker) {
        info->density_unit = cinfo->density_unit;
        info->density_x = cinfo->X_density;
        info->density_y = cinfo->Y_density;
    }
    for (int i = 0; i < cinfo->num_components; i++) {
        const jpeg_component_info *component = &cinfo->comp_info[i];
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

cjpeg_status cjpeg_start(cjpeg_decoder *decoder, int scale, size_t memory_limit) {
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
        if (decoder->keeps_visible) cjpeg_install_coefficients(decoder, memory_limit);
        if (decoder->keeps_little && cinfo->progressive_mode && !cinfo->arith_code) {
            // Smoothing looks at rows beyond those that it has asked for; nobody would see it at such a scale.
            cinfo->do_block_smoothing = FALSE;
            cjpeg_install_coefficients(decoder, memory_limit);
        }
        decoder->is_started = 1;
    }
    if (!jpeg_start_decompress(cinfo)) return CJPEG_NEEDS_BYTES;
    cjpeg_install_sequential(decoder);
    return CJPEG_OK;
}

// Samples each way that the picture's scale makes of a block. Of components that are stored smaller it may be more.
static int least_scaled_size(const struct jpeg_decompress_struct *cinfo) {
    int least = cjpeg_scaled_size(&cinfo->comp_info[0]);
    for (int i = 1; i < cinfo->num_components; i++) {
        int size = cjpeg_scaled_size(&cinfo->comp_info[i]);
        if (size < least) least = size;
    }
    return least;
}

#ifdef LIBJPEG_TURBO_VERSION
// Of components that the inverse transform enlarges, and not to the picture's full size, jpeg_crop_scanline miscounts the
// samples: it takes a row for shorter than it is, and what lies behind would be shown as it was found in memory.
static int crops_rightly(const struct jpeg_decompress_struct *cinfo, int least) {
    for (int i = 0; i < cinfo->num_components; i++) {
        const jpeg_component_info *component = &cinfo->comp_info[i];
        int size = cjpeg_scaled_size(component);
        if (size != least && (component->h_samp_factor * size != cinfo->max_h_samp_factor * least ||
                              component->v_samp_factor * size != cinfo->max_v_samp_factor * least))
            return 0;
    }
    return 1;
}
#endif

int cjpeg_crop(cjpeg_decoder *decoder, uint32_t *x, uint32_t *width) {
#ifdef LIBJPEG_TURBO_VERSION
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    JDIMENSION offset = *x, count = *width;
    if (cinfo->buffered_image || cinfo->comps_in_scan != cinfo->num_components) return 0;
    // What jpeg_crop_scanline refuses.
    if (count == 0 || offset >= cinfo->output_width || count > cinfo->output_width - offset) return 0;
    int least = least_scaled_size(cinfo);
    if (!crops_rightly(cinfo, least)) return 0;
    if (setjmp(decoder->exit)) return 0;
    jpeg_crop_scanline(cinfo, &offset, &count);
    *x = offset;
    *width = count;
    // An MCU's width, of which jpeg_crop_scanline has made `offset` a multiple.
    int mcu = cinfo->num_components > 1 ? least * cinfo->max_h_samp_factor : least;
    cjpeg_crop_sequential(decoder, offset / (JDIMENSION)mcu, (offset + count - 1) / (JDIMENSION)mcu);
    return 1;
#else
    (void)decoder, (void)x, (void)width;
    return 0;
#endif
}

static void convert_nothing(
    j_decompress_ptr cinfo, JSAMPIMAGE input, JDIMENSION row, JSAMPARRAY output, int count) {
    (void)cinfo, (void)input, (void)row, (void)output, (void)count;
}

// Not by jpeg_skip_scanlines: it takes no source that suspends (libjpeg.txt), and it has given wrong rows (libjpeg-turbo issue 915).
void cjpeg_crop_rows(cjpeg_decoder *decoder, uint32_t first_row) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    if (cinfo->buffered_image || !cinfo->cconvert || decoder->convert || cinfo->output_scanline >= first_row) return;
    JDIMENSION rows = (JDIMENSION)(cinfo->max_v_samp_factor * least_scaled_size(cinfo));
    if (!cjpeg_crop_rows_sequential(decoder, first_row / rows)) return;
    decoder->first_row = first_row;
    decoder->convert = cinfo->cconvert->color_convert;
    cinfo->cconvert->color_convert = convert_nothing;
}

uint32_t cjpeg_output_width(const cjpeg_decoder *decoder) { return decoder->cinfo.output_width; }
uint32_t cjpeg_output_height(const cjpeg_decoder *decoder) { return decoder->cinfo.output_height; }

// An arithmetic decoder reads zeros after the data's end, for ever and without a warning (jdarith.c, get_byte). Trailing
// zero bytes may be left out of a file (T.81 D.1.8), so a little is right; a whole picture out of nothing is a bomb.
static void count_arithmetic_overrun(cjpeg_decoder *decoder, uint64_t pixels) {
    if (!decoder->cinfo.arith_code || decoder->cinfo.unread_marker == 0) return;
    decoder->arithmetic_overrun += pixels;
    if (decoder->arithmetic_overrun > (1u << 20))
        cjpeg_fail(decoder, CJPEG_FAILURE_TRUNCATED, "the arithmetic-coded data end long before the picture does");
}

cjpeg_status cjpeg_read_rows(
    cjpeg_decoder *decoder, uint8_t *rows, size_t stride, uint32_t capacity, uint32_t *count) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    *count = 0;
    if (setjmp(decoder->exit)) return CJPEG_FAILED;
    while (*count < capacity && cinfo->output_scanline < cinfo->output_height) {
        JSAMPROW lines[8];
        uint32_t wanted = capacity - *count < 8 ? capacity - *count : 8;
        if (decoder->convert) {
            if (cinfo->output_scanline >= decoder->first_row) {
                cinfo->cconvert->color_convert = decoder->convert;
                decoder->convert = NULL;
            } else if (decoder->first_row - cinfo->output_scanline < wanted) {
                wanted = decoder->first_row - cinfo->output_scanline;
            }
        }
        for (uint32_t i = 0; i < wanted; i++) lines[i] = rows + (size_t)(*count + i) * stride;
        JDIMENSION got = jpeg_read_scanlines(cinfo, lines, wanted);
        if (got == 0) return CJPEG_NEEDS_BYTES;
        *count += got;
        if (!cinfo->buffered_image) count_arithmetic_overrun(decoder, (uint64_t)got * cinfo->image_width);
    }
    return CJPEG_OK;
}

const char *cjpeg_message(const cjpeg_decoder *decoder) { return decoder->message; }
cjpeg_failure cjpeg_failure_kind(const cjpeg_decoder *decoder) { return decoder->failure; }

// Absorbs scans row by row; scans.c notes what each of them brings.
cjpeg_status cjpeg_consume(cjpeg_decoder *decoder) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    if (decoder->has_reached_end) return CJPEG_END;
    if (setjmp(decoder->exit)) return CJPEG_FAILED;
    if (decoder->components_seen == 0) cjpeg_note_scan(decoder);
    if (decoder->is_leaving_out && !cjpeg_leave_out_scan(decoder)) return CJPEG_NEEDS_BYTES;
    switch (jpeg_consume_input(cinfo)) {
    case JPEG_SUSPENDED:
        return CJPEG_NEEDS_BYTES;
    case JPEG_REACHED_EOI:
        decoder->has_reached_end = 1;
        if (decoder->current_scan_is_visible) decoder->last_visible_scan = cinfo->input_scan_number;
        return CJPEG_END;
    case JPEG_REACHED_SOS:
        if (decoder->current_scan_is_visible) decoder->last_visible_scan = cinfo->input_scan_number - 1;
        cjpeg_note_scan(decoder);
        return CJPEG_SCAN_COMPLETE;
    case JPEG_SCAN_COMPLETED:
        if (!cjpeg_shows_all(decoder)) return CJPEG_OK;
        decoder->has_reached_end = decoder->has_ended_early = 1;
        decoder->last_visible_scan = cinfo->input_scan_number;
        return CJPEG_END;
    default:
        count_arithmetic_overrun(decoder, (uint64_t)cinfo->image_width * 8);
        return CJPEG_OK;
    }
}
