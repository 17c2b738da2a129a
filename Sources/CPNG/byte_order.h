#pragma once

// PNG's samples of 16 bits have their upper byte first.
static inline int cpng_is_little_endian(void) { return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__; }
