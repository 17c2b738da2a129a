#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "include/CPNG.h"

typedef struct encoder {
    png_structp png;
    png_infop info;
    char message[200];
    uint8_t *bytes;
    size_t count, capacity;
} encoder;

static void on_error(png_structp png, png_const_charp text) {
    encoder *self = png_get_error_ptr(png);
    strncpy(self->message, text ? text : "unknown error", sizeof self->message - 1);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text) { (void)png, (void)text; }

static void write_bytes(png_structp png, png_bytep bytes, size_t count) {
    encoder *self = png_get_io_ptr(png);
    if (count > self->capacity - self->count) {
        size_t capacity = self->capacity < 65536 ? 65536 : self->capacity * 2;
        while (capacity < self->count + count) capacity *= 2;
        uint8_t *grown = realloc(self->bytes, capacity);
        if (!grown) png_error(png, "no memory for the encoded image");
        self->bytes = grown;
        self->capacity = capacity;
    }
    memcpy(self->bytes + self->count, bytes, count);
    self->count += count;
}

static void flush(png_structp png) { (void)png; }

static void write_image(encoder *self, const cpng_encoding *encoding) {
    static const int types[4] = {
        PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};
    png_set_write_fn(self->png, self, write_bytes, flush);
    png_set_user_limits(self->png, 0x7fffffff, 0x7fffffff);
    png_set_compression_level(self->png, encoding->level);
    png_set_IHDR(
        self->png, self->info, encoding->width, encoding->height, 8, types[encoding->channels - 1],
        PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (encoding->icc_count)
        png_set_iCCP(
            self->png, self->info, "icc", PNG_COMPRESSION_TYPE_BASE, encoding->icc, (png_uint_32)encoding->icc_count);
    png_write_info(self->png, self->info);
    for (uint32_t y = 0; y < encoding->height; y++)
        png_write_row(self->png, encoding->pixels + (size_t)y * encoding->stride);
    png_write_end(self->png, self->info);
}

cpng_status cpng_encode(
    const cpng_encoding *encoding, uint8_t **out, size_t *out_count, char *message, size_t message_capacity) {
    *out = NULL;
    *out_count = 0;
    if (message_capacity) message[0] = 0;
    encoder *self = calloc(1, sizeof *self);
    if (!self) return CPNG_FAILED;
    self->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, self, on_error, on_warning);
    if (self->png) self->info = png_create_info_struct(self->png);
    volatile cpng_status status = CPNG_FAILED;
    if (self->info && !setjmp(png_jmpbuf(self->png))) {
        write_image(self, encoding);
        *out = self->bytes;
        *out_count = self->count;
        status = CPNG_OK;
    } else {
        free(self->bytes);
        if (message_capacity) {
            strncpy(message, self->message, message_capacity - 1);
            message[message_capacity - 1] = 0;
        }
    }
    png_destroy_write_struct(&self->png, &self->info);
    free(self);
    return status;
}

void cpng_free(uint8_t *bytes) { free(bytes); }
