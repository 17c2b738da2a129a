#pragma once

#if __has_include(<lcms2.h>)
#include <lcms2.h>
#else
#error "lcms2.h is missing. Debian, Ubuntu: apt-get install liblcms2-dev. macOS: brew install little-cms2. Or run scripts/setup."
#endif

/// The library's number for interleaved samples, which it writes as a macro that Swift cannot read.
static inline cmsUInt32Number lcms2_samples(int is_grey, int has_alpha, int is_deep) {
    return COLORSPACE_SH(is_grey ? PT_GRAY : PT_RGB) | CHANNELS_SH(is_grey ? 1 : 3) | EXTRA_SH(has_alpha ? 1 : 0)
        | BYTES_SH(is_deep ? 2 : 1);
}
