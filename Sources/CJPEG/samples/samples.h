#pragma once

#include "../shim/state.h"

// Whether the header that has been read is of a file whose components may be read as they are stored: luma, and two of colour that are
// stored alike, as large or half as large each way.
int cjpeg_offers_samples(const cjpeg_decoder *decoder);
