#include "metadata.h"

#include <stdlib.h>
#include <string.h>

// APP1 (Exif) and APP2 (ICC profile) segments. libjpeg's own jpeg_save_markers keeps every segment of a kind, however
// many there are; this keeps what is wanted and counts it against the limit before keeping it.

static const char exif_signature[6] = {'E', 'x', 'i', 'f', 0, 0};
static const char icc_signature[12] = {'I', 'C', 'C', '_', 'P', 'R', 'O', 'F', 'I', 'L', 'E', 0};

// Byte order, 42 and the first directory's offset (TIFF 6.0, 2).
#define TIFF_HEADER_BYTES 8

static int is_allowed(const cjpeg_decoder *decoder, size_t count) {
    return count <= decoder->metadata_limit - decoder->metadata_count;
}

static uint8_t *copy_counted(cjpeg_decoder *decoder, const uint8_t *bytes, size_t count) {
    if (!is_allowed(decoder, count)) cjpeg_fail(decoder, CJPEG_FAILURE_METADATA, "more metadata than allowed");
    uint8_t *copy = malloc(count ? count : 1);
    if (!copy) cjpeg_fail(decoder, CJPEG_FAILURE_MEMORY, "no memory for metadata");
    memcpy(copy, bytes, count);
    decoder->metadata_count += count;
    return copy;
}

// A picture can do without its profile, a profile that is not whole is of no use.
static void give_up_icc(cjpeg_decoder *decoder) {
    decoder->has_given_up_icc = 1;
    for (int i = 0; i < CJPEG_MAX_ICC_SEGMENTS; i++) {
        decoder->metadata_count -= decoder->icc[i].count;
        free(decoder->icc[i].bytes);
        decoder->icc[i] = (cjpeg_segment){NULL, 0};
    }
}

static void keep_segment(cjpeg_decoder *decoder, int marker) {
    const uint8_t *bytes = decoder->segment;
    size_t count = decoder->segment_count;
    if (marker == JPEG_APP0 + 1) {
        // Empty ones are about, in front of the one that counts.
        if (decoder->exif.bytes || count < 6 + TIFF_HEADER_BYTES || memcmp(bytes, exif_signature, 6) != 0) return;
        if (!is_allowed(decoder, count - 6)) give_up_icc(decoder);
        decoder->exif.bytes = copy_counted(decoder, bytes + 6, count - 6);
        decoder->exif.count = count - 6;
        return;
    }
    if (decoder->has_given_up_icc || count < 14 || memcmp(bytes, icc_signature, 12) != 0) return;
    int number = bytes[12], expected = bytes[13];
    if (number == 0 || number > expected || decoder->icc[number - 1].bytes) return;
    if (decoder->icc_expected == 0) decoder->icc_expected = expected;
    if (decoder->icc_expected != expected) return;
    if (!is_allowed(decoder, count - 14)) {
        give_up_icc(decoder);
        return;
    }
    decoder->icc[number - 1].bytes = copy_counted(decoder, bytes + 14, count - 14);
    decoder->icc[number - 1].count = count - 14;
}

static boolean read_segment(j_decompress_ptr cinfo) {
    cjpeg_decoder *decoder = (cjpeg_decoder *)cinfo;
    struct jpeg_source_mgr *source = cinfo->src;
    if (!decoder->is_in_segment) {
        // Both length bytes at once: libjpeg calls again from here if they are not there.
        if (source->bytes_in_buffer < 2) {
            if (!decoder->has_ended) return FALSE;
            return source->fill_input_buffer(cinfo);
        }
        size_t length = ((size_t)source->next_input_byte[0] << 8) | source->next_input_byte[1];
        if (length < 2) cjpeg_fail(decoder, CJPEG_FAILURE_CORRUPT, "a segment shorter than its length field");
        source->next_input_byte += 2;
        source->bytes_in_buffer -= 2;
        decoder->segment_remaining = length - 2;
        decoder->segment_count = 0;
        decoder->is_in_segment = 1;
        decoder->segment = malloc(length);
        if (!decoder->segment) cjpeg_fail(decoder, CJPEG_FAILURE_MEMORY, "no memory for metadata");
    }
    size_t there = source->bytes_in_buffer;
    size_t count = there < decoder->segment_remaining ? there : decoder->segment_remaining;
    memcpy(decoder->segment + decoder->segment_count, source->next_input_byte, count);
    decoder->segment_count += count;
    decoder->segment_remaining -= count;
    source->next_input_byte += count;
    source->bytes_in_buffer -= count;
    if (decoder->segment_remaining) {
        if (!decoder->has_ended) return FALSE;
        cjpeg_lose(decoder, CJPEG_FAILURE_TRUNCATED, "the file ends within a segment");
    }
    decoder->is_in_segment = 0;
    // Between scans nothing is kept: the picture's orientation and profile stand in its header.
    if (!decoder->is_started) keep_segment(decoder, cinfo->unread_marker);
    free(decoder->segment);
    decoder->segment = NULL;
    return TRUE;
}

void cjpeg_install_metadata(cjpeg_decoder *decoder) {
    jpeg_set_marker_processor(&decoder->cinfo, JPEG_APP0 + 1, read_segment);
    jpeg_set_marker_processor(&decoder->cinfo, JPEG_APP0 + 2, read_segment);
}

void cjpeg_release_metadata(cjpeg_decoder *decoder) {
    free(decoder->segment);
    free(decoder->exif.bytes);
    for (int i = 0; i < CJPEG_MAX_ICC_SEGMENTS; i++) free(decoder->icc[i].bytes);
}

const uint8_t *cjpeg_exif(const cjpeg_decoder *decoder, size_t *count) {
    *count = decoder->exif.count;
    return decoder->exif.bytes;
}

size_t cjpeg_icc_length(const cjpeg_decoder *decoder) {
    size_t length = 0;
    for (int i = 0; i < decoder->icc_expected; i++) {
        if (!decoder->icc[i].bytes) return 0;
        length += decoder->icc[i].count;
    }
    return length;
}

void cjpeg_copy_icc(const cjpeg_decoder *decoder, uint8_t *out) {
    for (int i = 0; i < decoder->icc_expected; i++) {
        memcpy(out, decoder->icc[i].bytes, decoder->icc[i].count);
        out += decoder->icc[i].count;
    }
}
