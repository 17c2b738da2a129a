#include "state.h"

#include <stdlib.h>
#include <string.h>

// After jconfig.h, which says which messages there are.
#include <jerror.h>

_Noreturn void cjpeg_fail(cjpeg_decoder *decoder, cjpeg_failure failure, const char *message) {
    decoder->failure = failure;
    strncpy(decoder->message, message, sizeof decoder->message - 1);
    longjmp(decoder->exit, 1);
}

void cjpeg_lose(cjpeg_decoder *decoder, cjpeg_failure failure, const char *message) {
    if (!decoder->wish.shows_damage) cjpeg_fail(decoder, failure, message);
    if (decoder->damage.kind) return;
    decoder->damage = (cjpeg_damage){failure, cjpeg_byte_offset(decoder), decoder->cinfo.output_scanline, decoder->damage_message};
    strncpy(decoder->damage_message, message, sizeof decoder->damage_message - 1);
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

// Whether libjpeg has met a frame header without a height, and with all else.
static int lacks_height(j_common_ptr common) {
    const struct jpeg_decompress_struct *cinfo = (j_decompress_ptr)common;
    return cinfo->image_height == 0 && cinfo->image_width > 0 && cinfo->num_components > 0;
}

static void error_exit(j_common_ptr cinfo) {
    cjpeg_decoder *decoder = (cjpeg_decoder *)cinfo;
    // The source stands in front of the header still, as if it had been suspended there.
    decoder->awaits_height = cinfo->err->msg_code == JERR_EMPTY_IMAGE && lacks_height(cinfo);
    if (decoder->awaits_height) longjmp(decoder->exit, 1);
    cinfo->err->format_message(cinfo, decoder->message);
    decoder->failure = failure_for(decoder, cinfo->err->msg_code);
    longjmp(decoder->exit, 1);
}

// Warnings that mean lost pixels end the decode at once, unless it is the wish that they are painted.
static void emit_message(j_common_ptr cinfo, int level) {
    if (level >= 0) return;
    cinfo->err->num_warnings++;
    switch (cinfo->err->msg_code) {
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_ARITH_BAD_CODE:
    case JWRN_JPEG_EOF: {
        char message[JMSG_LENGTH_MAX];
        cinfo->err->format_message(cinfo, message);
        cjpeg_lose((cjpeg_decoder *)cinfo, failure_for((cjpeg_decoder *)cinfo, cinfo->err->msg_code), message);
        break;
    }
    default:
        break;
    }
}

static void output_message(j_common_ptr cinfo) { (void)cinfo; }

void cjpeg_install_errors(cjpeg_decoder *decoder) {
    decoder->cinfo.err = jpeg_std_error(&decoder->errors);
    decoder->errors.error_exit = error_exit;
    decoder->errors.emit_message = emit_message;
    decoder->errors.output_message = output_message;
}

/// Whether something is left of the system's memory: callers that are not written in C end where there is none.
static int has_margin(void) {
    void *volatile margin = malloc(1 << 20);
    free(margin);
    return margin != NULL;
}

void *cjpeg_reserve(cjpeg_decoder *decoder, size_t count, size_t size) {
    if (decoder->wish.kept != CJPEG_KEPT_ALL && count > (decoder->wish.coefficient_limit - decoder->coefficient_bytes) / size)
        cjpeg_fail(decoder, CJPEG_FAILURE_WORKING, "more memory for coefficients than allowed");
    void *memory = calloc(count ? count : 1, size);
    if (!memory) cjpeg_fail(decoder, CJPEG_FAILURE_MEMORY, "no memory for coefficients");
    if (!has_margin()) {
        free(memory);
        cjpeg_fail(decoder, CJPEG_FAILURE_MEMORY, "no memory beside coefficients");
    }
    decoder->coefficient_bytes += count * size;
    return memory;
}
