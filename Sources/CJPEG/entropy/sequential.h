#pragma once

#include "../shim/state.h"

// After jpeg_start_decompress: takes the entropy decoder's place where it can; else everything stays as it is.
void cjpeg_install_sequential(cjpeg_decoder *decoder);
void cjpeg_release_sequential(cjpeg_decoder *decoder);
// Says which MCUs of a row are looked at; of the others only the DC coefficients are decoded.
void cjpeg_crop_sequential(cjpeg_decoder *decoder, JDIMENSION first, JDIMENSION last);
// Says which iMCU row is the first that is looked at: above it the same, and nothing is transformed. 0: all of them are.
int cjpeg_crop_rows_sequential(cjpeg_decoder *decoder, JDIMENSION first_row);
// Bytes that it has taken from the source and not decoded yet, but for stuffed ones.
size_t cjpeg_sequential_ahead(const cjpeg_decoder *decoder);
