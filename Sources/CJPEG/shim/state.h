#pragma once

#include <setjmp.h>

#include "../include/CJPEG.h"

// The parts of a decoder, and the way out of a call into libjpeg that cannot go on.

#define CJPEG_MAX_ICC_SEGMENTS 255

typedef struct cjpeg_segment {
    uint8_t *bytes;
    size_t count;
} cjpeg_segment;

typedef struct cjpeg_sequential cjpeg_sequential;
typedef struct cjpeg_progressive cjpeg_progressive;
typedef struct cjpeg_coefficients cjpeg_coefficients;

// A scan of first bits that seems to hold little, by its Huffman code, while it is decoded.
typedef struct cjpeg_suspect {
    int is_under_way;
    int may_be_left_out;  // once enough of it has been seen
    double claim, most;   // squares summed per block: what the code says, and what may be lost
    double energy;        // the squares so far
    double judged_energy, sample_energy;  // those of the rows judged, and of those among them that hold something
    size_t judged_blocks;
    double sample_blocks;
    double unit;          // of a coefficient of one
} cjpeg_suspect;

// The decisions about the scan under way, and the facts about those before it (scans/choice.c).
typedef struct cjpeg_choice {
    int is_left_out;  // it is passed over, or its rest is
    int is_visible;   // it changes a pixel at this scale
    uint64_t kept[MAX_COMPONENTS];     // frequencies that are kept of it, a bit each in zigzag order
    uint64_t thinned[MAX_COMPONENTS];  // frequencies of which something has been left out, in this scan or before
    cjpeg_suspect suspect;
    uint64_t codes_seen[64];  // of AC scans so far, a hash each
    int codes_count;
} cjpeg_choice;

struct cjpeg_decoder {
    struct jpeg_decompress_struct cinfo;  // first: callbacks cast back
    struct jpeg_error_mgr errors;
    struct jpeg_source_mgr source;
    jmp_buf exit;

    cjpeg_failure failure;
    char message[JMSG_LENGTH_MAX];
    // The first loss of pixels, where the wish is that they are painted.
    cjpeg_damage damage;
    char damage_message[JMSG_LENGTH_MAX];

    int works_inside;  // whether libjpeg's own structures may be looked into and their methods replaced (internals.h)
    int is_trial;      // of that: what is usually done for large pictures only is done for this one

    // Source: bytes kept from earlier chunks, because libjpeg has not consumed them.
    uint8_t *held;
    size_t held_count, held_capacity;
    size_t taken;          // of the chunk supplied last
    int is_borrowing;      // the source points into the caller's chunk, not into `held`
    size_t pending_skip;   // of bytes that have not come yet
    uint64_t supplied;     // bytes ever taken from callers, less those given back
    int has_ended;
    int has_faked_end;
    uint64_t overrun;  // pixels made of nothing after the entropy-coded data had ended

    // Of a file whose frame header says no height (height.c): how far the search has come, from that header's length field on.
    int awaits_height;
    int height_is_in_scan;
    size_t height_scanned;

    // APP1 and APP2 segments, collected across suspensions.
    size_t metadata_limit, metadata_count;
    uint8_t *segment;
    size_t segment_count, segment_remaining;
    int is_in_segment;
    cjpeg_segment exif;
    cjpeg_segment icc[CJPEG_MAX_ICC_SEGMENTS];
    int icc_expected;
    int has_given_up_icc;  // it is more than the limit

    // Scans.
    int is_started;
    cjpeg_wish wish;        // once that is so
    cjpeg_choice choice;
    uint32_t components_seen;
    int last_visible_scan;
    int has_reached_end;
    int has_ended_early;    // has_reached_end, but no end marker

    // Arrays in place of libjpeg's, if not all coefficients are kept (scans/coefficients.c).
    size_t coefficient_bytes;
    cjpeg_coefficients *coefficients[MAX_COMPONENTS];
    int coefficients_count;
    int smoothing_margin;  // rows of blocks beyond those asked for that libjpeg may look at
    int mcu_row;           // in a scan of DC: the next MCU (scans/planes.c)
    JDIMENSION mcu_column;

    // Rows above this one are read as they are found in memory; the colour conversion waits for it.
    JDIMENSION first_row;
    void (*convert)(j_decompress_ptr, JSAMPIMAGE, JDIMENSION, JSAMPARRAY, int);

    // In place of libjpeg's entropy decoder, or NULL.
    cjpeg_sequential *sequential;
    cjpeg_progressive *progressive;
};

// Samples each way that the inverse transform makes of a block.
static inline int cjpeg_scaled_size(const jpeg_component_info *component) {
#if JPEG_LIB_VERSION >= 70
    return component->DCT_h_scaled_size;
#else
    return component->DCT_scaled_size;
#endif
}

// Down a block it is as across: libjpeg-turbo's are as high as wide.
static inline int cjpeg_scaled_height(const jpeg_component_info *component) {
#if JPEG_LIB_VERSION >= 70
    return component->DCT_v_scaled_size;
#else
    return component->DCT_scaled_size;
#endif
}

// The bits from `first` to `last`, both within 0 to 63; none if `last` is less.
static inline uint64_t cjpeg_band(int first, int last) {
    return last < first ? 0 : (~(uint64_t)0 >> (63 - last)) & (~(uint64_t)0 << first);
}

// The frequencies of the scan under way.
static inline uint64_t cjpeg_band_of_scan(const cjpeg_decoder *decoder) {
    return cjpeg_band(decoder->cinfo.Ss & 63, decoder->cinfo.Se & 63);
}

// Whether the file is of a kind of which scans, or coefficients, may be left out.
static inline int cjpeg_is_selective(const cjpeg_decoder *decoder) {
    return decoder->works_inside && decoder->cinfo.progressive_mode && !decoder->cinfo.arith_code;
}

void cjpeg_install_errors(cjpeg_decoder *decoder);
// Leaves the current call with CJPEG_FAILED.
_Noreturn void cjpeg_fail(cjpeg_decoder *decoder, cjpeg_failure failure, const char *message);
// Notes that pixels are lost, and returns if they are to be painted; otherwise fails.
void cjpeg_lose(cjpeg_decoder *decoder, cjpeg_failure failure, const char *message);
// Zeros, counted against the wish's limit of coefficients if not all of them are kept.
void *cjpeg_reserve(cjpeg_decoder *decoder, size_t count, size_t size);
