#include "huffman.h"

#include <string.h>

int cjpeg_huffman_build(cjpeg_huffman *table, const JHUFF_TBL *source) {
    // T.81 annex C: codes of one length follow each other; the next length goes on from there.
    uint32_t code = 0;
    int index = 0;
    memset(table, 0, sizeof *table);
    for (int length = 1; length <= 16; length++) {
        int count = source->bits[length];
        if (index + count > 256 || code + (uint32_t)count > 1u << length) return 0;
        table->offset[length] = index - (int32_t)code;
        for (int i = 0; i < count; i++, index++, code++) {
            table->symbols[index] = source->huffval[index];
            if (length > CJPEG_LOOK_BITS) continue;
            uint32_t first = code << (CJPEG_LOOK_BITS - length), after = (code + 1) << (CJPEG_LOOK_BITS - length);
            for (uint32_t look = first; look < after; look++)
                table->codes[look] = (cjpeg_code){source->huffval[index], (uint8_t)length};
        }
        table->largest[length] = count ? (int32_t)code - 1 : -1;
        code <<= 1;
    }
    return 1;
}

// Fills in the looks at `look_bits` that begin with a code: its bits, and those of each value that may follow them. `first` is the first
// look of CJPEG_LOOK_BITS that does.
static void fill(cjpeg_value *values, int look_bits, uint32_t first, cjpeg_code code, int size, uint8_t run) {
    int bits = code.length + size;
    if (bits > look_bits) return;
    cjpeg_value *next = values + (first >> (CJPEG_LOOK_BITS - look_bits));
    for (unsigned coded = 0; coded < 1u << size; coded++) {
        cjpeg_value value = {(int16_t)cjpeg_extend(coded, size), run, (uint8_t)bits};
        for (cjpeg_value *last = next + (1 << (look_bits - bits)); next < last; next++) *next = value;
    }
}

// The number of looks of CJPEG_LOOK_BITS that begin with the code that this one begins with.
static uint32_t looks_of(cjpeg_code code) { return code.length ? 1u << (CJPEG_LOOK_BITS - code.length) : 1; }

void cjpeg_huffman_build_values(const cjpeg_huffman *table, cjpeg_value *values) {
    memset(values, 0, (1 << CJPEG_VALUE_LOOK_BITS) * sizeof *values);
    for (uint32_t look = 0; look < CJPEG_LOOK_COUNT; look += looks_of(table->codes[look])) {
        cjpeg_code code = table->codes[look];
        int size = code.symbol & 15, run = code.symbol >> 4;
        if (code.length)
            fill(values, CJPEG_VALUE_LOOK_BITS, look, code, size, size == 0 && run != 15 ? CJPEG_RUN_END : (uint8_t)run);
    }
}

void cjpeg_huffman_build_differences(const cjpeg_huffman *table, cjpeg_value *differences) {
    memset(differences, 0, (1 << CJPEG_DC_LOOK_BITS) * sizeof *differences);
    for (uint32_t look = 0; look < CJPEG_LOOK_COUNT; look += looks_of(table->codes[look])) {
        cjpeg_code code = table->codes[look];
        if (code.length && code.symbol <= 15) fill(differences, CJPEG_DC_LOOK_BITS, look, code, code.symbol, 0);
    }
}

// From the shortest looks to the whole ones: behind its first code, each begins like a shorter one.
void cjpeg_huffman_build_skips(const cjpeg_huffman *table, cjpeg_skip *skips) {
    cjpeg_skip known[2 * CJPEG_LOOK_COUNT];  // for the looks at `count` bits from 2^count on; 0: none
    known[1] = 0;
    for (int count = 1; count <= CJPEG_LOOK_BITS; count++) {
        for (uint32_t look = 0; look < 1u << count; look++) {
            cjpeg_skip *skip = &known[(1u << count) + look];
            *skip = 0;
            cjpeg_code code = table->codes[look << (CJPEG_LOOK_BITS - count)];
            int size = code.symbol & 15, run = code.symbol >> 4, bits = code.length + size;
            if (code.length == 0 || code.length > count) continue;
            // Bits beyond those looked at may belong to the first code's value only.
            if (bits > (count < CJPEG_LOOK_BITS ? count : CJPEG_SKIP_BITS)) continue;
            int passed = size == 0 && run != 15 ? CJPEG_SKIP_END : run + 1;
            *skip = (cjpeg_skip)(bits | passed << CJPEG_SKIP_SHIFT);
            if (passed == CJPEG_SKIP_END || bits >= count) continue;
            cjpeg_skip rest = known[(1u << (count - bits)) + (look & ((1u << (count - bits)) - 1))];
            // More than a block: the first code alone.
            if (((rest >> CJPEG_SKIP_SHIFT) & 63) + passed < DCTSIZE2) *skip = (cjpeg_skip)(*skip + rest);
        }
    }
    for (uint32_t look = 0; look < CJPEG_LOOK_COUNT; look++) {
        cjpeg_skip skip = known[CJPEG_LOOK_COUNT + look];
        skips[look] = skip ? skip : CJPEG_SKIP_NONE;
    }
}
