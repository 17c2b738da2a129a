#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../../System/libjpeg/shim.h"

// Huffman tables for the decoders in sequential.c and progressive.c: what 12 bits of the entropy-coded data say, looked up at once.

#define CJPEG_LOOK_BITS 12
#define CJPEG_LOOK_COUNT (1 << CJPEG_LOOK_BITS)

// One code: its symbol, and how many bits it has (0: more than CJPEG_LOOK_BITS, or none).
typedef struct cjpeg_code {
    uint8_t symbol;
    uint8_t length;
} cjpeg_code;

// A code of AC coefficients with the bits of its value. The tables of two components fit into the nearest cache beside the picture's rows: a bit
// more finds hardly more values, and takes 4 % longer.
#define CJPEG_VALUE_LOOK_BITS 11

typedef struct cjpeg_value {
    int16_t value;
    uint8_t run;   // zeros before it; CJPEG_RUN_END: the block ends
    uint8_t bits;  // of code and value together; 0: not all of them were looked at
} cjpeg_value;

#define CJPEG_RUN_END 255

// As many whole AC codes with their values' bits as were looked at: the low six bits count the bits, the next six the
// coefficients passed, and the one above them says that the block ends. A single code may have more bits than were looked
// at, up to CJPEG_SKIP_BITS: three of them fit into what a refill leaves. None: CJPEG_SKIP_NONE.
typedef uint16_t cjpeg_skip;

#define CJPEG_SKIP_BITS 18
#define CJPEG_SKIP_SHIFT 6
#define CJPEG_SKIP_END 64
#define CJPEG_SKIP_NONE (127 << CJPEG_SKIP_SHIFT)

// A code of DC coefficients with the bits of its difference.
#define CJPEG_DC_LOOK_BITS 10

typedef struct cjpeg_huffman {
    int32_t largest[17];  // code of each length, or -1
    int32_t offset[17];   // from a code to its symbol's index
    uint8_t symbols[256];
    cjpeg_code codes[CJPEG_LOOK_COUNT];
} cjpeg_huffman;

// 0: the table is not one that codes can be read with.
int cjpeg_huffman_build(cjpeg_huffman *table, const JHUFF_TBL *source);
void cjpeg_huffman_build_values(const cjpeg_huffman *table, cjpeg_value *values);
void cjpeg_huffman_build_differences(const cjpeg_huffman *table, cjpeg_value *differences);
void cjpeg_huffman_build_skips(const cjpeg_huffman *table, cjpeg_skip *skips);

// The value of `size` bits (T.81 figure F.12, EXTEND).
static inline int cjpeg_extend(unsigned bits, int size) {
    return size == 0 || bits >> (size - 1) ? (int)bits : (int)bits - (1 << size) + 1;
}
