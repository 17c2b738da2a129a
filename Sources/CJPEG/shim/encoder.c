#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "../include/CJPEG.h"

typedef struct encoder {
    struct jpeg_compress_struct cinfo;
    struct jpeg_error_mgr errors;
    jmp_buf exit;
    char message[JMSG_LENGTH_MAX];
    struct jpeg_destination_mgr destination;
    cjpeg_write write;
    void *context;
    uint8_t buffer[65536];
} encoder;

static void error_exit(j_common_ptr cinfo) {
    encoder *self = (encoder *)cinfo;
    cinfo->err->format_message(cinfo, self->message);
    longjmp(self->exit, 1);
}

static void emit_message(j_common_ptr cinfo, int level) { (void)cinfo, (void)level; }
static void output_message(j_common_ptr cinfo) { (void)cinfo; }

static void begin(j_compress_ptr cinfo) {
    encoder *self = (encoder *)cinfo;
    self->destination.next_output_byte = self->buffer;
    self->destination.free_in_buffer = sizeof self->buffer;
}

static void pass_on(encoder *self, size_t count) {
    if (count && self->write(self->context, self->buffer, count)) {
        strcpy(self->message, "the output was not taken");
        longjmp(self->exit, 1);
    }
}

// libjpeg calls when the buffer is full, whatever it says is free in it.
static boolean empty(j_compress_ptr cinfo) {
    pass_on((encoder *)cinfo, sizeof ((encoder *)cinfo)->buffer);
    begin(cinfo);
    return TRUE;
}

static void end(j_compress_ptr cinfo) {
    encoder *self = (encoder *)cinfo;
    pass_on(self, sizeof self->buffer - self->destination.free_in_buffer);
}

static void write_exif(j_compress_ptr cinfo, const uint8_t *exif, size_t count) {
    static const uint8_t signature[6] = {'E', 'x', 'i', 'f', 0, 0};
    jpeg_write_m_header(cinfo, JPEG_APP0 + 1, (unsigned)(sizeof signature + count));
    for (size_t i = 0; i < sizeof signature; i++) jpeg_write_m_byte(cinfo, signature[i]);
    for (size_t i = 0; i < count; i++) jpeg_write_m_byte(cinfo, exif[i]);
}

static void write_image(encoder *self, const cjpeg_encoding *encoding) {
    struct jpeg_compress_struct *cinfo = &self->cinfo;
    jpeg_create_compress(cinfo);
    self->destination.init_destination = begin;
    self->destination.empty_output_buffer = empty;
    self->destination.term_destination = end;
    cinfo->dest = &self->destination;
    cinfo->image_width = encoding->width;
    cinfo->image_height = encoding->height;
    cinfo->input_components = encoding->components;
    cinfo->in_color_space = encoding->components == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(cinfo);
    jpeg_set_quality(cinfo, encoding->quality, TRUE);
    cinfo->optimize_coding = encoding->optimizes_coding ? TRUE : FALSE;
    if (encoding->components == 3) {
        cinfo->comp_info[0].h_samp_factor = encoding->subsampling <= 1 ? 2 : 1;
        cinfo->comp_info[0].v_samp_factor = encoding->subsampling == 0 ? 2 : 1;
    }
    if (encoding->is_progressive) jpeg_simple_progression(cinfo);
    if (encoding->density_unit) {
        cinfo->density_unit = (UINT8)encoding->density_unit;
        cinfo->X_density = encoding->density_x;
        cinfo->Y_density = encoding->density_y;
    }
    jpeg_start_compress(cinfo, TRUE);
    if (encoding->exif_count) write_exif(cinfo, encoding->exif, encoding->exif_count);
    if (encoding->icc_count) jpeg_write_icc_profile(cinfo, encoding->icc, (unsigned)encoding->icc_count);
    while (cinfo->next_scanline < cinfo->image_height) {
        JSAMPROW row = (JSAMPROW)(encoding->pixels + (size_t)cinfo->next_scanline * encoding->stride);
        jpeg_write_scanlines(cinfo, &row, 1);
    }
    jpeg_finish_compress(cinfo);
}

cjpeg_status cjpeg_encode(
    const cjpeg_encoding *encoding, cjpeg_write write, void *context, char *message, size_t message_capacity) {
    if (message_capacity) message[0] = 0;
    encoder *self = calloc(1, sizeof *self);
    if (!self) return CJPEG_FAILED;
    self->write = write;
    self->context = context;
    self->cinfo.err = jpeg_std_error(&self->errors);
    self->errors.error_exit = error_exit;
    self->errors.emit_message = emit_message;
    self->errors.output_message = output_message;
    volatile cjpeg_status status = CJPEG_OK;
    if (setjmp(self->exit)) {
        status = CJPEG_FAILED;
        if (message_capacity) {
            strncpy(message, self->message, message_capacity - 1);
            message[message_capacity - 1] = 0;
        }
    } else {
        write_image(self, encoding);
    }
    jpeg_destroy_compress(&self->cinfo);
    free(self);
    return status;
}
