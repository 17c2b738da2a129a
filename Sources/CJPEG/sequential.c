#include <stdlib.h>
#include <string.h>

#include "decoder_internal.h"
#include "huffman.h"

#include <jerror.h>
#include <jpegint.h>

// The entropy decoder of sequential Huffman-coded files with one scan, in place of libjpeg's.
//
// A transform of one sample per block looks at the DC coefficient only: the codes of the AC coefficients are then passed
// over, several at once (0.6 of the time). Elsewhere a code and its value are looked up together (0.85). Everything else is libjpeg's: markers, transforms, upsampling and colour, and so is the contract
// (jdhuff.c): a call decodes one MCU, or changes nothing and gives FALSE when bytes are missing.
//
// Entropy-coded data are copied, without their stuffed zeros, to a buffer that ends in more zeros than an MCU can have
// bytes. So an MCU is decoded without counting; if it turns out that it took bits which are not there, or a bad code came
// up, that is forgotten, and it is decoded again one code at a time, every bit counted: that way knows what to say.

// The most that an MCU may take: 64 codes of up to 16 bits, each with up to 15 more, in each block. And what is looked at
// ahead of them.
#define MCU_BYTES (D_MAX_BLOCKS_IN_MCU * DCTSIZE2 * 31 / 8 + 24)
#define BUFFER_BYTES 16384

typedef struct cjpeg_block {
    int component;  // of the scan
    const cjpeg_huffman *dc, *ac;
    const cjpeg_value *differences;
    const cjpeg_skip *skips;    // AC coefficients are passed over
    const cjpeg_value *values;  // or decoded
} cjpeg_block;

struct cjpeg_sequential {
    size_t bit;     // of the buffer: where the next MCU begins
    size_t count;   // of bytes in the buffer; MCU_BYTES of zeros follow
    int restart_in; // MCUs until a restart marker is due
    uint32_t last_dc[MAX_COMPS_IN_SCAN];
    int block_count;
    cjpeg_block blocks[D_MAX_BLOCKS_IN_MCU];
    cjpeg_huffman *dc[NUM_HUFF_TBLS], *ac[NUM_HUFF_TBLS];
    cjpeg_value *differences[NUM_HUFF_TBLS];
    cjpeg_skip *skips[NUM_HUFF_TBLS];
    cjpeg_value *values[NUM_HUFF_TBLS];
    uint8_t buffer[BUFFER_BYTES + MCU_BYTES];
};

// With 16 places more, as a damaged run may lead beyond the block by as much (T.81 figure A.6).
static const uint8_t natural_order[DCTSIZE2 + 16] = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13,
    6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31,
    39, 46, 53, 60, 61, 54, 47, 55, 62, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63};

_Noreturn static void fail(j_decompress_ptr cinfo, int code) {
    cinfo->err->msg_code = code;
    cinfo->err->error_exit((j_common_ptr)cinfo);
    abort();  // error_exit does not return
}

// MARK: Buffer

// Takes what the source has, up to a marker. 0: nothing new, bytes are missing.
static int absorb(j_decompress_ptr cinfo, cjpeg_sequential *state) {
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

// Moves what is left to the buffer's start.
static void compact(cjpeg_sequential *state) {
    size_t decoded = state->bit / 8;
    memmove(state->buffer, state->buffer + decoded, state->count - decoded);
    state->count -= decoded;
    state->bit -= decoded * 8;
    memset(state->buffer + state->count, 0, MCU_BYTES);
}

// MARK: An MCU at full speed

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
static int long_code(uint64_t window, const cjpeg_huffman *table) {
    int32_t code = (int32_t)(window >> 48);
    for (int length = 1; length <= 16; length++) {
        int32_t prefix = code >> (16 - length);
        if (prefix <= table->largest[length])
            return length << 8 | table->symbols[(prefix + table->offset[length]) & 255];
    }
    return -1;
}

// The next symbol; -1: a bad code.
INLINE int take_code(bit_reader *bits, const cjpeg_huffman *table) {
    cjpeg_code code = table->codes[look(bits)];
    int symbol = code.symbol;
    unsigned length = code.length;
    if (!length) {
        int found = long_code(bits->window, table);
        if (found < 0) return -1;
        symbol = found & 255;
        length = (unsigned)found >> 8;
    }
    take(bits, length);
    return symbol;
}

// One AC code. Gives the place after it, DCTSIZE2 or more at the block's end, or -1 for a bad code.
INLINE int take_coefficient(bit_reader *bits, const cjpeg_huffman *table, int place, JCOEF *block) {
    int symbol = take_code(bits, table);
    if (symbol < 0) return -1;
    int run = symbol >> 4, size = symbol & 15;
    if (size == 0) return run == 15 ? place + 16 : DCTSIZE2;
    int value = cjpeg_extend(take_bits(bits, (unsigned)size), size);
    place += run;
    if (block) block[natural_order[place]] = (JCOEF)value;
    return place + 1;
}

// Takes the codes of one look if the block goes on after them.
INLINE int pass_over(bit_reader *bits, const cjpeg_skip *skips, unsigned *skip, int *place) {
    *skip = skips[look(bits)];
    int next = *place + (int)(*skip >> CJPEG_SKIP_SHIFT);
    if (next >= DCTSIZE2) return 0;
    take(bits, *skip & 63);
    *place = next;
    return 1;
}

// Passes over a block's AC coefficients; 0: a bad code.
INLINE int skip_ac(bit_reader *bits, const cjpeg_huffman *table, const cjpeg_skip *skips) {
    int place = 1;
    for (;;) {
        unsigned skip;
        refill(bits);
        if (pass_over(bits, skips, &skip, &place) && pass_over(bits, skips, &skip, &place) &&
            pass_over(bits, skips, &skip, &place))
            continue;
        int next = place + (int)(skip >> CJPEG_SKIP_SHIFT);
        // From 64 to 127 with the block's end among the codes. Otherwise it ends before the last of them, or has a long code.
        if (next < 2 * DCTSIZE2 && (skip >> CJPEG_SKIP_SHIFT) >= CJPEG_SKIP_END) {
            take(bits, skip & 63);
            return 1;
        }
        refill(bits);
        place = take_coefficient(bits, table, place, NULL);
        if (place < 0) return 0;
        if (place >= DCTSIZE2) return 1;
    }
}

// As take_coefficient, by one look where the code and its value are short: CJPEG_LOOK_BITS at most. After another one there
// are as many bits as after a refill.
INLINE int take_value(
    bit_reader *bits, const cjpeg_huffman *table, const cjpeg_value *values, int place, JCOEF *block) {
    cjpeg_value value = values[look(bits)];
    if (!value.bits) {
        refill(bits);
        place = take_coefficient(bits, table, place, block);
        refill(bits);
        return place;
    }
    take(bits, value.bits);
    if (value.run == CJPEG_RUN_END) return DCTSIZE2;
    place += value.run;
    block[natural_order[place]] = value.value;
    return place + 1;
}

// Decodes a block's AC coefficients; 0: a bad code.
INLINE int decode_ac(bit_reader *bits, const cjpeg_huffman *table, const cjpeg_value *values, JCOEF *block) {
    int place = 1;
    for (;;) {
        refill(bits);
        for (int i = 0; i < 4; i++) {
            place = take_value(bits, table, values, place, block);
            if (place < 0) return 0;
            if (place >= DCTSIZE2) return 1;
        }
    }
}

// 0: bits that are not there were taken, or a bad code came up; nothing but coefficients has changed.
static int decode_quickly(cjpeg_sequential *state, uint32_t *last_dc, JBLOCKROW *blocks) {
    const uint8_t *start = state->buffer + state->bit / 8;
    unsigned within = (unsigned)(state->bit & 7);
    bit_reader bits = {load(start) << within, 56 - within, start + 7};
    for (int i = 0; i < state->block_count; i++) {
        const cjpeg_block *block = &state->blocks[i];
        refill(&bits);
        cjpeg_value difference = block->differences[bits.window >> (64 - CJPEG_DC_LOOK_BITS)];
        if (difference.bits) {
            take(&bits, difference.bits);
            last_dc[block->component] += (uint32_t)difference.value;
        } else {
            int size = take_code(&bits, block->dc);
            if (size < 0 || size > 15) return 0;
            if (size) last_dc[block->component] += (uint32_t)cjpeg_extend(take_bits(&bits, (unsigned)size), size);
        }
        JCOEF *coefficients = blocks ? *blocks[i] : NULL;
        if (coefficients) coefficients[0] = (JCOEF)last_dc[block->component];
        int is_good = block->values && coefficients ? decode_ac(&bits, block->ac, block->values, coefficients)
                                                    : skip_ac(&bits, block->ac, block->skips);
        if (!is_good) return 0;
    }
    size_t bit = (size_t)(bits.next - state->buffer) * 8 - bits.count;
    if (bit > state->count * 8) return 0;
    state->bit = bit;
    return 1;
}

// MARK: An MCU with care

// Sees to it that `count` bits follow `bit`; 0: bytes are missing.
static int need(j_decompress_ptr cinfo, cjpeg_sequential *state, size_t bit, int count) {
    while (state->count * 8 - bit < (size_t)count) {
        if (cinfo->unread_marker) fail(cinfo, JWRN_HIT_MARKER);
        if (!absorb(cinfo, state)) return 0;
    }
    return 1;
}

static unsigned peek(const cjpeg_sequential *state, size_t bit, int count) {
    return (unsigned)(load(state->buffer + bit / 8) << (bit & 7) >> (64 - count));
}

// The next symbol; -1: bytes are missing.
static int careful_symbol(
    j_decompress_ptr cinfo, cjpeg_sequential *state, const cjpeg_huffman *table, size_t *bit) {
    for (int length = 1; length <= 16; length++) {
        if (!need(cinfo, state, *bit, length)) return -1;
        int32_t code = (int32_t)peek(state, *bit, length);
        if (code > table->largest[length]) continue;
        *bit += (size_t)length;
        return table->symbols[(code + table->offset[length]) & 255];
    }
    fail(cinfo, JWRN_HUFF_BAD_CODE);
}

// A value of `size` bits; 0: bytes are missing.
static int careful_value(j_decompress_ptr cinfo, cjpeg_sequential *state, int size, size_t *bit, int *value) {
    *value = 0;
    if (size == 0) return 1;
    if (!need(cinfo, state, *bit, size)) return 0;
    *value = cjpeg_extend(peek(state, *bit, size), size);
    *bit += (size_t)size;
    return 1;
}

static int decode_carefully(
    j_decompress_ptr cinfo, cjpeg_sequential *state, uint32_t *last_dc, JBLOCKROW *blocks) {
    compact(state);  // room for all the bytes that an MCU may have
    size_t bit = state->bit;
    for (int i = 0; i < state->block_count; i++) {
        const cjpeg_block *block = &state->blocks[i];
        JCOEF *coefficients = blocks ? *blocks[i] : NULL;
        // What the attempt before this one has left.
        if (coefficients) memset(coefficients, 0, sizeof(JBLOCK));
        int value, size = careful_symbol(cinfo, state, block->dc, &bit);
        if (size > 15) fail(cinfo, JWRN_HUFF_BAD_CODE);
        if (size < 0 || !careful_value(cinfo, state, size, &bit, &value)) return 0;
        last_dc[block->component] += (uint32_t)value;
        if (coefficients) coefficients[0] = (JCOEF)last_dc[block->component];
        for (int place = 1; place < DCTSIZE2; place++) {
            int symbol = careful_symbol(cinfo, state, block->ac, &bit);
            if (symbol < 0 || !careful_value(cinfo, state, symbol & 15, &bit, &value)) return 0;
            if ((symbol & 15) == 0 && symbol >> 4 != 15) break;
            place += symbol >> 4;
            if (coefficients && block->values && symbol & 15) coefficients[natural_order[place]] = (JCOEF)value;
        }
    }
    state->bit = bit;
    return 1;
}

// MARK: libjpeg's side

static boolean restart(j_decompress_ptr cinfo, cjpeg_sequential *state) {
    cinfo->marker->discarded_bytes += (unsigned)(state->count - state->bit / 8);
    state->count = state->bit = 0;
    if (!cinfo->marker->read_restart_marker(cinfo)) return FALSE;
    memset(state->last_dc, 0, sizeof state->last_dc);
    state->restart_in = (int)cinfo->restart_interval;
    return TRUE;
}

// Aligned, because where its loops lie within cache lines makes a difference of up to a fifth.
__attribute__((aligned(64))) static boolean decode_mcu(j_decompress_ptr cinfo, JBLOCKROW *blocks) {
    cjpeg_sequential *state = ((cjpeg_decoder *)cinfo)->sequential;
    if (cinfo->restart_interval && state->restart_in == 0 && !restart(cinfo, state)) return FALSE;
    if (state->count - state->bit / 8 < MCU_BYTES && !cinfo->unread_marker && cinfo->src->bytes_in_buffer) {
        compact(state);
        absorb(cinfo, state);
    }
    uint32_t last_dc[MAX_COMPS_IN_SCAN];
    memcpy(last_dc, state->last_dc, sizeof last_dc);
    if (!decode_quickly(state, last_dc, blocks)) {
        memcpy(last_dc, state->last_dc, sizeof last_dc);
        if (!decode_carefully(cinfo, state, last_dc, blocks)) return FALSE;
    }
    memcpy(state->last_dc, last_dc, sizeof last_dc);
    state->restart_in--;
    return TRUE;
}

// MARK: Setting up

static const cjpeg_huffman *huffman(cjpeg_huffman **slot, const JHUFF_TBL *source) {
    if (!source) return NULL;
    if (*slot) return *slot;
    cjpeg_huffman *table = malloc(sizeof *table);
    if (!table) return NULL;
    if (!cjpeg_huffman_build(table, source)) {
        free(table);
        return NULL;
    }
    return *slot = table;
}

static int set_up(cjpeg_sequential *state, j_decompress_ptr cinfo) {
    state->block_count = cinfo->blocks_in_MCU;
    state->restart_in = (int)cinfo->restart_interval;
    for (int i = 0; i < cinfo->blocks_in_MCU; i++) {
        cjpeg_block *block = &state->blocks[i];
        block->component = cinfo->MCU_membership[i];
        if (block->component < 0 || block->component >= cinfo->comps_in_scan) return 0;
        const jpeg_component_info *component = cinfo->cur_comp_info[block->component];
        int dc = component->dc_tbl_no, ac = component->ac_tbl_no;
        if (dc < 0 || dc >= NUM_HUFF_TBLS || ac < 0 || ac >= NUM_HUFF_TBLS) return 0;
        block->dc = huffman(&state->dc[dc], cinfo->dc_huff_tbl_ptrs[dc]);
        block->ac = huffman(&state->ac[ac], cinfo->ac_huff_tbl_ptrs[ac]);
        if (!block->dc || !block->ac) return 0;
        if (!state->differences[dc]) {
            state->differences[dc] = malloc((1 << CJPEG_DC_LOOK_BITS) * sizeof(cjpeg_value));
            if (!state->differences[dc]) return 0;
            cjpeg_huffman_build_differences(block->dc, state->differences[dc]);
        }
        block->differences = state->differences[dc];
        if (!state->skips[ac]) {
            state->skips[ac] = malloc(CJPEG_LOOK_COUNT * sizeof(cjpeg_skip));
            if (!state->skips[ac]) return 0;
            cjpeg_huffman_build_skips(block->ac, state->skips[ac]);
        }
        block->skips = state->skips[ac];
        if (!component->component_needed || cjpeg_scaled_size(component) == 1) continue;
        if (!state->values[ac]) {
            state->values[ac] = malloc(CJPEG_LOOK_COUNT * sizeof(cjpeg_value));
            if (!state->values[ac]) return 0;
            cjpeg_huffman_build_values(block->ac, state->values[ac]);
        }
        block->values = state->values[ac];
    }
    return 1;
}

void cjpeg_install_sequential(cjpeg_decoder *decoder) {
    j_decompress_ptr cinfo = &decoder->cinfo;
    if (decoder->sequential || cinfo->progressive_mode || cinfo->arith_code || cinfo->buffered_image ||
        cinfo->data_precision != 8)
        return;
    decoder->sequential = calloc(1, sizeof *decoder->sequential);
    if (!decoder->sequential) return;
    if (set_up(decoder->sequential, cinfo)) {
        cinfo->entropy->decode_mcu = decode_mcu;
    } else {
        cjpeg_release_sequential(decoder);
    }
}

void cjpeg_release_sequential(cjpeg_decoder *decoder) {
    cjpeg_sequential *state = decoder->sequential;
    if (!state) return;
    for (int i = 0; i < NUM_HUFF_TBLS; i++) {
        free(state->dc[i]);
        free(state->ac[i]);
        free(state->differences[i]);
        free(state->skips[i]);
        free(state->values[i]);
    }
    free(state);
    decoder->sequential = NULL;
}
