#pragma once

// libjpeg as it is, for tests: what the decoders here must agree with, and files that no encoder here writes.

#include <stddef.h>
#include <stdint.h>

typedef struct jpeg_reference {
    uint32_t width, height;
    int components;
    uint8_t *pixels;  // to be freed; NULL: refused
    int has_lost_pixels;  // a warning said so
} jpeg_reference;

// Decodes at scale/8, grey, RGB or CMYK.
jpeg_reference jpeg_reference_decode(const uint8_t *bytes, size_t count, int scale);

typedef struct jpeg_reference_settings {
    int components;  // 1, 3 or 4
    int quality;
    int horizontal, vertical;  // how many samples of the first component go with one of the others
    int restart_interval;      // in MCUs
    int optimises;             // Huffman tables of the file's own
    int is_progressive;
    uint32_t script;  // of scans: 0 for libjpeg's own, others for as many made up
} jpeg_reference_settings;

// Encodes pixels whose rows follow each other; the result is to be freed.
uint8_t *jpeg_reference_encode(
    const uint8_t *pixels, uint32_t width, uint32_t height, jpeg_reference_settings settings, size_t *count);
