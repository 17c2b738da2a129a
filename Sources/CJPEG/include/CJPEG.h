#pragma once

// libjpeg for Swift, in three rooms: shim/ is what Swift cannot say of it (error exits by longjmp, macros, the layout of its structs, a
// source manager that suspends); entropy/ decodes Huffman codes in its place, faster; scans/ chooses what is decoded and kept of a
// progressive file. Files here use those of the rooms, scans/ those of entropy/, and both those of shim/. Every function that enters libjpeg is a setjmp scope of its own and returns a status: no error ever unwinds
// through the caller's frames. A decoder belongs to one thread at a time.

#include <stddef.h>
#include <stdint.h>

#include "../../System/libjpeg/shim.h"

typedef struct cjpeg_decoder cjpeg_decoder;

typedef enum cjpeg_status {
    CJPEG_OK = 0,             // done what was asked
    CJPEG_NEEDS_BYTES = 1,    // suspended until more bytes are supplied
    CJPEG_SCAN_COMPLETE = 2,  // cjpeg_consume: a scan has ended
    CJPEG_END = 3,            // cjpeg_consume: the last scan that shows has been absorbed
    CJPEG_FAILED = 4,         // see cjpeg_failure and cjpeg_message; only destroying is allowed from here
} cjpeg_status;

typedef enum cjpeg_failure {
    CJPEG_FAILURE_NONE = 0,
    CJPEG_FAILURE_CORRUPT = 1,
    CJPEG_FAILURE_TRUNCATED = 2,
    CJPEG_FAILURE_UNSUPPORTED = 3,
    CJPEG_FAILURE_MEMORY = 4,
    CJPEG_FAILURE_METADATA = 5,  // more metadata bytes than allowed
    CJPEG_FAILURE_WORKING = 6,   // more bytes of coefficients than allowed
} cjpeg_failure;

typedef enum cjpeg_pixels {
    CJPEG_PIXELS_UNSUPPORTED = 0,
    CJPEG_PIXELS_GREY = 1,
    CJPEG_PIXELS_RGB = 3,
    CJPEG_PIXELS_CMYK = 4,  // inverted: 255 is no ink
} cjpeg_pixels;

typedef struct cjpeg_info {
    uint32_t width;
    uint32_t height;
    int components;
    cjpeg_pixels pixels;         // what rows will hold
    int has_multiple_scans;      // progressive, or components in scans of their own
    int is_progressive;
    int is_arithmetic;
    int is_selective;            // scans may be passed over, and coefficients kept in part
    int colour_across;           // pixels each way for which there is one sample of the component that has least
    int colour_down;
    int block_rows;              // rows of pixels that come at once: those of a row of MCUs
    uint64_t coefficient_bytes;  // whole-image coefficient arrays, if has_multiple_scans
    uint64_t row_bytes;          // an upper bound of libjpeg's own row buffers
    uint64_t block_row_bytes;    // the same of the whole blocks that are made for it of coefficients kept in part
    int density_unit;            // of the JFIF header: 1 inch, 2 centimetre; 0 for none, or only a pixel's shape
    uint16_t density_x;
    uint16_t density_y;
} cjpeg_info;

// The coefficients that are kept of a file with several scans.
typedef enum cjpeg_kept {
    CJPEG_KEPT_ALL = 0,
    CJPEG_KEPT_VISIBLE = 1,  // those that the transforms to the scale look at
    CJPEG_KEPT_SHOWN = 2,    // of those, the ones that the reduction shows, in memory that grows as they come
} cjpeg_kept;

// The wishes of a caller about one file.
typedef struct cjpeg_wish {
    int scale;  // of the inverse transforms, in eighths
    // Whether nothing is wanted but the picture at its scale, which stays the same to the bit: scans that change nothing of it are
    // passed over, and when the others are complete cjpeg_consume gives CJPEG_END, though more may follow.
    int is_final_only;
    // The number of stored pixels that make one of those wanted: scans of a progressive file that a reduction by so much cannot show are
    // passed over without being decoded. 0: none are.
    double reduction;
    cjpeg_kept kept;           // all of them, where the file is not selective
    size_t coefficient_limit;  // on their bytes, where that is not all
    size_t memory_limit;       // a backstop for libjpeg's own allocations
    // True if lost pixels are painted, as libjpeg does it after its warnings, and the first loss is noted (cjpeg_get_damage). They fail
    // otherwise.
    int shows_damage;
} cjpeg_wish;

// The first place at which pixels were lost.
typedef struct cjpeg_damage {
    cjpeg_failure kind;  // CJPEG_FAILURE_NONE: nowhere
    uint64_t byte_offset;
    uint32_t row;  // of the rows that are read, in a file with one scan
    const char *message;
} cjpeg_damage;

// Whether decoders work with libjpeg's own structures, which makes them faster and lets them leave things out; elsewhere the library at
// run time is another one than the headers were of, or they were not all there. CJPEG_PUBLIC_ONLY, defined where this is compiled,
// does without them.
int cjpeg_works_inside(void);

// NULL when memory is short.
cjpeg_decoder *cjpeg_decoder_create(size_t metadata_limit);
void cjpeg_decoder_destroy(cjpeg_decoder *decoder);

// Supplying bytes: point the decoder at `bytes` (which must stay valid until cjpeg_settle), run steps until they need
// bytes, then settle. cjpeg_supply returns how many bytes it took; cjpeg_settle how many of those were given back and
// are to be supplied again. SIZE_MAX from cjpeg_supply: memory is short.
size_t cjpeg_supply(cjpeg_decoder *decoder, const uint8_t *bytes, size_t count);
size_t cjpeg_settle(cjpeg_decoder *decoder);
// In place of cjpeg_settle, when no step will follow: nothing is kept of what is left.
void cjpeg_abandon_input(cjpeg_decoder *decoder);
// Keeps bytes without decoding, for entropy coders that cannot suspend. 0 when memory is short.
int cjpeg_hold(cjpeg_decoder *decoder, const uint8_t *bytes, size_t count);
// Bytes supplied or held that no step has taken yet.
size_t cjpeg_unread(const cjpeg_decoder *decoder);
// No more bytes will come: steps no longer suspend, they fail as truncated when bytes are missing.
void cjpeg_end_input(cjpeg_decoder *decoder);

cjpeg_status cjpeg_read_header(cjpeg_decoder *decoder);
// After cjpeg_read_header has asked for bytes: whether it holds them all, for the picture's height, which comes late.
int cjpeg_awaits_height(const cjpeg_decoder *decoder);
void cjpeg_get_info(cjpeg_decoder *decoder, cjpeg_info *info);
cjpeg_status cjpeg_start(cjpeg_decoder *decoder, const cjpeg_wish *wish);
// How many bytes the coefficients take that a transform to scale/8 looks at, or 0 where they cannot be kept alone: in files
// that are not progressive, or small. Before cjpeg_start.
uint64_t cjpeg_visible_bytes(cjpeg_decoder *decoder, int scale);
// After CJPEG_END: whether that came before the file's end, so that the bytes behind are of no use.
int cjpeg_ended_early(const cjpeg_decoder *decoder);
// After cjpeg_start, for a file with one scan: rows will hold these columns only. `*x` may become less, and `*width` more by as
// much. Pixels within one of each side may differ from those of whole rows, as libjpeg finds no neighbours for them. 0: the
// library does not offer it, and rows stay whole.
int cjpeg_crop(cjpeg_decoder *decoder, uint32_t *x, uint32_t *width);
// After cjpeg_start, for a file with one scan: rows above this one are counted, but not written, as far as this file's decoder
// can leave them out. As many rows below it as libjpeg looks at for interpolating colour, four at most, may differ from what they
// are otherwise.
void cjpeg_crop_rows(cjpeg_decoder *decoder, uint32_t first_row);
uint32_t cjpeg_output_width(const cjpeg_decoder *decoder);
uint32_t cjpeg_output_height(const cjpeg_decoder *decoder);
// Reads up to `capacity` rows; `*count` rows were written, whatever the status.
cjpeg_status cjpeg_read_rows(
    cjpeg_decoder *decoder, uint8_t *rows, size_t stride, uint32_t capacity, uint32_t *count);

// Files with several scans: absorb input a row of blocks at a time (CJPEG_OK: call again).
cjpeg_status cjpeg_consume(cjpeg_decoder *decoder);
int cjpeg_scans_started(const cjpeg_decoder *decoder);
// Scans that are complete, or passed over, and whose successor's header has been read; after CJPEG_END, all so far.
int cjpeg_scans_complete(const cjpeg_decoder *decoder);
// The last complete scan that changes a pixel at this scale.
int cjpeg_last_visible_scan(const cjpeg_decoder *decoder);
// Share of the coefficients' precision that has arrived, 0 to 1.
double cjpeg_completeness(const cjpeg_decoder *decoder);
// The same of the component of which least has arrived.
double cjpeg_least_completeness(const cjpeg_decoder *decoder);
// Whether all that a complete file must have has been seen (after CJPEG_END).
int cjpeg_is_complete(const cjpeg_decoder *decoder);
cjpeg_status cjpeg_start_output(cjpeg_decoder *decoder, int scan);
cjpeg_status cjpeg_finish_output(cjpeg_decoder *decoder);

// Bytes consumed so far.
uint64_t cjpeg_byte_offset(const cjpeg_decoder *decoder);
cjpeg_failure cjpeg_failure_kind(const cjpeg_decoder *decoder);
const char *cjpeg_message(const cjpeg_decoder *decoder);
// The message is valid as long as the decoder.
cjpeg_damage cjpeg_get_damage(const cjpeg_decoder *decoder);
// Notes that the file has ended too early, unless damage has been noted before. 0: that is a failure, by the wish.
int cjpeg_note_truncation(cjpeg_decoder *decoder);

// The first APP1 Exif segment after its "Exif\0\0", or NULL. Valid as long as the decoder.
const uint8_t *cjpeg_exif(const cjpeg_decoder *decoder, size_t *count);
// Length of the ICC profile if all its segments are there, else 0; cjpeg_copy_icc writes that many bytes.
size_t cjpeg_icc_length(const cjpeg_decoder *decoder);
void cjpeg_copy_icc(const cjpeg_decoder *decoder, uint8_t *out);

typedef struct cjpeg_encoding {
    const uint8_t *pixels;
    size_t stride;
    uint32_t width;
    uint32_t height;
    int components;  // 1 or 3
    int quality;     // 1 to 100
    int is_progressive;
    int subsampling;  // 0: 4:2:0, 1: 4:2:2, 2: 4:4:4
    int optimizes_coding;  // Huffman tables of the file's own; a progressive one has them in any case
    int density_unit;  // of the JFIF header: 1 inch, 2 centimetre, 0 for none
    uint16_t density_x;
    uint16_t density_y;
    const uint8_t *exif;  // a TIFF structure of at most 65,527 bytes, if exif_count is not 0
    size_t exif_count;
    const uint8_t *icc;
    size_t icc_count;
} cjpeg_encoding;

// Takes the next bytes of the file; anything but 0 ends the encoding. It must return normally.
typedef int (*cjpeg_write)(void *context, const uint8_t *bytes, size_t count);
cjpeg_status cjpeg_encode(
    const cjpeg_encoding *encoding, cjpeg_write write, void *context, char *message, size_t message_capacity);
