#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "decoder.h"
#include "fit_pictures.h"
#include "shim/internals.h"

// Whether the libjpeg that is there at run time has the insides that its header has said (shim/internals.h).
//
// Small pictures are decoded by libjpeg alone. On the way its structures are looked at, not touched: each member that is
// used elsewhere must show what it would. Methods are known by when they change: with the kind of scan, with the size of a transform,
// with the colours. If all do, a decode with methods replaced is safe, and must give the same pixels.

typedef struct trial {
    const uint8_t *file;
    size_t count;
    cjpeg_decoder *decoder;
    // The methods of a sequential file in colour.
    boolean (*decode)(j_decompress_ptr, JBLOCKROW *);
    inverse_DCT_method_ptr transform;
    void (*start)(j_decompress_ptr);
    void (*convert)(j_decompress_ptr, JSAMPIMAGE, JDIMENSION, JSAMPARRAY, int);
    uint8_t rows[HEIGHT][WIDTH * 3], expected[HEIGHT][WIDTH * 3];
} trial;

static int open_file(trial *self, const cjpeg_wish *wish, int works_inside) {
    cjpeg_decoder_destroy(self->decoder);
    self->decoder = cjpeg_create(0, works_inside);
    if (!self->decoder) return 0;
    self->decoder->is_trial = 1;
    if (cjpeg_supply(self->decoder, self->file, self->count) != self->count) return 0;
    cjpeg_end_input(self->decoder);
    if (cjpeg_read_header(self->decoder) != CJPEG_OK) return 0;
    return cjpeg_start(self->decoder, wish) == CJPEG_OK;
}

static cjpeg_wish plain(int scale) {
    return (cjpeg_wish){.scale = scale, .kept = CJPEG_KEPT_ALL, .coefficient_limit = 1 << 24, .memory_limit = 1 << 24};
}

// MARK: Looking

// True if the structures are in the state that every file has in common once it has been started.
static int shows_state(const struct jpeg_decompress_struct *cinfo, int has_multiple_scans) {
    return cinfo->marker->saw_SOI == TRUE && cinfo->marker->saw_SOF == TRUE && cinfo->marker->discarded_bytes == 0 &&
           !cinfo->inputctl->has_multiple_scans == !has_multiple_scans && cinfo->inputctl->eoi_reached == FALSE &&
           cinfo->inputctl->consume_input == cinfo->coef->consume_data && cinfo->entropy->insufficient_data == FALSE;
}

// The picture is in colour, at half its size.
static int shows_methods(trial *self) {
    const struct jpeg_decompress_struct *cinfo = &self->decoder->cinfo;
    self->decode = cinfo->entropy->decode_mcu;
    self->start = cinfo->cconvert->start_pass;
    self->convert = cinfo->cconvert->color_convert;
    // Colour, stored at half the size, is transformed to twice as many samples as the rest.
    const inverse_DCT_method_ptr *transforms = cinfo->idct->inverse_DCT;
    self->transform = transforms[1];
    return shows_state(cinfo, 0) && self->decode && self->start && self->convert && self->transform && transforms[0] &&
           transforms[0] != transforms[1] && transforms[1] == transforms[2];
}

// It is grey, and whole: the decoder and the transform that colour had, and another conversion.
static int shows_grey_methods(const trial *self) {
    const struct jpeg_decompress_struct *cinfo = &self->decoder->cinfo;
    return shows_state(cinfo, 0) && cinfo->idct->inverse_DCT[0] == self->transform && cinfo->entropy->decode_mcu == self->decode &&
           cinfo->cconvert->start_pass == self->start && cinfo->cconvert->color_convert && cinfo->cconvert->color_convert != self->convert;
}

// Each of the four kinds of scans has a method of its own, and output has one with smoothing and one without.
static int shows_progressive_methods(trial *self) {
    struct jpeg_decompress_struct *cinfo = &self->decoder->cinfo;
    boolean (*methods[4])(j_decompress_ptr, JBLOCKROW *) = {NULL};
    int (*smoothing)(j_decompress_ptr, JSAMPIMAGE) = NULL, scan = 0;
    for (;;) {
        if (cinfo->input_scan_number != scan) {
            scan = cinfo->input_scan_number;
            int kind = (cinfo->Ss > 0) + 2 * (cinfo->Ah > 0);
            if (!methods[kind]) methods[kind] = cinfo->entropy->decode_mcu;
            if (!shows_state(cinfo, 1) || cinfo->entropy->decode_mcu != methods[kind]) return 0;
        }
        cjpeg_status status = cjpeg_consume(self->decoder);
        if (status == CJPEG_END) break;
        if (status != CJPEG_OK && status != CJPEG_SCAN_COMPLETE) return 0;
        // After the first scan, which brings no frequency.
        if (scan != 1 || cinfo->input_scan_number != 2) continue;
#if defined(LIBJPEG_TURBO_VERSION_NUMBER) && LIBJPEG_TURBO_VERSION_NUMBER >= 2001000
        if (cinfo->master->last_good_iMCU_row + 1 != cinfo->total_iMCU_rows) return 0;
#endif
        if (cjpeg_start_output(self->decoder, 1) != CJPEG_OK) return 0;
        smoothing = cinfo->coef->decompress_data;
        uint32_t count;
        if (cjpeg_read_rows(self->decoder, &self->rows[0][0], sizeof self->rows[0], HEIGHT, &count) != CJPEG_OK) return 0;
        if (cjpeg_finish_output(self->decoder) != CJPEG_OK) return 0;
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < i; j++)
            if (!methods[i] || !methods[j] || methods[i] == methods[j]) return 0;
    if (!cinfo->inputctl->eoi_reached || cjpeg_start_output(self->decoder, scan) != CJPEG_OK) return 0;
    return smoothing && cinfo->coef->decompress_data && cinfo->coef->decompress_data != smoothing;
}

// MARK: Trying

// The picture at its scale; 0 if there is none.
static int decode(trial *self, const cjpeg_wish *wish, int works_inside) {
    memset(self->rows, 0, sizeof self->rows);
    if (!open_file(self, wish, works_inside)) return 0;
    if (self->decoder->cinfo.buffered_image) {
        cjpeg_status status;
        do status = cjpeg_consume(self->decoder);
        while (status == CJPEG_OK || status == CJPEG_SCAN_COMPLETE);
        if (status != CJPEG_END || cjpeg_start_output(self->decoder, cjpeg_scans_complete(self->decoder)) != CJPEG_OK) return 0;
    }
    uint32_t count;
    return cjpeg_read_rows(self->decoder, &self->rows[0][0], sizeof self->rows[0], HEIGHT, &count) == CJPEG_OK;
}

static int gives_same_pixels(trial *self, cjpeg_wish wish) {
    if (!decode(self, &wish, 0)) return 0;
    memcpy(self->expected, self->rows, sizeof self->rows);
    wish.is_final_only = 1;
    wish.kept = CJPEG_KEPT_VISIBLE;
    return decode(self, &wish, 1) && !memcmp(self->expected, self->rows, sizeof self->rows);
}

static int fits(trial *self) {
    cjpeg_wish eighth = plain(1), half = plain(4), whole = plain(8);
    self->file = colour_picture, self->count = sizeof colour_picture;
    if (!open_file(self, &half, 0) || !shows_methods(self)) return 0;
    if (!gives_same_pixels(self, eighth) || !gives_same_pixels(self, whole)) return 0;
    self->file = grey_picture, self->count = sizeof grey_picture;
    if (!open_file(self, &whole, 0) || !shows_grey_methods(self)) return 0;
    self->file = progressive_picture, self->count = sizeof progressive_picture;
    return open_file(self, &half, 0) && shows_progressive_methods(self) && gives_same_pixels(self, half);
}

int cjpeg_works_inside(void) {
    // Found out by several threads at once, it is the same.
    static _Atomic int answer = -1;
    int known = atomic_load_explicit(&answer, memory_order_relaxed);
    if (known >= 0) return known;
    trial *self = CJPEG_HAS_INTERNALS ? calloc(1, sizeof *self) : NULL;
    known = self && fits(self);
    if (self) cjpeg_decoder_destroy(self->decoder);
    free(self);
    atomic_store_explicit(&answer, known, memory_order_relaxed);
    return known;
}

cjpeg_decoder *cjpeg_decoder_create(size_t metadata_limit) { return cjpeg_create(metadata_limit, cjpeg_works_inside()); }
