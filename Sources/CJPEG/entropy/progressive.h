#pragma once

#include "../shim/state.h"

// Whether this file's scans are decoded here, and not by libjpeg.
int cjpeg_decodes_progressive(const cjpeg_decoder *decoder);
// At the start of each scan that is decoded: takes the entropy decoder's place where that is so.
void cjpeg_begin_progressive(cjpeg_decoder *decoder);
void cjpeg_release_progressive(cjpeg_decoder *decoder);
// The blocks of the AC scan under way that have been decoded.
size_t cjpeg_blocks_decoded(const cjpeg_decoder *decoder);
// Bytes that have been taken from the source and not decoded yet, but for stuffed ones.
size_t cjpeg_progressive_ahead(const cjpeg_decoder *decoder);
// Forgets them: the scan's rest is left out.
void cjpeg_drop_ahead(cjpeg_decoder *decoder);
