#pragma once

#if __has_include(<png.h>)
#include <stdio.h>
#include <png.h>
#else
#error "png.h is missing. Debian, Ubuntu: apt-get install libpng-dev. macOS: brew install libpng. Or run scripts/setup."
#endif
