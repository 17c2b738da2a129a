#pragma once

#if __has_include(<hiredis.h>)
#include <hiredis.h>
#elif __has_include(<hiredis/hiredis.h>)
#include <hiredis/hiredis.h>
#else
#error "hiredis.h is missing. Debian, Ubuntu: apt-get install libhiredis-dev. macOS: brew install hiredis. Or run scripts/setup."
#endif
