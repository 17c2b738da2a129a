#pragma once

#include "state.h"

void cjpeg_install_source(cjpeg_decoder *decoder);
// Counts pixels that an arithmetic decoder has made after its data's end; a bomb's fail.
void cjpeg_count_overrun(cjpeg_decoder *decoder, uint64_t pixels);
