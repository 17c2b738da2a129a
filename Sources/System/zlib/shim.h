#pragma once

#if __has_include(<zlib.h>)
#include <stdio.h>
#include <zlib.h>
#else
#error "zlib.h is missing. Debian, Ubuntu: apt-get install zlib1g-dev. macOS: brew install zlib. Or run scripts/setup."
#endif
