#pragma once

#include "state.h"

// Looks for the segment that says the height, and writes it into the frame header; 0: bytes are missing.
int cjpeg_find_height(cjpeg_decoder *decoder);
