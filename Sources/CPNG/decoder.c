#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "include/CPNG.h"

struct cpng_decoder {
    png_structp png;
    png_infop info;
    void *context;
    cpng_header_callback on_header;
    cpng_row_callback on_row;
    int was_stopped;
    int is_interlaced;
    uint32_t height;
    size_t row_bytes;       // of a row as it is compressed, with its filter
    size_t rows_left;       // of the last pass, or of all; the row under way counts
    size_t bytes_behind;    // given to libpng since the last row
    int passes_over_rest;   // libpng looks at no more compressed data
    char message[200];
};

static void on_error(png_structp png, png_const_charp text) {
    cpng_decoder *decoder = png_get_error_ptr(png);
    strncpy(decoder->message, text ? text : "unknown error", sizeof decoder->message - 1);
    png_longjmp(png, 1);
}

// Compressed data that are damaged behind the last row's are only warned of, but if they come together with that row, libpng
// loses it. So both are errors. Too many data alone do no harm.
static void on_warning(png_structp png, png_const_charp text) {
    if (!text) return;
    if (strcmp(text, "Truncated compressed data in IDAT") == 0) png_error(png, "damaged data in IDAT");
    cpng_decoder *decoder = png_get_error_ptr(png);
    if (strcmp(text, "Extra compressed data in IDAT") == 0) decoder->passes_over_rest = 1;
}

static void stop(cpng_decoder *decoder) {
    decoder->was_stopped = 1;
    png_longjmp(decoder->png, 1);
}

static void header_arrived(png_structp png, png_infop info) {
    cpng_decoder *decoder = png_get_progressive_ptr(png);
    int type = png_get_color_type(png, info);
    cpng_info header = {
        .width = png_get_image_width(png, info),
        .height = png_get_image_height(png, info),
        .channels = type & PNG_COLOR_MASK_COLOR ? 3 : 1,
        .is_interlaced = png_get_interlace_type(png, info) != PNG_INTERLACE_NONE,
    };
    if ((type & PNG_COLOR_MASK_ALPHA) || png_get_valid(png, info, PNG_INFO_tRNS)) header.channels += 1;
    // The caller's limits are asked before libpng allocates its rows.
    if (decoder->on_header(decoder->context, &header)) stop(decoder);
    decoder->row_bytes = png_get_rowbytes(png, info) + 1;
    decoder->rows_left = header.is_interlaced ? header.height / 2 : header.height;
    decoder->height = header.height;
    decoder->is_interlaced = header.is_interlaced;
    png_set_expand(png);
    // The upper byte, as PngSuite's reference pixels and other decoders have it.
    png_set_strip_16(png);
    if (header.is_interlaced) png_set_interlace_handling(png);
    png_read_update_info(png, info);
    if (png_get_channels(png, info) != header.channels || png_get_bit_depth(png, info) != 8)
        png_error(png, "rows of an unexpected layout");
}

static void row_arrived(png_structp png, png_bytep row, png_uint_32 y, int pass) {
    cpng_decoder *decoder = png_get_progressive_ptr(png);
    if (!decoder->is_interlaced) decoder->rows_left = decoder->height - 1 - y;
    if (decoder->is_interlaced && pass == 6) decoder->rows_left = (decoder->height - 1 - y) / 2;
    if (decoder->on_row(decoder->context, row, y, pass)) stop(decoder);
}

cpng_decoder *cpng_decoder_create(
    void *context, cpng_header_callback on_header, cpng_row_callback on_row, size_t metadata_limit) {
    cpng_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    decoder->context = context;
    decoder->on_header = on_header;
    decoder->on_row = on_row;
    decoder->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, decoder, on_error, on_warning);
    if (!decoder->png) {
        free(decoder);
        return NULL;
    }
    if (setjmp(png_jmpbuf(decoder->png))) {
        cpng_decoder_destroy(decoder);
        return NULL;
    }
    decoder->info = png_create_info_struct(decoder->png);
    if (!decoder->info) {
        cpng_decoder_destroy(decoder);
        return NULL;
    }
    // The caller's limits apply to the header; libpng's own of a million pixels a side would be in their way.
    png_set_user_limits(decoder->png, 0x7fffffff, 0x7fffffff);
    png_set_chunk_malloc_max(decoder->png, metadata_limit);
    png_set_progressive_read_fn(decoder->png, decoder, header_arrived, row_arrived, NULL);
    return decoder;
}

void cpng_decoder_destroy(cpng_decoder *decoder) {
    if (!decoder) return;
    png_destroy_read_struct(&decoder->png, &decoder->info, NULL);
    free(decoder);
}

// How many bytes libpng is given at once. Where data are damaged near the end of the last row, what it makes of them depends
// on what else it has been given with them. So these come byte by byte, however they come from the caller; what lies before
// is in pieces too short to hold them: a byte of deflated data is 1,032 of a row at most, and zlib holds back eight.
static size_t piece(const cpng_decoder *decoder, size_t count) {
    if (decoder->row_bytes == 0 || decoder->passes_over_rest || decoder->bytes_behind > 1 << 16) return count;
    size_t certain = decoder->rows_left > 1 ? (decoder->rows_left - 1) * decoder->row_bytes / 1032 : 0;
    size_t most = certain > 9 ? certain - 9 : 1;
    return count < most ? count : most;
}

cpng_status cpng_process(cpng_decoder *decoder, const uint8_t *bytes, size_t count) {
    if (setjmp(png_jmpbuf(decoder->png))) return decoder->was_stopped ? CPNG_STOPPED : CPNG_FAILED;
    while (count > 0) {
        size_t taken = piece(decoder, count);
        if (decoder->rows_left == 0) decoder->bytes_behind += taken;
        png_process_data(decoder->png, decoder->info, (png_bytep)bytes, taken);
        bytes += taken;
        count -= taken;
    }
    return CPNG_OK;
}

void cpng_combine_row(cpng_decoder *decoder, uint8_t *line, const uint8_t *row) {
    // Fails only without interlace handling, which header_arrived has set.
    png_progressive_combine_row(decoder->png, line, row);
}

const char *cpng_message(const cpng_decoder *decoder) { return decoder->message; }

const uint8_t *cpng_icc(const cpng_decoder *decoder, size_t *count) {
    png_charp name = NULL;
    int compression = 0;
    png_bytep profile = NULL;
    png_uint_32 length = 0;
    *count = 0;
    if (!png_get_iCCP(decoder->png, decoder->info, &name, &compression, &profile, &length)) return NULL;
    *count = length;
    return profile;
}
