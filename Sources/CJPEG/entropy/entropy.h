#pragma once

#include <string.h>

#include "../shim/internals.h"
#include "../shim/state.h"
#include "huffman.h"

// Entropy-coded data on their way to a decoder of ours.
//
// They are copied, without their stuffed zeros, to a buffer that ends in more zeros than an MCU can have bytes. So an MCU is
// decoded without counting; if it turns out that it took bits which are not there, or a bad code came up, that is forgotten.
// Unless more bytes are to come, it is decoded again one code at a time, every bit counted: that way knows what to say. It ends the decode where
// libjpeg would warn that pixels are lost, or goes on as libjpeg does, which is the wish's matter: what is missing is zeros, and up
// to the next restart marker nothing is decoded (`insufficient_data`).

// The most that an MCU may take: 64 codes of up to 16 bits, each with up to 15 more, in each block. And what is looked at
// ahead of them.
#define MCU_BYTES (D_MAX_BLOCKS_IN_MCU * DCTSIZE2 * 31 / 8 + 24)
#define BUFFER_BYTES 16384

typedef struct cjpeg_entropy {
    size_t bit;      // of the buffer: where the next MCU begins
    size_t count;    // of bytes in the buffer; MCU_BYTES of zeros follow
    int restart_in;  // MCUs until a restart marker is due
    uint8_t buffer[BUFFER_BYTES + MCU_BYTES];
} cjpeg_entropy;

// Places of a block in zigzag order, row by row; 16 more, as a damaged run may lead beyond the block by as much (T.81
// figure A.6).
extern const uint8_t cjpeg_natural_order[DCTSIZE2 + 16];

// Reports libjpeg's warning `code`; returns only if lost pixels are painted.
void cjpeg_warn(j_decompress_ptr cinfo, int code);
// Takes what the source has, up to a marker. 0: nothing new, bytes are missing.
int cjpeg_absorb(j_decompress_ptr cinfo, cjpeg_entropy *state);
// Moves what is left to the buffer's start: there is then room for all the bytes that an MCU may have.
void cjpeg_compact(cjpeg_entropy *state);
// Bytes taken and not decoded yet.
static inline size_t cjpeg_entropy_ahead(const cjpeg_entropy *state) { return state->count - state->bit / 8; }
// Whether an MCU may lack bytes that are still to come: it is then left alone until they have.
static inline int cjpeg_awaits_bytes(j_decompress_ptr cinfo, const cjpeg_entropy *state) {
    return cjpeg_entropy_ahead(state) < MCU_BYTES && !cinfo->unread_marker && !((cjpeg_decoder *)cinfo)->has_ended;
}
// Before an MCU: reads a restart marker that is due, and `*has_restarted` says so. 0: bytes are missing.
int cjpeg_prepare_mcu(j_decompress_ptr cinfo, cjpeg_entropy *state, int *has_restarted);

// MARK: At full speed

#define INLINE __attribute__((always_inline)) static inline

typedef struct bit_reader {
    uint64_t window;  // the next bit at the top; below those counted stand bits of the next byte, or zeros
    unsigned count;
    const uint8_t *next;
} bit_reader;

INLINE uint64_t load(const uint8_t *bytes) {
    uint64_t value;
    memcpy(&value, bytes, 8);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    value = __builtin_bswap64(value);
#endif
    return value;
}

// Afterwards there are 56 bits or more.
INLINE void refill(bit_reader *bits) {
    bits->window |= load(bits->next) >> bits->count;
    bits->next += (63 - bits->count) >> 3;
    bits->count |= 56;
}

INLINE unsigned look(const bit_reader *bits) { return (unsigned)(bits->window >> (64 - CJPEG_LOOK_BITS)); }
INLINE unsigned look_for_value(const bit_reader *bits) { return (unsigned)(bits->window >> (64 - CJPEG_VALUE_LOOK_BITS)); }

INLINE void take(bit_reader *bits, unsigned count) {
    bits->window <<= count;
    bits->count -= count;
}

// The next `count` bits; 1 to 16.
INLINE unsigned take_bits(bit_reader *bits, unsigned count) {
    unsigned value = (unsigned)(bits->window >> (64 - count));
    take(bits, count);
    return value;
}

// A code of any length: 256 times its length, and its symbol; -1: there is none. A function of a value, as everything that
// is not inlined must be: a reader whose address is known elsewhere would live in memory, and cost twice the time.
int cjpeg_long_code(uint64_t window, const cjpeg_huffman *table);

// The next symbol; -1: a bad code.
INLINE int take_code(bit_reader *bits, const cjpeg_huffman *table) {
    cjpeg_code code = table->codes[look(bits)];
    int symbol = code.symbol;
    unsigned length = code.length;
    if (!length) {
        int found = cjpeg_long_code(bits->window, table);
        if (found < 0) return -1;
        symbol = found & 255;
        length = (unsigned)found >> 8;
    }
    take(bits, length);
    return symbol;
}

// A reader of the buffer from the bit where the next MCU begins.
INLINE bit_reader reader(const cjpeg_entropy *state) {
    const uint8_t *start = state->buffer + state->bit / 8;
    unsigned within = (unsigned)(state->bit & 7);
    return (bit_reader){load(start) << within, 56 - within, start + 7};
}

// Has the next MCU begin where the reader is; 0: it has taken bits that are not there.
INLINE int settle(cjpeg_entropy *state, const bit_reader *bits) {
    size_t bit = (size_t)(bits->next - state->buffer) * 8 - bits->count;
    if (bit > state->count * 8) return 0;
    state->bit = bit;
    return 1;
}

// MARK: With care

// Sees to it that `count` bits follow `bit`, zeros where the data end; 0: bytes are missing.
int cjpeg_need(j_decompress_ptr cinfo, cjpeg_entropy *state, size_t bit, int count);
// The next symbol; -1: bytes are missing.
int cjpeg_careful_symbol(j_decompress_ptr cinfo, cjpeg_entropy *state, const cjpeg_huffman *table, size_t *bit);

// `count` bits, 1 to 17, which must be there.
static inline unsigned cjpeg_peek(const cjpeg_entropy *state, size_t bit, int count) {
    return (unsigned)(load(state->buffer + bit / 8) << (bit & 7) >> (64 - count));
}

// Has the next MCU begin at `bit`, or at the end where zeros have been read.
static inline void cjpeg_settle_carefully(cjpeg_entropy *state, size_t bit) {
    state->bit = bit < state->count * 8 ? bit : state->count * 8;
}
