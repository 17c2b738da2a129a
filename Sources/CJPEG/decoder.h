#pragma once

#include "shim/state.h"

// As cjpeg_decoder_create; which libjpeg it is has been found out already, or is being found out (fit.c).
cjpeg_decoder *cjpeg_create(size_t metadata_limit, int works_inside);
