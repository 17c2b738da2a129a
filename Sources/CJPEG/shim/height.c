#include "height.h"

#include <string.h>

// Files whose frame header says no height: a DNL segment behind the first scan does (T.81 B.2.5). libjpeg refuses them, as it
// sizes everything by the frame header. So their bytes are held from there to the segment, and the header is read with the
// height that this says; of the segment itself libjpeg takes no notice.

#define DNL 0xDC
// In a frame header, from its length field on.
#define HEIGHT_OFFSET 3

int cjpeg_awaits_height(const cjpeg_decoder *decoder) { return decoder->awaits_height; }

// Goes on to where a marker is to stand, of which two bytes are there; 0: bytes are missing.
static int reach_marker(cjpeg_decoder *decoder, const uint8_t *bytes, size_t count) {
    for (;;) {
        if (decoder->height_scanned >= count) return 0;
        size_t left = count - decoder->height_scanned;
        const uint8_t *here = bytes + decoder->height_scanned;
        const uint8_t *escape = decoder->height_is_in_scan ? memchr(here, 0xFF, left) : here;
        size_t passed = escape ? (size_t)(escape - here) : left;
        decoder->height_scanned += passed;
        if (left - passed < 2) return 0;
        if (*escape != 0xFF) cjpeg_fail(decoder, CJPEG_FAILURE_CORRUPT, "bytes between the header's segments");
        int is_stuffed = escape[1] == 0 || (escape[1] >= JPEG_RST0 && escape[1] <= JPEG_RST0 + 7);
        if (escape[1] != 0xFF && !(is_stuffed && decoder->height_is_in_scan)) return 1;
        decoder->height_scanned += escape[1] == 0xFF ? 1 : 2;
    }
}

static int find_height(cjpeg_decoder *decoder) {
    const uint8_t *bytes = decoder->source.next_input_byte;
    size_t count = decoder->source.bytes_in_buffer;
    // The frame header's own length.
    if (!decoder->height_scanned) decoder->height_scanned = ((size_t)bytes[0] << 8) | bytes[1];
    while (reach_marker(decoder, bytes, count)) {
        const uint8_t *marker = bytes + decoder->height_scanned;
        int is_right = !decoder->height_is_in_scan || marker[1] == DNL;
        if (is_right && count - decoder->height_scanned < 6) return 0;
        size_t length = is_right ? ((size_t)marker[2] << 8) | marker[3] : 0;
        if (decoder->height_is_in_scan) {
            if (length != 4 || (marker[4] == 0 && marker[5] == 0))
                cjpeg_fail(decoder, CJPEG_FAILURE_CORRUPT, "the height is neither in the frame header nor behind the first scan");
            memcpy(decoder->held + (bytes - decoder->held) + HEIGHT_OFFSET, marker + 4, 2);
            return 1;
        }
        if (length < 2) cjpeg_fail(decoder, CJPEG_FAILURE_CORRUPT, "a segment shorter than its length field");
        decoder->height_is_in_scan = marker[1] == 0xDA;
        decoder->height_scanned += 2 + length;
    }
    return 0;
}

int cjpeg_find_height(cjpeg_decoder *decoder) {
    // The bytes around the frame header are held from the next bytes on, and may then be written to.
    if (!decoder->held_count) return 0;
    if (!find_height(decoder)) {
        if (decoder->has_ended) cjpeg_fail(decoder, CJPEG_FAILURE_TRUNCATED, "the file ends before the segment that says its height");
        return 0;
    }
    decoder->awaits_height = 0;
    return 1;
}
