#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "byte_order.h"
#include "include/CPNG.h"

struct cpng_decoder {
    png_structp png;
    png_infop info;
    void *context;  // of the call under way
    cpng_header_callback on_header;
    cpng_row_callback on_row;
    int was_stopped;
    int is_interlaced;
    uint32_t last_pass_rows;
    size_t row_bytes;       // of a row as it is compressed, with its filter
    size_t rows_left;       // of the last pass, or of all; the row under way counts
    uint8_t held[4096];     // a piece that is not complete
    size_t held_count;
    size_t piece;           // its length when it is
    size_t offset;          // of the bytes given to libpng or held
    int passes_damage;
    char message[200];
    char damage[200];
};

static void on_error(png_structp png, png_const_charp text) {
    cpng_decoder *decoder = png_get_error_ptr(png);
    strncpy(decoder->message, text ? text : "unknown error", sizeof decoder->message - 1);
    png_longjmp(png, 1);
}

static int ends_with(const char *text, const char *end) {
    size_t count = strlen(text), end_count = strlen(end);
    return count >= end_count && strcmp(text + count - end_count, end) == 0;
}

// Compressed data that are damaged behind the last row's are only warned of, but if they come together with that row, libpng
// loses it. So both are errors, unless damage is passed. Too many data alone do no harm.
static void on_warning(png_structp png, png_const_charp text) {
    cpng_decoder *decoder = png_get_error_ptr(png);
    int is_late = text && strcmp(text, "Truncated compressed data in IDAT") == 0;
    if (!decoder->passes_damage) {
        if (is_late) png_error(png, "damaged data in IDAT");
        return;
    }
    // An ancillary chunk, whose name begins with a small letter, is left out.
    int is_damage = is_late || (text && text[0] >= 'A' && text[0] <= 'Z' && (ends_with(text, "CRC error") || ends_with(text, "mismatch")));
    if (is_damage && !decoder->damage[0]) strncpy(decoder->damage, text, sizeof decoder->damage - 1);
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
        .bytes_per_sample = png_get_bit_depth(png, info) == 16 ? 2 : 1,
        .is_interlaced = png_get_interlace_type(png, info) != PNG_INTERLACE_NONE,
    };
    if ((type & PNG_COLOR_MASK_ALPHA) || png_get_valid(png, info, PNG_INFO_tRNS)) header.channels += 1;
    // The caller's limits are asked before libpng allocates its rows.
    if (decoder->on_header(decoder->context, &header)) stop(decoder);
    decoder->row_bytes = png_get_rowbytes(png, info) + 1;
    // Adam7's last pass has every other row.
    decoder->last_pass_rows = header.is_interlaced ? header.height / 2 : header.height;
    decoder->rows_left = decoder->last_pass_rows;
    decoder->is_interlaced = header.is_interlaced;
    png_set_expand(png);
    if (header.bytes_per_sample == 2) {
        if (cpng_is_little_endian()) png_set_swap(png);
    } else {
        // The upper byte, as PngSuite's reference pixels and other decoders have it.
        png_set_strip_16(png);
    }
    png_read_update_info(png, info);
    if (png_get_channels(png, info) != header.channels || png_get_bit_depth(png, info) != 8 * header.bytes_per_sample)
        png_error(png, "rows of an unexpected layout");
}

static void row_arrived(png_structp png, png_bytep row, png_uint_32 y, int pass) {
    cpng_decoder *decoder = png_get_progressive_ptr(png);
    if (!decoder->is_interlaced || pass == 6) decoder->rows_left = decoder->last_pass_rows - 1 - y;
    if (decoder->on_row(decoder->context, row, y, pass)) stop(decoder);
}

cpng_decoder *cpng_decoder_create(
    cpng_header_callback on_header, cpng_row_callback on_row, size_t metadata_limit, int passes_damage) {
    cpng_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    decoder->on_header = on_header;
    decoder->on_row = on_row;
    decoder->passes_damage = passes_damage;
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
    if (passes_damage) png_set_crc_action(decoder->png, PNG_CRC_WARN_USE, PNG_CRC_DEFAULT);
    png_set_progressive_read_fn(decoder->png, decoder, header_arrived, row_arrived, NULL);
    return decoder;
}

void cpng_decoder_destroy(cpng_decoder *decoder) {
    if (!decoder) return;
    png_destroy_read_struct(&decoder->png, &decoder->info, NULL);
    free(decoder);
}

// How many bytes cannot bring the end of the last row: one of deflated data is 1,032 of a row at most, and zlib holds back
// eight.
static size_t certain_bytes(const cpng_decoder *decoder) {
    size_t rows = decoder->rows_left > 1 ? decoder->rows_left - 1 : 0;
    size_t certain = rows * decoder->row_bytes / 1032;
    return certain > 9 ? certain - 9 : 0;
}

// libpng makes of damaged data what depends on how many of them it is given at once. So they come to it
// in pieces that end at the same bytes, however they come from the caller. Near the end of the last row these are small, as they are
// waited for; passes are shown as they come: theirs are smaller.
static size_t piece_size(const cpng_decoder *decoder) {
    size_t small = decoder->is_interlaced ? 16 : 1024;
    return certain_bytes(decoder) < small ? small : sizeof decoder->held;
}

static void process_held(cpng_decoder *decoder) {
    size_t count = decoder->held_count;
    decoder->held_count = 0;
    if (count) png_process_data(decoder->png, decoder->info, decoder->held, count);
}

cpng_status cpng_process(cpng_decoder *decoder, void *context, const uint8_t *bytes, size_t count) {
    decoder->context = context;
    if (setjmp(png_jmpbuf(decoder->png))) return decoder->was_stopped ? CPNG_STOPPED : CPNG_FAILED;
    while (count > 0) {
        if (!decoder->held_count) decoder->piece = piece_size(decoder);
        // The header is looked at as soon as it is there.
        size_t most = decoder->row_bytes ? decoder->piece - decoder->offset % decoder->piece : count;
        size_t taken = count < most ? count : most;
        decoder->offset += taken;
        if (taken == most && !decoder->held_count) {
            png_process_data(decoder->png, decoder->info, (png_bytep)bytes, taken);
        } else {
            memcpy(decoder->held + decoder->held_count, bytes, taken);
            decoder->held_count += taken;
            if (taken == most) process_held(decoder);
        }
        bytes += taken;
        count -= taken;
    }
    return CPNG_OK;
}

cpng_status cpng_flush(cpng_decoder *decoder, void *context) {
    decoder->context = context;
    if (setjmp(png_jmpbuf(decoder->png))) return decoder->was_stopped ? CPNG_STOPPED : CPNG_FAILED;
    process_held(decoder);
    return CPNG_OK;
}

const char *cpng_message(const cpng_decoder *decoder) { return decoder->message; }
const char *cpng_damage(const cpng_decoder *decoder) { return decoder->damage[0] ? decoder->damage : NULL; }

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
