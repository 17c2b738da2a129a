#include "source.h"

#include <stdlib.h>
#include <string.h>

// A source manager that suspends, as libjpeg.txt "I/O suspension" asks: what libjpeg has not consumed is offered again
// in front of the next bytes. A chunk is decoded where it lies; only a remainder is copied.

static const JOCTET fake_end[2] = {0xFF, JPEG_EOI};

static void init_source(j_decompress_ptr cinfo) { (void)cinfo; }
static void term_source(j_decompress_ptr cinfo) { (void)cinfo; }

static boolean fill_input_buffer(j_decompress_ptr cinfo) {
    cjpeg_decoder *decoder = (cjpeg_decoder *)cinfo;
    if (!decoder->has_ended) return FALSE;
    decoder->has_faked_end = 1;
    decoder->source.next_input_byte = fake_end;
    decoder->source.bytes_in_buffer = sizeof fake_end;
    return TRUE;
}

static void skip_input_data(j_decompress_ptr cinfo, long count) {
    cjpeg_decoder *decoder = (cjpeg_decoder *)cinfo;
    if (count <= 0) return;
    size_t skip = (size_t)count;
    size_t there = decoder->source.bytes_in_buffer;
    if (skip > there) {
        if (!decoder->has_faked_end) decoder->pending_skip += skip - there;
        skip = there;
    }
    decoder->source.next_input_byte += skip;
    decoder->source.bytes_in_buffer -= skip;
}

// As every viewer does with restart markers of wrong numbers: some are passed over, and the picture is whole. Where a marker is
// left unread, the MCUs up to it are missing.
static boolean resync_to_restart(j_decompress_ptr cinfo, int desired) {
    cjpeg_decoder *decoder = (cjpeg_decoder *)cinfo;
    if (!jpeg_resync_to_restart(cinfo, desired)) return FALSE;
    if (cinfo->unread_marker)
        cjpeg_lose(
            decoder, decoder->has_faked_end ? CJPEG_FAILURE_TRUNCATED : CJPEG_FAILURE_CORRUPT,
            "what a restart marker begins is missing");
    return TRUE;
}

void cjpeg_install_source(cjpeg_decoder *decoder) {
    decoder->source.init_source = init_source;
    decoder->source.fill_input_buffer = fill_input_buffer;
    decoder->source.skip_input_data = skip_input_data;
    decoder->source.resync_to_restart = resync_to_restart;
    decoder->source.term_source = term_source;
    decoder->source.next_input_byte = fake_end;
    decoder->source.bytes_in_buffer = 0;
    decoder->cinfo.src = &decoder->source;
}

int cjpeg_hold(cjpeg_decoder *decoder, const uint8_t *bytes, size_t count) {
    if (count > SIZE_MAX - decoder->held_count) return 0;
    size_t needed = decoder->held_count + count;
    if (needed > decoder->held_capacity) {
        size_t capacity = decoder->held_capacity < 4096 ? 4096 : decoder->held_capacity;
        while (capacity < needed) capacity = capacity > SIZE_MAX / 2 ? needed : capacity * 2;
        uint8_t *grown = realloc(decoder->held, capacity);
        if (!grown) return 0;
        decoder->held = grown;
        decoder->held_capacity = capacity;
    }
    if (count) memcpy(decoder->held + decoder->held_count, bytes, count);
    decoder->held_count = needed;
    decoder->supplied += count;
    decoder->source.next_input_byte = decoder->held;
    decoder->source.bytes_in_buffer = needed;
    return 1;
}

size_t cjpeg_supply(cjpeg_decoder *decoder, const uint8_t *bytes, size_t count) {
    decoder->taken = 0;
    decoder->is_borrowing = 0;
    if (decoder->pending_skip) {
        size_t skip = decoder->pending_skip < count ? decoder->pending_skip : count;
        decoder->pending_skip -= skip;
        decoder->supplied += skip;
        return skip;
    }
    if (decoder->held_count == 0) {
        decoder->is_borrowing = 1;
        decoder->taken = count;
        decoder->supplied += count;
        decoder->source.next_input_byte = bytes;
        decoder->source.bytes_in_buffer = count;
        return count;
    }
    // Only as much as gets libjpeg past the remainder is copied; then it reads from the chunk itself.
    size_t piece = count < 4096 ? count : 4096;
    if (!cjpeg_hold(decoder, bytes, piece)) return SIZE_MAX;
    decoder->taken = piece;
    return piece;
}

// Any number of bytes 0xFF may precede a marker (T.81 B.1.1.2). libjpeg looks through all of them anew whenever more come: of those at
// the end, one is kept. Not within a marker's segment, where they mean something.
static void drop_fill_bytes(cjpeg_decoder *decoder) {
    if (decoder->cinfo.unread_marker || decoder->awaits_height) return;
    const uint8_t *held = decoder->held;
    while (decoder->held_count > 1 && held[decoder->held_count - 1] == 0xFF && held[decoder->held_count - 2] == 0xFF)
        decoder->held_count--;
    decoder->source.bytes_in_buffer = decoder->held_count;
}

size_t cjpeg_settle(cjpeg_decoder *decoder) {
    size_t left = decoder->source.bytes_in_buffer;
    const uint8_t *next = decoder->source.next_input_byte;
    size_t given_back = 0;
    if (decoder->has_faked_end) return 0;
    if (decoder->is_borrowing) {
        decoder->is_borrowing = 0;
        decoder->source.bytes_in_buffer = 0;
        decoder->supplied -= left;
        if (left && !cjpeg_hold(decoder, next, left)) {
            decoder->failure = CJPEG_FAILURE_MEMORY;
            strcpy(decoder->message, "no memory for the bytes not yet decoded");
        }
    } else if (decoder->held_count) {
        if (left < decoder->taken) {
            given_back = left;
            decoder->supplied -= left;
            decoder->held_count = 0;
            decoder->source.bytes_in_buffer = 0;
        } else if (next != decoder->held) {
            if (left) memmove(decoder->held, next, left);
            decoder->held_count = left;
            decoder->source.next_input_byte = decoder->held;
        }
    }
    if (decoder->held_count) drop_fill_bytes(decoder);
    decoder->taken = 0;
    return given_back;
}

void cjpeg_abandon_input(cjpeg_decoder *decoder) {
    decoder->supplied -= cjpeg_unread(decoder);
    decoder->source.next_input_byte = fake_end;
    decoder->source.bytes_in_buffer = 0;
    free(decoder->held);
    decoder->held = NULL;
    decoder->held_count = decoder->held_capacity = 0;
    decoder->taken = 0;
    decoder->is_borrowing = 0;
}

void cjpeg_end_input(cjpeg_decoder *decoder) { decoder->has_ended = 1; }

size_t cjpeg_unread(const cjpeg_decoder *decoder) {
    return decoder->has_faked_end ? 0 : decoder->source.bytes_in_buffer;
}

// An arithmetic decoder reads zeros after the data's end, for ever and without a warning (jdarith.c, get_byte). Trailing
// zero bytes may be left out of a file (T.81 D.1.8), so a little is right.
#define ARITHMETIC_OVERRUN (1u << 20)
// Lost pixels may be painted, but a whole picture out of nothing is a bomb. A byte of a real file brings 100 pixels at most.
#define PAINTED_OVERRUN(bytes) ((1u << 22) + 1024 * (uint64_t)(bytes))

void cjpeg_count_overrun(cjpeg_decoder *decoder, uint64_t pixels) {
    int is_arithmetic = decoder->cinfo.arith_code;
    // Behind damage an arithmetic decoder may do nothing at all, wherever the data are.
    if (!decoder->damage.kind ? !is_arithmetic || !decoder->cinfo.unread_marker : !is_arithmetic && !decoder->cinfo.unread_marker)
        return;
    decoder->overrun += pixels;
    if (is_arithmetic && decoder->overrun > ARITHMETIC_OVERRUN)
        cjpeg_lose(decoder, CJPEG_FAILURE_TRUNCATED, "the arithmetic-coded data end long before the picture does");
    if (decoder->overrun > PAINTED_OVERRUN(decoder->supplied))
        cjpeg_fail(decoder, CJPEG_FAILURE_TRUNCATED, "the entropy-coded data end long before the picture does");
}
