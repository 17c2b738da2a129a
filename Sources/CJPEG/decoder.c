#include "decoder.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "entropy/progressive.h"
#include "entropy/sequential.h"
#include "scans/coefficients.h"
#include "shim/height.h"
#include "shim/metadata.h"
#include "shim/source.h"

cjpeg_decoder *cjpeg_create(size_t metadata_limit, int works_inside) {
    cjpeg_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    decoder->metadata_limit = metadata_limit;
    decoder->works_inside = works_inside;
    cjpeg_install_errors(decoder);
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

void cjpeg_get_info(cjpeg_decoder *decoder, cjpeg_info *info) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    memset(info, 0, sizeof *info);
    // Asked before there is a header, libjpeg has an error to say.
    if (setjmp(decoder->exit)) return;
    info->width = cinfo->image_width;
    info->height = cinfo->image_height;
    info->components = cinfo->num_components;
    info->pixels = pixels_for(cinfo->jpeg_color_space);
    info->has_multiple_scans = jpeg_has_multiple_scans(cinfo);
    info->is_progressive = cinfo->progressive_mode;
    info->is_arithmetic = cinfo->arith_code;
    info->is_selective = cjpeg_is_selective(decoder);
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
        // Smoothing looks at five iMCU rows, and at two rows of blocks more each way (coefficients.c).
        info->block_row_bytes += across * (5 * (uint64_t)component->v_samp_factor + 4) * sizeof(JBLOCK);
    }
    info->row_bytes += (uint64_t)cinfo->image_width * 4 * 16;
}

static void begin(cjpeg_decoder *decoder, const cjpeg_wish *wish) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    decoder->wish = *wish;
    if (!cjpeg_is_selective(decoder)) decoder->wish.kept = CJPEG_KEPT_ALL;
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
    cinfo->scale_num = (unsigned)wish->scale;
    cinfo->scale_denom = 8;
    cinfo->buffered_image = jpeg_has_multiple_scans(cinfo);
    cinfo->mem->max_memory_to_use = wish->memory_limit > LONG_MAX ? LONG_MAX : (long)wish->memory_limit;
    if (decoder->wish.kept != CJPEG_KEPT_ALL) cjpeg_install_coefficients(decoder);
    decoder->is_started = 1;
}

cjpeg_status cjpeg_start(cjpeg_decoder *decoder, const cjpeg_wish *wish) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    if (setjmp(decoder->exit)) return CJPEG_FAILED;
    if (!decoder->is_started) begin(decoder, wish);
    if (!jpeg_start_decompress(cinfo)) return CJPEG_NEEDS_BYTES;
    cjpeg_install_sequential(decoder);
    return CJPEG_OK;
}

cjpeg_damage cjpeg_get_damage(const cjpeg_decoder *decoder) { return decoder->damage; }

int cjpeg_note_truncation(cjpeg_decoder *decoder) {
    if (setjmp(decoder->exit)) return 0;
    cjpeg_lose(decoder, CJPEG_FAILURE_TRUNCATED, "the file ends before all of its scans are there");
    return 1;
}

const char *cjpeg_message(const cjpeg_decoder *decoder) { return decoder->message; }
cjpeg_failure cjpeg_failure_kind(const cjpeg_decoder *decoder) { return decoder->failure; }

uint64_t cjpeg_byte_offset(const cjpeg_decoder *decoder) {
    return decoder->supplied - cjpeg_unread(decoder) - cjpeg_sequential_ahead(decoder) - cjpeg_progressive_ahead(decoder);
}
