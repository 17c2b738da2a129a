#pragma once

#include "../shim/state.h"

// At the start of each scan, and of each output pass: does without whole blocks where the arrays of coefficients.c are in place.
void cjpeg_begin_planes(cjpeg_decoder *decoder);
void cjpeg_begin_planes_output(cjpeg_decoder *decoder);
