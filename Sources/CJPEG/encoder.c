#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "include/CJPEG.h"

typedef struct encoder {
    struct jpeg_compress_struct cinfo;
    struct jpeg_error_mgr errors;
    jmp_buf exit;
    char message[JMSG_LENGTH_MAX];
    struct jpeg_destination_mgr destination;
    uint8_t *bytes;
    size_t count, capacity;
} encoder;

static void error_exit(j_common_ptr cinfo) {
    encoder *self = (encoder *)cinfo;
    cinfo->err->format_message(cinfo, self->message);
    longjmp(self->exit, 1);
}

static void emit_message(j_common_ptr cinfo, int level) { (void)cinfo, (void)level; }
static void output_message(j_common_ptr cinfo) { (void)cinfo; }

// A destination of our own: after an error, jpeg_mem_dest's buffer may be freed already, and nobody can tell.
static boolean grow(j_compress_ptr cinfo) {
    encoder *self = (encoder *)cinfo;
    size_t capacity = self->capacity ? self->capacity * 2 : 65536;
    uint8_t *grown = realloc(self->bytes, capacity);
    if (!grown) {
        strcpy(self->message, "no memory for the encoded image");
        longjmp(self->exit, 1);
    }
    // libjpeg calls when the buffer is full, so all of the old capacity is in use.
    self->count = self->capacity;
    self->bytes = grown;
    self->capacity = capacity;
    self->destination.next_output_byte = grown + self->count;
    self->destination.free_in_buffer = capacity - self->count;
    return TRUE;
}

static void begin(j_compress_ptr cinfo) { grow(cinfo); }

static void end(j_compress_ptr cinfo) {
    encoder *self = (encoder *)cinfo;
    self->count = self->capacity - self->destination.free_in_buffer;
}

static void write_image(encoder *self, const cjpeg_encoding *encoding) {
    struct jpeg_compress_struct *cinfo = &self->cinfo;
    jpeg_create_compress(cinfo);
    self->destination.init_destination = begin;
    self->destination.empty_output_buffer = grow;
    self->destination.term_destination = end;
    cinfo->dest = &self->destination;
    cinfo->image_width = encoding->width;
    cinfo->image_height = encoding->height;
    cinfo->input_components = encoding->components;
    cinfo->in_color_space = encoding->components == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(cinfo);
    jpeg_set_quality(cinfo, encoding->quality, TRUE);
    cinfo->optimize_coding = TRUE;
    if (encoding->components == 3) {
        cinfo->comp_info[0].h_samp_factor = encoding->subsampling <= 1 ? 2 : 1;
        cinfo->comp_info[0].v_samp_factor = encoding->subsampling == 0 ? 2 : 1;
    }
    if (encoding->is_progressive) jpeg_simple_progression(cinfo);
    jpeg_start_compress(cinfo, TRUE);
    if (encoding->icc_count) jpeg_write_icc_profile(cinfo, encoding->icc, (unsigned)encoding->icc_count);
    while (cinfo->next_scanline < cinfo->image_height) {
        JSAMPROW row = (JSAMPROW)(encoding->pixels + (size_t)cinfo->next_scanline * encoding->stride);
        jpeg_write_scanlines(cinfo, &row, 1);
    }
    jpeg_finish_compress(cinfo);
}

cjpeg_status cjpeg_encode(
    const cjpeg_encoding *encoding, uint8_t **out, size_t *out_count, char *message, size_t message_capacity) {
    *out = NULL;
    *out_count = 0;
    encoder *self = calloc(1, sizeof *self);
    if (!self) return CJPEG_FAILED;
    self->cinfo.err = jpeg_std_error(&self->errors);
    self->errors.error_exit = error_exit;
    self->errors.emit_message = emit_message;
    self->errors.output_message = output_message;
    cjpeg_status status = CJPEG_OK;
    if (setjmp(self->exit)) {
        status = CJPEG_FAILED;
        if (message_capacity) {
            strncpy(message, self->message, message_capacity - 1);
            message[message_capacity - 1] = 0;
        }
        jpeg_destroy_compress(&self->cinfo);
        free(self->bytes);
        free(self);
        return status;
    }
    write_image(self, encoding);
    *out = self->bytes;
    *out_count = self->count;
    jpeg_destroy_compress(&self->cinfo);
    free(self);
    return status;
}

void cjpeg_free(uint8_t *bytes) { free(bytes); }
