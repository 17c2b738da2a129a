#pragma once

// libpng's progressive reader and its writer behind plain calls. Each call is a setjmp scope of its own: libpng's error
// exits never unwind through the caller's frames. Callbacks run inside cpng_process and cpng_flush and must return normally.

#include <stddef.h>
#include <stdint.h>

#include "../../System/libpng/shim.h"

typedef struct cpng_decoder cpng_decoder;

typedef enum cpng_status {
    CPNG_OK = 0,
    CPNG_FAILED = 1,   // see cpng_message; only destroying is allowed from here
    CPNG_STOPPED = 2,  // a callback asked to stop; only destroying is allowed from here
} cpng_status;

typedef struct cpng_info {
    uint32_t width;
    uint32_t height;
    int channels;  // of the rows delivered: 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA
    int bytes_per_sample;  // 1, or 2 in the machine's order; the callback may ask for 1 in place of 2: the upper bytes
    int is_interlaced;
} cpng_info;

// Both return 0 to go on, anything else to stop. Rows are those of the picture, or those of Adam7's passes as they are
// stored: `y` counts within the pass, and a row has the pass's pixels only.
typedef int (*cpng_header_callback)(void *context, cpng_info *info);
typedef int (*cpng_row_callback)(void *context, const uint8_t *row, uint32_t y, int pass);

// NULL when memory is short. The callbacks get the context of the call that they run in. `metadata_limit` bounds what libpng
// keeps or inflates of a chunk other than IDAT. With `passes_damage`, data whose checksums are wrong are used, and cpng_damage
// says so.
cpng_decoder *cpng_decoder_create(
    cpng_header_callback on_header, cpng_row_callback on_row, size_t metadata_limit, int passes_damage);
void cpng_decoder_destroy(cpng_decoder *decoder);
cpng_status cpng_process(cpng_decoder *decoder, void *context, const uint8_t *bytes, size_t count);
// Processes the bytes that are held back, four kilobytes at most: rows may come of it. After the last byte, and in front of the last
// checksum of the compressed data: with what does not fit together, libpng would lose the row before it.
cpng_status cpng_flush(cpng_decoder *decoder, void *context);
const char *cpng_message(const cpng_decoder *decoder);
// The first fault of data that were used all the same, or that end too early; NULL if there was none.
const char *cpng_damage(const cpng_decoder *decoder);
// The ICC profile, or NULL. Valid as long as the decoder; asked in or after the header callback.
const uint8_t *cpng_icc(const cpng_decoder *decoder, size_t *count);

// The row's samples, or indices into the palette: a byte each, or, of 16 bits, two in the machine's order; never NULL.
typedef const uint8_t *(*cpng_row)(void *context, uint32_t y);

typedef struct cpng_encoding {
    cpng_row row;
    void *row_context;
    uint32_t width;
    uint32_t height;
    int colour_type;  // PNG's
    int bits;         // of a sample: 1, 2, 4, 8 or 16
    int filters;      // whether each row has the filter that makes its bytes least; otherwise none
    int level;        // zlib's, 0 to 9
    const uint8_t *palette;  // red, green, blue, alpha of each entry; those that are not opaque come first
    int palette_count;       // 1 to 256, or 0 for no palette
    int palette_alphas;      // how many entries' alphas are written
    uint32_t density_x;  // pixels per metre; 0 for no pHYs chunk
    uint32_t density_y;
    int32_t gamma;        // 100,000 times the power of light that samples are; 0 for no gAMA chunk
    const uint8_t *exif;  // a TIFF structure, if exif_count is not 0
    size_t exif_count;
    const uint8_t *icc;
    size_t icc_count;
} cpng_encoding;

// Takes the next bytes of the file; anything but 0 ends the encoding. It must return normally.
typedef int (*cpng_write)(void *context, const uint8_t *bytes, size_t count);
cpng_status cpng_encode(
    const cpng_encoding *encoding, cpng_write write, void *context, char *message, size_t message_capacity);
