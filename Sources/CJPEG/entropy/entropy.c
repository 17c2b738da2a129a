#include "entropy.h"

#include <stdlib.h>

#include <jerror.h>

const uint8_t cjpeg_natural_order[DCTSIZE2 + 16] = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13,
    6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31,
    39, 46, 53, 60, 61, 54, 47, 55, 62, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63};

void cjpeg_warn(j_decompress_ptr cinfo, int code) {
    cinfo->err->msg_code = code;
    cinfo->err->emit_message((j_common_ptr)cinfo, -1);
}

int cjpeg_absorb(j_decompress_ptr cinfo, cjpeg_entropy *state) {
    struct jpeg_source_mgr *source = cinfo->src;
    size_t before = state->count;
    while (state->count < BUFFER_BYTES && !cinfo->unread_marker) {
        size_t there = source->bytes_in_buffer, room = BUFFER_BYTES - state->count;
        const JOCTET *next = source->next_input_byte;
        const JOCTET *escape = there ? memchr(next, 0xFF, there < room ? there : room) : NULL;
        size_t plain = escape ? (size_t)(escape - next) : there < room ? there : room;
        if (plain) memcpy(state->buffer + state->count, next, plain);
        state->count += plain;
        next += plain;
        there -= plain;
        if (escape) {
            while (there > 1 && next[1] == 0xFF) next++, there--;
            if (there > 1) {
                if (next[1]) {
                    cinfo->unread_marker = next[1];
                } else {
                    state->buffer[state->count++] = 0xFF;
                }
                next += 2;
                there -= 2;
            }
        }
        source->next_input_byte = next;
        source->bytes_in_buffer = there;
        // With one byte left, it is 0xFF, and the next one says what it means.
        if (there > 1 || (there == 1 && *next != 0xFF)) continue;
        if (state->count > before || cinfo->unread_marker || !source->fill_input_buffer(cinfo)) break;
    }
    memset(state->buffer + state->count, 0, MCU_BYTES);
    return state->count > before || cinfo->unread_marker;
}

void cjpeg_compact(cjpeg_entropy *state) {
    size_t decoded = state->bit / 8;
    memmove(state->buffer, state->buffer + decoded, state->count - decoded);
    state->count -= decoded;
    state->bit -= decoded * 8;
    memset(state->buffer + state->count, 0, MCU_BYTES);
}

int cjpeg_long_code(uint64_t window, const cjpeg_huffman *table) {
    int32_t code = (int32_t)(window >> 48);
    for (int length = 1; length <= 16; length++) {
        int32_t prefix = code >> (16 - length);
        if (prefix <= table->largest[length])
            return length << 8 | table->symbols[(prefix + table->offset[length]) & 255];
    }
    return -1;
}

int cjpeg_need(j_decompress_ptr cinfo, cjpeg_entropy *state, size_t bit, int count) {
    while (state->count * 8 < bit + (size_t)count) {
        if (cinfo->unread_marker) {
            // Once for each stretch of data.
            if (!cinfo->entropy->insufficient_data) cjpeg_warn(cinfo, JWRN_HIT_MARKER);
            cinfo->entropy->insufficient_data = TRUE;
            return 1;
        }
        if (!cjpeg_absorb(cinfo, state)) return 0;
    }
    return 1;
}

int cjpeg_careful_symbol(
    j_decompress_ptr cinfo, cjpeg_entropy *state, const cjpeg_huffman *table, size_t *bit) {
    for (int length = 1; length <= 16; length++) {
        if (!cjpeg_need(cinfo, state, *bit, length)) return -1;
        int32_t code = (int32_t)cjpeg_peek(state, *bit, length);
        if (code > table->largest[length]) continue;
        *bit += (size_t)length;
        return table->symbols[(code + table->offset[length]) & 255];
    }
    // libjpeg takes a bit more, and a zero for the symbol (jdhuff.c, jpeg_huff_decode).
    if (!cjpeg_need(cinfo, state, *bit, 17)) return -1;
    *bit += 17;
    cjpeg_warn(cinfo, JWRN_HUFF_BAD_CODE);
    return 0;
}

int cjpeg_prepare_mcu(j_decompress_ptr cinfo, cjpeg_entropy *state, int *has_restarted) {
    *has_restarted = 0;
    if (cinfo->restart_interval && state->restart_in == 0) {
        cinfo->marker->discarded_bytes += (unsigned)cjpeg_entropy_ahead(state);
        state->count = state->bit = 0;
        memset(state->buffer, 0, MCU_BYTES);
        if (!cinfo->marker->read_restart_marker(cinfo)) return 0;
        state->restart_in = (int)cinfo->restart_interval;
        // At a marker that is not due there is nothing to decode.
        if (!cinfo->unread_marker) cinfo->entropy->insufficient_data = FALSE;
        *has_restarted = 1;
    }
    if (cjpeg_entropy_ahead(state) < MCU_BYTES && !cinfo->unread_marker && cinfo->src->bytes_in_buffer) {
        cjpeg_compact(state);
        cjpeg_absorb(cinfo, state);
    }
    return 1;
}
