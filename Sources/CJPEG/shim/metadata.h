#pragma once

#include "state.h"

void cjpeg_install_metadata(cjpeg_decoder *decoder);
void cjpeg_release_metadata(cjpeg_decoder *decoder);
