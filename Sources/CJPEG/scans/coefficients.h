#pragma once

#include "../entropy/entropy.h"

typedef struct cjpeg_plane {
    JCOEF *coefficients;
    int place;  // in a block, row by row
} cjpeg_plane;

// A component's coefficients.
struct cjpeg_coefficients {
    int component;
    size_t columns, rows;
    JCOEF *planes[DCTSIZE2];  // by place in zigzag order; NULL: all zero

    // The rows that libjpeg has asked for.
    JBLOCK *blocks;
    JBLOCKROW *lines;
    size_t first, count, capacity;
    // The planes that they came from, and go back to if a scan has them.
    cjpeg_plane open[DCTSIZE2];
    int open_count;
    int scan;  // 0: they are only read
};

// The plane of the place `k` in zigzag order; zeros, if there has been none.
JCOEF *cjpeg_plane_of(cjpeg_decoder *decoder, cjpeg_coefficients *array, int k);
// Puts what a scan has brought back to the planes.
void cjpeg_store_rows(cjpeg_coefficients *array);
// Before jpeg_start_decompress: arrays that hold what is kept of each scan, in place of libjpeg's.
void cjpeg_install_coefficients(cjpeg_decoder *decoder);
void cjpeg_release_coefficients(cjpeg_decoder *decoder);
