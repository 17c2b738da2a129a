#pragma once

#include <setjmp.h>

#include "include/CJPEG.h"

#define CJPEG_MAX_ICC_SEGMENTS 255

typedef struct cjpeg_segment {
    uint8_t *bytes;
    size_t count;
} cjpeg_segment;

typedef struct cjpeg_sequential cjpeg_sequential;
typedef struct cjpeg_progressive cjpeg_progressive;
typedef struct cjpeg_coefficients cjpeg_coefficients;

// A scan of first bits that seems to hold little, by its Huffman code, while it is decoded (scan_plan.c).
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

struct cjpeg_decoder {
    struct jpeg_decompress_struct cinfo;  // first: callbacks cast back
    struct jpeg_error_mgr errors;
    struct jpeg_source_mgr source;
    jmp_buf exit;

    cjpeg_failure failure;
    char message[JMSG_LENGTH_MAX];

    // Source: bytes kept from earlier chunks, because libjpeg has not consumed them.
    uint8_t *held;
    size_t held_count, held_capacity;
    size_t taken;          // of the chunk supplied last
    int is_borrowing;      // the source points into the caller's chunk, not into `held`
    size_t pending_skip;   // of bytes that have not come yet
    uint64_t supplied;     // bytes ever taken from callers, less those given back
    int has_ended;
    int has_faked_end;

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

    int is_started;
    int has_reached_end;
    int last_visible_scan;
    int current_scan_is_visible;
    uint32_t components_seen;
    int is_visible_only;    // cjpeg_set_visible_only
    int has_ended_early;    // has_reached_end, but no end marker
    double reduction;       // pixels stored per pixel wanted; 0: every scan is decoded
    int is_leaving_out;     // the scan under way is passed over
    cjpeg_suspect suspect;
    uint64_t codes_seen[64];  // of AC scans so far, a hash each
    int codes_count;
    uint64_t thinned[MAX_COMPONENTS];  // frequencies, a bit each in zigzag order, of which something has been left out
    uint64_t arithmetic_overrun;  // pixels decoded from nothing after the entropy-coded data had ended
    // Arrays in place of libjpeg's, if only what the reduction shows is kept.
    int keeps_little;   // of the frequencies that are visible, those that show
    int keeps_visible;  // the visible ones
    int smoothing_margin;  // rows of blocks beyond those asked for that libjpeg may look at
    size_t coefficient_limit, coefficient_bytes;
    cjpeg_coefficients *coefficients[MAX_COMPONENTS];
    int coefficients_count;
    uint64_t kept[MAX_COMPONENTS];  // frequencies kept of the scan under way, a bit each in zigzag order
    int mcu_row;                    // in a scan of DC: the next MCU (planes.c)
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

// The same down a block: libjpeg-turbo's are as high as wide.
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

void cjpeg_install_source(cjpeg_decoder *decoder);
void cjpeg_install_metadata(cjpeg_decoder *decoder);
void cjpeg_release_metadata(cjpeg_decoder *decoder);
// Whether libjpeg has met a frame header without a height, and with all else.
int cjpeg_lacks_height(const cjpeg_decoder *decoder);
// Looks for the segment that says it, and writes it into that header; 0: bytes are missing.
int cjpeg_find_height(cjpeg_decoder *decoder);
// The frequencies of the scan under way.
uint64_t cjpeg_band_of_scan(const cjpeg_decoder *decoder);
// Whether a component's transform at its scale looks at a frequency, by its place in zigzag order.
int cjpeg_is_visible(const jpeg_component_info *component, int coefficient);
// Whether the reduced picture is about the same without the scan just begun.
int cjpeg_can_leave_out(const cjpeg_decoder *decoder);
// The frequencies kept of the scan just begun, which is decoded: all, or those that show. Those of a suspect may become more.
uint64_t cjpeg_kept_frequencies(cjpeg_decoder *decoder, const jpeg_component_info *component);
// At the start of each scan: whether it is a suspect.
void cjpeg_begin_suspect(cjpeg_decoder *decoder);
// After each of its rows, `blocks` of it being decoded: keeps all of the rest if it holds more than may be lost. 1: what it is like where it
// holds something has been seen, and the rest is to be left out.
int cjpeg_judge_suspect(cjpeg_decoder *decoder, size_t blocks);
// The blocks of the AC scan under way that have been decoded.
size_t cjpeg_blocks_decoded(const cjpeg_decoder *decoder);
// Forgets what has been taken from the source and not decoded yet: the scan's rest is left out.
void cjpeg_drop_ahead(cjpeg_decoder *decoder);
// Whether progressive.c decodes this file's scans.
int cjpeg_decodes_progressive(const cjpeg_decoder *decoder);
// Whether no scan that may follow changes the picture at its scale, the one under way being complete.
int cjpeg_shows_all(const cjpeg_decoder *decoder);
// After jpeg_start_decompress: takes the entropy decoder's place where it can; else everything stays as it is.
void cjpeg_install_sequential(cjpeg_decoder *decoder);
void cjpeg_release_sequential(cjpeg_decoder *decoder);
// Says which MCUs of a row are looked at; of the others only the DC coefficients are decoded.
void cjpeg_crop_sequential(cjpeg_decoder *decoder, JDIMENSION first, JDIMENSION last);
// Says which iMCU row is the first that is looked at: above it the same, and nothing is transformed. 0: all of them are.
int cjpeg_crop_rows_sequential(cjpeg_decoder *decoder, JDIMENSION first_row);
// The same at the start of each scan of a progressive file.
void cjpeg_begin_progressive(cjpeg_decoder *decoder);
void cjpeg_release_progressive(cjpeg_decoder *decoder);
// Bytes that these two have taken from the source and not decoded yet, but for stuffed ones.
size_t cjpeg_bytes_ahead(const cjpeg_decoder *decoder);
// Before jpeg_start_decompress: coefficient arrays that hold what cjpeg_kept_frequencies says is kept, `limit` bytes at most.
void cjpeg_install_coefficients(cjpeg_decoder *decoder, size_t limit);
void cjpeg_release_coefficients(cjpeg_decoder *decoder);
// At the start of each scan, and of each output pass: does without whole blocks where those arrays are in place.
void cjpeg_begin_planes(cjpeg_decoder *decoder);
void cjpeg_begin_planes_output(cjpeg_decoder *decoder);
// Zeros, counted against that limit if there is one.
void *cjpeg_reserve(cjpeg_decoder *decoder, size_t count, size_t size);
// Counts pixels that an arithmetic decoder has made after its data's end; a bomb's fail.
void cjpeg_count_overrun(cjpeg_decoder *decoder, uint64_t pixels);
// Leaves the current call with CJPEG_FAILED.
_Noreturn void cjpeg_fail(cjpeg_decoder *decoder, cjpeg_failure failure, const char *message);
