#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "byte_order.h"
#include "include/CPNG.h"

typedef struct encoder {
    png_structp png;
    png_infop info;
    char message[200];
    cpng_write write;
    void *context;
} encoder;

static void on_error(png_structp png, png_const_charp text) {
    encoder *self = png_get_error_ptr(png);
    strncpy(self->message, text ? text : "unknown error", sizeof self->message - 1);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text) { (void)png, (void)text; }

static void write_bytes(png_structp png, png_bytep bytes, size_t count) {
    encoder *self = png_get_io_ptr(png);
    if (self->write(self->context, bytes, count)) png_error(png, "the output was not taken");
}

static void flush(png_structp png) { (void)png; }

static void set_palette(encoder *self, const cpng_encoding *encoding) {
    png_color colours[256];
    png_byte alphas[256];
    for (int index = 0; index < encoding->palette_count; index++) {
        const uint8_t *entry = encoding->palette + 4 * index;
        colours[index] = (png_color){entry[0], entry[1], entry[2]};
        alphas[index] = entry[3];
    }
    png_set_PLTE(self->png, self->info, colours, encoding->palette_count);
    if (encoding->palette_alphas) png_set_tRNS(self->png, self->info, alphas, encoding->palette_alphas, NULL);
}

static void write_image(encoder *self, const cpng_encoding *encoding) {
    png_set_write_fn(self->png, self, write_bytes, flush);
    png_set_user_limits(self->png, 0x7fffffff, 0x7fffffff);
    png_set_compression_level(self->png, encoding->level);
    png_set_compression_mem_level(self->png, 9);
    // Filters leave small numbers, for which zlib has a strategy. Without filters, matches count for more.
    png_set_filter(self->png, PNG_FILTER_TYPE_BASE, encoding->filters ? PNG_ALL_FILTERS : PNG_FILTER_NONE);
    png_set_compression_strategy(self->png, encoding->filters ? Z_FILTERED : Z_DEFAULT_STRATEGY);
    png_set_IHDR(
        self->png, self->info, encoding->width, encoding->height, encoding->bits, encoding->colour_type,
        PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (encoding->palette_count) set_palette(self, encoding);
    // What libpng finds wrong with a profile is no reason to write no picture: it leaves that profile out.
    png_set_benign_errors(self->png, 1);
    if (encoding->icc_count)
        png_set_iCCP(
            self->png, self->info, "icc", PNG_COMPRESSION_TYPE_BASE, encoding->icc, (png_uint_32)encoding->icc_count);
    if (encoding->gamma) png_set_gAMA_fixed(self->png, self->info, encoding->gamma);
    if (encoding->density_x)
        png_set_pHYs(
            self->png, self->info, encoding->density_x, encoding->density_y, PNG_RESOLUTION_METER);
#ifdef PNG_eXIf_SUPPORTED
    // libpng makes a copy of it.
    if (encoding->exif_count)
        png_set_eXIf_1(self->png, self->info, (png_uint_32)encoding->exif_count, (png_bytep)encoding->exif);
#endif
    png_write_info(self->png, self->info);
    if (encoding->bits == 16 && cpng_is_little_endian()) png_set_swap(self->png);
    // Rows have a byte for each sample, whatever the depth.
    if (encoding->bits < 8) png_set_packing(self->png);
    for (uint32_t y = 0; y < encoding->height; y++) png_write_row(self->png, encoding->row(encoding->row_context, y));
    // Given the facts again, libpng would write some of them again.
    png_write_end(self->png, NULL);
}

cpng_status cpng_encode(
    const cpng_encoding *encoding, cpng_write write, void *context, char *message, size_t message_capacity) {
    if (message_capacity) message[0] = 0;
    encoder *self = calloc(1, sizeof *self);
    if (!self) return CPNG_FAILED;
    self->write = write;
    self->context = context;
    self->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, self, on_error, on_warning);
    if (self->png) self->info = png_create_info_struct(self->png);
    volatile cpng_status status = CPNG_FAILED;
    if (self->info && !setjmp(png_jmpbuf(self->png))) {
        write_image(self, encoding);
        status = CPNG_OK;
    } else if (message_capacity) {
        strncpy(message, self->message, message_capacity - 1);
        message[message_capacity - 1] = 0;
    }
    png_destroy_write_struct(&self->png, &self->info);
    free(self);
    return status;
}
