#pragma once

#if __has_include(<jpeglib.h>)
#include <stdio.h>
#include <jpeglib.h>
#else
#error "jpeglib.h is missing. Debian, Ubuntu: apt-get install libjpeg-dev. macOS: brew install jpeg-turbo. Or run scripts/setup."
#endif
