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

void cjpeg_huffman_build_values(const cjpeg_huffman *table, cjpeg_value *values) {
    for (uint32_t look = 0; look < CJPEG_LOOK_COUNT; look++) {
        cjpeg_code code = table->codes[look];
        int size = code.symbol & 15, run = code.symbol >> 4, bits = code.length + size;
        values[look] = (cjpeg_value){0, 0, 0};
        if (code.length == 0 || bits > CJPEG_LOOK_BITS) continue;
        unsigned coded = (look >> (CJPEG_LOOK_BITS - bits)) & ((1u << size) - 1);
        values[look].value = (int16_t)cjpeg_extend(coded, size);
        values[look].run = size == 0 && run != 15 ? CJPEG_RUN_END : (uint8_t)run;
        values[look].bits = (uint8_t)bits;
    }
}

void cjpeg_huffman_build_differences(const cjpeg_huffman *table, cjpeg_value *differences) {
    for (uint32_t look = 0; look < 1 << CJPEG_DC_LOOK_BITS; look++) {
        cjpeg_code code = table->codes[look << (CJPEG_LOOK_BITS - CJPEG_DC_LOOK_BITS)];
        int size = code.symbol, bits = code.length + size;
        differences[look] = (cjpeg_value){0, 0, 0};
        if (code.length == 0 || size > 15 || bits > CJPEG_DC_LOOK_BITS) continue;
        unsigned coded = (look >> (CJPEG_DC_LOOK_BITS - bits)) & ((1u << size) - 1);
        differences[look].value = (int16_t)cjpeg_extend(coded, size);
        differences[look].bits = (uint8_t)bits;
    }
}

void cjpeg_huffman_build_skips(const cjpeg_huffman *table, cjpeg_skip *skips) {
    for (uint32_t look = 0; look < CJPEG_LOOK_COUNT; look++) {
        int bits = 0, passed = 0, end = 0;
        while (bits < CJPEG_LOOK_BITS && !end) {
            cjpeg_code code = table->codes[(look << bits) & (CJPEG_LOOK_COUNT - 1)];
            int size = code.symbol & 15, run = code.symbol >> 4, needed = bits + code.length + size;
            if (code.length == 0 || bits + code.length > CJPEG_LOOK_BITS) break;
            // Bits beyond those looked at may belong to the first code's value only.
            if (needed > (bits > 0 ? CJPEG_LOOK_BITS : CJPEG_SKIP_BITS)) break;
            end = size == 0 && run != 15;
            if (!end && passed + run + 1 >= 64) break;
            if (!end) passed += run + 1;
            bits = needed;
        }
        skips[look] = bits == 0 ? CJPEG_SKIP_NONE : (cjpeg_skip)(bits | (passed + (end ? CJPEG_SKIP_END : 0)) << CJPEG_SKIP_SHIFT);
    }
}
